/**
 * What other systems may ask our agents for, by name.
 *
 * Work takes as long as it takes, and a request has one response: `ask` and `start_task` answer at once that they are in
 * progress, and in which conversation; what comes of it is an event in that conversation.
 */

import * as z from 'zod/mini'

const Text = z.string().check(z.minLength(1), z.maxLength(60_000))
const Conversation = z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(512))))

/** The protocol names no files: what comes beside a text, in parameters, event_data or result, is ours. */
const Attachments = z._default(
  z
    .array(
      z.looseObject({
        name: z.string().check(z.minLength(1), z.maxLength(300)),
        mime_type: z.optional(z.string().check(z.maxLength(200))),
        data: z.base64(),
      }),
    )
    .check(z.maxLength(10)),
  [],
)
export type AttachedFile = z.infer<typeof Attachments>[number]

export type Action = 'get_status' | 'ask' | 'start_task'

const NAMES: Readonly<Record<string, Action>> = {
  get_status: 'get_status',
  获取状态: 'get_status',
  ask: 'ask',
  start_task: 'start_task',
}

/** The action of that name; null: there is none. */
export const actionOf = (name: string): Action | null => (Object.hasOwn(NAMES, name) ? (NAMES[name] ?? null) : null)

/** May the peer ask for it? Its configuration may name it in either language. */
export const mayAsk = (granted: readonly string[], action: Action): boolean =>
  granted.some((name) => name === '*' || actionOf(name) === action)

/** Events that carry a message in a conversation. */
export const MESSAGE_EVENT = 'message'
/** The data of an event of that name. */
export const MessageEvent = z.looseObject({ text: Text, conversation_id: Conversation, attachments: Attachments })
/** The parameter that holds the text of a request; the others are those of the event. */
export const TEXT_PARAMETER = { ask: 'question', start_task: 'goal' } as const

/** Status words: of ours, and those that the document uses. */
export const IN_PROGRESS = 'in_progress'
const UNDER_WAY = new Set([IN_PROGRESS, 'accepted', 'received', 'pending', '进行中'])
/** Does this status say that the answer is still to come? */
export const isUnderWay = (status: string): boolean => UNDER_WAY.has(status.toLowerCase())

/** Whatever a response holds, as a text: its own text where it has one. */
export function textOfResult(result: unknown): string {
  if (typeof result === 'string') return result
  if (typeof result === 'object' && result !== null) {
    for (const key of ['text', 'answer', 'message']) {
      const value = Reflect.get(result, key)
      if (typeof value === 'string' && value.trim() !== '') return value
    }
  }
  return result === undefined || result === null ? '' : JSON.stringify(result)
}

const Attached = z.looseObject({ attachments: Attachments })
/** The files of a response; what is none is left to the text. */
export function filesOfResult(result: unknown): AttachedFile[] {
  const read = Attached.safeParse(result)
  return read.success ? read.data.attachments : []
}
