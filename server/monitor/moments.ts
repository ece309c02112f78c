/** Views of a task at a moment: who may see which, as of now, and what they hold. */

import { canReadStep } from '@/lib/mas/access/access'
import { involvedIn, isVisibleRequest, threadOf, threadsOf } from '@/lib/mas/access/visibility'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { LockRecord, RequestRecord, WorkRecord, World } from '@/lib/mas/records'
import { findStep } from '@/lib/mas/team/agents'
import type { AnyRow } from '@/lib/wire/rows'
import { asMomentView, isRecordView, type ParsedView, type TaskMoment } from '@/lib/wire/views'
import { recordSource } from './records/changes'
import { rowSourceOf } from './rows'
import { accessLevelOf, gone, hasAccess, open, type ScopeAnswer, seesThreadsOnly, shut } from './scopes'
import type { Stream } from './streams'
import { scopeText } from './viewScope'

/**
 * The class in which a person sees a view at a moment: by what they may see now. Former members see moments up to their removal.
 *
 * in      now: with the task in it; then: the task at the moment, null: not known yet
 */
export function scopeOfMoment(
  now: World,
  then: World | null,
  person: AgentId,
  parsed: ParsedView,
  { task, seq }: TaskMoment,
): ScopeAnswer {
  const view = asMomentView(parsed, task)
  if (view === null) return shut('bad-view')
  const reach = accessLevelOf(now, person)
  if (reach === null) return shut('not-allowed')
  const record = now.tasks[task]
  if (record === undefined) return gone(now, task)
  const wasMember = record.opened === undefined && seq <= (record.former[person] ?? 0)
  if (!hasAccess(now, reach, person, task) && !wasMember) return shut('not-allowed')
  const isOfThreads = seesThreadsOnly(now, reach, task)
  switch (view.kind) {
    case 'task':
      return open(scopeText(isOfThreads ? { see: 'person', person } : { see: 'all' }))
    case 'tree':
    case 'timeline':
      return open(isOfThreads ? `person:${person}` : 'all')
    case 'waits':
      return open(`${isOfThreads ? 'own' : 'all'}:${person}`)
    case 'agent':
      if (then !== null && !isPartOf(then, task, view.agent)) return shut('not-found')
      // What it does in the base task is shown by threads, in the tree of that task.
      return open(scopeText(reach === 'all' ? { see: 'all' } : { see: 'tasks', tasks: isOfThreads ? [] : [task] }))
    case 'step': {
      const step = then === null ? null : findStep(then, view.step)
      if (then === null) return open(scopeText({ see: 'all' }))
      if (step === null) return shut('not-found')
      const access = { person, upTo: seq, threads: isOfThreads ? threadsOf(then, task, person) : null }
      return canReadStep(access, step) ? open(scopeText({ see: 'all' })) : shut('not-allowed')
    }
  }
}

const isPartOf = (then: World, task: TaskId, agent: AgentId): boolean =>
  Object.hasOwn(involvedIn(then, task), agent) || then.steps[task]?.[agent] !== undefined

/**
 * The world in which the views of a task at a moment are computed: members, models and tools are those of now.
 *
 * in      person: a participant in the base task, null: who sees all of the task
 */
export function worldOfMoment(now: World, then: World, task: TaskId, person: AgentId | null): World {
  const { team, teamSeq, setup, baseTask, agents, peers, templates } = now
  const world = { ...then, team, teamSeq, setup, baseTask, agents, peers, templates }
  if (person === null) return world
  const threads = threadsOf(then, task, person)
  // Who was asked then and is not now reads a request, and what waits for it, with its thread only.
  const requests = Object.values<RequestRecord>(then.requests[task] ?? {}).filter((request) =>
    isVisibleRequest({ ...request, asked: now.requests[task]?.[request.id]?.asked ?? [] }, threads, person),
  )
  const seen = Object.fromEntries(requests.map((request) => [request.id, request]))
  const isSeenLock = ({ request, message, step }: LockRecord): boolean => {
    const sent = message === null ? undefined : then.messages[task]?.[message]
    const thread = sent === undefined ? (findStep(then, step)?.thread ?? null) : threadOf(sent)
    return (request !== null && seen[request] !== undefined) || (thread !== null && threads.has(thread))
  }
  const work: World['work'] = {}
  for (const [agent, own] of Object.entries(then.work) as [AgentId, WorkRecord][])
    work[agent] = { ...own, locks: own.locks.filter(isSeenLock) }
  return { ...world, work, requests: { ...then.requests, [task]: seen } }
}

/** A view at a moment: shown whole, once; it never changes. in: gen: another for another moment of the same view and class */
export function momentStream(view: ParsedView, scopeKey: string, gen: string, world: World, seq: number): Stream {
  const snapshot = (): AnyRow[] =>
    isRecordView(view) ? recordSource(view, scopeKey).all(world) : rowSourceOf(view, scopeKey).rows(world).flat()
  return { scopeKey, gen, from: () => seq, flush: () => null, snapshot, missing: () => null }
}
