/** The changes of a task by which its moments are chosen: in buckets, and one by one around an entry. */

import { threadsOf } from '@/lib/mas/access/visibility'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import type { MarkKind, MomentBucket, MomentChange, MomentChanges, MomentsOfTask } from '@/lib/wire/http'
import { asMomentView, parseView } from '@/lib/wire/views'
import type { TaskChangeList } from '@/server/engine/moments/changes'
import { scopeOfMoment } from '@/server/monitor'

const BUCKETS = 1_000
const AROUND = 200

/** The places of the changes that this person may know of. in: now: with the task in it */
export function placesFor(now: World, task: TaskId, person: AgentId, all: TaskChangeList): readonly number[] {
  const record = now.tasks[task]
  const view = parseView(`task:${task}`)
  const scopeKey = (seq: number): string | null =>
    view === null || asMomentView(view, task) === null
      ? null
      : scopeOfMoment(now, null, person, view, { task, seq }).scopeKey
  const upTo = scopeKey(Number.MAX_SAFE_INTEGER) !== null ? Number.MAX_SAFE_INTEGER : (record?.former[person] ?? 0)
  const threads = scopeKey(1)?.startsWith('person:') ? threadsOf(now, task, person) : null
  return [...all.seqs.keys()].filter((place) => {
    const [thread, members] = [all.threads.get(place), all.members.get(place)]
    if (members !== undefined && !members.includes(person)) return false
    return (all.seqs[place] ?? 0) <= upTo && (threads === null || (thread !== undefined && hasThread(threads, thread)))
  })
}

const hasThread = (threads: ReadonlySet<string>, thread: string): boolean => threads.has(thread)

export function bucketsOf(all: TaskChangeList, places: readonly number[]): MomentsOfTask {
  const size = Math.max(1, Math.ceil(places.length / BUCKETS))
  const buckets: MomentBucket[] = []
  for (let from = 0; from < places.length; from += size) {
    const own = places.slice(from, from + size)
    const [first = 0, last = 0] = [own[0], own.at(-1)]
    const marks: Record<MarkKind, number> = { ask: 0, answer: 0, failure: 0, stage: 0, checkpoint: 0 }
    for (const place of own) {
      const kind = all.marks.get(place)?.kind
      if (kind !== undefined && marks[kind] === 0) marks[kind] = all.seqs[place] ?? 0
    }
    const { seqs, ats } = all
    buckets.push({ from: seqs[first] ?? 0, to: seqs[last] ?? 0, at: ats[first] ?? 0, changes: own.length, marks })
  }
  return { changes: places.length, buckets }
}

export function changesAround(all: TaskChangeList, places: readonly number[], seq: number): MomentChanges {
  const after = places.findIndex((place) => (all.seqs[place] ?? 0) > seq)
  const at = after === -1 ? places.length : after
  const from = Math.max(0, at - AROUND)
  const changes = places.slice(from, at + AROUND).map(
    (place, n): MomentChange => ({
      seq: all.seqs[place] ?? 0,
      at: all.ats[place] ?? 0,
      place: from + n + 1,
      mark: all.marks.get(place) ?? null,
    }),
  )
  return { changes, of: places.length }
}
