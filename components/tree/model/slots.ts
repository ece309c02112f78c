/** Which drawn line takes which elements. Pure. */

/**
 * A line that is drawn keeps its elements, and one that comes takes those of one that went: a jump changes elements in place of
 * making some thousand new ones.
 *
 * in      before: the slots of the lines drawn last, in their order; ids: of the lines to draw
 * out     a slot for each, in their order
 */
export function slotsOf(before: ReadonlyMap<string, number>, ids: readonly string[]): ReadonlyMap<string, number> {
  const wanted = new Set(ids)
  const free = [...before].flatMap(([id, slot]) => (wanted.has(id) ? [] : [slot]))
  let [next, taken] = [Math.max(-1, ...before.values()) + 1, 0]
  return new Map(
    ids.map((id) => {
      const kept = before.get(id)
      if (kept !== undefined) return [id, kept]
      const slot = free[taken] ?? next++
      taken += 1
      return [id, slot]
    }),
  )
}
