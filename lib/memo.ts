/** Answers cached as long as their inputs are the same objects; branches of the world are never changed in place. */

/** The answer of a pure question about one object. */
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

export const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((value, index) => value === b[index])

/** The last answer about one object and what else it was made from, compared with ===. */
export function memoWith<Branch extends object, Rest extends readonly unknown[], Answer>(
  answer: (branch: Branch, ...rest: Rest) => Answer,
): (branch: Branch, ...rest: Rest) => Answer {
  const known = new WeakMap<Branch, { rest: Rest; answer: Answer }>()
  return (branch, ...rest) => {
    const kept = known.get(branch)
    if (kept && isSameList(kept.rest, rest)) return kept.answer
    const made = { rest, answer: answer(branch, ...rest) }
    known.set(branch, made)
    return made.answer
  }
}
