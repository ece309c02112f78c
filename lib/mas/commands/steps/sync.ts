/**
 * SyncState: the only place where an agent's output changes tasks and stages.
 *
 * A refusal is a sentence, kept in the step's result.
 */

import { type AgentId, type StageId, SYSTEM_TASK, type TaskId, type WaitingId } from '../../ids'
import type {
  AgentInstruction,
  AskInfo,
  OutgoingMessage,
  PlannedStage,
  SyncOutput,
  TaskInstruction,
} from '../../outcome'
import { stepsIn } from '../../ownSteps'
import type { Json, StageRecord, StepRecord, TaskRecord } from '../../records'
import { managesTask, resolveAgent, resolveStage, resolveTask, selectName } from '../../selectors/agents'
import { isTaskOver } from '../../statuses'
import { sayNames } from '../../words'
import type { DecisionContext } from '../decisionContext'
import { deliver } from '../effects/deliver'
import { addParticipants, addTask } from '../effects/tasks'
import { finishTask } from '../tasks/finishTask'
import { addStages, finishStage, type NewStage, retryStage, startNext, whyNoRetry } from '../tasks/stages'
import { answerInfo } from './askInfo'

/** What carrying an output out gave: text for the step's result, ids made; or why it was refused. */
export type SyncResult = { ok: true; text: string | null; made: { [key: string]: Json } } | { ok: false; why: string }

const done = (made: { [key: string]: Json } = {}, text: string | null = null): SyncResult => ({ ok: true, text, made })
const refused = (why: string): SyncResult => ({ ok: false, why })

/** Carry out the part of an outcome that reaches beyond the agent itself. */
export function applySync(context: DecisionContext, step: StepRecord, sync: SyncOutput): SyncResult {
  if (sync.send_shared_info) shareInfo(context, step, sync.send_shared_info.content)
  if (sync.send_message) return agentSends(context, step, sync.send_message)
  if (sync.task_instruction) return instructTask(context, step, sync.task_instruction)
  if (sync.agent_instruction) return instructAgents(context, step, sync.agent_instruction)
  if (sync.ask_info) return askInfo(context, step, sync.ask_info)
  return done()
}

function shareInfo(context: DecisionContext, step: StepRecord, content: string): void {
  const role = context.world.agents[step.agent]?.role ?? ''
  context.emit('info.shared', { task: step.task, agent: step.agent, line: { role, stage: step.stage, content } })
}

function agentSends(context: DecisionContext, step: StepRecord, out: OutgoingMessage): SyncResult {
  const task = context.world.tasks[step.task]
  if (!task || (isTaskOver(task) && step.answers === null)) return refused(context.say('taskOver'))
  const receivers = receiversOf(context, step, task, step.answers === null ? out.receiver : [step.answers.to])
  if (!Array.isArray(receivers)) return refused(receivers.why)

  const isReply = step.answers !== null
  const wantsWait = out.waiting && !isReply
  const mayWait = !managesTask(context.world, step.agent) || context.world.agents[step.agent]?.mayWait === true
  const waiting = wantsWait && mayWait ? receivers.map(() => context.id<WaitingId>()) : null
  const due = (out.need_reply || out.waiting) && out.due_minutes ? context.at + out.due_minutes * 60_000 : null
  const message = deliver(context, {
    task: step.task,
    sender: step.agent,
    receivers,
    text: out.message,
    stage: stageNamed(context, step, out.stage_relative),
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
    context.emit('lock.added', {
      agent: step.agent,
      task: step.task,
      lock: {
        id,
        kind: 'message',
        stage: step.stage,
        step: step.id,
        on,
        message,
        request: requestOf(context, step.task, id),
        ...(due === null ? {} : { due }),
      },
    })
  })
  if (step.answers) {
    context.emit('message.receipt', {
      task: step.task,
      message: step.answers.message,
      agent: step.agent,
      state: 'answered',
      note: null,
    })
  }
  const names = context.names(receivers)
  const note = wantsWait && !mayWait ? `\n${context.say('noWaitForManager')}` : ''
  return done({ message_id: message }, context.say('sentTo', { names, text: out.message }) + note)
}

