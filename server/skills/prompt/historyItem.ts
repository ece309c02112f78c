/**
 * One step as a history shows it.
 *
 * Owns: what is kept of a step for prompts (its large texts by reference), and how an item is written out, whole or cut.
 * Not here: which steps are shown (lib/mas/selectors/history), how items are stored (historyChain.ts).
 */

import { escapeTags, estimateTokens } from '@/lib/mas/formats'
import type { BodyRef, Json, StepRecord, StepResult } from '@/lib/mas/records'
import type { HistoryStep } from '@/lib/mas/selectors/history'
import { tag } from './section'
import { readToolResult } from './toolResult'

/** A text, or where it is. `tool`: the stored whole result of a tool, shown as its contents. */
export type StoredText = {
  form: 'text' | 'tool'
  text: string | null
  body: { sha: string; bytes: number; mime: string } | null
}

export type HistoryItem = {
  state: HistoryStep['mark']
  type: StepRecord['type']
  executor: string
  intention: string
  text: string
  call: { key: 'tool_name' | 'resource_name' | 'prompt_name'; name: string; arguments: StoredText } | null
  result: { text: StoredText; made: Json } | null
  failure: string | null
}

export type ReadText = (ref: BodyRef) => Promise<string>

/** Skills whose effects make ids that later steps use. */
const MAKERS: readonly string[] = ['task_manager', 'agent_manager', 'ask_info', 'send_message']

export function toItem({ step, mark }: HistoryStep): HistoryItem {
  return {
    state: mark,
    type: step.type,
    executor: step.executor,
    intention: step.intention,
    text: step.text,
    call: step.type === 'tool' ? callOf(step) : null,
    result: step.result === null ? null : resultOf(step, step.result),
    failure: mark === 'failed' ? (step.reason ?? '') : null,
  }
}

function callOf(step: StepRecord): HistoryItem['call'] {
  if (step.instruction?.kind !== 'call') return null
  const { target, name } = step.instruction
  return { key: `${target}_name`, name, arguments: stored(step.instruction.arguments, 'text') }
}

function resultOf(step: StepRecord, result: StepResult): HistoryItem['result'] {
  const form = step.type === 'tool' ? 'tool' : 'text'
  const text: StoredText = result.body === null ? { form, text: result.text, body: null } : stored(result.body, form)
  return { text, made: MAKERS.includes(step.executor) ? result.made : null }
}

/** What a preview holds whole needs no second reading. */
function stored(ref: BodyRef, form: StoredText['form']): StoredText {
  const isWhole = new TextEncoder().encode(ref.preview).length === ref.bytes
  if (isWhole) return { form, text: ref.preview, body: null }
  return { form, text: null, body: { sha: ref.sha, bytes: ref.bytes, mime: ref.mime } }
}

/** An item with its texts in hand. */
export type ReadItem = Omit<HistoryItem, 'call' | 'result'> & { call: string | null; result: string | null }

/** Fetch an item's texts and bring them into the form that is shown. Nothing is escaped yet. */
export async function readItem(item: HistoryItem, read: ReadText): Promise<ReadItem> {
  const call = item.call && {
    [item.call.key]: item.call.name,
    arguments: asJson(await fetchText(item.call.arguments, read)),
  }
  const made = item.result !== null && item.result.made !== null ? `made: ${JSON.stringify(item.result.made)}` : null
  const result = item.result && [await fetchText(item.result.text, read), made].filter((part) => part !== null)
  return { ...item, call: call && JSON.stringify(call), result: result?.join('\n') ?? null }
}

async function fetchText(text: StoredText, read: ReadText): Promise<string> {
  const whole = text.body === null ? (text.text ?? '') : await read({ ...text.body, preview: '' })
  return text.form === 'tool' ? readToolResult(whole) : whole
}

function asJson(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** How many characters of each text a cut item shows, unless told otherwise. */
export const CUT_CHARACTERS = 400

/**
 * Write an item out.
 *
 * in      the item with its texts; its number; `cut`: the characters that each of its texts may have, null for whole
 * out     <history_item …>…</history_item>, foreign text escaped
 */
export function writeItem(item: ReadItem, number: number, cut: number | null): string {
  const show = (text: string): string => escapeTags(cut === null ? text : shorten(text, cut))
  const isCut = cut !== null && [item.text, item.call, item.result].some((text) => (text?.length ?? 0) > cut)
  return [
    `<history_item n="${number}" state="${item.state}" type="${item.type}" executor="${executorOf(item)}" cut="${isCut ? 'yes' : 'no'}">`,
    tag('intention', escapeTags(item.intention)),
    tag('text', show(item.text)),
    ...(item.call === null ? [] : [tag('call', show(item.call))]),
    ...(item.result === null ? [] : [tag('result', show(item.result))]),
    ...(item.failure === null ? [] : [tag('failure', escapeTags(item.failure))]),
    '</history_item>',
  ].join('\n')
}

const executorOf = (item: ReadItem): string => item.executor.replace(/["<>&\s]/g, '_')

/** The first characters, and how many there are; never half a surrogate pair. */
export function shorten(text: string, characters: number): string {
  if (text.length <= characters) return text
  const head = text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '')
  return `${head} … [${head.length} of ${text.length} characters]`
}

/** A guess at an item's tokens before its bodies are read. */
export function guessTokens(item: HistoryItem, cut: number | null): number {
  const size = (text: StoredText | undefined): number => text?.body?.bytes ?? text?.text?.length ?? 0
  const limit = (length: number): number => (cut === null ? length : Math.min(length, cut))
  const made = item.result === null || item.result.made === null ? 0 : JSON.stringify(item.result.made).length
  const stored = limit(size(item.call?.arguments)) + limit(size(item.result?.text)) + made
  const inline = cut === null ? item.text : item.text.slice(0, cut)
  return 40 + Math.ceil(stored / 4) + estimateTokens(`${item.intention}${inline}${item.failure ?? ''}`)
}
