/** The rows of `waits`: each agent that stands still on somebody, those that need an operator first. */

import { previewOf } from '@/lib/mas/bodies'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { selectStep } from '@/lib/mas/selectors/agents'
import { threadsOf } from '@/lib/mas/selectors/visibility'
import { selectHeldUp, selectWaits, type WaitEdge } from '@/lib/mas/selectors/waits'
import type { AnyRow, WaitRow, WaitsTotals } from '@/lib/wire/rows'
import { type AccessLevel, accessLevelOf, hasAccess, seesThreadsOnly } from '../scopes'
import { type KeepRow, padded, type RowSource } from './source'
import { whoOf, whosOf } from './who'

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
    rows: (world, keep) => {
      const edges = selectWaits(world).edges.filter((edge) => isShown(world, reach, person, edge))
      return [totals(keep, edges), ...edges.map((edge) => keptRow(world, keep, reach, person, edge))]
    },
  }
}

/** The same rows for one who asks once, in their order; nothing for who may see nothing. */
export function waitsFor(world: World, person: AgentId): { waits: number; blocked: number; rows: WaitRow[] } {
  const reach = accessLevelOf(world, person)
  if (reach === null) return { waits: 0, blocked: 0, rows: [] }
  const edges = selectWaits(world).edges.filter((edge) => isShown(world, reach, person, edge))
  const rows = edges.map((edge) => rowOf(world, reach, person, edge).make())
  const { waits, blocked } = countsOf(edges)
  return { waits, blocked, rows: rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) }
}
const keyOf = (row: WaitRow): string => `${row.sort}:${row.id}`

/** Load is never shown as work; of the base task a participant sees the threads that are theirs. */
function isShown(world: World, reach: AccessLevel, person: AgentId, { agent, lock, on }: WaitEdge): boolean {
  if (!hasAccess(world, reach, person, lock.task) || world.tasks[lock.task]?.load) return false
  if (!seesThreadsOnly(world, reach, lock.task) || on.includes(person)) return true
  const thread = selectStep(world, lock.task, agent, lock.step)?.thread ?? null
  return thread !== null && threadsOf(world, lock.task, person).has(thread)
}

function keptRow(world: World, keep: KeepRow, reach: AccessLevel, person: AgentId, edge: WaitEdge): AnyRow {
  const { deps, make } = rowOf(world, reach, person, edge)
  return keep<WaitRow>(edge.lock.id, deps, make)
}

/** What the row is made from, and the making of it. */
function rowOf(
  world: World,
  reach: AccessLevel,
  person: AgentId,
  edge: WaitEdge,
): { deps: readonly unknown[]; make: () => WaitRow } {
  const { agent, lock, on, state, why, isBlocked, circle } = edge
  const task = world.tasks[lock.task]
  const stage = lock.stage === null ? undefined : world.stages[lock.task]?.[lock.stage]
  const request = lock.request === null ? undefined : world.requests[lock.task]?.[lock.request]
  const message = lock.message === null ? undefined : world.messages[lock.task]?.[lock.message]
  const who = whoOf(world, agent)
  const forWhom = whosOf(world, on)
  const held = selectHeldUp(world, edge)
  const seen = (one: TaskId): boolean => hasAccess(world, reach, person, one)
  const stages = held.stages.filter((one) => seen(one.task))
  const agents = whosOf(
    world,
    held.agents.filter((one) =>
      Object.values(world.tasks).some((owner) => owner.group.includes(one) && seen(owner.id)),
    ),
  )
  const says = [lock, state, why, isBlocked, circle, task?.name, stage, request?.question, message]
  const places = stages.map((one) => {
    const owner = world.tasks[one.task]
    return { ...one, taskName: owner?.name ?? '', number: (owner?.stageOrder.indexOf(one.stage) ?? -1) + 1 }
  })
  const placed = places.flatMap((one) => [one.stage, one.taskName, one.number])
  const deps = [...says, who, ...forWhom, '|', ...agents, ...placed]
  const make = (): WaitRow => ({
    id: lock.id,
    sort: `${isBlocked ? 0 : state === 'circle' ? 1 : 2}:${padded(lock.at)}`,
    kind: 'wait',
    who,
    forWhom,
    task: lock.task,
    taskName: task?.name ?? '',
    stage: stage
      ? { id: stage.id, number: (task?.stageOrder.indexOf(stage.id) ?? -1) + 1, intention: stage.intention }
      : null,
    step: lock.step,
    since: lock.at,
    due: lock.due ?? null,
    what: previewOf(request?.question ?? message?.text ?? ''),
    message: lock.message,
    request: lock.request,
    lock: lock.kind,
    state,
    isBlocked,
    why,
    circle,
    holdsUp: { stages: places, agents },
  })
  return { deps, make }
}

const countsOf = (edges: readonly WaitEdge[]) => ({
  waits: edges.length,
  blocked: edges.filter((edge) => edge.isBlocked).length,
  circles: new Set(edges.flatMap((edge) => (edge.state === 'circle' ? [edge.circle] : []))).size,
})

function totals(keep: KeepRow, edges: readonly WaitEdge[]): AnyRow {
  const counts = countsOf(edges)
  return keep<WaitsTotals>('$', Object.values(counts), () => ({ id: '$', sort: '', kind: 'totals', ...counts }))
}
