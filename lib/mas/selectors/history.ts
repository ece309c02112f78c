/**
 * What an agent's prompts may see of its own steps.
 *
 * Owns: which steps are one history (a stage, a thread of the base task, or a task's steps without a stage), their order,
 * the chain of calls of one tool, the message that a step stands for.
 * Not here: how a history is written into a prompt (server/skills), orders of running (agents.ts).
 */

import type { AgentId, StepId, TaskId } from '../ids'
import type { MessageRecord, StepRecord, World } from '../records'

export type HistoryStep = { step: StepRecord; mark: 'finished' | 'failed' | 'to come' }

/** Those that are over, in the order they ran; those to come, in the order of the to-do list. */
export type HistoryRecords = { over: StepRecord[]; coming: StepRecord[] }

/**
 * The agent's other steps of the same history.
 *
 * out     those that are over, in the order they ran, then those to come, in the order of the to-do list; never the step
 *         itself. Steps of the base task belong to one history when they share the thread, all others when they share the
 *         stage (or have none).
 * source  docs/prompts.md
 */
export function selectHistory(world: World, current: StepRecord): HistoryStep[] {
  const { over, coming } = selectHistoryRecords(world, current)
  return [...over, ...coming].map((step) => ({ step, mark: markOf(step) }))
}

/** The same, as records alone. */
export function selectHistoryRecords(world: World, current: StepRecord): HistoryRecords {
  const base = world.tasks[current.task]?.base ?? false
  const steps = Object.values(world.steps[current.task]?.[current.agent] ?? {}) as StepRecord[]
  const beginning = beginningOf(steps, current, base)
  const over = [...beginning.over]
  const coming: StepRecord[] = []
  let isInOrder = true
  let newest = newestOf(over)
  for (const step of steps.slice(beginning.steps.length)) {
    if (step.id === current.id || !isSameHistory(step, current, base)) continue
    if (!isOver(step)) {
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
 * How a history begins: `steps` are the agent's first, all over, `over` those of them that belong to it, in the order they ran.
 */
type Beginning = { history: string | null; steps: readonly StepRecord[]; over: readonly StepRecord[] }

/**
 * By the agent's first step. A record that is over stays the same object, so the agent's next prompts begin with the very
 * same; to look into each of two hundred records again took a twentieth of a step where fifty agents run.
 */
const beginnings = new WeakMap<StepRecord, Beginning>()

/** Are the first of these steps the very same records? */
export const beginsWith = (steps: readonly StepRecord[], first: readonly StepRecord[]): boolean =>
  first.length <= steps.length && first.every((step, n) => step === steps[n])

/** As it was last, and as far as it goes on. It ends before the first step that is not over, or that ran before the one before it. */
function beginningOf(steps: readonly StepRecord[], current: StepRecord, base: boolean): Beginning {
  const history = base ? current.thread : current.stage
  const [first] = steps
  const last = first && beginnings.get(first)
  const known: Beginning =
    last && last.history === history && beginsWith(steps, last.steps) ? last : { history, steps: [], over: [] }
  const over = [...known.over]
  let count = known.steps.length
  for (const step of steps.slice(count)) {
    if (!isOver(step) || step.id === current.id) break
    const isOwn = isSameHistory(step, current, base)
    if (isOwn && ranAt(step) < newestOf(over)) break
    if (isOwn) over.push(step)
    count += 1
  }
  const beginning = { history, steps: steps.slice(0, count), over }
  if (first) beginnings.set(first, beginning)
  return beginning
}

/**
 * The calls of one tool that a tool_decision looks back on, oldest first, its own decisions between them.
 *
 * in      the tool_decision step
 * out     from the newest call of that tool back through unbroken pairs of call and decision; instruction_generation and
 *         send_message between them are passed over, anything else ends the chain, and so does a decision that had ended
 *         the tool's run (what lies before it had another purpose). Empty when there was no call.
 * source  docs/prompts.md
 */
export function selectToolHistory(world: World, current: StepRecord): StepRecord[] {
  const { over } = selectHistoryRecords(world, current)
  const called = current.cause.step === null ? null : selectStepOf(world, current, current.cause.step)
  const tool = called?.type === 'tool' ? called.executor : null
  const newest = over.findLastIndex((step) => step.type === 'tool' && (tool === null || step.executor === tool))
  const last = over[newest]
  if (last === undefined) return []
  const chain = [last]
  let decision: StepRecord | null = null
  for (const step of over.slice(0, newest).reverse()) {
    if (step.type === 'skill' && (step.executor === 'instruction_generation' || step.executor === 'send_message'))
      continue
    if (decision === null) {
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

/**
 * The message that brought a step about, if it is still in the world.
 *
 * out     its cause; for a step that runs again after it asked for more, the cause of the first run
 */
export function selectCauseMessage(world: World, step: StepRecord): MessageRecord | null {
  const seen = new Set<StepId>()
  for (let at: StepRecord | null = step; at !== null && !seen.has(at.id); ) {
    seen.add(at.id)
    if (at.cause.message !== null) return world.messages[at.task]?.[at.cause.message] ?? null
    const before: StepRecord | null = at.cause.step === null ? null : selectStepOf(world, at, at.cause.step)
    at = before?.executor === at.executor ? before : null
  }
  return null
}

const selectStepOf = (world: World, near: { task: TaskId; agent: AgentId }, step: StepId): StepRecord | null =>
  world.steps[near.task]?.[near.agent]?.[step] ?? null

function isSameHistory(step: StepRecord, current: StepRecord, base: boolean): boolean {
  return base ? step.thread === current.thread : step.stage === current.stage
}

export function markOf(step: StepRecord): HistoryStep['mark'] {
  return step.state === 'finished' || step.state === 'failed' ? step.state : 'to come'
}

const isOver = (step: StepRecord): boolean => step.state === 'finished' || step.state === 'failed'

const newestOf = (over: readonly StepRecord[]): number => {
  const last = over.at(-1)
  return last ? ranAt(last) : 0
}

const ranAt = (step: StepRecord): number => step.startedSeq ?? step.endedSeq ?? step.createdSeq

/** Steps that run or are held come before the list; steps that no list names keep the order they were made in, behind it. */
function place(order: Map<StepId, number>, step: StepRecord): number {
  const index = order.get(step.id)
  if (index !== undefined) return index
  return step.state === 'init' ? order.size + step.createdSeq : -1
}

const hasEndedRun = (step: StepRecord): boolean =>
  step.result !== null &&
  typeof step.result.made === 'object' &&
  step.result.made !== null &&
  !Array.isArray(step.result.made) &&
  step.result.made.continue === false
