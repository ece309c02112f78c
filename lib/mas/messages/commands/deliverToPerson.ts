/** A message reaches a person: a notice, and a request where it asks for something. */

import { firstWords, withoutMiddle } from '@/lib/format/plainText'
import { openRequest } from '../../asks/commands/openRequest'
import type { DecisionContext } from '../../commands/decisionContext'
import { type AgentId, type MessageId, type StageId, SYSTEM_TASK, type TaskId, type WaitingId } from '../../ids'
import { isAsked } from '../../members/traits'
import type { Instruction, NoticeKind } from '../../records'
import { retireSteps } from '../../steps/commands/addStep'
import { needsReply } from '../records'
import type { NewMessage } from './newMessage'

/** Delivers a message to a person: an instruction becomes a notice, what needs a reply becomes a request. */
export function humanReceives(
  context: DecisionContext,
  id: MessageId,
  person: AgentId,
  waiting: WaitingId | null,
  message: NewMessage,
): void {
  const { task, stage, instruction } = message
  if (instruction) {
    noticeInstruction(context, id, person, message, instruction)
    return
  }
  if (!needsReply(message.type)) return
  notice(
    context,
    person,
    'reply_needed',
    { task, stage, message: id },
    { who: context.name(message.sender), about: subjectFor(context, id, person, message) },
  )
  // What the task asks of its operators, and what a person asks, is opened with all that it is about.
  if (message.sender === SYSTEM_TASK || isAsked(context.world, message.sender)) return
  openRequest(context, {
    task,
    kind: 'answer',
    asked: [person],
    asker: message.sender,
    type: waiting === null ? 'action' : 'urgent',
    message: id,
    step: message.fromStep ?? null,
    stage,
    lock: waiting,
    thread: message.thread,
    question: message.text,
    choices: message.choices ?? [],
    ...(message.due === undefined ? {} : { due: message.due }),
  })
}

const SUBJECT_LENGTH = 120

/** By what a person tells this question from another of the same sender: how its thread began where they read it, else its words. */
function subjectFor(
  { world }: DecisionContext,
  id: MessageId,
  person: AgentId,
  { task, thread, text }: NewMessage,
): string {
  const first = thread === null || thread === id ? undefined : world.messages[task]?.[thread]
  const isRead = first !== undefined && (first.sender === person || first.receivers.includes(person))
  return isRead ? withoutMiddle(first.text, SUBJECT_LENGTH) : firstWords(text, SUBJECT_LENGTH)
}

function noticeInstruction(
  context: DecisionContext,
  id: MessageId,
  person: AgentId,
  message: NewMessage,
  instruction: Instruction,
): void {
  const { task, stage } = message
  switch (instruction.type) {
    case 'start_stage': {
      const goal = context.world.stages[task]?.[instruction.stage]?.allocation[person]
      if (goal === undefined) return
      notice(context, person, 'stage_started', { task, stage: instruction.stage, message: id }, { goal })
      openRequest(context, {
        task,
        kind: 'part',
        asked: [person],
        asker: SYSTEM_TASK,
        message: id,
        stage: instruction.stage,
        question: goal,
      })
      return
    }
    case 'update_working_memory':
      context.delivery(task, id, person, 'shown')
      return
    case 'finish_stage':
      retireSteps(context, { task, agent: person }, (own) => own === instruction.stage)
      notice(context, person, instruction.failed ? 'stage_failed' : 'stage_finished', { task, stage, message: id }, {})
      return
    case 'finish_task': {
      retireSteps(context, { task, agent: person }, () => true)
      const { state, result } = context.world.tasks[task] ?? {}
      const words: Record<string, string> = result?.headline == null ? {} : { about: result.headline }
      const kind = state === 'failed' ? 'task_failed' : 'task_finished'
      notice(context, person, kind, { task, stage: null, message: id }, words)
      return
    }
    case 'judge_stage':
    case 'judge_task':
      openRequest(context, {
        task,
        kind: 'judge',
        asked: [person],
        asker: SYSTEM_TASK,
        message: id,
        stage,
        question: message.said ?? message.text,
      })
      return
    default:
      instruction satisfies never
  }
}

/** Give a notice to one person. */
export function notice(
  context: DecisionContext,
  person: AgentId,
  kind: NoticeKind,
  about: { task: TaskId; stage: StageId | null; message: MessageId | null },
  words: Record<string, string>,
): void {
  const taskName = context.world.tasks[about.task]?.name ?? ''
  context.emit('notice.given', {
    task: about.task,
    agent: person,
    notice: {
      id: context.id<MessageId>(),
      kind,
      stage: about.stage,
      message: about.message,
      words: { task: taskName, ...words },
    },
  })
}
