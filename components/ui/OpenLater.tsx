/**
 * A button whose menu or panel is a file of its own, fetched when the page is idle or at the first press.
 *
 * Owns: the press before the file is there. From the first press on the fetched part draws both, already open.
 * Used by: what is on every page and seldom opened (the member's menu, the connection's panel).
 */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { type LateFile, useLate } from './late'

export type LaterButtonProps = { onClick: () => void; 'aria-haspopup': 'menu' | 'dialog'; 'aria-expanded': false }

const IDLE_AFTER_MS = 2_000

export function OpenLater<Props extends object>({
  file,
  partProps,
  opens,
  button,
}: {
  /** The same at every render. */
  file: LateFile<{ default: ComponentType<Props> }>
  partProps: Props
  opens: 'menu' | 'dialog'
  button: (props: LaterButtonProps) => ReactNode
}) {
  const [isPressed, setPressed] = useState(false)
  const part = useLate(file, isPressed, () => setPressed(false))
  useEffect(() => {
    // Joins the network once it is quiet: offline, it must still open.
    const timer = setTimeout(() => void file.load().catch(() => undefined), IDLE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [file])
  if (part) return <part.default {...partProps} />
  return button({ onClick: () => setPressed(true), 'aria-haspopup': opens, 'aria-expanded': false })
}
