/**
 * A button whose menu or panel is a file of its own, fetched when the page is idle or at the first press.
 *
 * Owns: the press before the file is there. From the first press on the fetched part draws both, already open.
 * Used by: what is on every page and seldom opened (the member's menu, the connection's panel).
 */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { showToast } from './toast'

export type LaterButtonProps = { onClick: () => void; 'aria-haspopup': 'menu' | 'dialog'; 'aria-expanded': false }

const IDLE_AFTER_MS = 2_000

export function OpenLater<Props extends object>({
  load,
  partProps,
  opens,
  button,
}: {
  /** The same function at every render. */
  load: () => Promise<{ default: ComponentType<Props> }>
  partProps: Props
  opens: 'menu' | 'dialog'
  button: (props: LaterButtonProps) => ReactNode
}) {
  const t = useTranslations('error')
  const [Part, setPart] = useState<ComponentType<Props> | null>(null)
  useEffect(() => {
    // Joins the network once it is quiet: offline, it must still open.
    const timer = setTimeout(() => void load().catch(() => undefined), IDLE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [load])
  if (Part) return <Part {...partProps} />
  const open = (): void => {
    load().then(
      (file) => setPart(() => file.default),
      () => showToast('error', t('chunk')),
    )
  }
  return button({ onClick: open, 'aria-haspopup': opens, 'aria-expanded': false })
}
