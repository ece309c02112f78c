/** SyncState: the only place where an agent's output changes tasks and stages. A refusal is a sentence in the step's result. */

import { Fault } from '@/lib/faults'
import { DecisionContext } from '../../commands/decisionContext'
import { type AgentId, type StageId, SYSTEM_TASK, type TaskId, type WaitingId } from '../../ids'
import { selectPersonOf } from '../../limits/limits'
import { isElsewhere } from '../../members/traits'
import { deliver } from '../../messages/commands/deliver'
import { typeOfNeeds } from '../../messages/records'
import { isOutsideRequester, selectWorkCarried } from '../../outside/outsideWork'
import type { Json, NewStage, PlannedWork, StepRecord, TaskRecord, World } from '../../records'
import { sayNames } from '../../said'
import { addStages, finishStage, retryStage, saidOfWorkElsewhere, startNext } from '../../stages/commands/stages'
import { isTaskOver } from '../../statuses'
import { addParticipants, addTask } from '../../tasks/commands/addTask'
import { finishTask } from '../../tasks/commands/finishTask'
import { taskNameApart } from '../../tasks/taskTitle'
import { managesTask } from '../../team/agents'
import { makeAgent, saidOfNew } from '../../team/commands/makeAgent'
import { namesWithHandles, stageHandle, stageNamed, taskHandle } from '../../team/handles'
import type { AgentInstruction, AskInfo, OutgoingMessage, SyncOutput, TaskInstruction } from '../outcome'
import { answerInfo } from './askInfo'
import {
  agentsNamed,
  handlesOf,
  Refused,
  retriableOf,
  runningOf,
  sayAgents,
  stagesOf,
  taskMeant,
} from './namedInAnswer'
import { mustBeFor, mustHaveNoPart, owedReply, requestOf } from './requester'

type Done = { ok: true; text: string | null; made: { [key: string]: Json } }
/** What carrying an output out gave: text for the step's result, ids made; or why it was refused. */
export type SyncResult = Done | { ok: false; why: string }

/** in: ids that were made; a text for the step's result, null: none. out: that it was carried out */
export const done = (made: Done['made'] = {}, text: string | null = null): Done => ({ ok: true, text, made })

function unlessRefused(carryOut: () => Done): SyncResult {
  try {
    return carryOut()
  } catch (refused) {
    if (refused instanceof Refused) return { ok: false, why: refused.message }
    throw refused
  }
}

/** Carry out the part of an outcome that reaches beyond the agent itself. */
export const applySync = (context: DecisionContext, step: StepRecord, sync: SyncOutput): SyncResult =>
  unlessRefused(() => carriedOut(context, step, sync))

/** Carry out a plan with the stages that a person approved. */
export const applyPlan = (
  context: DecisionContext,
  step: StepRecord,
  work: PlannedWork,
  stages: readonly NewStage[],
): SyncResult => unlessRefused(() => instructTask(context, step, { ...work, stages: [] }, [...stages]))

function carriedOut(context: DecisionContext, step: StepRecord, sync: SyncOutput): Done {
  if (sync.send_message) return agentSends(context, step, sync.send_message)
  if (sync.task_instruction) return instructTask(context, step, sync.task_instruction)
  if (sync.agent_instruction) return instructAgents(context, step, sync.agent_instruction)
  if (sync.ask_info) return askInfo(context, step, sync.ask_info)
  return done()
}

/** Why an output would be refused, as a message for the model; null: it would not. Tested on a world that is discarded. */
export function whyRefused(world: World, step: StepRecord, sync: SyncOutput, at: number): string | null {
  const context = new DecisionContext(world, { id: `refusal of ${step.id}`, by: 'system:engine' }, at)
  try {
    const result = applySync(context, step, sync)
    return result.ok ? null : result.why
  } catch (fault) {
    if (fault instanceof Fault) return fault.message
    throw fault
  }
}

