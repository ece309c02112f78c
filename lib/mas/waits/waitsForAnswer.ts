import { selectOutcome } from '../asks/outcomes'
import type { AgentId, MessageId, StepId } from '../ids'
import { needsReply } from '../messages/records'
import type { MessageRecord, OwnSteps, StepRecord, World } from '../records'
import { comesAgain, isSettled, isStepOver } from '../statuses'
import { stepIn, stepsIn } from '../steps/ownSteps'

/** A question that a step asked before it comes again, and those who have not answered it. */
export type OpenQuestion = { message: MessageRecord; on: readonly AgentId[] }

/** Does it come again while a question that it led to is open, or its answer not yet taken in? */
export function waitsForAnswer(world: World, step: StepRecord): boolean {
  const asked = askedBefore(world, step)
  if (asked.some((message) => unanswered(world, message).length > 0)) return true
  const ids = new Set(asked.map(({ id }) => id))
  return ids.size > 0 && stepsIn(world.steps[step.task]?.[step.agent]).some((one) => takesIn(world, one, ids))
}

/** The questions that a step waits for; empty where it waits for none, or their answers are only to be taken in. */
export const selectOpenQuestions = (world: World, step: StepRecord): OpenQuestion[] =>
  askedBefore(world, step)
    .map((message) => ({ message, on: unanswered(world, message) }))
    .filter(({ on }) => on.length > 0)

/** What the run before this one asked. */
function askedBefore(world: World, step: StepRecord): MessageRecord[] {
  const before = firstRun(world, step)
  if (before === null) return []
  const own = world.steps[step.task]?.[step.agent]
  return Object.values<MessageRecord>(world.messages[step.task] ?? {}).filter(
    ({ sender, type, seq, fromStep }) =>
      sender === step.agent &&
      needsReply(type) &&
      seq >= before.createdSeq &&
      fromStep !== null &&
      isBroughtBy(own, fromStep, before.id),
  )
}

const unanswered = (world: World, message: MessageRecord): AgentId[] =>
  message.receivers.filter((receiver) => {
    const outcome = selectOutcome(world, message, receiver)
    return outcome !== null && !isSettled(outcome.state)
  })

/** The run of this step that asked for more; null when it was never run before. */
function firstRun(world: World, { task, agent, executor, cause }: StepRecord): StepRecord | null {
  const before = cause.step === null ? undefined : stepIn(world.steps[task]?.[agent], cause.step)
  if (before?.executor !== executor) return null
  return comesAgain(before.result) ? before : null
}

/** Was this step planned by that one, or by a step that it planned? */
function isBroughtBy(own: OwnSteps | undefined, id: StepId, by: StepId): boolean {
  const seen = new Set<StepId>()
  for (let at: StepId | null = id; at !== null && !seen.has(at); at = stepIn(own, at)?.cause.step ?? null) {
    if (at === by) return true
    seen.add(at)
  }
  return false
}

function takesIn(world: World, step: StepRecord, asked: ReadonlySet<MessageId>): boolean {
  if (isStepOver(step) || step.cause.message === null) return false
  const answers = world.messages[step.task]?.[step.cause.message]?.replyTo ?? null
  return answers !== null && asked.has(answers)
}
