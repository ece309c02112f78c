/**
 * SyncState: the one place where an agent's output changes tasks and stages.
 *
 * Owns: permission, looking up what a model named, carrying each key out. A refusal is a sentence, kept in the step's result.
 */

import { type AgentId, type StageId, SYSTEM_TASK, type TaskId, type WaitingId } from '../ids'
import type { AgentInstruction, AskInfo, OutgoingMessage, PlannedStage, SyncOutput, TaskInstruction } from '../outcome'
import { stepsIn } from '../ownSteps'
import type { Json, StageRecord, StepRecord, TaskRecord } from '../records'
import { isTaskOver, managesTask, resolveAgent, resolveStage, resolveTask, selectName } from '../selectors/agents'
import { sayNames } from '../words'
import { answerInfo } from './askInfo'
import type { DecisionContext } from './draft'
import { deliver } from './send'
import { addStages, finishStage, type NewStage, retryStage, startNext, whyNoRetry } from './stages'
import { addParticipants, addTask, finishTask } from './tasks'

/** What carrying an output out gave: text for the step's result, ids made; or why it was refused. */
export type SyncResult = { ok: true; text: string | null; made: { [key: string]: Json } } | { ok: false; why: string }

const done = (made: { [key: string]: Json } = {}, text: string | null = null): SyncResult => ({ ok: true, text, made })
const refused = (why: string): SyncResult => ({ ok: false, why })

/** Carry out the part of an outcome that reaches beyond the agent itself. */
export function applySync(draft: DecisionContext, step: StepRecord, sync: SyncOutput): SyncResult {
  if (sync.send_shared_info) shareInfo(draft, step, sync.send_shared_info.content)
  if (sync.send_message) return agentSends(draft, step, sync.send_message)
  if (sync.task_instruction) return instructTask(draft, step, sync.task_instruction)
  if (sync.agent_instruction) return instructAgents(draft, step, sync.agent_instruction)
  if (sync.ask_info) return askInfo(draft, step, sync.ask_info)
  return done()
}

function shareInfo(draft: DecisionContext, step: StepRecord, content: string): void {
  const role = draft.world.agents[step.agent]?.role ?? ''
  draft.emit('info.shared', { task: step.task, agent: step.agent, line: { role, stage: step.stage, content } })
}

function agentSends(draft: DecisionContext, step: StepRecord, out: OutgoingMessage): SyncResult {
  const task = draft.world.tasks[step.task]
  if (!task || (isTaskOver(task) && step.answers === null)) return refused(draft.say('taskOver'))
  const receivers = receiversOf(draft, step, task, step.answers === null ? out.receiver : [step.answers.to])
  if (!Array.isArray(receivers)) return refused(receivers.why)

  const isReply = step.answers !== null
  const wantsWait = out.waiting && !isReply
  const mayWait = !managesTask(draft.world, step.agent) || draft.world.agents[step.agent]?.mayWait === true
  const waiting = wantsWait && mayWait ? receivers.map(() => draft.id<WaitingId>()) : null
  const due = (out.need_reply || out.waiting) && out.due_minutes ? draft.at + out.due_minutes * 60_000 : null
  const message = deliver(draft, {
    task: step.task,
    sender: step.agent,
    receivers,
    text: out.message,
    stage: stageNamed(draft, step, out.stage_relative),
    thread: step.thread,
    needReply: out.need_reply || out.waiting,
    waiting,
    returnWaiting: step.answers?.waiting ?? null,
    instruction: null,
    replyTo: step.answers?.message ?? null,
    fromStep: step.id,
    choices: out.choices ?? [],
    ...(due === null ? {} : { due }),
  })
  waiting?.forEach((id, index) => {
    const on = receivers[index]
    if (on === undefined) return
    draft.emit('lock.added', {
      agent: step.agent,
      task: step.task,
      lock: {
        id,
        kind: 'message',
        stage: step.stage,
        step: step.id,
        on,
        message,
        request: requestOf(draft, step.task, id),
        ...(due === null ? {} : { due }),
      },
    })
  })
  if (step.answers) {
    draft.emit('message.receipt', {
      task: step.task,
      message: step.answers.message,
      agent: step.agent,
      state: 'answered',
      note: null,
    })
  }
  const names = draft.names(receivers)
  const note = wantsWait && !mayWait ? `\n${draft.say('noWaitForManager')}` : ''
  return done({ message_id: message }, draft.say('sentTo', { names, text: out.message }) + note)
}

