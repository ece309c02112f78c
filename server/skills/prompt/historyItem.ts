import { fieldsIn, isJsonObject, jsonOrText } from '@/lib/json'
import { beginningOf, bodyOfResult, PREVIEW_CHARACTERS, wholeOf } from '@/lib/mas/bodies'
import { escapeTags, estimateTokens } from '@/lib/mas/formats'
import { asId, type MessageId } from '@/lib/mas/ids'
import type { BodyRef, Json, StepRecord, StepResult } from '@/lib/mas/records'
import { type HistoryMark, historyMarkOf } from '@/lib/mas/steps/history'
import { memo } from '@/lib/memo'
import { tag } from './section'
import { readToolResult } from './toolResult'

/** A text or its location: without a body the whole text, else its beginning. `tool`: a tool result, shown as content. */
type StoredText = {
  form: 'text' | 'tool'
  text: string
  body: { sha: string; bytes: number; mime: string } | null
}

export type HistoryItem = {
  /** Of its step in the task. */
  number: number
  state: HistoryMark
  type: StepRecord['type']
  executor: string
  intention: string
  text: string
  call: { key: 'tool_name' | 'resource_name' | 'prompt_name'; name: string; arguments: StoredText } | null
  result: { text: StoredText; made: Json } | null
  failure: string | null
  /** A person's decision about the call, unless simply allowed. */
  decided?: { kind: 'edited' | 'refused'; said: string }
  /** Its text is the reply to a message. */
  isReply?: true
  /** Messages that its step took in, answers or sent. */
  messages: readonly MessageId[]
}

export type ReadText = (ref: BodyRef) => Promise<string>

/** in a conversation: `stage`, if it is another than that of the step at hand; a call that an answer above wrote, with short arguments */
export type ItemPlace = { stage: string | null; hasCallAbove: boolean }
const ALONE: ItemPlace = { stage: null, hasCallAbove: false }

/** Skills that create what later steps name. */
const MAKERS: readonly string[] = ['task_manager', 'agent_manager']

/** One item per record, which never changes: 2.9 instead of 4.6 ms of CPU a step after 300 of them. */
export const toItem = memo((step: StepRecord): HistoryItem => {
  const state = historyMarkOf(step)
  const decided = decidedOf(step)
  return {
    number: step.number,
    state,
    type: step.type,
    executor: step.executor,
    intention: step.intention,
    text: isGoal(step) ? '' : step.text,
    call: step.type === 'tool' ? callOf(step) : null,
    result: step.result === null || isTakenIn(step) ? null : resultOf(step, step.result),
    failure: state === 'failed' ? (step.reason ?? '') : null,
    ...(decided === null ? {} : { decided }),
    ...(step.answers === null ? {} : { isReply: true }),
    messages: messagesOf(step),
  }
})

/** Without a call its result says nothing of the message. */
const isTakenIn = ({ executor, calls }: StepRecord): boolean => executor === 'process_message' && calls.length === 0

/** What the answer of a step does not say itself: what it made, what the system told it, why it failed. null: nothing */
export function beyondAnswer(step: StepRecord): HistoryItem | null {
  const item = toItem(step)
  const isTold = step.executor === 'ask_info'
  // How a stage or task ended is in the state of the task.
  const all = item.result?.made ?? null
  const made = fieldsIn(all).state === undefined ? all : null
  if (item.failure === null && made === null && !isTold) return null
  const text: StoredText = isTold && item.result ? item.result.text : { form: 'text', text: '', body: null }
  return { ...item, intention: '', text: '', result: item.failure !== null && made === null ? null : { text, made } }
}

function messagesOf({ executor, cause, answers, result }: StepRecord): MessageId[] {
  const taken = answers?.message ?? (executor === 'process_message' ? cause.message : null)
  const sent = fieldsIn(result?.made).message_id
  return [...(taken === null ? [] : [taken]), ...(typeof sent === 'string' ? [asId<MessageId>(sent)] : [])]
}

/** The text of a planning step is the goal of the part, which has a section of its own. */
const isGoal = ({ executor, stage }: StepRecord): boolean => executor === 'planning' && stage !== null

/** Stored beside the tool's result when the call ran or was refused. */
function decidedOf({ type, result, reason }: StepRecord): HistoryItem['decided'] | null {
  const made = fieldsIn(type === 'tool' ? result?.made : null)
  if (typeof made.note === 'string') return { kind: 'edited', said: made.note }
  return made.status === 'refused' ? { kind: 'refused', said: reason ?? '' } : null
}

function callOf(step: StepRecord): HistoryItem['call'] {
  if (step.instruction?.kind !== 'call') return null
  const { target, name } = step.instruction
  return { key: `${target}_name`, name, arguments: stored(step.instruction.arguments, 'text') }
}

function resultOf(step: StepRecord, result: StepResult): HistoryItem['result'] {
  // A reply may have made a task.
  const isMaker = MAKERS.includes(step.executor) || fieldsIn(result.made).task_id !== undefined
  const made = step.type === 'skill' && isMaker ? result.made : null
  const body = bodyOfResult(result)
  if (body === null) return { text: { form: 'text', text: result.text, body: null }, made }
  if (step.type !== 'tool') return { text: stored(body, 'text'), made }
  const beginning = step.state === 'failed' ? `isError: true\n${result.text}` : result.text
  // A large result with few words holds media; a prompt can show all of its words.
  const isWords = result.text.length < PREVIEW_CHARACTERS && body.bytes > LARGE_BYTES
  return { text: { ...stored(body, 'tool'), text: beginning, ...(isWords ? { body: null } : {}) }, made }
}

const LARGE_BYTES = 64 * 1024

