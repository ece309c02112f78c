/** Imports a Harmony list: validates it whole, copies expiring pictures, then commits one command. */
import type { $ZodIssue } from 'zod/v4/core'
import { asJson } from '@/lib/json'
import type { Bringer, CommandOf } from '@/lib/mas/commands/command'
import { selectTaken } from '@/lib/mas/outside/outside'
import type { BodyRef, Json } from '@/lib/mas/records'
import { HarmonyMessage, harmonyParts, listProblems } from '@/lib/protocols/harmony/message'
import type { AdapterParts } from '@/server/otherSystems'
import { holdsMoreThan } from '@/server/shared/boundedJson'
import { takingTurns } from '@/server/shared/pieces'
import type { MampPart } from '../../protocols/mamp/message'
import { parseJson } from '../http'
import { answerTo, commitOnce, faultOf, readTaken, withSavedFiles } from '../idempotency'
import { fromParts, readParts, TEXT_BYTES } from '../mamp/content'
import { refusalOf } from '../refusal'
import { type CachedCopies, copyExpiring } from './cachedCopies'
import { shownParts } from './originals'
import { HARMONY, harmonyRefusal } from './refusal'

const MOST_MESSAGES = 1_000
/** A larger map is kept with its message, and its anchors are shown as plain text. */
const MOST_CITATION_BYTES = 16 * 1024
/** Values are validated; each message is validated in a turn of the event loop of its own. */
const MOST_MESSAGE_VALUES = 20_000
const MOST_FILES = 1_000
/** Texts and citations within one decision. Beyond it, longer texts become attachments, as a too long text does by itself. */
export const MOST_SHOWN_BYTES = 2 * 1024 * 1024
const MIME = 'application/json'

export type Imported = {
  conversation_id: string
  messages: number
  copied: number
  not_copied: { at: number; part: number; why: string }[]
  /** Defects that were corrected. */
  mended: Correction[]
}

/** at: index of the message in its list, from 0. */
type Correction = { at: number; what: 'no_id' | 'arguments_no_json' | 'no_content' }

/** Yields to the event loop when due. */
type ImportedTurn = () => Promise<void> | undefined

/**
 * Validate a list, message by message, yielding to the event loop.
 *
 * faults  bad_request, invalid_list with its place, too_large. Nothing is stored then.
 */
export async function readList(
  body: unknown,
  turn: ImportedTurn = takingTurns(),
): Promise<{ list: HarmonyMessage[]; raw: unknown[] }> {
  const raw = body !== null && typeof body === 'object' && 'messages' in body ? body.messages : undefined
  if (!Array.isArray(raw)) throw harmonyRefusal('bad_request', 'The body is {"messages": […]}.')
  if (raw.length === 0) throw harmonyRefusal('invalid_list', 'There is no message in it.', placeOf([]))
  if (raw.length > MOST_MESSAGES) throw harmonyRefusal('too_large', `A list has at most ${MOST_MESSAGES} messages.`)
  const list: HarmonyMessage[] = []
  for (const [at, one] of raw.entries()) {
    list.push(readMessage(one, at))
    await turn()
  }
  if (filesIn(list) > MOST_FILES)
    throw harmonyRefusal(
      'too_large',
      `A list has at most ${MOST_FILES.toLocaleString('en')} pictures and sounds as bytes.`,
    )
  const names = list.flatMap(({ role, name }) => (role === 'assistant' && name !== undefined ? [name] : []))
  const [problem] = listProblems(list, new Set(names).size)
  if (problem) {
    const place = { at: problem.at, place: `messages[${problem.at}]`, rule: problem.code }
    throw harmonyRefusal('invalid_list', `${place.place}: ${problem.message}`, place)
  }
  return { list, raw }
}

function readMessage(one: unknown, at: number): HarmonyMessage {
  if (holdsMoreThan(one, MOST_MESSAGE_VALUES))
    throw harmonyRefusal(
      'too_large',
      `messages[${at}] holds more than ${MOST_MESSAGE_VALUES.toLocaleString('en')} values.`,
    )
  const read = HarmonyMessage.safeParse(one)
  if (read.success) return read.data
  const { path, message } = deepest(read.error.issues, [at])
  const place = placeOf(path)
  throw harmonyRefusal('invalid_list', `${place.place}: ${message}`, place)
}

/** Number of parts with bytes. */
const filesIn = (list: readonly HarmonyMessage[]): number =>
  list.reduce(
    (sum, message) =>
      sum +
      harmonyParts(message).filter(
        (part) => part.type === 'input_audio' || (part.type === 'image_url' && /^data:/i.test(part.image_url.url)),
      ).length,
    0,
  )

type Found = { path: readonly PropertyKey[]; message: string }

/** Among the variants of a union, the issue of the one that matched deepest. */
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

/** allowPrivate: pictures may be fetched from private addresses; asks: a question to the receiving agent, as parts */
type ImportOptions = { allowPrivate?: boolean; asks?: readonly MampPart[]; turn?: ImportedTurn }
type ImportParts = Pick<AdapterParts, 'engine' | 'bodies' | 'newId' | 'now' | 'saveFiles' | 'log'>

