/** Calls that wait for people: before they run, or for what their server needs to know. */
import { holdStep } from '../../asks/commands/confirm'
import { askNextInput } from '../../asks/commands/toolRequests'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import { endEffects } from './endings'
import { keepLate, runningAttempt } from './runSteps'

/** Ask people before a call runs. out: null: the step was over. Throws NOT_FOUND. */
export function hold(context: DecisionContext, command: CommandOf<'holdStep'>): { request: string | null } {
  const step = runningAttempt(context.world, command.step, command.attempt)
  if (!step) {
    keepLate(context, command.step, command.attempt, 'held')
    return { request: null }
  }
  return { request: holdStep(context, step, command) }
}

/** Ask people what the server of a call needs. out: null: the step was over. Throws NOT_FOUND. */
export function askInput(context: DecisionContext, command: CommandOf<'askInput'>): { request: string | null } {
  const step = runningAttempt(context.world, command.step, command.attempt)
  if (!step) {
    keepLate(context, command.step, command.attempt, 'held')
    return { request: null }
  }
  endEffects(context, step)
  return { request: askNextInput(context, step, command.input) }
}
