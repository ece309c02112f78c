/** The rows of `waits`: all waits, those that need an operator first. */

import { threadsOf } from '@/lib/mas/access/visibility'
import { previewOf } from '@/lib/mas/bodies'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { selectStagePlace } from '@/lib/mas/stages/plan'
import { stageName } from '@/lib/mas/tasks/taskTitle'
import { type OpenWait, selectOpenWaits } from '@/lib/mas/waits/openWaits'
import { selectHeldUp } from '@/lib/mas/waits/waits'
import type { WaitRow, WaitsTotals, Who } from '@/lib/wire/rows'
import { whoOf, whosOf } from '@/lib/wire/who'
import { type AccessLevel, accessLevelOf, hasAccess, seesThreadsOnly } from '../scopes'
import { padded, type RowSource, TOTALS } from './source'

export function waitRows(reach: AccessLevel, person: AgentId): RowSource {
  return {
    inputs: (world) => [
      world.agents,
      world.work,
      world.tasks,
      world.stages,
      world.steps,
      world.requests,
      world.messages,
    ],
    rows: (world) => {
      const { counts, rows } = shownTo(world, reach, person)
      return [{ ...TOTALS, ...counts } satisfies WaitsTotals, ...rows]
    },
  }
}

function shownTo(world: World, reach: AccessLevel, person: AgentId) {
  const waits = selectOpenWaits(world).filter((wait) => isShown(world, reach, person, wait))
  const circles = new Set(waits.flatMap((wait) => (wait.state === 'circle' ? [wait.circle] : []))).size
  const counts = { waits: waits.length, blocked: waits.filter((wait) => wait.isBlocked).length, circles }
  return { counts, rows: waits.map((wait) => rowOf(world, reach, person, wait)) }
}

/** The same rows for one who asks once, in their order; nothing for who may see nothing. */
export function waitsFor(world: World, person: AgentId): { waits: number; blocked: number; rows: WaitRow[] } {
  const reach = accessLevelOf(world, person)
  if (reach === null) return { waits: 0, blocked: 0, rows: [] }
  const { counts, rows } = shownTo(world, reach, person)
  return { waits: counts.waits, blocked: counts.blocked, rows: rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) }
}
const keyOf = (row: WaitRow): string => `${row.sort}:${row.id}`

/** Of the base task a participant sees the threads that are theirs; that somebody waits in a talk is known to who sees all tasks. */
function isShown(world: World, reach: AccessLevel, person: AgentId, { task, thread, on }: OpenWait): boolean {
  if (!hasAccess(world, reach, person, task)) return reach === 'all' && world.tasks[task]?.talk === true
  if (!seesThreadsOnly(world, reach, task) || on.includes(person)) return true
  return thread !== null && threadsOf(world, task, person).has(thread)
}

/** What the task asks by itself has its name. */
function askerOf(world: World, { who, task }: OpenWait): Who {
  const asker = whoOf(world, who)
  return asker.kind === 'system' ? { ...asker, name: world.tasks[task]?.name ?? '' } : asker
}

/** An agent's wait also blocks what waits for it; what the task asks, blocks its stage. */
function heldBy(world: World, { who, task, stage }: OpenWait) {
  if (who !== 'system:task') return selectHeldUp(world, { agent: who, lock: { task, stage } })
  return { agents: [], stages: stage === null ? [] : [{ task, stage }] }
}

function rowOf(world: World, reach: AccessLevel, person: AgentId, wait: OpenWait): WaitRow {
  const { on, state, why, isBlocked, circle } = wait
  const task = world.tasks[wait.task]
  const stage = wait.stage === null ? undefined : world.stages[wait.task]?.[wait.stage]
  // Of a talk of others: who waits for whom, since when.
  const isRead = hasAccess(world, reach, person, wait.task)
  const request = wait.request === null || !isRead ? undefined : world.requests[wait.task]?.[wait.request]
  const message = wait.message === null || !isRead ? undefined : world.messages[wait.task]?.[wait.message]
  const held = heldBy(world, wait)
  const seen = (one: TaskId): boolean => hasAccess(world, reach, person, one)
  const stages = held.stages.filter((one) => seen(one.task))
  const agents = whosOf(
    world,
    held.agents.filter((one) =>
      Object.values(world.tasks).some((owner) => owner.group.includes(one) && seen(owner.id)),
    ),
  )
  const places = stages.map((one) => {
    const owner = world.tasks[one.task]
    return { ...one, taskName: owner?.name ?? '', number: selectStagePlace(world, one.task, one.stage).number }
  })
  return {
    id: wait.id,
    sort: `${isBlocked ? 0 : state === 'circle' ? 1 : 2}:${padded(wait.since)}`,
    kind: 'wait',
    who: askerOf(world, wait),
    forWhom: whosOf(world, on),
    task: wait.task,
    taskName: task?.name ?? '',
    stage: stage
      ? { id: stage.id, number: selectStagePlace(world, stage.task, stage.id).number, name: stageName(stage) }
      : null,
    step: isRead ? wait.step : null,
    since: wait.since,
    due: wait.due,
    what: previewOf(request?.question ?? message?.text ?? ''),
    ...(request?.said === undefined ? {} : { said: request.said }),
    message: isRead ? wait.message : null,
    request: isRead ? wait.request : null,
    lock: wait.lock,
    state,
    isBlocked,
    why,
    circle,
    holdsUp: { stages: places, agents },
  }
}
