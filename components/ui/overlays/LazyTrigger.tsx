/**
 * A button whose menu or panel is a lazy file, fetched when the page is idle or at the first press.
 *
 * From the first press on, the fetched part draws both, already open.
 */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { type LazyFile, useLazy } from '../lazyFile'

type LazyButtonProps = { onClick: () => void; 'aria-haspopup': 'menu' | 'dialog'; 'aria-expanded': false }

const IDLE_AFTER_MS = 2_000

export function LazyTrigger<Props extends object>({
  file,
  partProps,
  opens,
  button,
}: {
  /** The same at every render. */
  file: LazyFile<{ default: ComponentType<Props> }>
  partProps: Props
  opens: 'menu' | 'dialog'
  button: (props: LazyButtonProps) => ReactNode
}) {
  const [isPressed, setPressed] = useState(false)
  const part = useLazy(file, isPressed, () => setPressed(false))
  useEffect(() => {
    // Joins the network once it is quiet: offline, the part must still open.
    const timer = setTimeout(() => void file.load().catch(() => undefined), IDLE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [file])
  if (part) return <part.default {...partProps} />
  return button({ onClick: () => setPressed(true), 'aria-haspopup': opens, 'aria-expanded': false })
}
