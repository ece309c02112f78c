/** The wait graph: who waits, for whom, whether the wait can end by itself, and what it blocks. Never stored. */
import { gather } from '@/lib/gather'
import { memo } from '@/lib/memo'
import type { AgentId, StageId, TaskId, WaitingId } from '../ids'
import { memberOf } from '../members'
import type { AskedOf, DeadEndReason } from '../members/member'
import type { LockRecord, StepRecord, World } from '../records'
import { selectStep } from '../team/agents'
import { selectReply } from './reply'

/**
 * waiting   somebody can still answer
 * circle    the members waited for wait for the asker
 * gone      all asked members have been removed
 * deadEnd   the asked members exist, but cannot answer
 */
export type WaitState = 'waiting' | 'circle' | 'deadEnd' | 'gone'

const GONE: readonly DeadEndReason[] = ['removed', 'noAccess', 'notInTask']

/** One open lock: an agent that waits, and whom it waits for. */
export type WaitEdge = {
  agent: AgentId
  lock: LockRecord
  /** One receiver; all who may decide, for a confirmation or a request that was handed over. */
  on: readonly AgentId[]
  state: WaitState
  /** Why none of them can answer; null while one can. */
  why: DeadEndReason | null
  /** It does not end by itself: an operator has to act. */
  isBlocked: boolean
  /** Edges of one circle share it: the oldest waiting id in it. */
  circle: WaitingId | null
  /** The cause of the block; edges with the same cause are reported once. null: not blocked. */
  cause: string | null
}

type WaitGraph = { edges: readonly WaitEdge[]; byAgent: ReadonlyMap<AgentId, readonly WaitEdge[]> }

/**
 * out     one edge per open lock, in no order; kept per world, so asking twice costs once
 * units   walks the agents once, and the to-do lists of those who are waited for
 */
export const selectWaits = memo((world: World): WaitGraph => {
  const edges: WaitEdge[] = []
  for (const agent of Object.keys(world.work) as AgentId[]) {
    const locks = world.work[agent]?.locks ?? []
    for (const lock of locks) edges.push(edgeOf(world, agent, lock))
  }
  return withCircles(edges)
})

export function selectWaitedFor(world: World, lock: LockRecord): readonly AgentId[] {
  const request = lock.request === null ? undefined : world.requests[lock.task]?.[lock.request]
  if (request) return request.asked
  return lock.on === null ? [] : [lock.on]
}

function edgeOf(world: World, agent: AgentId, lock: LockRecord): WaitEdge {
  const on = selectWaitedFor(world, lock)
  const why = whyNoAnswer(world, lock, on)
  const state: WaitState = why === null ? 'waiting' : GONE.includes(why) ? 'gone' : 'deadEnd'
  return { agent, lock, on, state, why, isBlocked: why !== null, circle: null, cause: causeOf(lock, on[0], why) }
}

/** Several agents that wait for one that is paused or gone share one cause. */
function causeOf(lock: LockRecord, on: AgentId | undefined, why: DeadEndReason | null): string | null {
  switch (why) {
    case null:
      return null
    case 'taskPaused':
      return `${why}:${lock.task}`
    case 'notInTask':
      return `${why}:${lock.task}:${on}`
    case 'removed':
    case 'noAccess':
    case 'paused':
    case 'noModel':
      return `${why}:${on}`
    case 'noReply':
    case 'nobody':
      return `${why}:${lock.id}`
    default:
      return why satisfies never
  }
}

/** Why none of these can answer; null when one can. */
export function whyNoAnswer(world: World, asked: AskedOf, on: readonly AgentId[]): DeadEndReason | null {
  const reasons = on.map((one) => reasonOf(world, asked, one))
  return reasons.includes(null) ? null : (reasons[0] ?? 'nobody')
}

/** Why this one cannot answer; null when they can. */
function reasonOf(world: World, asked: AskedOf, on: AgentId): DeadEndReason | null {
  const record = world.agents[on]
  return !record || record.removed ? 'removed' : memberOf(record).whyNoAnswer(world, record, asked)
}

function withCircles(edges: WaitEdge[]): WaitGraph {
  const byAgent = byAgentOf(edges)
  const circles = circlesOf(byAgent)
  if (circles.size === 0) return { edges, byAgent }
  const inside = new Map<number, { oldest: WaitEdge; opens: boolean }>()
  for (const edge of edges) {
    const circle = circleOf(circles, edge)
    if (circle === null) continue
    const known = inside.get(circle)
    const isOldest = known === undefined || oldestFirst(edge, known.oldest) < 0
    const opens = edge.why === null || (known?.opens ?? false)
    inside.set(circle, { oldest: isOldest ? edge : known.oldest, opens })
  }
  const marked = edges.map((edge): WaitEdge => {
    const place = circleOf(circles, edge)
    const around = place === null ? undefined : inside.get(place)
    if (!around) return edge
    const circle = around.oldest.lock.id
    // While one reply in it can run, the circle resolves by itself, and only members that cannot answer are blocked.
    if (around.opens) return { ...edge, circle, state: edge.why === null ? 'circle' : edge.state }
    return { ...edge, circle, state: 'circle', isBlocked: true, cause: `circle:${circle}` }
  })
  return { edges: marked, byAgent: byAgentOf(marked) }
}

