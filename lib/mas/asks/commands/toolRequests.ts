/** Questions of a tool server during a call: a form, a page to open, a completion by the agent's model. */
import { Fault } from '@/lib/faults'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, RequestId, WaitingId } from '../../ids'
import type { Decision, RequestRecord, StepInput, StepRecord, ToolQuestion } from '../../records'
import { isOpen } from '../../statuses'
import { findStep } from '../../team/agents'
import { findLock, releaseLock } from '../../waits/commands/locks'
import { supersede } from '../../waits/commands/withoutAnswer'
import { selectConfirmers } from './confirm'
import { findRequest, openRequest, settleAnswered } from './openRequest'

/** A form is filled in or declined; "cannot" leaves it open to the server what it does without an answer. */
const FITS: Record<ToolQuestion['asks'], readonly Decision[]> = {
  form: ['answer', 'refuse', 'cannot'],
  url: ['done', 'refuse', 'cannot'],
  sampling: ['approve', 'refuse'],
}

/** The call still runs; after its end its questions cannot be answered. Throws STEP_OVER. */
export function openToolRequest(
  context: DecisionContext,
  command: CommandOf<'openToolRequest'>,
): { request: RequestId } {
  const step = findStep(context.world, command.step)
  if (step?.state !== 'running' || step.attempt?.number !== command.attempt) throw new Fault('STEP_OVER')
  // The person who runs the tool by hand is present: no alert is needed.
  const type = step.byHand ? 'action' : command.tool.asks === 'sampling' ? 'approval' : 'urgent'
  // The call itself waits, not its agent's lock: it is lost with the process, a lock would not be.
  return { request: openQuestion(context, step, command, { type, lock: null }) }
}

/** The next question of a held call that nobody was asked yet; the agent is locked until it is answered. out: null: all were asked */
export function askNextInput(context: DecisionContext, step: StepRecord, input: StepInput): RequestId | null {
  const next = input.questions.find(({ request }) => request === null)
  if (next === undefined) return null
  const lock = context.id<WaitingId>()
  const request = openQuestion(context, step, next, { type: 'action', lock })
  const questions = input.questions.map((one) => (one === next ? { ...one, request } : one))
  const { task, agent, id } = step
  context.emit('step.held', { task, agent, step: id, request, input: { ...input, questions } })
  context.emit('lock.added', {
    agent,
    task,
    lock: { id: lock, kind: 'confirm', stage: step.stage, step: id, on: null, message: null, request },
  })
  return request
}

function openQuestion(
  context: DecisionContext,
  step: StepRecord,
  { tool, message }: { tool: ToolQuestion; message: string },
  how: Pick<RequestRecord, 'type' | 'lock'>,
): RequestId {
  const question =
    tool.asks === 'sampling'
      ? context.said('toolWantsModel', {
          server: tool.server,
          agent: context.name(step.agent),
          text: message,
        })
      : context.said('toolAsks', { server: tool.server, text: message })
  return openRequest(context, {
    ...how,
    task: step.task,
    kind: 'tool',
    // The person who runs a tool by hand answers its questions.
    asked: step.byHand ? [step.agent] : selectConfirmers(context.world, step),
    asker: step.agent,
    step: step.id,
    stage: step.stage,
    thread: step.thread,
    question,
    tool,
  })
}

/** The server withdrew its question, or the call is over. A settled one stays as it is. Throws NOT_FOUND. */
export function withdrawToolRequest(
  context: DecisionContext,
  { request: id, because }: CommandOf<'withdrawToolRequest'>,
): void {
  const request = findRequest(context, id)
  if (request.kind !== 'tool' || !isOpen(request)) return
  supersede(context, request, context.say(because === 'server' ? 'toolAsksNoMore' : 'callOver'))
}

/** Throws DECISION_UNFIT, BAD_ARGUMENTS for a form that is not filled in. */
export function answerToolRequest(
  context: DecisionContext,
  person: AgentId,
  request: RequestRecord,
  command: CommandOf<'answerRequest'>,
): void {
  const asks = request.tool?.asks ?? 'form'
  if (!FITS[asks].includes(command.decision)) {
    throw new Fault('DECISION_UNFIT', { decision: command.decision, kind: request.kind })
  }
  if (command.decision === 'answer' && command.arguments === null) {
    throw new Fault('BAD_ARGUMENTS', { why: 'the form is not filled in' })
  }
  settleAnswered(context, person, request, command)
  const held = findLock(context, request.lock)
  if (held) releaseLock(context, held, 'answered', person)
  const step = request.step === null ? null : findStep(context.world, request.step)
  if (step?.held === request.id && step.input) askNextInput(context, step, step.input)
}
