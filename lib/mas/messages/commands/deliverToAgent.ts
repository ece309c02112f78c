/** A message reaches an agent: the steps that answer it, take it in, or carry out its instruction. */

import type { DecisionContext } from '../../commands/decisionContext'
import { type AgentId, type MessageId, type StageId, SYSTEM_TASK, type TaskId, type WaitingId } from '../../ids'
import { runsSteps } from '../../members/traits'
import { waitsForOutside } from '../../outside/outsideWork'
import type { Instruction, LockRecord, StageRecord } from '../../records'
import { isStageOver, isWorkUnderWay } from '../../statuses'
import {
  addStep,
  insertReply,
  recordStep,
  retireSteps,
  type StepHome,
  type StepSpec,
} from '../../steps/commands/addStep'
import { selectStep } from '../../team/agents'
import { findLock, releaseLock } from '../../waits/commands/locks'
import { waitsForAnswer } from '../../waits/waitsForAnswer'
import { textWithFiles } from '../messageText'
import { needsReply } from '../records'
import type { NewMessage } from './newMessage'

/** Delivers a message to an agent: what it has to do becomes steps; a wait that the message answers ends. */
export function agentReceives(
  context: DecisionContext,
  id: MessageId,
  agent: AgentId,
  waiting: WaitingId | null,
  message: NewMessage,
): void {
  const held = findLock(context, message.returnWaiting)
  const releases = held !== null && held.agent === agent
  // An answer belongs to the stage in which the agent waits, independent of the stage of the question.
  const about = releases && held.lock.task === message.task ? held.lock.stage : message.stage
  const home: StepHome = {
    task: message.task,
    stage: openStage(context, message.task, about),
    thread: message.thread,
    agent,
  }
  if (held && releases) releaseLock(context, held, 'answered', message.sender === SYSTEM_TASK ? null : message.sender)

  const cause = { message: id, step: message.fromStep ?? null }
  const who = message.sender === SYSTEM_TASK ? context.say('theTask') : context.name(message.sender)
  const processing = {
    intention: context.say('takeIn', { who }),
    text: message.text,
    kind: 'skill' as const,
    executor: 'process_message',
    cause,
  }
  if (needsReply(message.type) && message.sender !== SYSTEM_TASK) {
    // The reply may be the last of many steps, and may never be sent: the steps before it need the answer.
    if (message.returnWaiting !== null) {
      recordTaken(context, home, processing, message)
      context.delivery(message.task, id, agent, 'acknowledged')
    }
    const command = {
      intention: context.say('reply', { who }),
      text: message.text,
      kind: 'skill' as const,
      executor: 'send_message',
      cause,
      answers: { message: id, to: message.sender, waiting, stage: message.stage },
    }
    if (waiting === null) {
      addStep(context, home, command)
      return
    }
    const step = insertReply(context, home, command)
    // The agent waits for the answer and is asked something back: without this reply there would be no answer.
    if (message.asksBack !== undefined || asksItsAsker(context, agent, message))
      context.emit('lock.bypassed', { task: message.task, agent, step, waiting })
    return
  }
  if (message.instruction) {
    obey(context, id, home, message.instruction, message.text)
    return
  }
  const isProgress = isWorkUnderWay(message.workState) && (message.replyTo ?? null) !== null
  if (isProgress || needsNoCall(context, home, releases ? held.lock : null, message)) {
    recordTaken(context, home, processing, message)
    context.delivery(message.task, id, agent, 'done')
  } else if (message.returnWaiting !== null) insertReply(context, home, processing)
  else addStep(context, home, processing)
}

/** Records the message as processed without a model call: the next prompts of its history show it. */
function recordTaken(context: DecisionContext, home: StepHome, processing: StepSpec, message: NewMessage): void {
  // No prompt of its own shows the files of this message: later ones read the text of the step.
  const text = textWithFiles(message.text, message.attachments ?? [])
  recordStep(context, home, { ...processing, text }, context.result('text', context.say('takenIn')))
}

