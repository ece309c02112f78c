/** Where in the lines of a tree something failed or waits, as places of the strip beside it. Pure. */
import { isFailure, isWaiting } from './jumps'
import type { TreeLineModel } from './treeModel'

/** Places of the strip; lines that share one have one mark. */
export const STRIP_PLACES = 300

/** Places, each once, from the top down. A place with both is an error. */
type StripMarks = { errors: readonly number[]; waits: readonly number[] }

/** in: the visible lines; a closed one represents its contents */
export function stripMarks(lines: readonly TreeLineModel[]): StripMarks {
  const [errors, waits] = [new Set<number>(), new Set<number>()]
  lines.forEach(({ node, isOpen }, index) => {
    if (isOpen === true) return
    const place = Math.floor((index * STRIP_PLACES) / lines.length)
    const isClosed = isOpen === false
    if (isFailure(node) || (isClosed && node.counts.failed > 0)) errors.add(place)
    else if (isWaiting(node) || (isClosed && node.counts.waiting > 0)) waits.add(place)
  })
  return { errors: [...errors], waits: [...waits].filter((place) => !errors.has(place)) }
}
