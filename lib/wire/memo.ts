/**
 * The answer of a pure question about one object, kept as long as the object is. Branches of the world are never changed
 * in place, so an answer per branch is an answer for as long as nothing in it changed.
 */
export function memo<Branch extends object, Answer>(answer: (branch: Branch) => Answer): (branch: Branch) => Answer {
  const known = new WeakMap<Branch, { answer: Answer }>()
  return (branch) => {
    const kept = known.get(branch)
    if (kept) return kept.answer
    const made = { answer: answer(branch) }
    known.set(branch, made)
    return made.answer
  }
}
