/** References to texts of steps in the values of an answer, and hand-overs that would give their readers none of the text. */
import { isJsonObject } from '../../json'
import type { Json } from '../records'
import { ANSWER_TAGS, type AnswerTag } from './escape'
import { FORMAT_KEYS } from './shapes'
import { stripFence } from './tags'
import { readValue } from './values'

/** in: the number of a step. out: its text */
export type TextOfStep = (number: number) => string

/** The reference as it may be written. */
export const sayReference: TextOfStep = (number) => JSON.stringify({ from_step: `#${number}` })

const NUMBER = /^\s*(?:(?:history|item|step|number|no|n|步骤|条目|第)[\s_=:.]*){0,3}#?\s*(\d{1,9})\s*$/i
/** `from_step: #4`, `<from_step>#4</from_step>`: without the object around it. */
const BARE = /^\s*<?\s*from_?step\b\s*[>:：=]?\s*(.+?)\s*(?:<\/\s*from_?step\s*>\s*)?$/i
/** A longer text is no reference. */
const LONGEST_REFERENCE = 80
/** The arguments of a tool are an object of their own, whatever their keys are; some models write them as a text. */
const ARGUMENTS: readonly string[] = ['arguments', 'parameters']
const plain = (key: string): string => key.toLowerCase().replace(/[\s_-]/g, '')

/** The number of the step to which a value refers, if it is nothing but a reference, also as a text or in a code fence. */
export function referenceOf(value: Json): number | null {
  if (typeof value === 'string' && value.length <= LONGEST_REFERENCE) {
    const bare = NUMBER.exec(BARE.exec(value)?.[1] ?? '')?.[1]
    if (bare !== undefined) return Number(bare)
  }
  const held = typeof value === 'string' ? objectIn(value) : value
  if (!isJsonObject(held)) return null
  const [entry, other] = Object.entries(held)
  if (entry === undefined || other !== undefined || plain(entry[0]) !== 'fromstep') return null
  const number = NUMBER.exec(String(entry[1]))?.[1]
  return number === undefined ? null : Number(number)
}

function objectIn(text: string): Json {
  const inner = text.length > LONGEST_REFERENCE ? '' : stripFence(text)
  if (!inner.startsWith('{') || !/from/i.test(inner)) return null
  const read = readValue(inner, false, null)
  return read.ok ? read.value : null
}

/** The value with the text of its step in place of each reference, at any depth. A text that was put in is not read again. */
export function withReferred(value: Json, textOf: TextOfStep): Json {
  const number = referenceOf(value)
  if (number !== null) return textOf(number)
  if (Array.isArray(value)) return value.map((item) => withReferred(item, textOf))
  return isJsonObject(value) ? withReferredInside(value, textOf) : value
}

function withReferredInside(object: { [key: string]: Json }, textOf: TextOfStep): Json {
  const entries = Object.entries(object).map(([key, value]): [string, Json] => {
    if (!ARGUMENTS.includes(key)) return [key, withReferred(value, textOf)]
    if (isJsonObject(value)) return [key, withReferredInside(value, textOf)]
    const written = typeof value === 'string' && HELD_REFERENCE.test(value) ? readValue(value, false, null) : null
    return [key, written?.ok && isJsonObject(written.value) ? withReferredInside(written.value, textOf) : value]
  })
  return Object.fromEntries(entries)
}

const HELD_REFERENCE = /[{｛<]\s*\\?["'“‘]?from_?step\\?["'”’]?\s*[:：>]|\bfrom_step\b\W{0,4}\d/i
/** Texts that may be documents of any form: they may show a form as an example, but a line of them is no reference. */
const DOCUMENTS: readonly AnswerTag[] = ['result', 'think', 'quick_think']
const TAGS: readonly string[] = ANSWER_TAGS

export type Unreadable = { path: string; why: 'reference' | 'object' }

/**
 * The first text of an answer that would give its readers a form in place of words.
 *
 * in      an answer whose references were replaced; what stands for them must not be one
 * out     `reference`: a text holds a reference among other words; `object`: all of it is an object (or a list of objects) of an
 *         answer. Arguments of tools are not read: their schemas decide. null: none
 */
export function unreadableIn({ main, also, memory }: ReadParts): Unreadable | null {
  const isDocument = DOCUMENTS.includes(main.tag)
  return (
    find(main.value, main.tag, isDocument) ??
    find(also, 'also', isDocument) ??
    find(memory, 'persistent_memory' satisfies AnswerTag, isDocument)
  )
}

type ReadParts = { main: { tag: AnswerTag; value: unknown }; also: object; memory: readonly unknown[] }

function find(value: unknown, path: string, isDocument: boolean): Unreadable | null {
  if (typeof value === 'string') {
    if (HELD_REFERENCE.test(value) && (!isDocument || hasReferenceLine(value))) return { path, why: 'reference' }
    return isOwnObject(value, isDocument) ? { path, why: 'object' } : null
  }
  if (value === null || typeof value !== 'object') return null
  for (const [key, inner] of Object.entries(value)) {
    const found = ARGUMENTS.includes(key) ? null : find(inner, `${path}.${key}`, isDocument)
    if (found !== null) return found
  }
  return null
}

const hasReferenceLine = (text: string): boolean =>
  text
    .split('\n')
    .some((line) => line.length <= LONGEST_REFERENCE && referenceOf(line.replace(/^\s*[-*•>]\s+/, '')) !== null)

/** Whether a message's text is a reference, or an object of an answer: words for nobody. */
export const isForm = (text: string): boolean => referenceOf(text) !== null || isOwnObject(text, false)

/** Whether a text is nothing but an object of an answer: with a tag as a key, or with keys of our formats only. */
function isOwnObject(text: string, isDocument: boolean): boolean {
  if (!/^\s*(?:[`~]{3,}[^\n]*\n\s*)?[[{]/.test(text)) return false
  const read = readValue(text, false, null)
  if (!read.ok) return false
  const all: Json[] = Array.isArray(read.value) ? read.value : [read.value]
  const isOwn = (one: Json): boolean => {
    const keys = isJsonObject(one) ? Object.keys(one) : []
    const [only] = keys
    if (isDocument) return keys.length === 1 && only !== undefined && TAGS.includes(only)
    return keys.length > 0 && keys.every((key) => TAGS.includes(key) || FORMAT_KEYS.has(key))
  }
  return all.length > 0 && all.every(isOwn)
}
