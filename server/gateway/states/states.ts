/** GET /api/states: the world in the shapes of the documents, as far as a person may read it. */

import { canReadMessage, canReadStep, taskAccessOf } from '@/lib/mas/access/access'
import { withoutNotes } from '@/lib/mas/builtInNotes'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type {
  AgentRecord,
  DeliveryRecord,
  InfoLine,
  Json,
  MessageRecord,
  StageRecord,
  StepRecord,
  TaskRecord,
  World,
} from '@/lib/mas/records'
import { selectPlan } from '@/lib/mas/stages/plan'
import { stepsOfAll } from '@/lib/mas/steps/ownSteps'
import { stageName } from '@/lib/mas/tasks/taskTitle'
import { managerIn } from '@/lib/mas/team/agents'
import { selectStageProgress, selectTaskProgress } from '@/lib/mas/waits/progress'
import type { Bodies } from '@/server/store'
import { notACursor } from '../records/resolve'
import { readInstruction, resultOf } from './executeResult'
import { messageState, progressState, type State, type StateScope } from './stateShapes'
import { agentState, prefixOf } from './statesOfAgents'
import { iso, type TextBudget, withTexts } from './texts'

type StateType = 'task' | 'stage' | 'agent' | 'step'
type StatesQuestion = { type: StateType; task: TaskId | null; after: string | null; limit: number | null }

/** models: the configuration of each, without keys */
type StatesSource = { world: World; bodies: Bodies; models: Record<string, Json>; budget: TextBudget }

/**
 * The states of one kind that a person may read, made lazily.
 *
 * in      task: only its records; after: the uuid of a state that is still in the list; limit: at most so many
 * out     [StateID, fields] in a stable order: tasks and agents by creation, stages by plan, steps by entry
 * faults  BAD_INPUT, before anything is made: the list holds no such state
 */
export function statesOf(
  source: StatesSource,
  person: AgentRecord,
  question: StatesQuestion,
): AsyncGenerator<[string, State]> {
  const { world, models } = source
  const reaches = new Map(Object.values<TaskRecord>(world.tasks).map(({ id }) => [id, taskAccessOf(world, person, id)]))
  const seen: Seen = { world, person, models, reach: (task) => reaches.get(task) ?? null }
  const rows = rowsOf(seen, question)
  const start = question.after === null ? 0 : 1 + rows.findIndex(({ id }) => id === question.after)
  if (question.after !== null && start === 0) throw notACursor()
  return make(source, seen, rows.slice(start, start + (question.limit ?? rows.length)))
}

async function* make({ bodies, budget }: StatesSource, seen: Seen, rows: RowToMake[]): AsyncGenerator<[string, State]> {
  for (const row of rows) yield [row.key, await withTexts(bodies, budget, (texts) => row.make({ ...seen, texts }))]
}

type Seen = Omit<StateScope, 'texts'>
type RowToMake = { id: string; key: string; make: (scope: StateScope) => State }

function rowsOf(seen: Seen, { type, task }: StatesQuestion): RowToMake[] {
  const tasks = Object.values<TaskRecord>(seen.world.tasks)
    .filter((record) => (task === null || record.id === task) && seen.reach(record.id) !== null)
    .sort((a, b) => a.createdAt - b.createdAt)
  switch (type) {
    case 'task':
      return tasks.map((record) => row('TaskState_', record.id, (scope) => taskState(scope, record)))
    case 'stage':
      return tasks.flatMap((record) =>
        selectPlan(seen.world, record.id).map((stage) =>
          row('StageState_', stage.id, (scope) => stageState(scope, stage)),
        ),
      )
    case 'step':
      return tasks.flatMap((record) =>
        stepsInReach(seen, record.id).map((step) => row('StepState_', step.id, (scope) => stepState(scope, step))),
      )
    case 'agent':
      return agentsInReach(seen, tasks, task).map((agent) =>
        row(prefixOf(agent), agent.id, (scope) => agentState(scope, agent)),
      )
  }
}

const row = (prefix: string, id: string, make: RowToMake['make']): RowToMake => ({ id, key: `${prefix}${id}`, make })

/** Participants see themselves and the members of their tasks; others see all agents, or all of one task. */
function agentsInReach(seen: Seen, tasks: TaskRecord[], task: TaskId | null): AgentRecord[] {
  const all = Object.values<AgentRecord>(seen.world.agents)
  const sees = seen.person.access !== 'participant' && task === null
  if (sees) return all
  const near = new Set<AgentId>(tasks.flatMap((task) => [...task.group, ...managerIn(task)]))
  if (task === null) near.add(seen.person.id)
  return all.filter(({ id }) => near.has(id))
}

function stepsInReach({ world, reach }: Seen, task: TaskId): StepRecord[] {
  return stepsOfAll(world.steps[task])
    .filter((step) => canReadStep(reach(task), step))
    .sort((a, b) => a.createdSeq - b.createdSeq)
}

