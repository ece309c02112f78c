/** The files of a message that is being written: how far each is, taking it away, trying again. */
import { Paperclip, RotateCw, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { IconButton } from '@/components/ui/Button'
import { formatBytes } from '@/lib/format'
import { ATTACHMENT_BYTES, type Attaching, attachAgain, detach, MOST_ATTACHMENTS } from './useAttachments'

export function AttachmentStrip({ task, files }: { task: string; files: readonly Attaching[] }) {
  const t = useTranslations('chat')
  if (files.length === 0) return null
  const stateOf = (file: Attaching): string => {
    if (file.state === 'sending') return t('attach.sending')
    if (file.trouble === null) return formatBytes(file.bytes)
    return t(`attach.${file.trouble.why}`, {
      limit: formatBytes(ATTACHMENT_BYTES),
      most: MOST_ATTACHMENTS,
      reason: file.trouble.message,
    })
  }
  return (
    <ul aria-label={t('attach.list')} className="flex flex-wrap gap-1.5 px-3 pt-2">
      {files.map((file) => (
        <li
          key={file.localId}
          data-state={file.state}
          className="inline-flex max-w-full items-center gap-1.5 rounded-control border border-line py-0.5 pr-0.5 pl-2 text-meta"
        >
          <Paperclip aria-hidden className="size-3.5 shrink-0 text-t3" />
          <span className="cut">{file.name}</span>
          <span
            role={file.state === 'failed' ? 'alert' : undefined}
            className={file.state === 'failed' ? 'text-failed' : 'shrink-0 text-t3'}
          >
            {stateOf(file)}
          </span>
          {file.trouble?.why === 'offline' || file.trouble?.why === 'refused' ? (
            <IconButton
              className="size-6!"
              icon={<RotateCw aria-hidden />}
              label={t('attach.again', { name: file.name })}
              onClick={() => attachAgain(task, file.localId)}
            />
          ) : null}
          <IconButton
            className="size-6!"
            icon={<X aria-hidden />}
            label={t('remove', { name: file.name })}
            onClick={() => detach(task, file.localId)}
          />
        </li>
      ))}
    </ul>
  )
}
