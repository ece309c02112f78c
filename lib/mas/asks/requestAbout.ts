/** What a request is about, beside its question: distinguishes two with the same question. */
import { withoutMiddle } from '@/lib/format/plainText'
import { memo } from '@/lib/memo'
import type { MessageId, StepId } from '../ids'
import type { MessageRecord, RequestRecord, World } from '../records'
import { aboutOfJson } from '../steps/callWords'

const MESSAGE_LENGTH = 120

/** text: what was said, without its middle where it is long; or the argument of a call that tells most. */
export type RequestAbout = { kind: 'message'; id: MessageId; text: string } | { kind: 'call'; id: StepId; text: string }

/**
 * The message that the request goes back to: the first of its thread, else the one that brought its asker to ask.
 *
 * in      messages of its task: those that the reader may read
 * out     null: there is none, or it is not among them
 */
export function messageAbout(
  messages: Readonly<Record<MessageId, MessageRecord>> | undefined,
  { thread, evidence, message }: RequestRecord,
): MessageRecord | null {
  const id = thread ?? evidence?.findLast(({ kind }) => kind === 'message')?.id
  const found = id === undefined || id === message ? undefined : messages?.[id as MessageId]
  return found !== undefined && found.text.trim() !== '' ? found : null
}

const shortText = memo(({ text }: MessageRecord): string => withoutMiddle(text, MESSAGE_LENGTH))

/** What the reader of a request is shown; see messageAbout. */
export function aboutOfRequest(world: Pick<World, 'messages'>, request: RequestRecord): RequestAbout | null {
  const { call, step, task } = request
  const argument = call === null ? '' : aboutOfJson(call.arguments.preview)
  if (step !== null && argument !== '') return { kind: 'call', id: step, text: argument }
  const found = messageAbout(world.messages[task], request)
  return found && { kind: 'message', id: found.id, text: shortText(found) }
}
