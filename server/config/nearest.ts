/** "Did you mean …": the known word that is fewest edits away. */
import { editDistance } from '../shared/editDistance'

/** The closest of the known words, or null when none is close (a third of its letters differ at most, and never more than three). */
export function nearest(word: string, known: readonly string[]): string | null {
  const lower = word.toLowerCase()
  let best: { word: string; edits: number } | null = null
  for (const candidate of known) {
    const edits = editDistance(lower, candidate.toLowerCase())
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
