/** Rows of a view of records: all of them, those that changed between two worlds, those that a page at some entry lacks. */

import { canReadRequest } from '@/lib/mas/access/access'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { LeftRecords, RequestRecord, World } from '@/lib/mas/records'
import { RECORD_IDS } from '@/lib/mas/records/recordIds'
import { findStep } from '@/lib/mas/team/agents'
import type { RecordRow } from '@/lib/wire/records'
import type { RowId } from '@/lib/wire/rows'
import type { ParsedRecordView, ViewChanges } from '@/lib/wire/views'
import { scopeOf, seesTask } from '../viewScope'
import { noChanges, type RowChanges } from './section'
import { sectionsOf, taskSight } from './sections'

/** What changed, as a frame says it; a page that was away is sent whole rows. */
export type RecordChanges = ViewChanges & { set: RecordRow[] }

/** What of a view of records one class of viewers is sent. */
export type RecordSource = {
  all: (world: World) => RecordRow[]
  changes: (before: World, after: World) => RecordChanges
  /** What a page lacks that shows this view as of the entry `after`; null: not known any more, the page needs all. */
  since: (world: World, after: number) => RecordChanges | null
}

export function recordSource(view: ParsedRecordView, scopeKey: string): RecordSource {
  const sections = sectionsOf(view, scopeKey)
  const changedSince = (world: World, after: number): RowChanges => {
    const found = noChanges()
    for (const one of sections) one.since(world, after, found)
    return found
  }
  return {
    all: (world) => [...changedSince(world, BEFORE_ALL).set.values()],
    changes: (before, after) => {
      const found = noChanges()
      for (const one of sections) one.compare(before, after, found)
      return listed(found)
    },
    since: (world, after) => {
      if (after > world.seq) return null
      const gone = goneSince(world, view, scopeKey, after)
      if (gone === null) return null
      const found = changedSince(world, after)
      return listed({ ...found, del: new Set(gone.filter((id) => !found.set.has(id))) })
    },
  }
}
/** The number of no entry: every record changed after it. */
const BEFORE_ALL = -1
const listed = ({ set, patch, del }: RowChanges): RecordChanges => ({ set: [...set.values()], patch, del: [...del] })

/** The ids of rows that left the view after that entry; null: not all are known, or may be named to this class. */
function goneSince(world: World, view: ParsedRecordView, scopeKey: string, after: number): RowId[] | null {
  const scope = scopeOf(scopeKey)
  const rowsOf = (owners: readonly (TaskId | AgentId)[]): RowId[] | null => {
    const left: LeftRecords[] = owners.flatMap((owner) => world.left[owner] ?? [])
    if (left.some(({ since }) => since > after)) return null
    return left.flatMap(({ rows }) => rows.flatMap(({ id, seq }) => (seq > after ? [id] : [])))
  }
  switch (view.kind) {
    case 'task': {
      const gone = rowsOf([view.task])?.filter((id) => !id.startsWith('step:')) ?? null
      if (gone === null) return null
      if (scope.see !== 'person') return gone
      return gone.length > 0 ? null : lostRequests(world, view.task, scope.person, after)
    }
    case 'agent': {
      const isSeenTask = seesTask(scope, world)
      const gone = rowsOf([view.agent, ...(Object.keys(world.tasks) as TaskId[]).filter(isSeenTask)])
      const own = gone?.filter((id) => id.startsWith('step:') || id.startsWith('note:')) ?? null
      // The key of a note may say what a task is about.
      return scope.see !== 'all' && own?.some((id) => id.startsWith('note:')) ? null : own
    }
    case 'step': {
      const found = findStep(world, view.step)
      return found === null ? null : (rowsOf([found.task])?.filter((id) => id.startsWith('step:')) ?? null)
    }
  }
}

/** Requests that were put to the person and are not now, of threads that they do not read. */
function lostRequests(world: World, task: TaskId, person: AgentId, after: number): RowId[] {
  const { access } = taskSight(world, task, person)
  return Object.values<RequestRecord>(world.requests[task] ?? {}).flatMap((request) => {
    const wasAsked = [...(request.transferredBy ?? []), ...(request.offered ?? [])].includes(person)
    return wasAsked && request.changedAt > after && !canReadRequest(access, request)
      ? [RECORD_IDS.request(request.id)]
      : []
  })
}
