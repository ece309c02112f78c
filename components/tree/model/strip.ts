/** Where in a tree something failed or waits, as places of the strip beside it. Pure. */
import type { TreeRuler } from '@/lib/wire/http'
import { gapOf } from './earlier'
import { isFailure, isWaiting } from './jumps'
import type { TreeLineModel } from './treeModel'

/** Places of the strip; lines that share one have one mark. */
export const STRIP_PLACES = 1_000

/** starts: of each line, and of what would follow the last. A line has one unit, one that stands for steps a unit for each. */
export type StripScale = { starts: readonly number[]; total: number }

export function stripScale(lines: readonly TreeLineModel[]): StripScale {
  const starts = new Array<number>(lines.length)
  let total = 0
  lines.forEach(({ node }, index) => {
    starts[index] = total
    total += node.kind === 'older' ? Math.max(1, node.counts.steps) : 1
  })
  return { starts, total }
}

/** The line at a part of the strip (0 … 1), and how far into what it stands for. */
export function lineAt({ starts, total }: StripScale, part: number): { line: number; into: number } {
  const at = Math.min(total - 1, Math.max(0, Math.floor(part * total)))
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return { line: low, into: at - (starts[low] ?? 0) }
}

/** Places, each once. A place with both is an error. */
type StripMarks = { errors: readonly number[]; waits: readonly number[] }

/** in: the visible lines; a closed one represents its contents. ruler: failures among steps that no line shows */
export function stripMarks(lines: readonly TreeLineModel[], scale: StripScale, ruler: TreeRuler | null): StripMarks {
  const [errors, waits] = [new Set<number>(), new Set<number>()]
  const placeOf = (unit: number): number => Math.floor((unit * STRIP_PLACES) / scale.total)
  const hidden = new Map((ruler?.lanes ?? []).map(({ stage, agent, places }) => [`${stage ?? '-'}/${agent}`, places]))
  lines.forEach(({ node, isOpen }, index) => {
    const start = scale.starts[index] ?? 0
    const gap = node.kind === 'task' || hidden.size === 0 ? null : gapOf(node)
    if (gap !== null)
      for (const place of hidden.get(gap.lane) ?? [])
        if (place >= gap.from && place < gap.to) errors.add(placeOf(start + place - gap.from))
    if (isOpen === true) return
    const isClosed = isOpen === false
    if (isFailure(node) || (isClosed && node.counts.failed > 0)) errors.add(placeOf(start))
    else if (isWaiting(node) || (isClosed && node.counts.waiting > 0)) waits.add(placeOf(start))
  })
  return { errors: [...errors], waits: [...waits].filter((place) => !errors.has(place)) }
}
