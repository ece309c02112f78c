import { useMemo, useState } from 'react'
import { browserStorage, namespacedStorage } from '@/client/storage'

declare module 'react' {
  interface CSSProperties {
    /** min, max and normal width of a pane. */
    '--pane'?: string
  }
}

/** In px, at the normal text size. edge: the side that is dragged. */
export type PaneSize = { name: string; min: number; max: number; normal: number; edge: 'left' | 'right' }

/** The stored width of a member's pane. */
export function usePaneWidth(member: string, { name, min, max, normal }: PaneSize) {
  const keep = useMemo(() => namespacedStorage(browserStorage(), 'panes', member), [member])
  const clamped = (width: number): number => Math.round(Math.min(max, Math.max(min, width)))
  const [width, setWidth] = useState(() => {
    const kept = keep.read(name)
    return typeof kept === 'number' && Number.isFinite(kept) ? clamped(kept) : normal
  })
  const set = (next: number): void => {
    setWidth(clamped(next))
    keep.write(name, clamped(next))
  }
  return [width, set] as const
}