const requestOf = (context: DecisionContext, task: TaskId, lock: WaitingId) =>
  Object.values(context.world.requests[task] ?? {}).find((request) => request.lock === lock)?.id ?? null

/** The receivers by id, or which of them cannot be one. All are checked first; one bad one refuses all. */
function receiversOf(
  context: DecisionContext,
  step: StepRecord,
  task: TaskRecord,
  ids: string[],
): AgentId[] | { why: string } {
  const found = ids.map((id) => ({ id, agent: resolveAgent(context.world, id) }))
  const unknown = found.filter(({ agent }) => agent === null || agent.removed).map(({ id }) => id)
  if (unknown.length > 0) return { why: context.say('unknownAgents', { ids: unknown.join(', ') }) }
  const agents = found.flatMap(({ agent }) => (agent ? [agent] : []))
  const strangers = agents.filter((agent) => !task.group.includes(agent.id)).map((agent) => agent.name)
  if (strangers.length > 0)
    return { why: context.say('notInTask', { names: sayNames(context.world.team.language, strangers) }) }
  const others = [...new Set(agents.map((agent) => agent.id))].filter((id) => id !== step.agent)
  return others.length === 0 ? { why: context.say('onlySelf') } : others
}

/** The stage that a model named, when the task has it; else the step's own. */
function stageNamed(context: DecisionContext, step: StepRecord, named: string): StageId | null {
  if (named === 'no_relative') return null
  const stage = resolveStage(context.world, step.task, named)
  return stage ? stage.id : step.stage
}

function instructTask(context: DecisionContext, step: StepRecord, command: TaskInstruction): SyncResult {
  if (command.action === 'add_task') return makeTask(context, step, command)
  const task = resolveTask(context.world, command.task_id)
  if (!task) return refused(context.say('unknownTask', { id: command.task_id }))
  if (task.manager !== step.agent) return refused(context.say('notManager'))
  if (task.base) return refused(context.say('baseStays'))
  if (isTaskOver(task)) return refused(context.say('taskOver'))
  switch (command.action) {
    case 'add_stage': {
      const stages = stagesOf(context, command.stages)
      if ('why' in stages) return refused(stages.why)
      const made = addStages(context, task, stages.stages, null)
      const started = startNext(context, task.id)
      return done({ stage_ids: made, started })
    }
    case 'finish_stage': {
      const stage = runningOf(context, task, command.stage_id)
      if ('why' in stage) return refused(stage.why)
      finishStage(context, task, stage.stage, step.id)
      return done({ stage_id: stage.stage.id, state: 'finished' })
    }
    case 'retry_stage': {
      const stage = retriableOf(context, task, command.stage_id)
      if ('why' in stage) return refused(stage.why)
      const better = stagesOf(context, [command])
      if ('why' in better) return refused(better.why)
      const [first] = better.stages
      if (!first) return refused(context.say('noStages'))
      const { stage: made, leftOut } = retryStage(context, task, stage.stage, first, step.id, command.stage_intention)
      return done({ stage_id: made, not_in_the_new_stage: leftOut.map((id) => selectName(context.world, id)) })
    }
    case 'finish_task':
      finishTask(context, task, command.state, command.task_summary, step.id)
      return done({ task_id: task.id, state: command.state })
    default:
      return command satisfies never
  }
}

function makeTask(
  context: DecisionContext,
  step: StepRecord,
  command: Extract<TaskInstruction, { action: 'add_task' }>,
): SyncResult {
  const here = context.world.tasks[step.task]
  if (!here || here.manager !== step.agent) return refused(context.say('notManager'))
  const members = agentsNamed(context, command.members)
  if ('why' in members) return refused(members.why)
  const root = step.thread === null ? null : context.world.messages[step.task]?.[step.thread]
  const asker =
    root && root.sender !== 'system:task' && context.world.agents[root.sender]?.kind === 'human' ? root.sender : null
  const task = addTask(context, {
    name: command.task_name,
    intention: command.task_intention,
    manager: step.agent,
    members: members.agents,
    requestedBy: asker,
    requestedIn: asker !== null && step.thread !== null ? { task: step.task, thread: step.thread } : null,
  })
  return done({ task_id: task, task_name: command.task_name, members: context.world.tasks[task]?.group ?? [] })
}

