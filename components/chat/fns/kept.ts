/** What comes and goes quickly stays on screen for a while, so that what is beside it does not move. */

/** Of each id since when it is not among the present ones, epoch ms; null: it is. */
export type Kept = ReadonlyMap<string, number | null>

/** Those that are present, and those that were until less than keepMs ago. out: `before` where nothing changed */
export function keptAfter(before: Kept, present: readonly string[], at: number, keepMs: number): Kept {
  const now = new Set(present)
  const next = new Map<string, number | null>(present.map((id) => [id, null]))
  for (const [id, since] of before) {
    const left = since ?? at
    if (!now.has(id) && at - left < keepMs) next.set(id, left)
  }
  const isSame = next.size === before.size && [...next].every(([id, since]) => before.get(id) === since)
  return isSame ? before : next
}

/** How long until the first of them is dropped, ms; null: none will be. */
export function dropsIn(kept: Kept, at: number, keepMs: number): number | null {
  const lefts = [...kept.values()].filter((since) => since !== null)
  return lefts.length === 0 ? null : Math.max(0, Math.min(...lefts) + keepMs - at)
}
