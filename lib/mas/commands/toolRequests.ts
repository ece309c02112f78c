/**
 * What a tool server asks while one of its calls runs: fields of a form, a page to be opened, words of the agent's model.
 *
 * Owns: opening such a request, its answers, withdrawing it when the call is over.
 * Not here: what the server is told (server/engine), whom a task's risky calls are put to (confirm.ts).
 */

import { Fault } from '@/lib/faults'
import type { AgentId, RequestId } from '../ids'
import type { Decision, RequestRecord, StepRecord, ToolQuestion } from '../records'
import { isOpen } from '../reduce/request'
import { findStep, selectName } from '../selectors/agents'
import type { CommandOf } from './command'
import { selectConfirmers } from './confirm'
import type { DecisionContext } from './draft'
import { answered, findRequest, openRequest, supersede } from './requests'

/** A form is filled in or declined; "cannot" leaves it open to the server what it does without an answer. */
const FITS: Record<ToolQuestion['asks'], readonly Decision[]> = {
  form: ['answer', 'refuse', 'cannot'],
  url: ['done', 'refuse', 'cannot'],
  sampling: ['approve', 'refuse'],
}

/** The call still runs; what a call asked that is over has nobody to answer to. */
export function openToolRequest(draft: DecisionContext, wish: CommandOf<'openToolRequest'>): { request: RequestId } {
  const step = findStep(draft.world, wish.step)
  if (step?.state !== 'running' || step.attempt?.number !== wish.attempt) throw new Fault('STEP_OVER')
  const { tool, message } = wish
  const question =
    tool.asks === 'sampling'
      ? draft.say('toolWantsModel', { server: tool.server, agent: selectName(draft.world, step.agent), text: message })
      : draft.say('toolAsks', { server: tool.server, text: message })
  const request = openRequest(draft, {
    task: step.task,
    kind: 'tool',
    // What somebody runs by hand is theirs to answer for.
    asked: step.byHand ? [step.agent] : selectConfirmers(draft.world, step),
    asker: step.agent,
    // Whoever runs it by hand is there and waits for it: nothing has to ring.
    urgent: !step.byHand,
    message: null,
    step: step.id,
    stage: step.stage,
    // The call itself waits, not its agent's lock: it is lost with the process, a lock would not be.
    lock: null,
    thread: step.thread,
    question,
    choices: [],
    call: null,
    tool,
  })
  return { request }
}

/** The server asks no more, or the call is over. One that is settled stays as it is. */
export function withdrawToolRequest(draft: DecisionContext, { request: id, because }: CommandOf<'withdrawToolRequest'>): void {
  const request = findRequest(draft, id)
  if (request.kind !== 'tool' || !isOpen(request)) return
  supersede(draft, request, draft.say(because === 'server' ? 'toolAsksNoMore' : 'callOver'))
}

/** A step is over, and with it the call that asked. */
export function endToolRequests(draft: DecisionContext, step: StepRecord, reason: string): void {
  for (const request of Object.values(draft.world.requests[step.task] ?? {}) as RequestRecord[]) {
    if (request.kind === 'tool' && request.step === step.id && isOpen(request)) supersede(draft, request, reason)
  }
}

export function answerToolRequest(
  draft: DecisionContext,
  person: AgentId,
  request: RequestRecord,
  wish: CommandOf<'answerRequest'>,
): void {
  const asks = request.tool?.asks ?? 'form'
  if (!FITS[asks].includes(wish.decision)) {
    throw new Fault('DECISION_UNFIT', { decision: wish.decision, kind: request.kind })
  }
  if (wish.decision === 'answer' && wish.arguments === null) {
    throw new Fault('BAD_ARGUMENTS', { why: 'the form is not filled in' })
  }
  answered(draft, person, request, wish)
}
