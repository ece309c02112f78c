/**
 * Ending a wait without an answer: an operator releases it, or its due time comes.
 *
 * Owns: releaseWait, expireWait, what each sets going. Not here: handing the id back and telling the asker (locks.ts).
 */

import { Fault } from '@/lib/faults'
import type { AgentId, RequestId } from '../ids'
import type { Json, RequestRecord, StepRecord } from '../records'
import { isSettled } from '../reduce/message'
import { isOpen } from '../reduce/request'
import { isStepOver, selectName, selectStep } from '../selectors/agents'
import { holdersOf } from '../selectors/holders'
import { selectWaitedFor } from '../selectors/waits'
import { directedTask, reasonOf, recordAct } from './act'
import type { CommandOf } from './command'
import type { DecisionContext } from './draft'
import { giveBack, type HeldLock } from './locks'
import { afterStep } from './parts'
import { requestReceivers } from './requests'
import { seesLock } from './seen'
import { insertStep } from './steps'

/** The one who waits goes on without an answer; who released it and why is kept, and told in the chat. */
export function releaseWait(draft: DecisionContext, person: AgentId, wish: CommandOf<'releaseWait'>): Json {
  const lock = draft.world.work[wish.agent]?.locks.find((one) => one.id === wish.waiting)
  if (!lock || !seesLock(draft, person, wish.agent, lock))
    throw new Fault('NOT_FOUND', { what: 'wait', id: wish.waiting })
  directedTask(draft, person, lock.task)
  const reason = reasonOf(wish.reason)
  const on = selectWaitedFor(draft.world, lock)
  const says = draft.say('actReleased', {
    who: selectName(draft.world, person),
    agent: selectName(draft.world, wish.agent),
    on: on.length === 0 ? draft.say('anyone') : draft.names(on),
  })
  recordAct(draft, person, [lock.task], { act: 'releaseWait', on: lock.id, reason, says })
  endWait(draft, { agent: wish.agent, lock }, 'released', person, reason)
  return { agent: wish.agent, waiting: lock.id, outcome: 'released' }
}

/** The id goes back; its request is over, and a call that was held for a decision does not run. */
function endWait(draft: DecisionContext, held: HeldLock, outcome: 'released' | 'expired', by: AgentId | null, why: string): void {
  const { agent, lock } = held
  const request = lock.request === null ? undefined : draft.world.requests[lock.task]?.[lock.request]
  if (request) endRequest(draft, request, outcome, by, why)
  giveBack(draft, held, outcome, by, why)
  if (lock.kind !== 'confirm') return
  const step = selectStep(draft.world, lock.task, agent, lock.step)
  if (step && !isStepOver(step)) failHeld(draft, step, by === null ? why : sayReleased(draft, by, why))
}

const sayReleased = (draft: DecisionContext, by: AgentId, why: string): string =>
  draft.say('releasedBy', { who: selectName(draft.world, by), why })

function endRequest(
  draft: DecisionContext,
  request: RequestRecord,
  outcome: 'released' | 'expired',
  by: AgentId | null,
  why: string,
): void {
  if (!isOpen(request)) return
  const { task, id, message } = request
  if (outcome === 'released' && by !== null) draft.emit('request.released', { task, request: id, by, reason: why })
  else draft.emit('request.expired', { task, request: id })
  if (message === null) return
  for (const agent of requestReceivers(request)) {
    draft.emit('message.receipt', { task, message, agent, state: outcome, note: why })
  }
}

/** Nobody approved it, so it does not run; the agent decides how it goes on. */
function failHeld(draft: DecisionContext, step: StepRecord, reason: string): void {
  const { task, agent, id } = step
  const result = draft.result('tool', reason, { status: 'released', reason })
  draft.emit('step.failed', { task, agent, step: id, reason, result, repairs: [] })
  insertStep(draft, step, {
    intention: draft.say('decideTool', { server: step.executor }),
    text: step.text,
    kind: 'skill',
    executor: 'tool_decision',
    cause: { message: null, step: id },
  })
  afterStep(draft, step)
}

/** The due time of a message came: every wait, request and receipt of it that is open expires. Nothing when none is. */
export function expireWait(draft: DecisionContext, { task, message: id }: CommandOf<'expireWait'>): void {
  const message = draft.world.messages[task]?.[id]
  if (!message?.due || message.due > draft.at) return
  const why = draft.say('dueCame')
  const sender = message.sender === 'system:task' ? null : message.sender
  const locks = sender === null ? [] : (draft.world.work[sender]?.locks ?? []).filter((lock) => lock.message === id)
  for (const lock of locks) if (sender !== null) endWait(draft, { agent: sender, lock }, 'expired', null, why)
  const requests = Object.values(draft.world.requests[task] ?? {}) as (RequestRecord & { id: RequestId })[]
  for (const request of requests) if (request.message === id) endRequest(draft, request, 'expired', null, why)
  for (const { receiver, receipt } of holdersOf(draft.world.receipts[task] ?? {}, message)) {
    if (!receipt || isSettled(receipt.state)) continue
    draft.emit('message.receipt', { task, message: id, agent: receiver, state: 'expired', note: why })
  }
}
