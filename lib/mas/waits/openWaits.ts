/** All waits: open locks, and open questions to people without a lock. */
import { memo } from '@/lib/memo'
import { selectNumberedRequests } from '../asks/requests'
import type { AgentId, MessageId, RequestId, SenderId, StageId, StepId, TaskId, ThreadId, WaitingId } from '../ids'
import type { DeadEndReason } from '../members/member'
import type { LockRecord, RequestRecord, World } from '../records'
import { selectStep } from '../team/agents'
import { stopOfRequest } from './stops'
import { selectWaits, type WaitEdge, type WaitState, whyNoAnswer } from './waits'

export type OpenWait = {
  /** Of its lock, else of its request. */
  id: WaitingId | RequestId
  who: SenderId
  on: readonly AgentId[]
  task: TaskId
  stage: StageId | null
  /** The step that asked. */
  step: StepId | null
  thread: ThreadId | null
  message: MessageId | null
  /** A person can answer it. */
  request: RequestId | null
  since: number
  due: number | null
  /** Only a lock can be released; null: the question ends by its answer. */
  lock: LockRecord['kind'] | null
  state: WaitState
  /** It cannot move unless an operator acts. A circle whose replies can run is none of these. */
  isBlocked: boolean
  /** Why it does not end by itself; null while it can be answered. */
  why: DeadEndReason | 'limit' | 'noJudge' | null
  circle: WaitingId | null
}

/** In no order. */
export const selectOpenWaits = memo((world: World): readonly OpenWait[] => [
  ...selectWaits(world).edges.map((edge) => ofEdge(world, edge)),
  ...(Object.keys(world.requests) as TaskId[]).flatMap((task) =>
    selectNumberedRequests(world, task).flatMap((request) =>
      request.lock === null ? [ofRequest(world, request)] : [],
    ),
  ),
])

function ofEdge(world: World, { agent, lock, on, state, isBlocked, why, circle }: WaitEdge): OpenWait {
  const { id, task, stage, step, message, request, at, due, kind } = lock
  const thread = selectStep(world, task, agent, step)?.thread ?? null
  const what = { id, who: agent, on, task, stage, step, thread, message, request }
  return { ...what, since: at, due: due ?? null, lock: kind, state, isBlocked, why, circle }
}

function ofRequest(world: World, request: RequestRecord): OpenWait {
  const { id, task, stage, step, thread, message, asked, asker, openedAt, due } = request
  const { state, cause } = stopOfRequest(world, request)
  const isBlocked = state === 'blocked'
  return {
    id,
    who: asker,
    on: asked,
    task,
    stage,
    step,
    thread,
    message,
    request: id,
    since: openedAt,
    due: due ?? null,
    lock: null,
    state: isBlocked ? 'deadEnd' : 'waiting',
    isBlocked,
    why:
      cause === 'limit' || cause === 'noJudge'
        ? cause
        : whyNoAnswer(world, { kind: 'confirm', task, request: id, id }, asked),
    circle: null,
  }
}
