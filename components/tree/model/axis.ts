/** The time axis of the tree's bars: one for all lines, so that bars can be compared. */

/** The shortest axis, and the next longer one: a running task moves its bars only when the axis grows, ms. */
const LEAST_MS = 15_000
const GROWTH = 1.5

/**
 * in      when the task began and ended (null: it runs), and now; epoch ms
 * out     its length, ms: of a running task with room for what comes
 */
export function axisLength(from: number, to: number | null, now: number): number {
  if (to !== null) return Math.max(1, to - from)
  let length = LEAST_MS
  while (length < now - from) length *= GROWTH
  return length
}

/** Of a line: where its bar begins after the axis does, and how long it is, ms; null: it has not begun. */
export function barOf(
  {
    startedAt,
    endedAt,
    waitingSince,
  }: { startedAt: number | null; endedAt: number | null; waitingSince: number | null },
  axisFrom: number,
  now: number,
): { from: number; length: number; waitFrom: number | null } | null {
  if (startedAt === null) return null
  const from = Math.max(0, startedAt - axisFrom)
  // What only waits for an answer has done its work.
  const end = endedAt ?? (waitingSince === null ? now : Math.max(startedAt, waitingSince))
  return {
    from,
    length: Math.max(0, end - axisFrom - from),
    waitFrom: waitingSince === null ? null : Math.max(0, waitingSince - axisFrom),
  }
}

/** When the first of these lines began, epoch ms; null: none has. */
export const firstStart = (lines: readonly { startedAt: number | null }[]): number | null =>
  lines.reduce<number | null>(
    (first, { startedAt }) => (startedAt === null || (first !== null && first <= startedAt) ? first : startedAt),
    null,
  )