const requestOf = (draft: DecisionContext, task: TaskId, lock: WaitingId) =>
  Object.values(draft.world.requests[task] ?? {}).find((request) => request.lock === lock)?.id ?? null

/** The receivers by id, or which of them cannot be one. All are checked first; one bad one refuses all. */
function receiversOf(draft: DecisionContext, step: StepRecord, task: TaskRecord, ids: string[]): AgentId[] | { why: string } {
  const found = ids.map((id) => ({ id, agent: resolveAgent(draft.world, id) }))
  const unknown = found.filter(({ agent }) => agent === null || agent.removed).map(({ id }) => id)
  if (unknown.length > 0) return { why: draft.say('unknownAgents', { ids: unknown.join(', ') }) }
  const agents = found.flatMap(({ agent }) => (agent ? [agent] : []))
  const strangers = agents.filter((agent) => !task.group.includes(agent.id)).map((agent) => agent.name)
  if (strangers.length > 0)
    return { why: draft.say('notInTask', { names: sayNames(draft.world.team.language, strangers) }) }
  const others = [...new Set(agents.map((agent) => agent.id))].filter((id) => id !== step.agent)
  return others.length === 0 ? { why: draft.say('onlySelf') } : others
}

/** The stage that a model named, when the task has it; else the step's own. */
function stageNamed(draft: DecisionContext, step: StepRecord, named: string): StageId | null {
  if (named === 'no_relative') return null
  const stage = resolveStage(draft.world, step.task, named)
  return stage ? stage.id : step.stage
}

function instructTask(draft: DecisionContext, step: StepRecord, wish: TaskInstruction): SyncResult {
  if (wish.action === 'add_task') return makeTask(draft, step, wish)
  const task = resolveTask(draft.world, wish.task_id)
  if (!task) return refused(draft.say('unknownTask', { id: wish.task_id }))
  if (task.manager !== step.agent) return refused(draft.say('notManager'))
  if (task.base) return refused(draft.say('baseStays'))
  if (isTaskOver(task)) return refused(draft.say('taskOver'))
  switch (wish.action) {
    case 'add_stage': {
      const stages = stagesOf(draft, wish.stages)
      if ('why' in stages) return refused(stages.why)
      const made = addStages(draft, task, stages.stages, null)
      const started = startNext(draft, task.id)
      return done({ stage_ids: made, started })
    }
    case 'finish_stage': {
      const stage = runningOf(draft, task, wish.stage_id)
      if ('why' in stage) return refused(stage.why)
      finishStage(draft, task, stage.stage, step.id)
      return done({ stage_id: stage.stage.id, state: 'finished' })
    }
    case 'retry_stage': {
      const stage = retriableOf(draft, task, wish.stage_id)
      if ('why' in stage) return refused(stage.why)
      const better = stagesOf(draft, [wish])
      if ('why' in better) return refused(better.why)
      const [first] = better.stages
      if (!first) return refused(draft.say('noStages'))
      const { stage: made, leftOut } = retryStage(draft, task, stage.stage, first, step.id, wish.stage_intention)
      return done({ stage_id: made, not_in_the_new_stage: leftOut.map((id) => selectName(draft.world, id)) })
    }
    case 'finish_task':
      finishTask(draft, task, wish.state, wish.task_summary, step.id)
      return done({ task_id: task.id, state: wish.state })
    default:
      return wish satisfies never
  }
}

function makeTask(draft: DecisionContext, step: StepRecord, wish: Extract<TaskInstruction, { action: 'add_task' }>): SyncResult {
  const here = draft.world.tasks[step.task]
  if (!here || here.manager !== step.agent) return refused(draft.say('notManager'))
  const members = agentsNamed(draft, wish.members)
  if ('why' in members) return refused(members.why)
  const root = step.thread === null ? null : draft.world.messages[step.task]?.[step.thread]
  const asker =
    root && root.sender !== 'system:task' && draft.world.agents[root.sender]?.kind === 'human' ? root.sender : null
  const task = addTask(draft, {
    name: wish.task_name,
    intention: wish.task_intention,
    manager: step.agent,
    members: members.agents,
    requestedBy: asker,
    requestedIn: asker !== null && step.thread !== null ? { task: step.task, thread: step.thread } : null,
  })
  return done({ task_id: task, task_name: wish.task_name, members: draft.world.tasks[task]?.group ?? [] })
}

