/** The fields of commands of people about messages. */
import * as z from 'zod'
import type { AgentId, MessageId, RequestId, StageId, TaskId } from '../ids'
import { MESSAGE_TYPES } from '../messages/records'
import { idOf, longText } from '../setup/schemas/fields'

const message = { message: idOf<MessageId>() }

export const messageCommands = {
  /**
   * in      answers: the request that it answers; null: none; 'oldest': the oldest wait on them of each receiver in that
   *         task, or else, if a reply is wanted, its oldest open question
   * out     settled: the requests that the message answered, with their receivers
   */
  sendMessage: z.object({
    task: idOf<TaskId>(),
    receivers: z.array(idOf<AgentId>()).max(1000),
    text: longText,
    kind: z.enum(MESSAGE_TYPES),
    stage: idOf<StageId>().nullable(),
    answers: z.union([idOf<RequestId>(), z.literal('oldest')]).nullable(),
    replyTo: idOf<MessageId>().nullable(),
    mention: z.boolean(),
    due: z.number().int().nonnegative().nullish().describe('epoch milliseconds; when what it asks expires'),
  }),
  /** Remind all who have not settled a message, including messages of the same act. */
  remind: z.object(message),
  markShown: z.object({ messages: z.array(message.message).min(1).max(500) }),
  acknowledge: z.object(message),
  markDone: z.object(message),
  undoOutcome: z.object(message),
}
