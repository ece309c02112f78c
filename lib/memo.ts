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
  const kept = keeping<Branch, Answer>()
  return (branch, ...rest) => kept(branch, rest, () => answer(branch, ...rest))
}

/** The same where the answer is made from more than what it is compared by. */
export function keeping<Branch extends object, Answer>() {
  const known = new WeakMap<Branch, { rest: readonly unknown[]; answer: Answer }>()
  return (branch: Branch, rest: readonly unknown[], make: () => Answer): Answer => {
    const kept = known.get(branch)
    if (kept && isSameList(kept.rest, rest)) return kept.answer
    const made = { rest, answer: make() }
    known.set(branch, made)
    return made.answer
  }
}
