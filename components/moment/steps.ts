/** Which moment comes before and after another: by changes, by marks, by time. Pure. */
import type { MarkKind, MomentChange, MomentsOfTask } from '@/lib/wire/http'

/** near: the changes around the moment that is shown, in order */
export type MomentList = { whole: MomentsOfTask; near: readonly MomentChange[] }

/** The change that the moment shows as the last; null: it is before the first one that is known. */
export const changeAt = (near: readonly MomentChange[], seq: number): MomentChange | null =>
  near.findLast((one) => one.seq <= seq) ?? null

/** The entry so many changes later (below 0: before); as far as changes are known. */
export function stepped({ near, whole }: MomentList, seq: number, by: number): number {
  const at = near.findLastIndex((one) => one.seq <= seq)
  // Between two changes the one before is the nearest.
  const from = by < 0 && near[at] !== undefined && near[at].seq < seq ? at + 1 : at
  const to = Math.min(near.length - 1, Math.max(0, from + by))
  return near[to]?.seq ?? firstOf(whole)
}

const firstOf = ({ buckets }: MomentsOfTask): number => buckets[0]?.from ?? 1
const lastOf = ({ buckets }: MomentsOfTask): number => buckets.at(-1)?.to ?? 1
export const endsOf = (whole: MomentsOfTask): { first: number; last: number } => ({
  first: firstOf(whole),
  last: lastOf(whole),
})

/** The marked entry after or before a moment; null: there is none. */
export function markedBeside({ whole, near }: MomentList, seq: number, side: 1 | -1): number | null {
  const marked = [
    ...whole.buckets.flatMap(({ marks }) => Object.values(marks).filter((one) => one > 0)),
    ...near.filter(({ mark }) => mark !== null).map((one) => one.seq),
  ]
  const beside = marked.filter((one) => (side > 0 ? one > seq : one < seq))
  return beside.length === 0 ? null : side > 0 ? Math.min(...beside) : Math.max(...beside)
}

/** Where a moment stands among all changes: 0 to 1. */
export function shareOf({ changes, buckets }: MomentsOfTask, seq: number): number {
  let before = 0
  for (const bucket of buckets) {
    if (seq < bucket.from) break
    const part = bucket.to === bucket.from ? 1 : Math.min(1, (seq - bucket.from) / (bucket.to - bucket.from))
    if (seq <= bucket.to) return changes === 0 ? 0 : (before + part * bucket.changes) / changes
    before += bucket.changes
  }
  return changes === 0 ? 0 : before / changes
}

/** The entry at a share of all changes, as near as buckets tell. */
export function seqAtShare({ changes, buckets }: MomentsOfTask, share: number): number {
  let left = share * changes
  for (const { from, to, changes: own } of buckets) {
    if (left <= own) return Math.round(from + (own === 0 ? 0 : left / own) * (to - from))
    left -= own
  }
  return buckets.at(-1)?.to ?? 1
}

/** The last change at or before a time. in: at: epoch ms */
export const lastUntil = (near: readonly MomentChange[], at: number): MomentChange | null =>
  near.findLast((one) => one.at <= at) ?? null

/** Marks on the scale, each at its share; failures over the others. */
export function marksOn(whole: MomentsOfTask): { kind: MarkKind; share: number }[] {
  const kinds: readonly MarkKind[] = ['checkpoint', 'stage', 'ask', 'answer', 'failure']
  return kinds.flatMap((kind) =>
    whole.buckets.flatMap(({ marks }) => (marks[kind] > 0 ? [{ kind, share: shareOf(whole, marks[kind]) }] : [])),
  )
}
