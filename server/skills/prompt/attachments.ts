/** The section attachments: pictures, sounds and files of messages and tool results. */
import { decodeFileText } from '@/lib/format/decodeFileText'
import { documentKind } from '@/lib/format/documentKind'
import { beginningOf, wholeOf } from '@/lib/mas/bodies'
import { escapeAttribute, escapeTags, estimateTokens } from '@/lib/mas/formats'
import type { MessageId } from '@/lib/mas/ids'
import type { Attachment, Language, MessageRecord, StepRecord, World } from '@/lib/mas/records'
import { selectCauseMessage } from '@/lib/mas/steps/history'
import { selectName } from '@/lib/mas/team/agents'
import { sayInLanguage } from '@/lib/mas/words'
import { documentText, readOfficeFile } from '../../documents'
import type { Media, MediaKind } from '../../models/model'
import { MEDIA_TOKENS } from '../../models/usage'
import type { SkillRun } from '../port'
import { sayBytes } from './files'
import { section } from './section'
import { type ResultMedia, readResultMedia } from './toolResult'

type Attachments = { text: string; media: Media[]; tokens: number }

/** Media types that providers accept. */
const MIMES: Record<MediaKind, RegExp> = {
  image: /^image\/(?:png|jpe?g|gif|webp)$/,
  audio: /^audio\/(?:wav|x-wav|wave|vnd\.wave|mpeg|mp3)$/,
}
const TEXT = /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|x-ndjson)\b)/
const MOST_MEDIA = 16
/** Limits of a picture or sound, and of an attached text. */
const MEDIA_BYTES = 5 * 1024 * 1024
const TEXT_CHARACTERS = 64_000

type Found = {
  kind: MediaKind
  mime: string
  bytes: number
  name: string
  where: string
  /** null: it exists, but is not loaded. */
  load: (() => Promise<string>) | null
}

/** Media and attached texts of a prompt within the tokens; null: none. `media` in the order of the section's lines. */
export async function gatherAttachments(
  run: Pick<SkillRun, 'world' | 'step' | 'bodies' | 'model'>,
  steps: readonly StepRecord[],
  tokens: number,
): Promise<Attachments | null> {
  const { world, step } = run
  const accepts = run.model.accepts ?? []
  const message = messageOf(world, step)
  const own = message?.attachments ?? []
  // An answer that was taken in is in the history, beside the reply that it asks for.
  const isElsewhere = message !== null && steps.some(({ cause }) => cause.message === message.id)
  const ofStep = message === null || isElsewhere ? [] : filesOf(run, message, null)
  const found = [...(await inHistory(run, steps, accepts.length > 0)), ...ofStep]
  const files = own.filter(
    ({ name, body }) => mediaKind(body.mime) === null && (TEXT.test(body.mime) || documentKind(name) !== null),
  )
  if (found.length === 0 && files.length === 0) return null
  const { language } = world.team
  const { lines, media } = await chooseMedia(found, accepts, Math.floor(tokens / MEDIA_TOKENS), language)
  let left = tokens - media.length * MEDIA_TOKENS
  const texts: string[] = []
  for (const file of files) {
    const text = await writeText(run, file, Math.min(TEXT_CHARACTERS, left * 2), language)
    left = Math.max(0, left - estimateTokens(text))
    texts.push(text)
  }
  const text = section('attachments', [...lines, ...texts].join('\n'))
  return { text, media, tokens: estimateTokens(text) + media.length * MEDIA_TOKENS }
}

/** The message that the step answers or takes in. */
const messageOf = (world: World, step: StepRecord): MessageRecord | null =>
  step.answers === null ? selectCauseMessage(world, step) : (world.messages[step.task]?.[step.answers.message] ?? null)

const mediaKind = (mime: string): MediaKind | null =>
  mime.startsWith('image/') ? 'image' : mime.startsWith('audio/') ? 'audio' : null

/** Files of a message; `item`: number of the step in the history that took it in. */
function filesOf({ world, bodies }: Pick<SkillRun, 'world' | 'bodies'>, message: MessageRecord, item: number | null) {
  const { language } = world.team
  const from = sayInLanguage(language, 'mediaWithMessage', { from: selectName(world, message.sender) })
  return message.attachments.flatMap(({ name, body }): Found[] => {
    const kind = mediaKind(body.mime)
    if (kind === null) return []
    const where = item === null ? from : `${from}, ${sayInLanguage(language, 'mediaAtItem', { n: item })}`
    const load = async (): Promise<string> => Buffer.from(await bodies.bytes(body)).toString('base64')
    return [{ kind, mime: body.mime, bytes: body.bytes, name, where, load }]
  })
}