const byAgentOf = (edges: readonly WaitEdge[]): ReadonlyMap<AgentId, WaitEdge[]> =>
  gather(edges, ({ agent }) => [agent])

const oldestFirst = (a: WaitEdge, b: WaitEdge): number => a.lock.at - b.lock.at || (a.lock.id < b.lock.id ? -1 : 1)

/** Both ends of it are in one circle. */
function circleOf(circles: ReadonlyMap<AgentId, number>, edge: WaitEdge): number | null {
  const circle = circles.get(edge.agent)
  return circle !== undefined && edge.on.some((one) => circles.get(one) === circle) ? circle : null
}

/** Agents that wait for each other, by the number of their circle: strongly connected ones (Tarjan), two or more. */
function circlesOf(byAgent: ReadonlyMap<AgentId, readonly WaitEdge[]>): Map<AgentId, number> {
  const circles = new Map<AgentId, number>()
  const order = new Map<AgentId, number>()
  const low = new Map<AgentId, number>()
  const stack: AgentId[] = []
  const onStack = new Set<AgentId>()

  const visit = (agent: AgentId): number => {
    const index = order.size
    let lowest = index
    order.set(agent, index)
    stack.push(agent)
    onStack.add(agent)
    for (const { on } of byAgent.get(agent) ?? []) {
      for (const next of on) {
        if (!byAgent.has(next)) continue
        if (!order.has(next)) lowest = Math.min(lowest, visit(next))
        else if (onStack.has(next)) lowest = Math.min(lowest, order.get(next) ?? lowest)
      }
    }
    low.set(agent, lowest)
    if (lowest === index) {
      const members = stack.splice(stack.lastIndexOf(agent))
      for (const member of members) onStack.delete(member)
      if (members.length > 1) for (const member of members) circles.set(member, index)
    }
    return lowest
  }
  for (const agent of byAgent.keys()) if (!order.has(agent)) visit(agent)
  return circles
}

/** Of each circle of waits the reply to the newest wait, which should run although its agent is locked. */
export function selectCircleReplies(world: World): { edge: WaitEdge; reply: StepRecord }[] {
  const newest = new Map<WaitingId, WaitEdge>()
  for (const edge of selectWaits(world).edges) {
    if (edge.circle === null || edge.why !== null) continue
    const known = newest.get(edge.circle)
    if (!known || oldestFirst(known, edge) < 0) newest.set(edge.circle, edge)
  }
  return [...newest.values()].flatMap((edge) => {
    const [on] = edge.on
    const reply = on === undefined ? null : selectReply(world, on, edge.lock.id)
    return reply && reply.state !== 'running' && reply.bypassesLock !== true ? [{ edge, reply }] : []
  })
}

type HeldUp = { stages: { task: TaskId; stage: StageId }[]; agents: AgentId[] }

/** What a wait blocks: the agents that wait for its agent, and so on, and the stages in which they have work. */
export function selectHeldUp(
  world: World,
  { agent, lock }: { agent: AgentId; lock: Pick<LockRecord, 'task' | 'stage'> },
): HeldUp {
  const { stages, agents } = heldBy(world, agent)
  const isNamed = lock.stage === null || stages.some(({ stage }) => stage === lock.stage)
  return {
    agents,
    stages: isNamed || lock.stage === null ? stages : [{ task: lock.task, stage: lock.stage }, ...stages],
  }
}

const heldIn = memo((_: World) => new Map<AgentId, HeldUp>())
/** The same for all waits of one agent. */
function heldBy(world: World, agent: AgentId): HeldUp {
  const kept = heldIn(world)
  const known = kept.get(agent)
  if (known) return known
  const waits = waitsFor(world)
  const agents = new Set<AgentId>([agent])
  // A set may grow during its iteration: each is visited once.
  for (const one of agents) for (const other of waits.get(one) ?? []) agents.add(other.agent)
  const stages = new Map<StageId, TaskId>()
  for (const one of agents) {
    for (const { lock } of selectWaits(world).byAgent.get(one) ?? []) {
      if (one !== agent && lock.stage !== null) stages.set(lock.stage, lock.task)
    }
    for (const { task, step } of world.work[one]?.todo ?? []) {
      const stage = selectStep(world, task, one, step)?.stage ?? null
      if (stage !== null) stages.set(stage, task)
    }
  }
  agents.delete(agent)
  const held = { stages: [...stages].map(([stage, task]) => ({ task, stage })), agents: [...agents] }
  kept.set(agent, held)
  return held
}

/** The waits for each agent. */
const waitsFor = memo((world: World) => gather(selectWaits(world).edges, ({ on }) => on))
