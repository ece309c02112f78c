/** Who may see which view, as a class: viewers of one class see the same; another class is other content (docs/rules.md). */

import { canReadStep, canSeeAll, taskAccessOf } from '@/lib/mas/access/access'
import { isForReader } from '@/lib/mas/access/visibility'
import type { AgentId, StepId, TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { findStep, isOperator, mayAct } from '@/lib/mas/team/agents'
import type { ClosedReason, ParsedView } from '@/lib/wire/views'
import { scopeText } from './viewScope'

export type ScopeAnswer = { scopeKey: string; closed: null } | { scopeKey: null; closed: ClosedReason }

/** The class of who sees the view. */
export const open = (scopeKey: string): ScopeAnswer => ({ scopeKey, closed: null })
/** Why it is closed. */
export const shut = (closed: ClosedReason): ScopeAnswer => ({ scopeKey: null, closed })
/** It is closed since the world has no such task: it was erased, or never was there or is no longer. */
export const gone = (world: World, task: TaskId): ScopeAnswer => shut(world.erased[task] ? 'erased' : 'not-found')

/** Operators and developers see all tasks; a participant those whose group they are in; others nothing. */
export type AccessLevel = 'all' | 'own'

/** How much a person may see; null: nothing, or they are no person of this team. */
export function accessLevelOf(world: World, person: AgentId): AccessLevel | null {
  const record = world.agents[person]
  if (!mayAct(record)) return null
  return canSeeAll(record) ? 'all' : 'own'
}

/** Former members are closed out: what they could read up to their removal is in the history, not in a live view. */
export const hasAccess = (world: World, reach: AccessLevel, person: AgentId, task: TaskId): boolean => {
  const record = world.tasks[task]
  if (!isForReader(record, person)) return false
  if (record?.opened !== undefined) return isOperator(world, person)
  return record !== undefined && (reach === 'all' || record.group.includes(person))
}

/** In the base task a participant sees the threads that they began or are addressed in. */
export const seesThreadsOnly = (world: World, reach: AccessLevel, task: TaskId): boolean =>
  reach === 'own' && world.tasks[task]?.base === true

/** The scope whose stream shows this view to the person, or why it is closed to them. */
export function scopeOfView(world: World, person: AgentId, view: ParsedView): ScopeAnswer {
  const reach = accessLevelOf(world, person)
  if (reach === null) return shut('not-allowed')
  switch (view.kind) {
    case 'me':
    case 'overview':
    case 'waits':
    case 'direct':
      return open(`${reach}:${person}`)
    case 'agents':
      // What the whole team does is for those who see all tasks.
      return reach === 'all' ? open('all') : shut('not-allowed')
    case 'tree':
    case 'timeline':
      return classOfTree(world, reach, person, view.task)
    case 'task':
      return classOfTask(world, reach, person, view.task)
    case 'agent':
      return classOfAgent(world, reach, person, view.agent)
    case 'step':
      return classOfStep(world, reach, person, view.step)
  }
}

function classOfTree(world: World, reach: AccessLevel, person: AgentId, task: TaskId): ScopeAnswer {
  if (world.tasks[task] === undefined) return gone(world, task)
  if (!hasAccess(world, reach, person, task)) return shut('not-allowed')
  return open(seesThreadsOnly(world, reach, task) ? `person:${person}` : 'all')
}

function classOfTask(world: World, reach: AccessLevel, person: AgentId, task: TaskId): ScopeAnswer {
  if (world.tasks[task] === undefined) return gone(world, task)
  if (!hasAccess(world, reach, person, task)) return shut('not-allowed')
  return open(scopeText(seesThreadsOnly(world, reach, task) ? { see: 'person', person } : { see: 'all' }))
}

function classOfAgent(world: World, reach: AccessLevel, person: AgentId, agent: AgentId): ScopeAnswer {
  if (world.agents[agent] === undefined) return shut('not-found')
  if (reach === 'all') return open(scopeText({ see: 'all' }))
  const shared = Object.values(world.tasks).filter(
    (task) => task.group.includes(person) && (task.group.includes(agent) || Object.hasOwn(task.former, agent)),
  )
  if (shared.length === 0 && agent !== person) return shut('not-allowed')
  // What it does in the base task is shown by threads, in the tree of that task, and in a talk there; here it is only counted.
  const tasks = shared.filter((task) => !task.base && !task.talk).map((task) => task.id)
  return open(scopeText({ see: 'tasks', tasks: tasks.sort() }))
}

function classOfStep(world: World, reach: AccessLevel, person: AgentId, step: StepId): ScopeAnswer {
  const found = findStep(world, step)
  if (found === null) return shut('not-found')
  if (!hasAccess(world, reach, person, found.task)) return shut('not-allowed')
  const record = world.agents[person]
  const isSeen = record !== undefined && canReadStep(taskAccessOf(world, record, found.task), found)
  return isSeen ? open(scopeText({ see: 'all' })) : shut('not-allowed')
}

/** May this person know of this request, and may they answer it? For notes of who is drafting. */
export function requestFor(world: World, person: AgentId, request: string): { asked: readonly AgentId[] } | null {
  const reach = accessLevelOf(world, person)
  if (reach === null) return null
  for (const requests of Object.values(world.requests)) {
    const found = Object.values(requests).find((one) => one.id === request)
    if (found === undefined) continue
    const seesAll = reach === 'all' && isForReader(world.tasks[found.task], person)
    return seesAll || found.asked.includes(person) ? { asked: found.asked } : null
  }
  return null
}
