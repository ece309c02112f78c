/** Keeps the position of the text being read when lines of a list appear or disappear. */
import type { TreeLineModel } from './treeModel'

const idAt = (lines: readonly TreeLineModel[], at: number): string | undefined => lines[at]?.node.id

/**
 * By how many lines what is read has moved.
 *
 * in      top: the first line in the window before; count: of lines in the window
 * out     the first line of the window that is still there decides; where none is, the nearest one above it
 */
export function shiftOf(
  before: readonly TreeLineModel[],
  after: readonly TreeLineModel[],
  top: number,
  count: number,
): number {
  const first = idAt(before, top)
  if (first === undefined || first === idAt(after, top)) return 0
  const now = after.findIndex(({ node }) => node.id === first)
  if (now >= 0) return now - top
  const places = new Map(after.map(({ node }, at) => [node.id, at]))
  const placeOf = (at: number): number | undefined => places.get(idAt(before, at) ?? '')
  for (let at = top + 1; at < Math.min(top + count, before.length); at++) {
    const place = placeOf(at)
    if (place !== undefined) return place - at
  }
  for (let at = top - 1; at >= 0; at--) {
    const place = placeOf(at)
    if (place !== undefined) return place - top
  }
  return 0
}
