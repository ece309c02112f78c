/** Blocked waits: found in the decision that causes them, and reported to the operators. */
import { gather } from '@/lib/gather'
import { openAsks } from '../../asks/commands/openRequest'
import { selectOpenRequests } from '../../asks/requests'
import type { DecisionContext } from '../../commands/decisionContext'
import type { EventType, MasEvent } from '../../events'
import { SYSTEM_TASK } from '../../ids'
import type { DeadEndReason } from '../../members/member'
import { deliver } from '../../messages/commands/deliver'
import type { MessageRecord, World } from '../../records'
import type { Said, SentenceKey } from '../../said'
import { selectOperators } from '../../stages/judge'
import { selectStep } from '../../team/agents'
import { selectCircleReplies, selectWaits, type WaitEdge } from '../waits'
import { supersede } from './withoutAnswer'

/** Only what adds or ends a wait, or changes who can answer, can change what is blocked. */
const CHANGES: ReadonlySet<EventType> = new Set([
  'lock.added',
  'lock.released',
  'agent.paused',
  'agent.resumed',
  'agent.removed',
  'agent.changed',
  'human.accessChanged',
  'config.applied',
  'task.paused',
  'task.resumed',
  'task.participantsChanged',
  'step.failed',
  'step.cancelled',
  'step.interrupted',
  'request.transferSettled',
] satisfies EventType[])

/** Also the end of a step of a locked agent: that step was a bypassing reply. */
const mayChange = (world: World, event: MasEvent): boolean =>
  CHANGES.has(event.type) || (event.type === 'step.finished' && (world.work[event.agent]?.locks.length ?? 0) > 0)

/** Look at the waits that this decision may have changed. Call it last: it reads what all the rest made of the world. */
export function watchWaits(context: DecisionContext): void {
  if (!context.events.some((event) => mayChange(context.world, event))) return
  for (const { edge, reply } of selectCircleReplies(context.world)) {
    context.emit('lock.bypassed', { task: reply.task, agent: reply.agent, step: reply.id, waiting: edge.lock.id })
  }
  const before = byCause(context.before)
  const now = byCause(context.world)
  for (const [cause, edges] of now) if (!before.has(cause)) tellOperators(context, cause, edges)
  for (const [cause, edges] of before) if (!now.has(cause)) takeBack(context, cause, edges)
}

/** Waits that do not end by themselves, by what they are blocked by. */
const byCause = (world: World): ReadonlyMap<string, WaitEdge[]> =>
  gather(selectWaits(world).edges, ({ cause }) => (cause === null ? [] : [cause]))

/** The same cause may come again later: each telling is an act of its own. */
const dispatchOf = (cause: string): string => `blocked:${cause}:`

function tellOperators(context: DecisionContext, cause: string, edges: readonly WaitEdge[]): void {
  const [first] = edges
  const operators = selectOperators(context.world)
  if (!first || operators.length === 0) return
  const { lock, agent } = first
  const thread = selectStep(context.world, lock.task, agent, lock.step)?.thread ?? null
  const message = deliver(context, {
    task: lock.task,
    sender: SYSTEM_TASK,
    type: 'action',
    thread,
    receivers: operators,
    text: sentence(context, first, edges),
    stage: lock.stage,
    dispatch: `${dispatchOf(cause)}${context.id()}`,
    fromStep: lock.step,
  })
  openAsks(context, lock.task, [message])
}

function sentence(context: DecisionContext, first: WaitEdge, edges: readonly WaitEdge[]): Said {
  const names = context.nameList([...new Set(edges.map(({ agent }) => agent))])
  if (first.state === 'circle') return context.said('waitsInCircle', { names })
  return context.said('waitsInVain', { names, why: whyOf(context, first) })
}

function whyOf(context: DecisionContext, { why, on }: WaitEdge): Said {
  if (why === null || why === 'nobody') return context.said('nobodyAsked')
  return why === 'taskPaused' ? context.said('taskIsPaused') : context.said(WHY[why], { who: context.nameList(on) })
}
const WHY = {
  removed: 'isRemoved',
  noAccess: 'hasNoAccess',
  notInTask: 'isNotInTask',
  paused: 'isPaused',
  noModel: 'hasNoModel',
  noReply: 'hasNoReply',
} as const satisfies Record<Exclude<DeadEndReason, 'nobody' | 'taskPaused'>, SentenceKey>

/** The cause is gone: withdraw what the operators were asked. */
function takeBack(context: DecisionContext, cause: string, edges: readonly WaitEdge[]): void {
  for (const task of new Set(edges.map(({ lock }) => lock.task))) {
    const told = Object.values(context.world.messages[task] ?? {}).filter(
      (message: MessageRecord) => message.sender === SYSTEM_TASK && message.dispatch.startsWith(dispatchOf(cause)),
    )
    const ids = new Set(told.map(({ id }) => id))
    for (const request of selectOpenRequests(context.world, task))
      if (request.message !== null && ids.has(request.message)) supersede(context, request, context.say('goesOn'))
  }
}