function messagesInReach({ world, reach }: Seen, task: TaskId): MessageRecord[] {
  return Object.values<MessageRecord>(world.messages[task] ?? {})
    .filter((message) => canReadMessage(reach(task), message))
    .sort((a, b) => a.seq - b.seq)
}

function taskState(scope: StateScope, task: TaskRecord): State {
  const { world } = scope
  const messages = messagesInReach(scope, task.id)
  const waits = (message: MessageRecord) => message.receivers.some((to) => isQueued(world, message, to))
  // Messages from elsewhere in the thread have no receivers here.
  const arrived = (message: MessageRecord) =>
    message.receivers.length === 0 || message.receivers.some((to) => !isQueued(world, message, to))
  return {
    task_id: task.id,
    task_name: task.name,
    task_intention: scope.texts.own(task.intention, null),
    task_manager: task.manager,
    task_group: [...task.group],
    shared_info_pool: (world.info[task.id] ?? []).map((line: InfoLine) => ({
      agent_id: line.agent,
      role: line.role,
      stage_id: line.stage ?? 'no_relative',
      content: scope.texts.own(line.content, null),
      timestamp: iso(line.at),
    })),
    communication_queue: messages.filter(waits).map((message) => ({
      ...messageState(scope, message),
      not_yet_delivered_to: message.receivers.filter((to) => isQueued(world, message, to)),
    })),
    shared_conversation_pool: messages.filter(arrived).map((message) => messageState(scope, message)),
    stage_list: [...task.stageOrder],
    execution_state: task.state,
    task_summary: task.summary === null ? null : scope.texts.own(task.summary, null),
    base: task.base,
    paused: task.paused === null ? null : { by: task.paused.by, reason: task.paused.reason, at: iso(task.paused.at) },
    requested_by: task.requestedBy,
    former_members: Object.keys(task.former),
    progress: progressState(scope, selectTaskProgress(world, task)),
    created_at: iso(task.createdAt),
    ended_at: iso(task.endedAt),
  }
}

function isQueued(world: World, message: MessageRecord, receiver: AgentId): boolean {
  const delivery: DeliveryRecord | undefined = world.deliveries[message.task]?.[receiver]?.[message.id]
  return delivery?.state === 'queued'
}

function stageState(scope: StateScope, stage: StageRecord): State {
  return {
    task_id: stage.task,
    stage_id: stage.id,
    stage_intention: scope.texts.own(stage.intention, null),
    agent_allocation: textsOf(scope, stage.allocation),
    execution_state: stage.state,
    every_agent_state: { ...stage.parts },
    completion_summary: textsOf(scope, stage.summaries),
    part_reasons: textsOf(scope, stage.partReasons),
    retry_of: stage.retryOf,
    replaced_by: stage.replacedBy,
    reason: stage.reason,
    judging: stage.judging,
    stage_name: scope.texts.own(stageName(stage), null),
    progress: progressState(scope, selectStageProgress(scope.world, stage)),
    created_at: iso(stage.createdAt),
    started_at: iso(stage.startedAt),
    ended_at: iso(stage.endedAt),
  }
}

const textsOf = ({ texts }: StateScope, all: Record<string, string>): State =>
  Object.fromEntries(Object.entries(all).map(([key, text]) => [key, texts.own(withoutNotes(text), null)]))

function stepState(scope: StateScope, step: StepRecord): State {
  const api = `/api/steps/${step.id}`
  return {
    task_id: step.task,
    stage_id: step.stage ?? 'no_relative',
    agent_id: step.agent,
    step_id: step.id,
    step_intention: step.intention,
    type: step.type,
    executor: step.executor,
    execution_state: step.state,
    text_content: scope.texts.own(withoutNotes(step.text), api),
    instruction_content: readInstruction(scope, step),
    execute_result: resultOf(scope, step),
    reason: step.reason,
    thread_id: step.thread,
    cause: { message_id: step.cause.message, step_id: step.cause.step },
    answers: step.answers === null ? null : { message_id: step.answers.message, waiting_id: step.answers.waiting },
    bound_to: step.boundTo,
    retry_of: step.retryOf,
    held_by_request: step.held,
    attempt: step.attempt?.number ?? null,
    by_hand: step.byHand,
    retired: step.retired,
    calls: step.calls.map((call) => ({
      call_id: call.id,
      model: call.model,
      outcome: call.outcome,
      prompt_tokens: call.promptTokens,
      cached_tokens: call.cachedTokens ?? null,
      left_out_tokens: call.leftOutTokens ?? 0,
      waited_ms: call.waitedMs ?? 0,
      completion_tokens: call.completionTokens,
      reasoning_tokens: call.reasoningTokens ?? null,
      estimated: call.estimated,
      cost_usd: call.costUsd,
      first_token_ms: call.firstTokenMs,
      total_ms: call.totalMs,
      at: iso(call.at),
    })),
    created_at: iso(step.createdAt),
    started_at: iso(step.startedAt),
    ended_at: iso(step.endedAt),
  }
}
