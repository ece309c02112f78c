/**
 * A step that first had to ask: it comes again when what it asked has come back. No lock is taken for it, so its agent goes
 * on with everything else.
 */

import type { MessageId, StepId } from '../ids'
import { stepIn, stepsIn } from '../ownSteps'
import type { MessageRecord, OwnSteps, StepRecord, World } from '../records'
import { isSettled, isStepOver } from '../statuses'

/** Does it come again while a question that it led to is open, or its answer not yet taken in? */
export function waitsForAnswer(world: World, step: StepRecord): boolean {
  const before = firstRun(world, step)
  if (before === null) return false
  const own = world.steps[step.task]?.[step.agent]
  const asked = new Set<MessageId>()
  for (const message of Object.values<MessageRecord>(world.messages[step.task] ?? {})) {
    if (message.sender !== step.agent || !message.needReply || message.seq < before.createdSeq) continue
    if (message.fromStep === null || !isBroughtBy(own, message.fromStep, before.id)) continue
    const isOpen = message.receivers.some((receiver) => {
      const receipt = world.receipts[step.task]?.[receiver]?.[message.id]
      return receipt !== undefined && !isSettled(receipt.state)
    })
    if (isOpen) return true
    asked.add(message.id)
  }
  return asked.size > 0 && stepsIn(own).some((one) => takesIn(world, one, asked))
}

/** The run of this step that asked for more; null when it was never run before. */
function firstRun(world: World, { task, agent, executor, cause }: StepRecord): StepRecord | null {
  const before = cause.step === null ? undefined : stepIn(world.steps[task]?.[agent], cause.step)
  if (before?.executor !== executor) return null
  const made = before.result?.made ?? null
  const isAgain = made !== null && typeof made === 'object' && !Array.isArray(made) && made.again === true
  return isAgain ? before : null
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
