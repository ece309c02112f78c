/** The actions of our agents for other systems. Work takes time: its response is `in_progress`, its result an event. */
import * as z from 'zod/mini'
import { fieldsIn } from '@/lib/json'
import { BUILT_IN_ACTIONS, type BuiltInAction } from '@/lib/mas/outside/builtInActions'
import type { AgentRecord } from '@/lib/mas/records'
import type { NamedAction } from '@/server/otherSystems'

const Text = z.string().check(z.minLength(1), z.maxLength(60_000))
const Conversation = z.optional(z.nullable(z.string().check(z.minLength(1), z.maxLength(512))))

/** The protocol has no files. Attachments beside a text, in parameters, event_data or result, are our extension. */
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

export const actionOf = (name: string): BuiltInAction | null =>
  Object.hasOwn(BUILT_IN_ACTIONS, name) ? (BUILT_IN_ACTIONS[name] ?? null) : null

/** May the peer call it? The configuration may name it in either language. */
export const mayAsk = (granted: readonly string[], action: string): boolean =>
  granted.some((name) => name === '*' || (actionOf(name) ?? name) === (actionOf(action) ?? action))

/** The configured action of that name of this agent; null: none. */
export const actionOfAgent = (
  actions: readonly NamedAction[],
  { configId }: AgentRecord,
  name: string,
): NamedAction | null => actions.find((one) => one.name === name && one.agent === configId) ?? null

/** The question with parameters filled in; parameters without a placeholder follow as JSON. */
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

/** Parameters of every action that starts a conversation, beside its own. */
export const TalkParameters = z.looseObject({ conversation_id: Conversation, attachments: Attachments })

/** Events that carry a message in a conversation. */
export const MESSAGE_EVENT = 'message'
export const MessageEvent = z.looseObject({ text: Text, conversation_id: Conversation, attachments: Attachments })
/** The parameter with the text of a request; the others are those of the event. */
export const TEXT_PARAMETER = { ask: 'question', start_task: 'goal' } as const

type ListedAction = Pick<NamedAction, 'name' | 'description' | 'parameters'>
const TALK = { conversation_id: { type: 'string', description: 'to go on in that conversation' } }
const ofText = (name: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string' }, ...TALK },
  required: [name],
})
const LISTED_BUILT_INS: readonly ListedAction[] = [
  {
    name: 'get_status' satisfies BuiltInAction,
    description: 'The state of the agent and how many steps it has to run.',
    parameters: { type: 'object', properties: {} },
  },
  {
    name: 'ask' satisfies BuiltInAction,
    description: 'Asks the agent; the answer is an event.',
    parameters: ofText(TEXT_PARAMETER.ask),
  },
  {
    name: 'start_task' satisfies BuiltInAction,
    description: 'Begins work with this goal; the result is an event.',
    parameters: ofText(TEXT_PARAMETER.start_task),
  },
]

/** The actions that a peer with these rights may ask of an agent, built-in ones first. Only a manager of tasks begins one. */
export const listedActions = (
  { configId, manager }: AgentRecord,
  granted: readonly string[],
  configured: readonly NamedAction[],
): ListedAction[] =>
  [
    ...LISTED_BUILT_INS.filter(({ name }) => manager || name !== 'start_task'),
    ...configured.filter(({ agent }) => agent === configId),
  ]
    .filter(({ name }) => mayAsk(granted, name))
    .map(({ name, description, parameters }) => ({ name, description, parameters }))

/** Statuses: ours, and those of the document. */
export const IN_PROGRESS = 'in_progress'
const UNDER_WAY = new Set([IN_PROGRESS, 'accepted', 'received', 'pending', '进行中'])
/** Is the answer still to come? */
export const isUnderWay = (status: string): boolean => UNDER_WAY.has(status.toLowerCase())

/** A response as text: its own text if it has one. */
export function textOfResult(result: unknown): string {
  if (typeof result === 'string') return result
  for (const key of ['text', 'answer', 'message']) {
    const value = fieldsIn(result)[key]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return result === undefined || result === null ? '' : JSON.stringify(result)
}

const Attached = z.looseObject({ attachments: Attachments })
/** The files of a response; none when they are malformed. */
export function filesOfResult(result: unknown): AttachedFile[] {
  const read = Attached.safeParse(result)
  return read.success ? read.data.attachments : []
}
