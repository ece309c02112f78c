/** Placing steps in an agent's list, as planned or as the runtime needs them. */

import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, StageId, StepId, TaskId, ThreadId } from '../../ids'
import {
  type AgentRecord,
  type Answers,
  type BodyRef,
  isSkill,
  type SkillName,
  type StepRecord,
  type StepResult,
  type ToolInstruction,
} from '../../records'
import { isStepOver } from '../../statuses'
import { selectStep } from '../../team/agents'
import type { StepSeed } from '../events'
import type { PlannedCall, PlannedStep } from '../outcome'
import { stepsIn } from '../ownSteps'

/** Where a step belongs. */
export type StepHome = { task: TaskId; stage: StageId | null; thread: ThreadId | null; agent: AgentId }

export type StepSpec = {
  intention: string
  text: string
  kind: 'skill' | 'tool'
  executor: string
  cause?: StepSeed['cause']
  answers?: Answers | null
  last?: boolean
  /** Of a tool: the answer of the step that writes its call. */
  ahead?: BodyRef
}

/** before: so many steps of the same decision are added to the task before it. */
const seedOf = (
  context: DecisionContext,
  home: StepHome,
  command: StepSpec,
  boundTo: StepId | null,
  step: StepId,
  before = 0,
): StepSeed => ({
  cause: { message: null, step: null },
  answers: null,
  last: false,
  ...command,
  task: home.task,
  agent: home.agent,
  step,
  number: (context.world.stepCounts[home.task] ?? 0) + 1 + before,
  stage: home.stage,
  thread: home.thread,
  boundTo,
  retryOf: null,
  byHand: false,
})

/** The step; for a tool also the instruction_generation step that writes its call, bound to each other. */
function seedsOf(context: DecisionContext, home: StepHome, command: StepSpec): StepSeed[] {
  const step = context.stepId()
  if (command.kind === 'skill') return [seedOf(context, home, command, null, step)]
  const writer = context.stepId()
  const { ahead: _, ...calling } = command
  const writing: StepSpec = {
    ...command,
    kind: 'skill',
    executor: 'instruction_generation' satisfies SkillName,
    intention: context.say('writeCall', { intention: command.intention }),
  }
  return [seedOf(context, home, writing, step, writer), seedOf(context, home, calling, writer, step, 1)]
}

/** Append at the end of the agent's list. */
export function addStep(context: DecisionContext, home: StepHome, command: StepSpec): StepId {
  const seeds = seedsOf(context, home, command)
  for (const seed of seeds) context.emit('step.added', seed)
  return lastId(seeds)
}

/** Insert before the next step not yet run, behind those already inserted in this decision. */
export function insertStep(context: DecisionContext, home: StepHome, command: StepSpec): StepId {
  const seeds = seedsOf(context, home, command)
  for (const seed of seeds) context.emit('step.added', { ...seed, position: context.insertPosition(home.agent) })
  return lastId(seeds)
}

/** Inserts behind the replies at the head of the list, to keep their order. A returned waiting id goes before unsent replies. */
export function insertReply(context: DecisionContext, home: StepHome, command: StepSpec): StepId {
  const isAnswer = command.executor === 'process_message'
  const todo = context.world.work[home.agent]?.todo ?? []
  let replies = 0
  for (const ref of todo) {
    const step = selectStep(context.world, ref.task, home.agent, ref.step)
    if (!step || !isOfWait(context, step) || (isAnswer && step.executor !== command.executor)) break
    replies += 1
  }
  const seeds = seedsOf(context, home, command)
  seeds.forEach((seed, index) => {
    context.emit('step.added', { ...seed, position: replies + index })
  })
  return lastId(seeds)
}

/** A reply that another agent or person waits for, or a message that returned a waiting id. */
function isOfWait(context: DecisionContext, step: StepRecord): boolean {
  const { message } = step.cause
  if (message === null) return false
  if (step.executor === 'send_message') return step.answers !== null && step.answers.waiting !== null
  if (step.executor !== 'process_message') return false
  return (context.world.messages[step.task]?.[message]?.returnWaiting ?? null) !== null
}

/**
 * Retries a failed step before the next unrun one. A written call is repeated, else written again.
 *
 * in      edited: who changed the arguments of its call, and to what; null: nobody
 */