function agentSends(context: DecisionContext, step: StepRecord, out: OutgoingMessage): Done {
  const task = context.world.tasks[step.task]
  if (!task || (isTaskOver(task) && step.answers === null)) throw new Refused(context.say('taskOver'))
  const receivers = receiversOf(context, step, task, step.answers === null ? out.receiver : [step.answers.to])
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
    stage: stageMeant(context, step, out.stage_relative),
    thread: step.thread,
    type: typeOfNeeds({ needReply: out.need_reply || out.waiting, waiting: waiting !== null }),
    waiting,
    returnWaiting: step.answers?.waiting ?? null,
    replyTo: step.answers?.message ?? null,
    fromStep: step.id,
    choices: out.choices ?? [],
    ...(due === null ? {} : { due }),
    ...(out.attachments === undefined ? {} : { attachments: out.attachments }),
    ...(out.cited === undefined ? {} : { cited: out.cited }),
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
        request: requestWith(context, step.task, id),
        ...(due === null ? {} : { due }),
      },
    })
  })
  if (step.answers) {
    context.delivery(step.task, step.answers.message, step.agent, 'answered')
  }
  const names = context.names(receivers)
  const note = wantsWait && !mayWait ? `\n${context.say('noWaitForManager')}` : ''
  return done({ message_id: message }, context.say('sentTo', { names, text: out.message }) + note)
}

const requestWith = (context: DecisionContext, task: TaskId, lock: WaitingId) =>
  Object.values(context.world.requests[task] ?? {}).find((request) => request.lock === lock)?.id ?? null

/** The receivers by id. All are checked first; one bad one refuses all. */
function receiversOf(context: DecisionContext, step: StepRecord, task: TaskRecord, ids: string[]): AgentId[] {
  const agents = agentsNamed(context, task, ids, task.group).flatMap((id) => context.world.agents[id] ?? [])
  const strangers = agents
    .filter(({ id }) => !task.group.includes(id) && !isOutsideRequester(context.world, task, id))
    .map((agent) => agent.name)
  if (strangers.length > 0) {
    const names = sayNames(context.world.team.language, strangers)
    throw new Refused(`${context.say('notInTask', { names })} ${sayAgents(context, task.group)}`)
  }
  const others = [...new Set(agents.map((agent) => agent.id))].filter((id) => id !== step.agent)
  if (others.length === 0) throw new Refused(context.say('onlySelf'))
  return others
}

/** The stage that a model named, when the task has it; else the step's own. */
function stageMeant(context: DecisionContext, step: StepRecord, named: string): StageId | null {
  if (named === 'no_relative') return null
  const stage = stageNamed(context.world, step.task, named)
  return stage ? stage.id : step.stage
}

/** approved: its stages, when people decided about them; absent: those that it names */
function instructTask(
  context: DecisionContext,
  step: StepRecord,
  command: TaskInstruction,
  approved?: NewStage[],
): Done {
  mustNotTalk(context, step)
  if (command.action === 'add_task') return makeTask(context, step, command, approved)
  const task = taskMeant(context, step, command.task_id)
  if (task.manager !== step.agent) throw new Refused(context.say('notManager'))
  if (task.base) throw new Refused(context.say('baseStays'))
  if (isTaskOver(task)) throw new Refused(context.say('taskOver'))
  switch (command.action) {
    case 'add_stage': {
      const stages = approved ?? stagesOf(context, task, command.stages)
      mustHaveNoPart(context, task.requestedBy, stages)
      return done(planned(context, task, stages))
    }
    case 'finish_stage': {
      const stage = runningOf(context, task, command.stage_id)
      finishStage(context, task, stage, step.id)
      return done({ stage_id: stageHandle(context.world, stage), state: 'finished' })
    }
    case 'retry_stage': {
      const stage = retriableOf(context, task, command.stage_id)
      const better = approved ?? stagesOf(context, task, command.stages)
      mustHaveNoPart(context, task.requestedBy, better)
      const reason = command.reason ?? context.say('doneAgain')
      const { made, leftOut } = retryStage(context, task, stage, better, step.id, reason)
      return done({
        stage_ids: handlesOf(context, task.id, made),
        not_in_the_new_stage: leftOut.map((id) => context.name(id)),
      })
    }
    case 'finish_task': {
      const [work] = selectWorkCarried(context.world, task.id)
      if (work !== undefined) throw new Refused(context.say('workGoesOn', { task: work.name }))
      finishTask(context, task, taskEndOf(command), step.id)
      return done({ task_id: taskHandle(task), state: command.state })
    }
    default:
      return command satisfies never
  }
}

type FinishTask = Extract<TaskInstruction, { action: 'finish_task' }>

/** A result that says nothing beside its free text has no structured parts. */
function taskEndOf({ state, task_summary: summary, headline, facts = [], left_out: leftOut = [] }: FinishTask) {
  if (headline === undefined && facts.length === 0 && leftOut.length === 0) return { state, summary }
  const stated = facts.map(({ label, value, source = null }) => ({ label, value, source }))
  return { state, summary, result: { headline: headline ?? null, facts: stated, leftOut } }
}