/** Store a validated list. Nothing is fetched or stored of a refused one. */
export async function importList(
  context: ImportParts,
  from: Bringer,
  { list, raw }: Awaited<ReturnType<typeof readList>>,
  { allowPrivate = false, asks, turn = takingTurns() }: ImportOptions = {},
): Promise<Imported> {
  const question = asks === undefined ? null : await readParts(asks)
  await mustBeTakeable(context, from, question)
  const copies = await copyExpiring(list, { allowPrivate })
  const messages: CommandOf<'importConversation'>['messages'] = []
  const mended: Correction[] = []
  let shown = 0
  for (const [at, message] of list.entries()) {
    const kept = await messageOf(context, message, raw[at], { at, copies, room: MOST_SHOWN_BYTES - shown, turn })
    shown += kept.bytes
    messages.push(kept.message)
    mended.push(...correctionsOf(message, at))
    await turn()
  }
  const asked = question === null ? {} : { asks: await withSavedFiles(context, await question.keep(context.bodies)) }
  const command: CommandOf<'importConversation'> = { type: 'importConversation', from, messages, ...asked }
  // A peer's equal list, or equal key, is the same conversation; a person may import a list repeatedly.
  const answer =
    'person' in from
      ? await context.engine.commit({ id: context.newId(), by: 'system:harmony', command })
      : answerTo(await commitOnce(context, 'harmony', from.peer, ['list', from.theirs], command), from.theirs, from.sha)
  if (!answer.ok) throw refusalOf(HARMONY.refusals, answer.fault)
  return { conversation_id: conversationIn(answer.reply), messages: list.length, ...told(copies), mended }
}

/** Throws the reason that would refuse the import. A known list is answered with its first answer. */
async function mustBeTakeable(
  context: ImportParts,
  from: Bringer,
  question: Awaited<ReturnType<typeof readParts>> | null,
): Promise<void> {
  const isKnown =
    'peer' in from && selectTaken(context.engine.world(), { ...from, from: from.uri, protocol: 'harmony' }) !== null
  if (isKnown) return
  const said = question === null ? {} : { asks: { text: question.text, attachments: question.attachments } }
  const fault = faultOf(context, { type: 'importConversation', from, messages: [], ...said })
  if (fault !== null) throw refusalOf(HARMONY.refusals, fault)
}

/** Corrections: a made id, non-JSON arguments as text, missing content as empty. */
export function correctionsOf(message: HarmonyMessage, at: number): Correction[] {
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
  const isBroken = calls.some((call) => parseJson(Buffer.from(call.function.arguments)) === undefined)
  const isEmpty = (message.content ?? null) === null && calls.length === 0
  return [
    ...(message.id === undefined ? [{ at, what: 'no_id' as const }] : []),
    ...(isBroken ? [{ at, what: 'arguments_no_json' as const }] : []),
    ...(isEmpty ? [{ at, what: 'no_content' as const }] : []),
  ]
}

/** The id in a command's reply. */
export function conversationIn(reply: Json): string {
  const { conversation } = readTaken(reply)
  if (conversation === null) throw harmonyRefusal('internal_error', 'The conversation is gone.')
  return conversation
}

type Place = { at: number; copies: CachedCopies; room: number; turn: ImportedTurn }

/** out: bytes: its share of the decision; at most `room` once its text is long */
async function messageOf(
  { bodies }: Pick<AdapterParts, 'bodies'>,
  message: HarmonyMessage,
  raw: unknown,
  { at, copies, room, turn }: Place,
): Promise<{ message: CommandOf<'importConversation'>['messages'][number]; bytes: number }> {
  const { text, attachments } = await fromParts(shownParts(message, at, copies), bodies, Math.min(TEXT_BYTES, room))
  const textBytes = Buffer.byteLength(text)
  await turn()
  const json = JSON.stringify(raw)
  await turn()
  const original = Buffer.from(json)
  const { sha } = await bodies.put(original, MIME)
  const body: BodyRef = { sha, bytes: original.length, preview: '', mime: MIME }
  const imported = { role: message.role, name: message.name ?? null, body }
  await turn()
  const citations = message.metadata?.citation_map
  const citationBytes = citations === undefined ? 0 : Buffer.byteLength(JSON.stringify(citations))
  if (citations === undefined || citationBytes > Math.min(MOST_CITATION_BYTES, room - textBytes))
    return { message: { text, attachments, imported }, bytes: textBytes }
  return {
    message: { text, attachments, imported: { ...imported, citations: asJson(citations) } },
    bytes: textBytes + citationBytes,
  }
}

function told(copies: CachedCopies): Pick<Imported, 'copied' | 'not_copied'> {
  const failed = [...copies].flatMap(([key, copy]) => {
    const [at = 0, part = 0] = key.split('/').map(Number)
    return 'why' in copy ? [{ at, part, why: copy.why }] : []
  })
  failed.sort((one, other) => one.at - other.at || one.part - other.part)
  return { copied: copies.size - failed.length, not_copied: failed }
}