/** A preview that holds the whole text makes reading unnecessary. */
function stored(ref: BodyRef, form: StoredText['form']): StoredText {
  const isWhole = form === 'text' && wholeOf(ref) !== null
  return { form, text: ref.preview, body: isWhole ? null : { sha: ref.sha, bytes: ref.bytes, mime: ref.mime } }
}

/** The texts of an item as shown, not escaped yet. */
type ReadItem = Omit<HistoryItem, 'text' | 'call' | 'result'> & {
  stage: string | null
  text: string
  call: string | null
  result: string | null
  /** Ids that the step created, behind its result. */
  made: string
  isCut: boolean
}

/** Characters of each text in a cut item, by default. */
export const CUT_CHARACTERS = PREVIEW_CHARACTERS

/**
 * in      the item; `cut`: most characters of each text, null: whole
 * out     its texts. Previews are made of the beginnings in the item: no body is read for them
 */
export async function readItem(
  item: HistoryItem,
  read: ReadText,
  cut: number | null,
  { stage, hasCallAbove }: ItemPlace = ALONE,
): Promise<ReadItem> {
  let isCut = false
  const show = (text: string, more: string | null): string => {
    if (cut === null || (text.length <= cut && more === null)) return text
    isCut = true
    const head = beginningOf(text, cut)
    return `${head} … [${more ?? `${head.length} of ${text.length} characters`}]`
  }
  const fetch = async (text: StoredText): Promise<{ text: string; more: string | null }> => {
    if (text.body === null) return { text: text.text, more: null }
    if (cut !== null && cut <= CUT_CHARACTERS)
      return { text: text.text, more: `the beginning of ${text.body.bytes} bytes` }
    const whole = await read({ ...text.body, preview: '' })
    return { text: text.form === 'tool' ? readToolResult(whole) : whole, more: null }
  }
  const { made = null } = item.result ?? {}
  const result = item.result && (await fetch(item.result.text))
  const args = item.call && (await fetch(item.call.arguments))
  const given = args && jsonOrText(args.text)
  const written = hasCallAbove && item.decided === undefined ? shortened(given) : given
  const call = item.call && args && { [item.call.key]: item.call.name, arguments: written }
  return {
    ...item,
    stage,
    text: show(item.text, null),
    call: call && show(JSON.stringify(call), args?.more ?? null),
    result: result && show(result.text, result.more),
    // Never cut: later steps need them.
    made: made === null ? '' : `\nmade: ${JSON.stringify(made)}`,
    isCut,
  }
}

/** A call's arguments with the beginnings of long texts: the answer that wrote them stands above. */
function shortened(value: Json): Json {
  if (typeof value === 'string') {
    const head = beginningOf(value, ARGUMENT_CHARACTERS)
    return head.length === value.length ? value : `${head} … [${value.length} characters]`
  }
  if (Array.isArray(value)) return value.map(shortened)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortened(inner)]))
}

const ARGUMENT_CHARACTERS = 120

/**
 * An item as it is shown, with foreign text escaped.
 *
 * out     its pieces. A long result is one of its own: as a rule the very text of the step's result, which is stored already
 */
export function writeItem(item: ReadItem): string[] {
  const { result, made, failure } = item
  const marks = [
    ...(item.stage === null ? [] : [` stage="${item.stage}"`]),
    ...(item.isReply ? [' answers="yes"'] : []),
    ...(item.isCut ? [' cut="yes"'] : []),
  ].join('')
  const before = [
    `<history_item n="${item.number}" state="${item.state}" type="${item.type}" executor="${executorOf(item)}"${marks}>`,
    ...(item.intention === '' ? [] : [tag('intention', escapeTags(item.intention))]),
    ...(item.text === '' || item.text === item.intention ? [] : [tag('text', escapeTags(item.text))]),
    ...(item.call === null ? [] : [tag('call', escapeTags(item.call))]),
    ...(item.decided === undefined ? [] : [writeDecided(item.decided)]),
  ]
  const after = [
    ...(failure === null || `${result ?? ''}${made}`.includes(failure) ? [] : [tag('failure', escapeTags(failure))]),
    '</history_item>',
  ]
  if (result === null) return [[...before, ...after].join('\n')]
  const opened = [...before, '<result>'].join('\n')
  const closed = [`${escapeTags(made)}</result>`, ...after].join('\n')
  const shown = escapeTags(result)
  return result.length > PREVIEW_CHARACTERS ? [opened, shown, closed] : [`${opened}${shown}${closed}`]
}

/** Never cut: a person's decision about one call applies to the next. */
const writeDecided = ({ kind, said }: NonNullable<HistoryItem['decided']>): string =>
  `<person_decided kind="${kind}">${escapeTags(said)}</person_decided>`

const executorOf = (item: ReadItem): string => item.executor.replace(/["<>&\s]/g, '_')

/** Estimated tokens of an item, before its bodies are read: whole, and cut. */
export const guessTokens = (item: HistoryItem): { whole: number; cut: number } => ({
  whole: guessed(item, null),
  cut: guessed(item, CUT_CHARACTERS),
})

function guessed(item: HistoryItem, cut: number | null): number {
  const size = (text: StoredText | undefined): number => text?.body?.bytes ?? text?.text.length ?? 0
  const limit = (length: number): number => (cut === null ? length : Math.min(length, cut + 40))
  const made = item.result === null || item.result.made === null ? 0 : JSON.stringify(item.result.made).length
  const stored = limit(size(item.call?.arguments)) + limit(size(item.result?.text)) + made
  const inline = cut === null ? item.text : item.text.slice(0, cut)
  const said = `${item.failure ?? ''}${item.decided?.said ?? ''}`
  return 40 + Math.ceil(stored / 4) + estimateTokens(`${item.intention}${inline}${said}`)
}