type Named = { agents: AgentId[] } | { why: string }

function agentsNamed(context: DecisionContext, ids: string[]): Named {
  const found = ids.map((id) => ({ id, agent: resolveAgent(context.world, id) }))
  const unknown = found.filter(({ agent }) => agent === null || agent.removed).map(({ id }) => id)
  if (unknown.length > 0) return { why: context.say('unknownAgents', { ids: unknown.join(', ') }) }
  return { agents: found.flatMap(({ agent }) => (agent ? [agent.id] : [])) }
}

function stagesOf(context: DecisionContext, planned: PlannedStage[]): { stages: NewStage[] } | { why: string } {
  if (planned.length === 0) return { why: context.say('noStages') }
  const stages: NewStage[] = []
  for (const { stage_intention, agent_allocation } of planned) {
    const entries = Object.entries(agent_allocation)
    if (entries.length === 0) return { why: context.say('emptyAllocation') }
    const named = agentsNamed(
      context,
      entries.map(([id]) => id),
    )
    if ('why' in named) return named
    const goals = named.agents.map((agent, index) => [agent, entries[index]?.[1] ?? ''] as const)
    stages.push({ intention: stage_intention, allocation: Object.fromEntries(goals) })
  }
  return { stages }
}

function runningOf(context: DecisionContext, task: TaskRecord, id: string): { stage: StageRecord } | { why: string } {
  const stage = resolveStage(context.world, task.id, id)
  if (!stage) return { why: context.say('unknownStage', { id }) }
  return stage.state === 'running' ? { stage } : { why: context.say('stageNotRunning') }
}

function retriableOf(context: DecisionContext, task: TaskRecord, id: string): { stage: StageRecord } | { why: string } {
  const stage = resolveStage(context.world, task.id, id)
  if (!stage) return { why: context.say('unknownStage', { id }) }
  const whyNot = whyNoRetry(context, stage)
  if (whyNot === null) return { stage }
  return { why: whyNot === 'isRetried' ? context.say('retriedAlready') : context.say('stageNotRunning') }
}

function instructAgents(context: DecisionContext, step: StepRecord, command: AgentInstruction): SyncResult {
  if (command.action === 'init_new_agent') {
    const config = context.world.team.startable.find((one) => one.configId === command.config_id)
    if (!config) return refused(context.say('unknownConfig', { id: command.config_id }))
    if (!managesTask(context.world, step.agent)) return refused(context.say('notManager'))
    const agent = context.id<AgentId>()
    context.emit('agent.created', { agent, config: { ...config, id: agent }, runtime: true })
    return done({ agent_id: agent, name: config.name, role: config.role })
  }
  const task = resolveTask(context.world, command.task_id)
  if (!task) return refused(context.say('unknownTask', { id: command.task_id }))
  if (task.manager !== step.agent) return refused(context.say('notManager'))
  if (isTaskOver(task)) return refused(context.say('taskOver'))
  const named = agentsNamed(context, command.agents)
  if ('why' in named) return refused(named.why)
  const joined = addParticipants(context, task.id, named.agents)
  return done({ task_id: task.id, added: joined })
}

/**
 * The answer comes back at once: it is the step's own result, and the message that carries the waiting id and its
 * process_message are recorded as finished, so the record reads like any other wait.
 */
function askInfo(context: DecisionContext, step: StepRecord, question: AskInfo): SyncResult {
  const text = answerInfo(context.world, step.agent, question)
  const waiting = context.id<WaitingId>()
  context.emit('lock.added', {
    agent: step.agent,
    task: step.task,
    lock: { id: waiting, kind: 'message', stage: step.stage, step: step.id, on: null, message: null, request: null },
  })
  const message = deliver(context, {
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
  for (const taken of stepsIn(context.world.steps[step.task]?.[step.agent])) {
    if (taken.cause.message !== message) continue
    const result = context.result('text', context.say('takenInAbove'))
    context.emit('step.finished', { task: step.task, agent: step.agent, step: taken.id, result, repairs: [] })
  }
  return done({}, text)
}
