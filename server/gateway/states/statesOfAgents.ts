/** Agents in the shapes of the documents. No record of an agent holds a secret. */

import { isJsonObject } from '@/lib/json'
import { canReadMessage, canReadStep, canSeeAll } from '@/lib/mas/access/access'
import { isNumbered } from '@/lib/mas/asks/requests'
import { type AgentId, type StepId, SYSTEM_TASK, type TaskId } from '@/lib/mas/ids'
import type {
  AgentRecord,
  Json,
  LockRecord,
  MemoryNote,
  MessageRecord,
  NoticeRecord,
  RequestRecord,
  StageRecord,
  StepRecord,
  TaskRecord,
  World,
} from '@/lib/mas/records'
import { isOpen, isStageOver, isStepOver, isTaskOver } from '@/lib/mas/statuses'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { selectWorkingState } from '@/lib/mas/team/agents'
import { selectAgentProgress } from '@/lib/mas/waits/progress'
import { sayInLanguage } from '@/lib/mas/words'
import { messageState, progressState, type State, type StateScope } from './stateShapes'
import { iso } from './texts'

/** The class of an agent, the prefix of its StateID. */
export function prefixOf(agent: AgentRecord): string {
  switch (agent.kind) {
    case 'llm':
      return 'LLMAgent_'
    case 'human':
      return 'HumanAgent_'
    case 'outside':
      return 'OutsideAgent_'
  }
}

/** AgentState of the documents, for the reader of the scope. */
export function agentState(scope: StateScope, agent: AgentRecord): State {
  const { world } = scope
  const steps = stepsOf(scope, agent.id)
  const visible = new Set<StepId>(steps.map(({ id }) => id))
  const work = world.work[agent.id]
  const locks = (work?.locks ?? []).filter(
    (lock: LockRecord) => scope.reach(lock.task)?.threads === null || visible.has(lock.step),
  )
  return {
    agent_id: agent.id,
    name: agent.name,
    role: agent.role,
    profile: scope.texts.own(agent.profile, null),
    working_state: selectWorkingState(world, agent.id),
    ...(agent.kind === 'llm' ? { llm_config: llmConfig(scope, agent) } : {}),
    ...(agent.kind === 'human' ? { human_config: { human_agent_id: agent.configId, access: agent.access } } : {}),
    ...(agent.outside === undefined ? {} : { outside_config: { uri: agent.outside.uri } }),
    working_memory: workingMemory(scope, agent.id, steps),
    persistent_memory: persistentMemory(scope, agent),
    agent_step: {
      todo_list: (work?.todo ?? []).map(({ step }) => step).filter((step) => visible.has(step)),
      step_list: steps.filter(({ retired }) => !retired).map(({ id }) => id),
    },
    ...(agent.kind === 'llm' ? { step_lock: locks.map(({ id }) => id) } : {}),
    tools: [...agent.tools],
    skills: [...agent.skills],
    ...(agent.kind === 'human' ? { conversation_pool: conversationPool(scope, agent) } : {}),
    config_id: agent.configId,
    groups: [...agent.groups],
    manager: agent.manager,
    ...(agent.kind === 'llm'
      ? {
          may_wait: agent.mayWait,
          running_step: work?.running && visible.has(work.running.step) ? work.running.step : null,
          waits_for: locks.map(waitState),
        }
      : {}),
    paused:
      agent.paused === null ? null : { by: agent.paused.by, reason: agent.paused.reason, at: iso(agent.paused.at) },
    removed: agent.removed,
    progress: progressState(scope, selectAgentProgress(world, agent.id)),
    created_at: iso(agent.createdAt),
  }
}

const waitState = (lock: LockRecord): State => ({
  waiting_id: lock.id,
  kind: lock.kind,
  agent_id: lock.on,
  message_id: lock.message,
  request_id: lock.request,
  task_id: lock.task,
  stage_id: lock.stage ?? 'no_relative',
  since: iso(lock.at),
})

function llmConfig({ models }: StateScope, agent: AgentRecord): Json {
  const known = Object.hasOwn(models, agent.model) ? models[agent.model] : undefined
  return { name: agent.model, ...(isJsonObject(known) ? known : {}) }
}

/** The agent's steps that the reader may read, by entry. */
function stepsOf({ world, reach }: StateScope, agent: AgentId): StepRecord[] {
  const steps: StepRecord[] = []
  for (const task of Object.keys(world.steps) as TaskId[]) {
    const within = reach(task)
    if (!within) continue
    const own = stepsIn(world.steps[task]?.[agent])
    steps.push(...own.filter((step) => canReadStep(within, step)))
  }
  return steps.sort((a, b) => a.createdSeq - b.createdSeq)
}

