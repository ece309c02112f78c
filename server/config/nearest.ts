/** "Did you mean …": the known word that is fewest edits away. */

/** The closest of the known words, or null when none is close (a third of its letters differ at most, and never more than three). */
export function nearest(word: string, known: readonly string[]): string | null {
  const lower = word.toLowerCase()
  let best: { word: string; edits: number } | null = null
  for (const candidate of known) {
    const edits = editsBetween(lower, candidate.toLowerCase())
    const allowed = Math.min(3, Math.max(1, Math.ceil(candidate.length / 3)))
    if (edits <= allowed && (best === null || edits < best.edits)) best = { word: candidate, edits }
  }
  return best?.word ?? null
}

/** A hint that names the closest word, else all of them. */
export function hintFor(word: string, known: readonly string[]): string | null {
  const close = nearest(word, known)
  if (close !== null) return `Did you mean ${close}?`
  return known.length === 0 ? null : `Known here: ${known.join(', ')}`
}

function editsBetween(left: string, right: string): number {
  let above = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const swap = (above[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1)
      current.push(Math.min(swap, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    above = current
  }
  return above[right.length] ?? 0
}