async function inHistory(
  run: Pick<SkillRun, 'world' | 'bodies'>,
  steps: readonly StepRecord[],
  isLookedAt: boolean,
): Promise<Found[]> {
  const found: Found[] = []
  const shown = new Set<MessageId>()
  for (const step of steps) {
    const { number } = step
    if (step.type === 'tool') {
      // Few of many results have media: nothing is awaited or worded for the others.
      const results = resultsOf(run, step, isLookedAt)
      const media = results instanceof Promise ? await results : results
      if (media.length === 0) continue
      const where = sayInLanguage(run.world.team.language, 'mediaAtItem', { n: number })
      for (const one of media) found.push({ ...one, where })
    } else if (step.cause.message !== null) {
      const message = run.world.messages[step.task]?.[step.cause.message]
      if (message && shown.has(message.id)) continue
      if (message) shown.add(message.id)
      if (message && message.attachments.length > 0) found.push(...filesOf(run, message, number))
    }
  }
  return found
}

type Seen = Omit<ResultMedia, 'base64'>[]
/** Results never change: each is parsed once for the list, and again when a prompt shows its media. */
const seen = new WeakMap<StepRecord, Seen>()

type FoundInResult = Omit<Found, 'where'>

function resultsOf(
  { bodies }: Pick<SkillRun, 'bodies'>,
  step: StepRecord,
  isLookedAt: boolean,
): FoundInResult[] | Promise<FoundInResult[]> {
  const body = step.result?.kind === 'tool' ? step.result.body : null
  if (body === null || step.result === null) return []
  if (!isLookedAt) {
    // For media that cannot be shown, the beginning of the result is enough.
    return [...step.result.text.matchAll(/\[(image|audio) ([\w.+-]+\/[\w.+-]+)\]/g)].map(([, kind, mime = '']) => ({
      kind: kind === 'audio' ? 'audio' : 'image',
      mime,
      bytes: 0,
      name: '',
      load: null,
    }))
  }
  const read = async (): Promise<ResultMedia[]> => readResultMedia(await bodies.text(body))
  const loaded = (media: Seen): FoundInResult[] =>
    media.map((one, at) => ({ ...one, load: async () => (await read())[at]?.base64 ?? '' }))
  const known = seen.get(step)
  if (known !== undefined) return loaded(known)
  return read().then((all) => {
    const media = all.map(({ base64: _, ...rest }) => rest)
    seen.set(step, media)
    return loaded(media)
  })
}

/** The newest that fit; each gets a line. */
async function chooseMedia(
  found: readonly Found[],
  accepts: readonly MediaKind[],
  room: number,
  language: Language,
): Promise<{ lines: string[]; media: Media[] }> {
  const whyNot = (one: Found): 'mediaNotAccepted' | 'mediaFormat' | 'mediaLarge' | null => {
    if (!accepts.includes(one.kind) || one.load === null) return 'mediaNotAccepted'
    if (!MIMES[one.kind].test(one.mime)) return 'mediaFormat'
    return one.bytes > MEDIA_BYTES ? 'mediaLarge' : null
  }
  const able = found.filter((one) => whyNot(one) === null)
  const kept = new Set(able.slice(Math.max(0, able.length - Math.min(room, MOST_MEDIA))))
  const lines: string[] = []
  const media: Media[] = []
  for (const one of found) {
    if (kept.has(one) && one.load !== null) media.push({ kind: one.kind, mime: one.mime, base64: await one.load() })
    const said = kept.has(one)
      ? sayInLanguage(language, 'mediaShown', { n: media.length })
      : sayInLanguage(language, whyNot(one) ?? 'mediaOlder')
    const size = one.bytes === 0 ? '' : `, ${sayBytes(one.bytes)}`
    const name = one.name === '' ? '' : ` ${escapeTags(one.name.replace(/\s+/g, ' '))}`
    const kind = sayInLanguage(language, 'mediaKind', { kind: one.kind })
    lines.push(`- ${kind}${name} (${escapeTags(one.mime)}${size}), ${one.where}: ${said}`)
  }
  return { lines, media }
}

/** A person's file may be a document, or in the encoding of their spreadsheet. */
async function textIn(name: string, bytes: Uint8Array, language: Language): Promise<string> {
  const kind = documentKind(name)
  if (kind !== null) {
    const found = await readOfficeFile(Buffer.from(bytes), kind)
    return found.kind === 'none' ? sayInLanguage(language, 'documentUnread') : documentText(found)
  }
  return decodeFileText(bytes)?.text ?? Buffer.from(bytes).toString('utf8')
}

async function writeText(
  { bodies }: Pick<SkillRun, 'bodies'>,
  { name, body }: Attachment,
  characters: number,
  language: Language,
): Promise<string> {
  const held = documentKind(name) === null ? wholeOf(body) : null
  const whole = held ?? (await textIn(name, await bodies.bytes(body), language))
  const shown = beginningOf(whole, characters)
  const rest = whole.length - shown.length
  const tail = rest === 0 ? '' : `\n${sayInLanguage(language, 'textCut', { n: rest })}`
  return `<attachment name="${escapeAttribute(name)}" mime="${escapeAttribute(body.mime)}">\n${escapeTags(shown)}${tail}\n</attachment>`
}
