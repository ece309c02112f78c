/** Short stories of one task, for tests of what decisions cause: a task with stages, and what its members do next. */

import { type MessageOutcome, selectOutcome } from '@/lib/mas/asks/outcomes'
import type { CommandOf } from '@/lib/mas/commands/command'
import type { AgentId, MessageId, StageId, StepId, TaskId } from '@/lib/mas/ids'
import type {
  MessageRecord,
  RequestKind,
  RequestRecord,
  StageRecord,
  StepRecord,
  TaskRecord,
  World,
} from '@/lib/mas/records'
import type { OutgoingMessage, PlannedStage, StepOutcome, SyncOutput, TaskInstruction } from '@/lib/mas/steps/outcome'
import { stepIn, stepsIn } from '@/lib/mas/steps/ownSteps'
import { outcomeOf, planned, Story, TEAM } from './worldHistories'

export const [MANAGER, READER, ANALYST] = [TEAM.manager.id, TEAM.reader.id, TEAM.analyst.id] as const
export const [ANA, BEN, LEE] = [TEAM.ana.id, TEAM.ben.id, TEAM.lee.id] as const

export const must = <T>(value: T | null | undefined, what: string): T => {
  if (value === null || value === undefined) throw new Error(`there is no ${what}`)
  return value
}

export const tell = (instruction: TaskInstruction): StepOutcome =>
  outcomeOf({ sync: { task_instruction: instruction } })
export const sync = (keys: SyncOutput): StepOutcome => outcomeOf({ sync: keys })
export const failed = (reason: string): StepOutcome => outcomeOf({ state: 'failed', reason })
export const goals = (stage_intention: string, ...agents: AgentId[]): PlannedStage => ({
  stage_intention,
  agent_allocation: Object.fromEntries(agents.map((agent) => [agent, `${stage_intention} it`])),
})
export const says = (receiver: string[], more: Partial<OutgoingMessage> = {}): StepOutcome =>
  sync({
    send_message: {
      receiver,
      message: 'Which?',
      stage_relative: 'no_relative',
      need_reply: true,
      waiting: true,
      ...more,
    },
  })
/** Said without asking for anything. */
export const saysFyi = (receiver: string[], message = 'Thanks.'): StepOutcome =>
  says(receiver, { message, need_reply: false, waiting: false })

export const workTask = (world: World): TaskRecord =>
  must(
    Object.values(world.tasks).find((task) => !task.base),
    'task',
  )
export const stagesOf = (world: World, task: TaskId = workTask(world).id): StageRecord[] =>
  must(world.tasks[task], 'task').stageOrder.map((id) => must(world.stages[task]?.[id], 'stage'))
export const stageAt = (world: World, place: number, task: TaskId = workTask(world).id): StageRecord =>
  must(stagesOf(world, task)[place], `stage ${place}`)
export const stepsOf = (world: World, agent: AgentId, task: TaskId = workTask(world).id): StepRecord[] =>
  stepsIn(world.steps[task]?.[agent])
export const stepNow = (world: World, step: StepRecord): StepRecord =>
  must(stepIn(world.steps[step.task]?.[step.agent], step.id), 'step')
export const lastStep = (world: World, agent: AgentId, task: TaskId = workTask(world).id): StepRecord =>
  must(
    stepsOf(world, agent, task).reduce<StepRecord | null>(
      (a, b) => ((a?.createdSeq ?? 0) > b.createdSeq ? a : b),
      null,
    ),
    'step',
  )
export const todo = (world: World, agent: AgentId): string[] =>
  (world.work[agent]?.todo ?? []).map(({ task, step }) => stepIn(world.steps[task]?.[agent], step)?.executor ?? '?')
export const messagesOf = (world: World, task: TaskId = workTask(world).id): MessageRecord[] =>
  Object.values(world.messages[task] ?? {}).sort((a: MessageRecord, b: MessageRecord) => a.seq - b.seq)
/** Lines of the task itself that are addressed to nobody. */
export const linesOf = (world: World, task: TaskId = workTask(world).id): string[] =>
  messagesOf(world, task)
    .filter((message) => message.sender === 'system:task' && message.receivers.length === 0)
    .map((message) => message.text)
export const locksOf = (world: World, agent: AgentId) => world.work[agent]?.locks ?? []
export const requestOf = (story: Story, kind: RequestKind): RequestRecord | null =>
  story.openRequests().find((request) => request.kind === kind) ?? null
export const actsOf = (story: Story) =>
  story.entries.flatMap(({ event }) => (event.type === 'operator.acted' ? [event] : []))

/** A task with these stages, the first running. The manager has nothing left to do. */
export function storyOf(...stages: PlannedStage[]): { story: Story; task: TaskId } {
  const story = new Story()
  return { story, task: addTask(story, stages) }
}

/** One more task of the same team. by: the person who asks for it */
export function addTask(story: Story, stages: PlannedStage[], name = 'Compare', by: AgentId = ANA): TaskId {
  const before = new Set(Object.keys(story.world.tasks))
  story.ask('Compare the lists', by)
  const members = [READER, ANALYST, BEN]
  story.run(MANAGER, () => tell({ action: 'add_task', task_name: name, task_intention: 'Compare the lists', members }))
  const task = must(
    Object.values(story.world.tasks).find((one) => !before.has(one.id)),
    'new task',
  ).id
  story.ask('and plan it', by)
  story.run(MANAGER, () => tell({ action: 'add_stage', task_id: task, stages }))
  return task
}

/** The agent plans exactly these steps. */
export const plans = (story: Story, agent: AgentId, ...executors: string[]): void => {
  const step = story.run(agent, () => outcomeOf({ steps: { insert: [], add: executors.map((name) => planned(name)) } }))
  if (step?.executor !== 'planning') throw new Error(`${agent} was to plan, but ran ${step?.executor}`)
}
/** The agent submits its part at once. */
export const submits = (story: Story, agent: AgentId, summary = 'all done'): void => {
  plans(story, agent, 'summary')
  story.run(agent, () => sync({ update_stage_agent_completion: { summary } }))
}
/** The manager's next step says this. */
export const managerSays = (story: Story, instruction: TaskInstruction): StepRecord => {
  const step = must(
    story.run(MANAGER, () => tell(instruction)),
    'step of the manager',
  )
  return stepNow(story.world, step)
}
export const judges = (story: Story, stage: StageRecord): StepRecord =>
  managerSays(story, { action: 'finish_stage', task_id: stage.task, stage_id: stage.id })

export const answers = (
  request: RequestRecord,
  decision: CommandOf<'answerRequest'>['decision'],
  text = '',
): CommandOf<'answerRequest'> => ({
  type: 'answerRequest',
  request: request.id,
  decision,
  text,
  arguments: null,
  digest: request.call?.digest ?? null,
})

export type { StageId, StepId }

/** What became of a message for one of those who have it. */
export const outcomeAt = (world: World, task: TaskId, message: MessageId, person: AgentId): MessageOutcome | null => {
  const record = world.messages[task]?.[message]
  return record ? selectOutcome(world, record, person) : null
}
