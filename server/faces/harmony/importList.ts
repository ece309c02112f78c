/**
 * A Harmony list that comes in: checked whole, its expiring pictures copied, then one command.
 *
 * Owns: the order of the checks, the exact place of what is wrong. Not here: the task that it becomes
 * (lib/mas/commands/importConversation.ts), what the chat shows of a message (originals.ts).
 */
import type { $ZodIssue } from 'zod/v4/core'
import { bodyOf } from '@/lib/mas/bodies'
import type { Bringer, CommandOf } from '@/lib/mas/commands/command'
import type { BodyRef, Json } from '@/lib/mas/records'
import { CitationMap } from '@/lib/protocols/harmony/citation'
import { type HarmonyMessage, HarmonyMessages, listProblems } from '@/lib/protocols/harmony/message'
import type { FaceBench } from '../face'
import { fromParts } from '../mamp/content'
import { answerTo, commitOnce, readTaken } from '../once'
import { type Copies, copyExpiring } from './copies'
import { shownParts } from './originals'
import { HarmonyRefusal, refusalOf } from './refusal'

export const MOST_MESSAGES = 1_000
/** A larger map is kept with its message, and its anchors are shown as they stand. */
const MOST_CITATION_BYTES = 16 * 1024

export type Imported = {
  conversation_id: string
  messages: number
  /** Pictures behind expiring addresses that are kept here now. */
  copied: number
  not_copied: { at: number; part: number; why: string }[]
}

/** in: the body of the request. faults: bad_request, invalid_list with its place, too_large. Nothing is stored then. */
export function readList(body: unknown): { list: HarmonyMessage[]; raw: unknown[] } {
  const raw = body !== null && typeof body === 'object' && 'messages' in body ? body.messages : undefined
  if (!Array.isArray(raw)) throw new HarmonyRefusal('bad_request', 'The body is {"messages": […]}.')
  if (raw.length === 0) throw new HarmonyRefusal('invalid_list', 'There is no message in it.', placeOf([]))
  if (raw.length > MOST_MESSAGES) throw new HarmonyRefusal('too_large', `A list has at most ${MOST_MESSAGES} messages.`)
  const read = HarmonyMessages.safeParse(raw)
  if (!read.success) {
    const { path, message } = deepest(read.error.issues)
    const place = placeOf(path)
    throw new HarmonyRefusal('invalid_list', `${place.place}: ${message}`, place)
  }
  const names = read.data.flatMap(({ role, name }) => (role === 'assistant' && name !== undefined ? [name] : []))
  const [problem] = listProblems(read.data, new Set(names).size)
  if (problem) {
    const place = { at: problem.at, place: `messages[${problem.at}]`, rule: problem.code }
    throw new HarmonyRefusal('invalid_list', `${place.place}: ${problem.message}`, place)
  }
  return { list: read.data, raw }
}

type Found = { path: readonly PropertyKey[]; message: string }

/** Of several ways to read a field, the one that got furthest says what is wrong. */
function deepest(issues: readonly $ZodIssue[], before: readonly PropertyKey[] = []): Found {
  const found = issues.map((issue): Found => {
    const path = [...before, ...issue.path]
    const own = { path, message: issue.message }
    if (issue.code !== 'invalid_union') return own
    const inner = issue.errors.filter((one) => one.length > 0).map((one) => deepest(one, path))
    return inner.reduce((best, one) => (one.path.length > best.path.length ? one : best), own)
  })
  return found.reduce(
    (best, one) => (one.path.length > best.path.length ? one : best),
    found[0] ?? { path: before, message: 'not readable' },
  )
}

const placeOf = (path: readonly PropertyKey[]) => ({
  at: typeof path[0] === 'number' ? path[0] : null,
  place: `messages${path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')}`,
  rule: 'schema',
})

/** Keep a list that was read; who brings it was checked. */
export async function importList(
  bench: FaceBench,
  from: Bringer,
  { list, raw }: ReturnType<typeof readList>,
  allowPrivate: boolean,
): Promise<Imported> {
  const copies = await copyExpiring(list, { allowPrivate })
  const messages: CommandOf<'importConversation'>['messages'] = []
  for (const [at, message] of list.entries()) messages.push(await messageOf(bench, message, raw[at], at, copies))
  const command: CommandOf<'importConversation'> = { type: 'importConversation', from, messages }
  // The same list of a peer, or the same key, is the same conversation; a person may bring one as often as they like.
  const answer =
    'person' in from
      ? await bench.engine.commit({ id: bench.newId(), by: 'system:harmony', command })
      : answerTo(await commitOnce(bench, 'harmony', from.peer, ['list', from.theirs], command), from.theirs, from.sha)
  if (!answer.ok) throw refusalOf(answer.fault)
  return { conversation_id: conversationIn(answer.reply), messages: list.length, ...told(copies) }
}

/** The id that a command answered. */
export function conversationIn(reply: Json): string {
  const { conversation } = readTaken(reply)
  if (conversation === null) throw new HarmonyRefusal('internal_error', 'The conversation is gone.')
  return conversation
}

async function messageOf({ bodies }: FaceBench, message: HarmonyMessage, raw: unknown, at: number, copies: Copies) {
  const { text, attachments } = await fromParts(shownParts(message, at, copies), bodies)
  const { body, ref } = bodyOf(JSON.stringify(raw), 'application/json')
  await bodies.put(body.bytes, body.mime)
  const imported = { role: message.role, name: message.name ?? null, body: withoutPreview(ref) }
  const citations = CitationMap.safeParse(message.metadata?.citation_map)
  const size = citations.success ? JSON.stringify(citations.data).length : 0
  const isLinked = citations.success && size <= MOST_CITATION_BYTES
  return { text, attachments, imported: isLinked ? { ...imported, citations: asJson(citations.data) } : imported }
}

/** What a list would show of it stands in the message's text. */
const withoutPreview = (ref: BodyRef): BodyRef => ({ ...ref, preview: '' })

/** Loose objects of a schema are JSON that has been read once; the type does not know it. */
const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value))

function told(copies: Copies): Pick<Imported, 'copied' | 'not_copied'> {
  const failed = [...copies].flatMap(([key, copy]) => {
    const [at = 0, part = 0] = key.split('/').map(Number)
    return 'why' in copy ? [{ at, part, why: copy.why }] : []
  })
  failed.sort((one, other) => one.at - other.at || one.part - other.part)
  return { copied: copies.size - failed.length, not_copied: failed }
}
