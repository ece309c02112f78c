/** "Did you mean …": the known word at the smallest edit distance. */
import { editDistance } from '../shared/editDistance'

/** null when none is close: at most a third of the letters may differ, and at most three. */
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

/** A hint with the closest word, else with all of them. */
export function hintFor(word: string, known: readonly string[]): string | null {
  const close = nearest(word, known)
  if (close !== null) return `Did you mean ${close}?`
  return known.length === 0 ? null : `Known here: ${known.join(', ')}`
}