/** Does an agent outside ask the agent that waits for it? It has no lock of its own by which the circle would show. */
const asksItsAsker = ({ world }: DecisionContext, agent: AgentId, { sender }: NewMessage): boolean =>
  sender !== SYSTEM_TASK && waitsForOutside(world, agent, sender)

/**
 * Is a message that asks for nothing taken in without a call? The agent's next step shows it.
 *
 * in      the lock that it releases; null: none
 * out     false where no step is to come, and it ends a wait or somebody may expect that the agent reacts
 */
function needsNoCall(context: DecisionContext, home: StepHome, lock: LockRecord | null, message: NewMessage): boolean {
  // The step that asked may still run: it receives the answer itself.
  if (message.returnWaiting !== null)
    return lock !== null && (message.fromStep === lock.step || hasStepToCome(context, home))
  // A paused agent takes in nothing; a person may have it read one message.
  if (context.world.agents[home.agent]?.paused) return false
  const isOfAgent = runsSteps(context.world, message.sender)
  return isOfAgent || worksOn(context, home, (message.replyTo ?? null) !== null)
}

/** Has the agent a step to come in this task (in the base task: in this thread), which shows its messages, or a part in work? */
function worksOn({ world }: DecisionContext, { task, thread, agent }: StepHome, isReply: boolean): boolean {
  const isBase = world.tasks[task]?.base === true
  const stages: StageRecord[] = Object.values(world.stages[task] ?? {})
  if (!isBase && stages.some(({ state, parts }) => state === 'running' && parts[agent] === 'working')) return true
  return (world.work[agent]?.todo ?? []).some((ref) => {
    const step = selectStep(world, ref.task, agent, ref.step)
    if (step?.task !== task || (isBase && step.thread !== thread)) return false
    // A judgement that waits for an answer shows no other message before that.
    return isReply || !waitsForAnswer(world, step)
  })
}

/** Is there a step whose history shows what is recorded for the agent now? */
function hasStepToCome({ world }: DecisionContext, home: StepHome): boolean {
  if (home.stage !== null && world.stages[home.task]?.[home.stage]?.parts[home.agent] === 'working') return true
  return (world.work[home.agent]?.todo ?? []).some((ref) => {
    const step = selectStep(world, ref.task, home.agent, ref.step)
    return step?.task === home.task && step.stage === home.stage && step.thread === home.thread
  })
}

/** The stage for the steps of a message; null when that stage is over. */
function openStage(context: DecisionContext, task: TaskId, stage: StageId | null): StageId | null {
  const record = stage === null ? undefined : context.world.stages[task]?.[stage]
  return record && isStageOver(record) ? null : stage
}

/** Carry out an instruction; only the system sets one. */
function obey(context: DecisionContext, id: MessageId, home: StepHome, instruction: Instruction, text: string): void {
  const cause = { message: id, step: null }
  switch (instruction.type) {
    case 'start_stage': {
      const stage = context.world.stages[home.task]?.[instruction.stage]
      const own = stage?.allocation[home.agent]
      if (!stage || own === undefined) return
      addStep(context, home, {
        intention: context.say('plan'),
        text: context.say('planGoal', { stage: stage.intention, own }),
        kind: 'skill',
        executor: 'planning',
        cause,
      })
      return
    }
    case 'finish_stage':
      retireSteps(context, home, (stage) => stage === instruction.stage)
      context.delivery(home.task, id, home.agent, 'done')
      return
    case 'finish_task':
      retireSteps(context, home, () => true)
      context.delivery(home.task, id, home.agent, 'done')
      return
    // What an agent has to do is in its tasks and stages already: there is nothing to carry out.
    case 'update_working_memory':
      context.delivery(home.task, id, home.agent, 'done')
      return
    case 'judge_stage':
    case 'judge_task':
      addStep(context, home, { intention: context.say('judge'), text, kind: 'skill', executor: 'task_manager', cause })
      return
    default:
      instruction satisfies never
  }
}
