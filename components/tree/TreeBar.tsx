/** The bar of a line on the time axis of all lines: when it ran, in the colour of its state, and since when it waits. */
import { createContext, type RefObject, useContext, useEffect } from 'react'
import { pageClock, useNow } from '@/client/clock'
import { cx } from '@/components/ui/cx'
import type { Chip } from '@/lib/wire/rows'
import { axisLength, barOf } from './model/axis'
import type { TreeNode } from './model/treeModel'

/** Where the axis begins, epoch ms; null: there is none yet. */
export const AxisFrom = createContext<number | null>(null)

/** Joins the length of the axis, which grows with the clock, to the grid: its lines are not drawn again for it. */
export function useAxisLength(grid: RefObject<HTMLElement | null>, from: number | null, to: number | null): void {
  useEffect(() => {
    if (from === null) return
    let shown = 0
    const show = (): void => {
      const length = axisLength(from, to, pageClock.shown('seconds'))
      if (length !== shown) grid.current?.style.setProperty('--axis', `${length}`)
      shown = length
    }
    show()
    return to === null ? pageClock.subscribe(show) : undefined
  }, [grid, from, to])
}

const COLOURS: Record<Chip, string> = {
  idle: 'bg-idle',
  running: 'bg-running',
  waiting: 'bg-wait-line',
  blocked: 'bg-blocked',
  done: 'bg-done',
  redone: 'bg-stale',
  failed: 'bg-failed',
}

export function TreeBar({ node }: { node: TreeNode }) {
  const axisFrom = useContext(AxisFrom)
  const isOpen = node.startedAt !== null && (node.endedAt === null || node.waitingSince !== null)
  const now = useNow(isOpen ? 'seconds' : null)
  const bar = axisFrom === null ? null : barOf(node, axisFrom, now)
  if (axisFrom === null || bar === null) return null
  return (
    <span className="relative block h-2 overflow-hidden" aria-hidden data-bar={node.chip}>
      <span
        className={cx(
          'absolute min-w-0.5',
          node.kind === 'step' ? cx('inset-y-0 rounded-sm', COLOURS[node.chip]) : 'inset-y-[3px] bg-line-strong',
        )}
        style={onAxis(bar.from, bar.length)}
      />
      {bar.waitFrom === null ? null : (
        <span className="absolute top-1/2 dash" style={onAxis(bar.waitFrom, now - axisFrom - bar.waitFrom)} />
      )}
    </span>
  )
}

const onAxis = (from: number, length: number) => ({
  left: `calc(100% * ${from} / var(--axis))`,
  width: `calc(100% * ${Math.max(0, length)} / var(--axis))`,
})
