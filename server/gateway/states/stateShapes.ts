/** Shared by the files that make states: their input, and the shape of a message. */

import type { TaskAccess } from '@/lib/mas/access/access'
import { writeInstruction } from '@/lib/mas/formats/instructions'
import type { TaskId } from '@/lib/mas/ids'
import { needsReply } from '@/lib/mas/messages/records'
import type { AgentRecord, Json, MessageRecord, World } from '@/lib/mas/records'
import { isStop, type Progress } from '@/lib/mas/waits/progress'
import { iso, type Texts } from './texts'

export type State = { [field: string]: Json }

/** The input of a state: the world, the reader and their rights, the texts of bodies. */
export type StateScope = {
  world: World
  person: AgentRecord
  reach: (task: TaskId) => TaskAccess | null
  texts: Texts
  models: Record<string, Json>
}

/** Whom it waits for and where is shown to those who may read all of that task. */
export function progressState({ reach }: StateScope, progress: Progress): State {
  if (!isStop(progress)) return { state: progress.state }
  const { state, cause, on, since, task, request } = progress
  if (task !== null && reach(task)?.threads !== null) return { state, cause, since: iso(since) }
  return { state, cause, since: iso(since), waits_for: [...on], task_id: task, request_id: request }
}

/** The text of a message with its instruction. */
function textOf(message: MessageRecord): string {
  const order = message.instruction === null ? '' : writeInstruction(message.instruction, message.task)
  return message.text === '' || order === '' ? message.text + order : `${message.text}\n${order}`
}

/** A message in the shape of the documents, its instruction as text; our own fields come last. */
export function messageState({ texts }: Pick<StateScope, 'texts'>, message: MessageRecord): State {
  return {
    task_id: message.task,
    sender_id: message.sender,
    receiver: [...message.receivers],
    message: texts.own(textOf(message), null),
    stage_relative: message.stage ?? 'no_relative',
    need_reply: needsReply(message.type),
    waiting: message.waiting === null ? null : [...message.waiting],
    return_waiting_id: message.returnWaiting,
    message_id: message.id,
    timestamp: iso(message.at),
    dispatch_id: message.dispatch,
    thread_id: message.thread,
    answers_request: message.answersRequest,
    reply_to: message.replyTo,
    mention: message.mention,
    attachments: message.attachments.map(({ name, body, savedAs }) => ({ name, bytes: body.bytes, saved_as: savedAs })),
  }
}
