/** The error that a model server reports, in whatever place and shape it reports it. Pure: reads texts and JSON values. */
import { oneLine } from '@/lib/format/plainText'
import { fieldsIn, isJsonObject, jsonValueOf } from '@/lib/json'

export type ServerError = {
  /** The server's own sentences, on one line, at most 2,000 characters, as received: they may hold a key. '': it gave none */
  sentence: string
  /** The HTTP status that the text names; null: none. */
  status: number | null
  /** Its types and codes, in lower case. */
  codes: readonly string[]
  /** Fields beside the sentence that name a number or a time, by their names in lower case. */
  fields: ReadonlyMap<string, string | number>
}

export const NO_ERROR_TEXT: ServerError = { sentence: '', status: null, codes: [], fields: new Map() }

const MESSAGE_KEYS = [
  'message',
  'msg',
  'error_message',
  'errormessage',
  'error_msg',
  'errmsg',
  'status_msg',
  'error_description',
  'description',
  'detail',
  'title',
  'faultstring',
]
const CODE_KEYS = [
  'code',
  'type',
  'status',
  'status_code',
  'statuscode',
  'error_code',
  'errorcode',
  'error_type',
  'errortype',
  'reason',
  '__type',
]
/** Where a further report may lie. `raw`: the report of the server behind the server. */
const INNER_KEYS = [
  'error',
  'fault',
  'errors',
  'message',
  'detail',
  'details',
  'metadata',
  'raw',
  'innererror',
  'inner_error',
  'base_resp',
  'response',
  'data',
  'body',
  'headers',
]
/** A type that says nothing. */
const NO_CODES = ['', 'error', 'none', 'null', 'unknown', '0', '200']

const DEEPEST = 8
const MOST_VALUES = 200
const MOST_SENTENCES = 3
const MOST_CODES = 20
/** Characters of a sentence that are read: a hostile one must not keep the expressions below busy. */
const SENTENCE_LENGTH = 2_000

/** Whether a JSON value of an answer reports an error. */
export function isErrorReport(value: unknown): boolean {
  if (Array.isArray(value)) return isErrorReport(value[0])
  if (!isJsonObject(value)) return false
  const isAnswer = 'choices' in value
  const fields = isAnswer ? value : Object.fromEntries(lowered(value))
  if (isFilled(fields.error) || isFilled(fields.errors) || isFilled(fields.fault)) return true
  if (fields.object === 'error' || fields.type === 'error' || fields.success === false) return true
  const base = fieldsIn(fields.base_resp).status_code
  if (typeof base === 'number' && base !== 0) return true
  if (isFilled(fields.error_msg) || isFilled(fields.error_message) || isFilled(fields.error_code)) return true
  // Without an answer beside them these are the report itself; Ollama's own `message` is an object.
  return !isAnswer && (isFilled(fields.detail) || typeof fields.message === 'string')
}

/** Servers write the names of fields with and without capitals. */
const lowered = (object: Record<string, unknown>): Map<string, unknown> =>
  new Map(Object.entries(object).map(([key, value]) => [key.toLowerCase(), value]))

function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (isJsonObject(value)) return Object.keys(value).length > 0
  return value !== undefined && value !== null && value !== false && value !== '' && value !== 0
}

/** The report in a text: JSON, several lines of it, a page, or plain words. */
export function errorInText(text: string): ServerError {
  const trimmed = text.trim()
  // A refusal may have the form of the stream that was asked for.
  const isStream = /^(?:event|id|data):/.test(trimmed)
  const said = isStream ? (/^data: ?(.*)$/m.exec(trimmed)?.[1] ?? trimmed) : trimmed
  const value = jsonValueOf(said)
  return value === undefined ? { ...NO_ERROR_TEXT, sentence: shortLine(said) } : errorIn(value)
}