function makeTask(
  context: DecisionContext,
  step: StepRecord,
  command: Extract<TaskInstruction, { action: 'add_task' }>,
  approved?: NewStage[],
): Done {
  const here = context.world.tasks[step.task]
  if (!here || here.manager !== step.agent) throw new Refused(context.say('notManager'))
  const members = agentsNamed(context, here, command.members)
  const stages = approved ?? (command.stages === undefined ? [] : stagesOf(context, here, command.stages))
  const request = requestOf(context.world, step)
  mustBeFor(context, request?.by ?? null, stages)
  const person = selectPersonOf(context.world, step)
  const open = Object.values(context.world.tasks).filter((one) => !isTaskOver(one))
  const name = taskNameApart(command.task_name, new Set(open.map((one) => one.name)))
  const task = addTask(context, {
    name,
    intention: command.task_intention,
    manager: step.agent,
    members: members.filter((id) => id !== request?.by || !isElsewhere(context.world, id)),
    requestedBy: request?.by ?? null,
    requestedIn: request === null ? null : { task: step.task, thread: request.message },
    ...(request === null && person !== null ? { madeFor: person } : {}),
  })
  // A name in backticks is a reference, and the model did not know how the task would be told apart.
  const reply = command.reply?.replaceAll(`\`${command.task_name}\``, () => `\`${name}\``)
  const replied = reply === undefined ? {} : replyToAsker(context, step, reply)
  const made = context.world.tasks[task]
  if (!made) throw new Refused(context.say('unknownTask', { id: task }))
  const plan = stages.length === 0 ? {} : planned(context, made, stages)
  const group = (context.world.tasks[task]?.group ?? []).flatMap((id) => context.world.agents[id] ?? [])
  return done({
    task_id: taskHandle(made),
    task_name: made.name,
    members: namesWithHandles(context.world, group),
    ...plan,
    ...replied,
  })
}

/** The reply goes out with the task: from this step, or from one that still owes it in the thread and is over without a call. */
function replyToAsker(context: DecisionContext, step: StepRecord, message: string): Done['made'] {
  const owed = step.answers === null ? owedReply(context.world, step) : step
  if (owed?.answers == null) return {}
  const plain = { stage_relative: 'no_relative', need_reply: false, waiting: false } as const
  const receiver = [owed.answers.to]
  const sent = unlessRefused(() => agentSends(context, owed, { receiver, message, ...plain }))
  if (!sent.ok) return {}
  if (owed === step) return sent.made
  const { task, agent, id } = owed
  const result = { ...context.result('text', sent.text ?? message), made: sent.made }
  context.emit('step.finished', { task, agent, step: id, result, repairs: [] })
  return {}
}

/** Add the stages and start the first one where none runs; what the instruction's result says of them. */
function planned(context: DecisionContext, task: TaskRecord, stages: NewStage[]): { [key: string]: Json } {
  const made = addStages(context, task, stages, null)
  const started = startNext(context, task.id)
  const elsewhere = saidOfWorkElsewhere(context, task.id, stages)
  return {
    stage_ids: handlesOf(context, task.id, made),
    started: started === null ? null : (handlesOf(context, task.id, [started])[0] ?? null),
    ...(elsewhere === null ? {} : { note: context.textOf(elsewhere) }),
  }
}

function instructAgents(context: DecisionContext, step: StepRecord, command: AgentInstruction): Done {
  mustNotTalk(context, step)
  if (command.action === 'init_new_agent')
    return done(saidOfNew(context.world, makeAgent(context, step.agent, command)))
  const task = taskMeant(context, step, command.task_id)
  if (task.manager !== step.agent) throw new Refused(context.say('notManager'))
  if (isTaskOver(task)) throw new Refused(context.say('taskOver'))
  const here = context.world.tasks[step.task] ?? task
  const joined = addParticipants(context, task.id, agentsNamed(context, here, command.agents))
  return done({ task_id: taskHandle(task), added: joined.map((id) => context.name(id)) })
}

/** Nothing that others read comes of a talk. Throws Refused. */
function mustNotTalk(context: DecisionContext, step: StepRecord): void {
  if (context.world.tasks[step.task]?.talk) throw new Refused(context.say('talkAlone'))
}

/** The answer comes at once: it is the step's own result; the message and its process_message are recorded as finished. */
function askInfo(context: DecisionContext, step: StepRecord, question: AskInfo): Done {
  const text = answerInfo(context.world, step, question)
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
    returnWaiting: waiting,
    fromStep: step.id,
  })
  return done({ message_id: message }, text)
}
