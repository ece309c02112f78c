/** Who is at work in a task now, from the rows of its timeline. */
import type { Chip, TimelineBar, TimelineLane } from '@/lib/wire/rows'

/** A member with the step that runs; null: none does, or it is not among the rows. */
export type AtWork = { lane: TimelineLane; step: TimelineBar | null }
export type WorkCounts = { working: number; waiting: number; blocked: number }

/** All members, in the order of their lanes. */
export function membersIn(rows: readonly (TimelineLane | TimelineBar)[]): AtWork[] {
  const bars = new Map(rows.flatMap((row) => (row.kind === 'step' ? [[row.id, row] as const] : [])))
  const withWork = new Set([...bars.values()].filter(({ to }) => to === null).map(({ lane }) => lane))
  return rows.flatMap((row): AtWork[] => {
    if (row.kind !== 'lane') return []
    const lane = row.cause === 'paused' && !withWork.has(row.agent) ? atRest(row) : row
    return [{ lane, step: lane.running === null ? null : (bars.get(lane.running) ?? null) }]
  })
}

/** A pause of the task holds back nothing of a member without work. */
const atRest = (lane: TimelineLane): TimelineLane => ({
  ...lane,
  chip: 'idle',
  waitsFor: [],
  waitingSince: null,
  cause: null,
})

/** It runs a step, or waits with a reason. */
export const isBusy = ({ lane }: AtWork): boolean => lane.running !== null || lane.waitingSince !== null

export function countsOf(members: readonly AtWork[]): WorkCounts {
  const stopped = members.filter((member) => isBusy(member) && member.lane.running === null)
  return {
    working: members.filter(({ lane }) => lane.running !== null).length,
    waiting: stopped.filter(({ lane }) => lane.chip !== 'blocked').length,
    blocked: stopped.filter(({ lane }) => lane.chip === 'blocked').length,
  }
}

/** One that is between two steps keeps its line. */
const RANKS: Partial<Record<Chip, number>> = { blocked: 1, waiting: 2 }
const rankOf = ({ lane }: AtWork): number => RANKS[lane.chip] ?? 0

/** At most so many, those that work before those that are stopped; in the order of their lanes. */
export function firstOf(members: readonly AtWork[], most: number): readonly AtWork[] {
  if (members.length <= most) return members
  const first = new Set([...members].sort((a, b) => rankOf(a) - rankOf(b)).slice(0, most))
  return members.filter((member) => first.has(member))
}

/** At a multiple of this a text is cut that has no lines: at another place with each piece, it would be broken anew. */
const CUT_CHARACTERS = 1_000
const LINE = /\n/g

/** The end of a text, for its last lines: from the same place while it grows by less than a thousand characters. */
export function lastWordsOf(text: string): string {
  const from = Math.max(0, Math.floor(text.length / CUT_CHARACTERS) - 1) * CUT_CHARACTERS
  // No half of a surrogate pair.
  const end = text
    .slice(from)
    .replace(/^[\uDC00-\uDFFF]/, '')
    .trimEnd()
  if (from === 0) return end
  LINE.lastIndex = 0
  const line = LINE.exec(end)
  return line && end.length - line.index > CUT_CHARACTERS / 2 ? end.slice(line.index + 1) : end
}
