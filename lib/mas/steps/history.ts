/** The agent's own steps that its prompts may show. */
import { fieldsIn } from '@/lib/json'
import type { MessageId, StepId } from '../ids'
import type { MessageRecord, StepRecord, World } from '../records'
import { isStepOver } from '../statuses'
import { selectStep } from '../team/agents'
import { batchOf, stepsIn } from './ownSteps'

export type HistoryMark = 'finished' | 'failed' | 'to come'

/** Ended steps in the order they ran; coming steps in the order of the list. */
export type HistoryRecords = { over: StepRecord[]; coming: StepRecord[] }

/**
 * The agent's other steps of the same conversation: those of the task, in the base task those of the thread.
 *
 * out     those that are over, in the order they ran, then those to come, in the order of the to-do list; never the step itself
 * source  docs/prompts.md
 */
export function selectHistoryRecords(world: World, current: StepRecord): HistoryRecords {
  const isBase = world.tasks[current.task]?.base === true
  const own = world.steps[current.task]?.[current.agent]
  const over: StepRecord[] = []
  const coming: StepRecord[] = []
  let isInOrder = true
  let newest = 0
  for (const step of stepsIn(own)) {
    if (step.id === current.id || (isBase && step.thread !== current.thread)) continue
    if (!isStepOver(step)) {
      coming.push(step)
      continue
    }
    const at = ranAt(step)
    isInOrder &&= newest <= at
    newest = at
    over.push(step)
  }
  if (!isInOrder) over.sort((a, b) => ranAt(a) - ranAt(b))
  if (coming.length > 1) {
    const order = new Map((world.work[current.agent]?.todo ?? []).map((ref, index) => [ref.step, index]))
    coming.sort((a, b) => place(order, a) - place(order, b))
  }
  return { over, coming }
}

/**
 * The calls of one tool that a tool_decision looks back on, oldest first, its own decisions between them.
 *
 * in      the tool_decision step
 * out     from the newest call of that tool back through unbroken pairs of call and decision; instruction_generation and
 *         send_message between them are passed over, anything else ends the chain, and so does a decision that had ended
 *         the tool's run (steps before it had another purpose), all in one stage. Empty when there was no call.
 * source  docs/prompts.md
 */
export function selectToolHistory(world: World, current: StepRecord): StepRecord[] {
  const over = selectHistoryRecords(world, current).over.filter(({ stage }) => stage === current.stage)
  const called = current.cause.step === null ? null : selectStep(world, current.task, current.agent, current.cause.step)
  const tool = called?.type === 'tool' ? called.executor : null
  const newest = over.findLastIndex((step) => step.type === 'tool' && (tool === null || step.executor === tool))
  const last = over[newest]
  if (last === undefined) return []
  const chain = [last]
  let decision: StepRecord | null = null
  for (const step of over.slice(0, newest).reverse()) {
    if (step.type === 'skill' && (step.executor === 'instruction_generation' || step.executor === 'send_message'))
      continue
    if (decision === null && step.type === 'tool' && isSameBatch(step, chain[0] ?? last)) {
      chain.unshift(step)
    } else if (decision === null) {
      if (step.type !== 'skill' || step.executor !== 'tool_decision' || hasEndedRun(step)) break
      decision = step
    } else {
      if (step.type !== 'tool' || step.executor !== last.executor) break
      chain.unshift(step, decision)
      decision = null
    }
  }
  return chain
}

/** Calls that were written together have no decision between them. */
function isSameBatch(one: StepRecord, other: StepRecord): boolean {
  const batch = batchOf(one)
  return one.executor === other.executor && batch !== null && batch === batchOf(other)
}

/** The message that caused a step, if still in the world; for a step that runs again the cause of its first run. */
export function selectCauseMessage(world: World, step: StepRecord): MessageRecord | null {
  const again: StepRecord[] = []
  const seen = new Set<StepId>()
  for (let at: StepRecord | null = step; at !== null && !seen.has(at.id); ) {
    seen.add(at.id)
    const before: StepRecord | null =
      at.cause.step === null ? null : selectStep(world, at.task, at.agent, at.cause.step)
    const isFirst = at.cause.step === null || (before !== null && before.executor !== at.executor)
    const message = at.cause.message ?? (isFirst ? null : firstCauses.get(at.cause))
    if (message !== undefined) {
      for (const { cause } of again) firstCauses.set(cause, message)
      return message === null ? null : (world.messages[at.task]?.[message] ?? null)
    }
    again.push(at)
    at = before
  }
  return null
}
/** By the cause of a step that runs again, which never changes: a hundred runs are not walked back for each prompt. */
const firstCauses = new WeakMap<StepRecord['cause'], MessageId | null>()

export function historyMarkOf(step: StepRecord): HistoryMark {
  return step.state === 'finished' || step.state === 'failed' ? step.state : 'to come'
}

const ranAt = (step: StepRecord): number => step.startedSeq ?? step.endedSeq ?? step.createdSeq

/** Steps that run or are held come before the list; steps that no list names keep the order they were made in, behind it. */
function place(order: Map<StepId, number>, step: StepRecord): number {
  const index = order.get(step.id)
  if (index !== undefined) return index
  return step.state === 'init' ? order.size + step.createdSeq : -1
}

/** A tool_decision that ended the run of its tool. */
export const hasEndedRun = ({ result }: StepRecord): boolean => fieldsIn(result?.made).continue === false
