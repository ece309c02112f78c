/** Ending a wait without an answer: an operator releases it, or its due time comes. */
import { Fault } from '@/lib/faults'
import { failHeld } from '../../asks/commands/confirm'
import { selectOpenRequests } from '../../asks/requests'
import { directedTask, reasonOf, recordAct } from '../../commands/act'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { seesLock } from '../../commands/visible'
import type { AgentId } from '../../ids'
import type { Json, RequestRecord } from '../../records'
import { isOpen, isSettled, isStepOver } from '../../statuses'
import { isOperator, selectStep } from '../../team/agents'
import { selectWaitedFor } from '../waits'
import type { HeldLock } from './locks'
import { giveBack } from './withoutAnswer'

/** Releases a wait, with person and reason in the chat. Throws NOT_FOUND, REASON_MISSING, and what directedTask throws. */
export function releaseWait(context: DecisionContext, person: AgentId, command: CommandOf<'releaseWait'>): Json {
  const lock = context.world.work[command.agent]?.locks.find((one) => one.id === command.waiting)
  if (!lock) throw new Fault('NOT_FOUND', { what: 'wait', id: command.waiting })
  mayRelease(context, person, { agent: command.agent, lock })
  const reason = reasonOf(command.reason)
  const on = selectWaitedFor(context.world, lock)
  const says = context.said('actReleased', {
    who: context.name(person),
    agent: context.name(command.agent),
    on: on.length === 0 ? context.said('anyone') : context.nameList(on),
  })
  recordAct(context, person, [lock.task], { act: 'releaseWait', on: lock.id, reason, says })
  endWait(context, { agent: command.agent, lock }, 'released', person, reason)
  return { agent: command.agent, waiting: lock.id, outcome: 'released' }
}

/** That somebody waits in a talk is known to operators, who may release it without reading it. */
function mayRelease(context: DecisionContext, person: AgentId, { agent, lock }: HeldLock): void {
  const isTalk = context.world.tasks[lock.task]?.talk === true
  if (isTalk && isOperator(context.world, person)) return
  if (!seesLock(context, person, agent, lock)) throw new Fault('NOT_FOUND', { what: 'wait', id: lock.id })
  directedTask(context, person, lock.task)
}

/** The id goes back; its request is over, and a call that was held for a decision does not run. */
function endWait(
  context: DecisionContext,
  held: HeldLock,
  outcome: 'released' | 'expired',
  by: AgentId | null,
  why: string,
): void {
  const { agent, lock } = held
  const request = lock.request === null ? undefined : context.world.requests[lock.task]?.[lock.request]
  if (request) endRequest(context, request, outcome, by, why)
  giveBack(context, held, outcome, by, why)
  if (lock.kind !== 'confirm') return
  const step = selectStep(context.world, lock.task, agent, lock.step)
  if (!step || isStepOver(step)) return
  const reason = by === null ? why : context.say('releasedBy', { who: context.name(by), why })
  failHeld(context, step, reason, { status: 'released', reason })
}

function endRequest(
  context: DecisionContext,
  request: RequestRecord,
  outcome: 'released' | 'expired',
  by: AgentId | null,
  why: string,
): void {
  if (!isOpen(request)) return
  const { task, id } = request
  const reason = outcome === 'released' ? why : null
  context.emit('request.ended', { task, request: id, state: outcome, by, reason })
}

/** The due time of a message came: every wait, request and delivery of it that is open expires. Nothing when none is. */
export function expireWait(context: DecisionContext, { task, message: id }: CommandOf<'expireWait'>): void {
  const message = context.world.messages[task]?.[id]
  if (!message?.due || message.due > context.at) return
  const why = context.say('dueCame')
  const sender = message.sender === 'system:task' ? null : message.sender
  const locks = sender === null ? [] : (context.world.work[sender]?.locks ?? []).filter((lock) => lock.message === id)
  for (const lock of locks) if (sender !== null) endWait(context, { agent: sender, lock }, 'expired', null, why)
  for (const request of selectOpenRequests(context.world, task))
    if (request.message === id) endRequest(context, request, 'expired', null, why)
  for (const receiver of message.receivers) {
    const delivery = context.world.deliveries[task]?.[receiver]?.[id]
    if (delivery && !isSettled(delivery.state)) context.delivery(task, id, receiver, 'expired', why)
  }
}
