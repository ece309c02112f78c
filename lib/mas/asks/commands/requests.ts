/** Requests: claiming one, answering it, asking back. The first decision counts. */

import { Fault } from '@/lib/faults'
import { beginningOf } from '../../bodies'
import { reasonOf, recordAct } from '../../commands/act'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { mustNotBeOver, seenRequest } from '../../commands/visible'
import { type AgentId, type MessageId, type RequestId, SYSTEM_TASK, type WaitingId } from '../../ids'
import { decideLimit } from '../../limits/commands/limits'
import { deliver, deliverSystem } from '../../messages/commands/deliver'
import type { Decision, NumberedRequest, RequestKind, RequestRecord } from '../../records'
import { endPart } from '../../stages/commands/parts'
import { recordByHand } from '../../steps/commands/addStep'
import { isOperator } from '../../team/agents'
import { isNumbered, isQuestion } from '../requests'
import { decideConfirmation } from './confirm'
import { decidePlan } from './decidePlan'
import { settleAnswered } from './openRequest'
import { answerToolRequest } from './toolRequests'

/** A claim holds for ten minutes, visible to all, and never locks anybody out. */
const CLAIM_MS = 10 * 60_000

/** Open, and put to this person or answerable by them as an operator. Throws NOT_FOUND, NOT_ASKED, REQUEST_OVER with who was first. */
export function mustBeOpen(context: DecisionContext, id: RequestId, person: AgentId): RequestRecord {
  const request = seenRequest(context, person, id)
  if (!request.asked.includes(person) && !isOperator(context.world, person)) throw new Fault('NOT_ASKED')
  mustNotBeOver(context, request)
  return request
}

/** Claims the request for this person for a time. Throws what mustBeOpen throws, REQUEST_CLAIMED without a reason. */
export function claimRequest(
  context: DecisionContext,
  person: AgentId,
  { request: id, reason }: CommandOf<'claimRequest'>,
): void {
  const request = mustBeOpen(context, id, person)
  const { claimed } = request
  // Of what a person asks, nobody writes an answer that another could take over.
  if (!isNumbered(request)) {
    acknowledgeRequest(context, person, request)
    return
  }
  if (claimed !== null && claimed.by !== person && claimed.until > context.at)
    takeOver(context, person, request, claimed, reason)
  context.emit('request.claimed', { task: request.task, request: id, agent: person, until: context.at + CLAIM_MS })
}

/** It alerts nobody any more, and stays open. */
export function acknowledgeRequest(
  context: DecisionContext,
  person: AgentId,
  { task, id, claimed }: RequestRecord,
): void {
  if (claimed === null) context.emit('request.claimed', { task, request: id, agent: person, until: null })
}

/** Another person has claimed it: taking it over needs a reason, which everyone in the task can read. */
function takeOver(
  context: DecisionContext,
  person: AgentId,
  request: NumberedRequest,
  { by, until }: { by: AgentId; until: number },
  reason: string | null | undefined,
): void {
  const from = context.name(by)
  if ((reason ?? '').trim() === '') throw new Fault('REQUEST_CLAIMED', { by: from, until, request: request.id })
  recordAct(context, person, [request.task], {
    act: 'takeOver',
    on: request.id,
    reason: reasonOf(reason ?? ''),
    says: context.said('actTookOver', { who: context.name(person), from, n: request.number }),
  })
}

const FITS: Record<RequestKind, readonly Decision[]> = {
  answer: ['answer'],
  part: ['done', 'cannot'],
  confirm: ['approve', 'approve_edited', 'refuse'],
  limit: ['approve', 'refuse'],
  judge: [],
  tool: ['answer', 'done', 'approve', 'refuse', 'cannot'],
  plan: ['approve', 'approve_edited', 'refuse'],
}

/**
 * Decides a request of any kind. out: the answer as a message, or null.
 *
 * faults  DECISION_UNFIT, ARGUMENTS_UNUSED, EMPTY_TEXT, REASON_MISSING, …
 */
export function answerRequest(
  context: DecisionContext,
  person: AgentId,
  command: CommandOf<'answerRequest'>,
): { message: MessageId | null } {
  const request = mustBeOpen(context, command.request, person)
  if (!FITS[request.kind].includes(command.decision)) {
    throw new Fault('DECISION_UNFIT', { decision: command.decision, kind: request.kind })
  }
  // The answer would say that they ran, or that they were filled in.
  if ((command.arguments !== null || command.plan !== undefined) && !takesArguments(request, command.decision)) {
    throw new Fault('ARGUMENTS_UNUSED', { decision: command.decision })
  }
  if (!request.asked.includes(person)) {
    // No agent waits for what one person asks of another: only the two settle it.
    if (!isNumbered(request)) throw new Fault('NOT_ASKED')
    answersFor(context, person, request, command.reason)
  }
  switch (request.kind) {
    case 'answer':
      if (command.text.trim() === '') throw new Fault('EMPTY_TEXT')
      return { message: sendAnswer(context, person, request, command.text) }
    case 'part':
      if (command.text.trim() === '') throw new Fault('REASON_MISSING')
      settleAnswered(context, person, request, command)
      submitPart(context, person, request, command)
      return { message: null }
    case 'confirm':
      if (command.decision === 'refuse' && command.text.trim() === '') throw new Fault('REASON_MISSING')
      decideConfirmation(context, person, request, command)
      return { message: null }
    case 'tool':
      answerToolRequest(context, person, request, command)
      return { message: null }
    case 'plan':
      decidePlan(context, person, request, command)
      return { message: null }
    case 'limit':
      decideLimit(context, person, request, command)
      return { message: null }
    case 'judge':
      throw new Fault('DECISION_UNFIT', { decision: command.decision, kind: request.kind })
    default:
      return request.kind satisfies never
  }
}