/** {task: {stage: [steps]}}: open tasks and parts of the agent with its steps, and unfinished steps without a stage. */
function workingMemory({ world, reach }: StateScope, agent: AgentId, steps: StepRecord[]): State {
  const memory: Record<string, Record<string, string[]>> = {}
  for (const task of Object.values<TaskRecord>(world.tasks)) {
    if (isTaskOver(task) || !task.group.includes(agent) || reach(task.id) === null) continue
    const stages = Object.values<StageRecord>(world.stages[task.id] ?? {})
    const own = stages.filter((stage) => stage.allocation[agent] !== undefined && !isStageOver(stage))
    memory[task.id] = Object.fromEntries(own.map(({ id }) => [id, []]))
  }
  for (const step of steps) {
    if (step.retired || (step.stage === null && isStepOver(step))) continue
    const [stage, stages] = [step.stage ?? 'no_relative', memory[step.task] ?? {}]
    memory[step.task] = { ...stages, [stage]: [...(stages[stage] ?? []), step.id] }
  }
  return memory
}

/** Notes of tasks that the reader may read; for the agent's own state, all. */
function persistentMemory({ world, person, reach, texts }: StateScope, agent: AgentRecord): State {
  const isOfTalk = ({ task }: MemoryNote): boolean => task !== null && world.tasks[task]?.talk === true
  const mayRead = (note: MemoryNote): boolean =>
    (canSeeAll(person) && !isOfTalk(note)) ||
    person.id === agent.id ||
    (note.task !== null && reach(note.task)?.threads === null)
  const notes = (world.memory[agent.id] ?? []).filter(mayRead)
  return Object.fromEntries(notes.map((note: MemoryNote) => [note.key, texts.own(note.text, null)]))
}

/** A person's conversations with members by the other agent, and their notices, as far as the reader may read them. */
function conversationPool(scope: StateScope, agent: AgentRecord): State {
  const { world, person, reach } = scope
  const privates: Record<string, State[]> = {}
  for (const task of Object.values(world.tasks)) {
    // Conversations of tasks that are over are left out.
    if (task.endedAt !== null) continue
    const messages = Object.values<MessageRecord>(world.messages[task.id] ?? {}).sort((a, b) => a.seq - b.seq)
    for (const message of messages) {
      if (!canReadMessage(reach(task.id), message)) continue
      for (const other of othersOf(message, agent.id)) {
        const lines = privates[other] ?? []
        lines.push(privateLine(scope, message, agent.id))
        privates[other] = lines
      }
    }
  }
  const mine = canSeeAll(person) || person.id === agent.id
  const notices: NoticeRecord[] = mine ? (world.notices[agent.id] ?? []) : []
  return {
    conversation_privates: privates,
    global_messages: notices.map((notice) => noticeText(world, notice)),
  }
}

/** The other participants of a private message: its sender, or its receivers. */
function othersOf(message: MessageRecord, person: AgentId): string[] {
  // Instructions appear as text among the global messages.
  if (message.instruction !== null) return []
  if (message.sender === person) return message.receivers.filter((to) => to !== person)
  return message.receivers.includes(person) ? [message.sender] : []
}

/** A message in a conversation with a member: whether its sender waits, and the id to hand back. */
function privateLine(scope: StateScope, message: MessageRecord, person: AgentId): State {
  const { message: content, ...shared } = messageState(scope, message)
  const { sender_id, stage_relative, timestamp, need_reply, message_id, task_id } = shared
  const isOwn = message.sender === person
  const mine = message.waiting?.[message.receivers.indexOf(person)] ?? null
  const requests: RequestRecord[] = isOwn ? [] : Object.values(scope.world.requests[message.task] ?? {})
  const request = requests.find(
    (one) => one.message === message.id && isNumbered(one) && one.asked.includes(person) && isOpen(one),
  )
  return {
    sender_id: sender_id ?? null,
    content: content ?? null,
    stage_relative: stage_relative ?? null,
    timestamp: timestamp ?? null,
    need_reply: need_reply ?? null,
    waiting: isOwn ? message.waiting !== null : mine !== null,
    return_waiting_id: isOwn ? message.returnWaiting : mine,
    message_id: message_id ?? null,
    task_id: task_id ?? null,
    request_id: request?.id ?? null,
  }
}

/** The agent is named with its id in a tag, as in the documents, so that a program can read it. */
function noticeText({ team, messages }: World, { kind, task, message, words }: NoticeRecord): string {
  const sender = message === null ? undefined : messages[task]?.[message]?.sender
  const id = sender === undefined || sender === SYSTEM_TASK ? '' : ` [<agent_id>${sender}</agent_id>]`
  return sayInLanguage(team.language, `notice_${kind}`, { task: words.task ?? '', who: `${words.who ?? ''}${id}` })
}
