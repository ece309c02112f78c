/**
 * What other systems may ask our agents for, by name.
 *
 * Work takes as long as it takes, and a request has one response: `ask` and `start_task` answer at once that they are in
 * progress, and in which conversation; what comes of it is an event in that conversation.
 */
import * as z from 'zod/mini'
import type { AgentRecord } from '@/lib/mas/records'
import { BUILT_IN_ACTIONS, type BuiltInAction } from '@/lib/protocols/envelope/actions'
import type { NamedAction } from '../adapter'

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

/** The action that every agent has by that name; null: there is none. */
export const actionOf = (name: string): BuiltInAction | null =>
  Object.hasOwn(BUILT_IN_ACTIONS, name) ? (BUILT_IN_ACTIONS[name] ?? null) : null

/** May the peer ask for it? Its configuration may name it in either language. */
export const mayAsk = (granted: readonly string[], action: string): boolean =>
  granted.some((name) => name === '*' || (actionOf(name) ?? name) === (actionOf(action) ?? action))

/** The action of that name that the configuration gives this agent; null: there is none. */
export const actionOfAgent = (
  actions: readonly NamedAction[],
  { configId }: AgentRecord,
  name: string,
): NamedAction | null => actions.find((one) => one.name === name && one.agent === configId) ?? null

/** What the agent is asked: parameters in their places, and those without a place below it as JSON. */
export function textOfAction({ asks }: NamedAction, parameters: Record<string, unknown>): string {
  const placed = new Set<string>()
  const text = asks.replaceAll(/\{([^{}\s]+)\}/g, (_, name: string) => {
    placed.add(name)
    const value = parameters[name]
    return typeof value === 'string' ? value : JSON.stringify(value ?? null)
  })
  const rest = Object.entries(parameters).filter(([name]) => !placed.has(name))
  return rest.length === 0
    ? text
    : `${text}\n\n\`\`\`json\n${JSON.stringify(Object.fromEntries(rest), null, 2)}\n\`\`\``
}

/** Parameters of every action that starts a conversation, whatever its own are. */
export const TalkParameters = z.looseObject({ conversation_id: Conversation, attachments: Attachments })

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
