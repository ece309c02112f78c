/** Saves a file of the server: a link, so that the browser writes it to the disk as it arrives. Off while the server is away. */
import { Download } from 'lucide-react'
import { type ButtonProps, buttonClass } from './Button'
import { ServerButton } from './ServerButton'
import { useServerAway } from './serverAway'

type ServerDownloadProps = Pick<ButtonProps, 'look' | 'aria-label' | 'children'> & {
  href: string
  onDownload?: () => void
}

export function ServerDownload({ href, onDownload, children, ...rest }: ServerDownloadProps) {
  if (useServerAway() !== null) return <ServerButton {...rest}>{children}</ServerButton>
  return (
    <a href={href} download className={buttonClass(rest.look)} aria-label={rest['aria-label']} onClick={onDownload}>
      <Download className="size-4" />
      {children}
    </a>
  )
}