/** Another call to run, other stages, or a form that is filled in. */
const takesArguments = ({ kind }: RequestRecord, decision: Decision): boolean =>
  kind === 'confirm' || kind === 'plan' ? decision === 'approve_edited' : kind === 'tool' && decision === 'answer'

/** An operator does it for those who were asked, and says why. */
function answersFor(
  context: DecisionContext,
  person: AgentId,
  request: NumberedRequest,
  reason: string | null | undefined,
): void {
  recordAct(context, person, [request.task], {
    act: 'answerFor',
    on: request.id,
    reason: reasonOf(reason ?? ''),
    says: context.said('actAnsweredFor', {
      who: context.name(person),
      names: context.nameList(request.asked),
      n: request.number,
    }),
  })
}

/** The answer is a message to the asker that hands the waiting id back. */
function sendAnswer(context: DecisionContext, person: AgentId, request: RequestRecord, text: string): MessageId | null {
  if (request.asker === SYSTEM_TASK) return null
  const message = deliver(context, {
    task: request.task,
    sender: person,
    receivers: [request.asker],
    text,
    stage: request.stage,
    thread: request.thread,
    returnWaiting: request.lock,
    answersRequest: request.id,
    replyTo: request.message,
  })
  closeAnswered(context, person, request, text)
  recordByHand(
    context,
    { task: request.task, stage: request.stage, thread: request.thread, agent: person },
    {
      intention: context.say('reply', { who: context.name(request.asker) }),
      text: beginningOf(request.question, 400),
      kind: 'skill',
      executor: 'send_message',
    },
    text,
  )
  return message
}

/** A message of this person answered it: the request ends. */
export function closeAnswered(context: DecisionContext, person: AgentId, request: RequestRecord, text: string): void {
  settleAnswered(context, person, request, { decision: 'answer', text, arguments: null })
}

function submitPart(
  context: DecisionContext,
  person: AgentId,
  request: RequestRecord,
  command: CommandOf<'answerRequest'>,
): void {
  const { task, stage } = request
  const agent = request.asked[0] ?? person
  if (stage === null) return
  recordByHand(
    context,
    { task, stage, thread: null, agent },
    { intention: beginningOf(request.question, 200), text: request.question, kind: 'skill', executor: 'summary' },
    command.text,
  )
  const { text } = command
  endPart(context, task, stage, agent, command.decision === 'done' ? { summary: text } : { failed: text })
}

/** Marks a request as done without words. Throws ANSWER_NEEDED for a question, DECISION_UNFIT, NOT_ASKED once handed over. */
export function doneWithRequest(context: DecisionContext, person: AgentId, request: RequestRecord): void {
  if (isQuestion(request)) throw new Fault('ANSWER_NEEDED', { who: context.name(request.asker) })
  if (request.kind !== 'answer') throw new Fault('DECISION_UNFIT', { decision: 'done', kind: request.kind })
  if (!request.asked.includes(person)) throw new Fault('NOT_ASKED')
  settleAnswered(context, person, request, { decision: 'done', text: '', arguments: null })
  // The page shows a person what became of their message; an agent gets a message.
  if (request.asker === SYSTEM_TASK || !isNumbered(request)) return
  deliverSystem(context, {
    task: request.task,
    receivers: [request.asker],
    text: context.said('markedDone', {
      who: context.name(person),
      question: beginningOf(request.question, 200),
    }),
    stage: request.stage,
    thread: request.thread,
  })
}

/** A message to the asker, tied to the request. Throws EMPTY_TEXT, NOBODY_TO_ASK, and what mustBeOpen throws. */
export function askBack(
  context: DecisionContext,
  person: AgentId,
  { request: id, text }: CommandOf<'askBack'>,
): { message: MessageId } {
  const request = mustBeOpen(context, id, person)
  if (text.trim() === '') throw new Fault('EMPTY_TEXT')
  if (request.asker === SYSTEM_TASK) throw new Fault('NOBODY_TO_ASK')
  const message = deliver(context, {
    task: request.task,
    sender: person,
    receivers: [request.asker],
    text,
    stage: request.stage,
    thread: request.thread,
    type: 'urgent',
    waiting: [context.id<WaitingId>()],
    asksBack: request.id,
    replyTo: request.message,
  })
  return { message }
}