export function insertAgain(
  context: DecisionContext,
  failed: StepRecord,
  edited: { by: AgentId; arguments: BodyRef } | null,
): StepId {
  const pair = failed.boundTo === null ? null : selectStep(context.world, failed.task, failed.agent, failed.boundTo)
  const tool = failed.type === 'tool' ? failed : failed.executor === 'instruction_generation' ? pair : null
  const again = tool ?? failed
  const command: StepSpec = {
    intention: again.intention,
    text: again.text,
    kind: again.type,
    executor: again.executor,
    cause: { message: failed.cause.message, step: failed.id },
    answers: failed.answers && { ...failed.answers, waiting: null },
    last: failed.last,
  }
  const written = failed.type === 'tool' && failed.instruction?.kind === 'call' ? failed.instruction : null
  const seeds = written ? [seedOf(context, failed, command, null, context.stepId())] : seedsOf(context, failed, command)
  for (const seed of seeds) {
    const retryOf = seed.kind === again.type && seed.executor === again.executor ? again.id : (pair?.id ?? null)
    context.emit('step.added', { ...seed, retryOf, position: context.insertPosition(failed.agent) })
  }
  const step = lastId(seeds)
  if (written !== null) {
    const { task, agent } = failed
    const instruction = edited === null ? written : { ...written, arguments: edited.arguments }
    const editedBy = edited?.by ?? failed.editedBy
    const event = { task, agent, step, instruction, ...(editedBy === undefined ? {} : { editedBy }) }
    context.emit('step.instructed', event)
  }
  return step
}

const lastId = (seeds: StepSeed[]): StepId => {
  const last = seeds.at(-1)
  if (!last) throw new Error('a step without a seed')
  return last.step
}

/** May this agent use it? */
export const mayUse = (agent: AgentRecord, kind: 'skill' | 'tool', executor: string): boolean =>
  kind === 'tool'
    ? agent.tools.includes(executor)
    : isSkill(executor) && (agent.skills.includes('all') || agent.skills.includes(executor))

/** A step as a model planned it; cause: what brought it about. */
export const stepSpecOf = (planned: PlannedStep, cause: StepSeed['cause']): StepSpec => ({
  intention: planned.step_intention,
  text: planned.text_content,
  kind: planned.type,
  executor: planned.executor,
  cause,
  ...(planned.ahead === undefined ? {} : { ahead: planned.ahead }),
})

/** The agent decides how to continue after a call. */
export const toolDecisionAfter = (context: DecisionContext, { id, executor, text }: StepRecord): StepSpec => ({
  intention: context.say('decideTool', { server: executor }),
  text,
  kind: 'skill',
  executor: 'tool_decision',
  cause: { message: null, step: id },
})

/** Inserts calls that a step has written, in order, behind `after` or before the next unrun step; their writing step is over. */
export function insertCalls(
  context: DecisionContext,
  writer: StepRecord,
  calls: readonly PlannedCall[],
  after: StepId | null,
): void {
  const todo = context.world.work[writer.agent]?.todo ?? []
  const base = todo.findIndex((ref) => ref.step === after) + 1
  calls.forEach(({ server, intention, instruction }, index) => {
    const spec: StepSpec = {
      intention,
      text: intention,
      kind: 'tool',
      executor: server,
      cause: { message: null, step: writer.id },
    }
    const [writing, tool] = seedsOf(context, writer, spec)
    if (writing === undefined || tool === undefined) return
    const { task, agent } = writer
    const result = context.result('text', context.say('writtenBefore'))
    context.emit('step.added', writing)
    context.emit('step.finished', { task, agent, step: writing.step, result, repairs: [] })
    const position = after === null ? context.insertPosition(agent) : base + index
    context.emit('step.added', { ...tool, batch: writer.id, position })
    context.emit('step.instructed', { task, agent, step: tool.step, instruction })
  })
}

/** Add a call that a person runs by hand to their own queue. */
export function addByHand(
  context: DecisionContext,
  home: StepHome,
  command: StepSpec,
  instruction: ToolInstruction,
): StepId {
  const step = context.stepId()
  context.emit('step.added', { ...seedOf(context, home, command, null, step), byHand: true })
  context.emit('step.instructed', { task: home.task, agent: home.agent, step, instruction })
  return step
}

/** Records an action of a person, as a step that was never in a queue. */
export const recordByHand = (context: DecisionContext, home: StepHome, command: StepSpec, text: string): StepId =>
  recordStep(context, home, command, context.result('text', text), true)

/** A step that is over as it is added: what it would have done was done otherwise. */
export function recordStep(
  context: DecisionContext,
  home: StepHome,
  command: StepSpec,
  result: StepResult,
  byHand = false,
): StepId {
  const step = context.stepId()
  context.emit('step.added', { ...seedOf(context, home, command, null, step), byHand })
  context.emit('step.finished', { task: home.task, agent: home.agent, step, result, repairs: [] })
  return step
}

/** Retire finished steps: they leave the live list and stay in the history. */
export function retireSteps(
  context: DecisionContext,
  home: Pick<StepHome, 'task' | 'agent'>,
  fits: (stage: StageId | null) => boolean,
): void {
  const over = stepsIn(context.world.steps[home.task]?.[home.agent]).filter(
    (step) => !step.retired && fits(step.stage) && isStepOver(step),
  )
  if (over.length === 0) return
  context.emit('step.retired', { task: home.task, agent: home.agent, steps: over.map((step) => step.id) })
}