/** The report in a JSON value of any shape. */
export function errorIn(value: unknown): ServerError {
  const found: Found = { sentences: [], status: null, codes: [], fields: new Map(), left: MOST_VALUES }
  look(value, found, 0)
  const distinct = found.sentences
    .filter((one, at, all) => one !== '' && !all.some((other, n) => n !== at && includes(other, one, n < at)))
    .slice(0, MOST_SENTENCES)
  const said = distinct.length > 0 ? distinct : found.codes.length > 0 ? found.codes.slice(0, 1) : [asText(value)]
  return {
    sentence: said.join(': ').slice(0, SENTENCE_LENGTH),
    status: found.status,
    codes: found.codes.map((code) => code.toLowerCase()),
    fields: found.fields,
  }
}

/** Of two equal sentences the first stays; of two that overlap the longer. */
const includes = (other: string, one: string, isBefore: boolean): boolean =>
  other === one ? isBefore : other.includes(one)

/** A text, or the words of a page, on one line. */
const shortLine = (text: string): string =>
  oneLine((/^\s*<[!a-z?]/i.test(text) ? pageWords(text) : text).slice(0, SENTENCE_LENGTH))

const asText = (value: unknown): string => (isFilled(value) && value !== true ? (JSON.stringify(value) ?? '') : '')

type Found = {
  sentences: string[]
  status: number | null
  codes: string[]
  fields: Map<string, string | number>
  left: number
}

function look(value: unknown, found: Found, depth: number): void {
  found.left -= 1
  if (depth > DEEPEST || found.left < 0) return
  if (typeof value === 'string') {
    const inner = /^\s*[[{]/.test(value) ? jsonValueOf(value) : undefined
    if (inner !== undefined) look(inner, found, depth + 1)
    else found.sentences.push(shortLine(value))
  } else if (Array.isArray(value)) {
    for (const one of value.slice(0, 5)) look(one, found, depth + 1)
  } else if (isJsonObject(value)) {
    lookInObject(value, found, depth)
  }
}

function lookInObject(object: Record<string, unknown>, found: Found, depth: number): void {
  const fields = lowered(object)
  for (const [key, value] of fields) {
    if (typeof value !== 'string' && typeof value !== 'number') continue
    if (CODE_KEYS.includes(key)) takeCode(value, found)
    if (!found.fields.has(key)) found.fields.set(key, value)
  }
  const where = placeOf(fields.get('loc'))
  for (const key of MESSAGE_KEYS) {
    const value = fields.get(key)
    if (typeof value === 'string') look(where === '' ? value : `${where}: ${value}`, found, depth + 1)
  }
  for (const key of INNER_KEYS) {
    const value = fields.get(key)
    if (MESSAGE_KEYS.includes(key) ? typeof value !== 'string' : value !== undefined) look(value, found, depth + 1)
  }
}

function takeCode(value: string | number, found: Found): void {
  const code = String(value).trim()
  const number = /^\d{3}$/.test(code) ? Number(code) : 0
  if (number >= 400 && number < 600) found.status ??= number
  else if (!NO_CODES.includes(code.toLowerCase()) && code.length <= 100 && found.codes.length < MOST_CODES)
    found.codes.push(code)
}

/** Where a wrong field is, as FastAPI says it: ["body", "messages", 0]. */
const placeOf = (loc: unknown): string => (Array.isArray(loc) ? loc.slice(0, 6).map(String).join('.') : '')

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" }

/** Characters of a page that are read; it may be hostile, so each expression below is bounded. */
const PAGE_LENGTH = 16_384

/** The title of an HTML page and its first heading, else its words. */
function pageWords(whole: string): string {
  const page = whole.slice(0, PAGE_LENGTH)
  const text = (html: string): string =>
    html.replace(/<[^>]{0,500}>/g, ' ').replace(/&(\w+|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
  const part = (tag: string): string =>
    oneLine(text(new RegExp(`<${tag}\\b[^>]{0,200}>([\\s\\S]{0,500}?)</${tag}>`, 'i').exec(page)?.[1] ?? ''))
  const [title, heading] = [part('title'), part('h1')]
  const named = title === heading || heading === '' ? title : title === '' ? heading : `${title}: ${heading}`
  return named !== '' ? named : text(page.replace(/<(style|script|head)\b[\s\S]{0,8000}?<\/\1>/gi, ' '))
}
