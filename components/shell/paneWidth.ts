/** How wide a pane is. */
import { useMemo, useState } from 'react'
import { browserStorage, namespacedStorage } from '@/client/storage'

declare module 'react' {
  interface CSSProperties {
    /** The width of a pane, for the style sheet's widths from which it counts. */
    '--pane'?: string
  }
}

/** px at the normal size of text. */
export type PaneSize = { name: string; min: number; max: number; normal: number }

/** The width of a pane as this member left it. */
export function usePaneWidth(member: string, { name, min, max, normal }: PaneSize): [number, (width: number) => void] {
  const keep = useMemo(() => namespacedStorage(browserStorage(), 'panes', member), [member])
  const fit = (width: number): number => Math.round(Math.min(max, Math.max(min, width)))
  const [width, setWidth] = useState(() => {
    const kept = keep.read(name)
    return typeof kept === 'number' && Number.isFinite(kept) ? fit(kept) : normal
  })
  return [
    width,
    (next) => {
      setWidth(fit(next))
      keep.write(name, fit(next))
    },
  ]
}