type Named = { agents: AgentId[] } | { why: string }

function agentsNamed(draft: DecisionContext, ids: string[]): Named {
  const found = ids.map((id) => ({ id, agent: resolveAgent(draft.world, id) }))
  const unknown = found.filter(({ agent }) => agent === null || agent.removed).map(({ id }) => id)
  if (unknown.length > 0) return { why: draft.say('unknownAgents', { ids: unknown.join(', ') }) }
  return { agents: found.flatMap(({ agent }) => (agent ? [agent.id] : [])) }
}

function stagesOf(draft: DecisionContext, planned: PlannedStage[]): { stages: NewStage[] } | { why: string } {
  if (planned.length === 0) return { why: draft.say('noStages') }
  const stages: NewStage[] = []
  for (const { stage_intention, agent_allocation } of planned) {
    const entries = Object.entries(agent_allocation)
    if (entries.length === 0) return { why: draft.say('emptyAllocation') }
    const named = agentsNamed(
      draft,
      entries.map(([id]) => id),
    )
    if ('why' in named) return named
    const goals = named.agents.map((agent, index) => [agent, entries[index]?.[1] ?? ''] as const)
    stages.push({ intention: stage_intention, allocation: Object.fromEntries(goals) })
  }
  return { stages }
}

function runningOf(draft: DecisionContext, task: TaskRecord, id: string): { stage: StageRecord } | { why: string } {
  const stage = resolveStage(draft.world, task.id, id)
  if (!stage) return { why: draft.say('unknownStage', { id }) }
  return stage.state === 'running' ? { stage } : { why: draft.say('stageNotRunning') }
}

function retriableOf(draft: DecisionContext, task: TaskRecord, id: string): { stage: StageRecord } | { why: string } {
  const stage = resolveStage(draft.world, task.id, id)
  if (!stage) return { why: draft.say('unknownStage', { id }) }
  const whyNot = whyNoRetry(draft, stage)
  if (whyNot === null) return { stage }
  return { why: whyNot === 'isRetried' ? draft.say('retriedAlready') : draft.say('stageNotRunning') }
}

function instructAgents(draft: DecisionContext, step: StepRecord, wish: AgentInstruction): SyncResult {
  if (wish.action === 'init_new_agent') {
    const config = draft.world.team.startable.find((one) => one.configId === wish.config_id)
    if (!config) return refused(draft.say('unknownConfig', { id: wish.config_id }))
    if (!managesTask(draft.world, step.agent)) return refused(draft.say('notManager'))
    const agent = draft.id<AgentId>()
    draft.emit('agent.created', { agent, config: { ...config, id: agent }, runtime: true })
    return done({ agent_id: agent, name: config.name, role: config.role })
  }
  const task = resolveTask(draft.world, wish.task_id)
  if (!task) return refused(draft.say('unknownTask', { id: wish.task_id }))
  if (task.manager !== step.agent) return refused(draft.say('notManager'))
  if (isTaskOver(task)) return refused(draft.say('taskOver'))
  const named = agentsNamed(draft, wish.agents)
  if ('why' in named) return refused(named.why)
  const joined = addParticipants(draft, task.id, named.agents)
  return done({ task_id: task.id, added: joined })
}

/**
 * The answer comes back at once: it is the step's own result, and the message that carries the waiting id and its
 * process_message are recorded as finished, so the record reads like any other wait.
 */
function askInfo(draft: DecisionContext, step: StepRecord, question: AskInfo): SyncResult {
  const text = answerInfo(draft.world, step.agent, question)
  const waiting = draft.id<WaitingId>()
  draft.emit('lock.added', {
    agent: step.agent,
    task: step.task,
    lock: { id: waiting, kind: 'message', stage: step.stage, step: step.id, on: null, message: null, request: null },
  })
  const message = deliver(draft, {
    task: step.task,
    sender: SYSTEM_TASK,
    receivers: [step.agent],
    text,
    stage: step.stage,
    thread: step.thread,
    needReply: false,
    waiting: null,
    returnWaiting: waiting,
    instruction: null,
    fromStep: step.id,
  })
  for (const taken of stepsIn(draft.world.steps[step.task]?.[step.agent])) {
    if (taken.cause.message !== message) continue
    const result = draft.result('text', draft.say('takenInAbove'))
    draft.emit('step.finished', { task: step.task, agent: step.agent, step: taken.id, result, repairs: [] })
  }
  return done({}, text)
}
