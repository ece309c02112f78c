/** Messages of servers, read leniently: what is not quite JSON-RPC, but can be understood, is made so. */
import {
  ErrorCode,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  LATEST_PROTOCOL_VERSION,
} from '@modelcontextprotocol/sdk/types.js'
import { fieldsIn, isJsonObject, jsonValueOf } from '@/lib/json'
import { MOST_KEPT_NUMBERS, withNumbersKept } from '@/lib/jsonNumbers'
import type { Json } from '@/lib/mas/records'
import { DEEPEST_JSON, MOST_JSON_VALUES } from '@/server/shared/boundedJson'
import { ANSWER_BROKEN, DROPPED_FOR_SIZE, MESSAGE_LIMIT_BYTES, MOST_EVENT_LINES, sizeInWords } from '../limits'
import type { LineExcess } from './boundedLines'

type ReadMessage =
  | { kind: 'message'; message: JSONRPCMessage }
  /** An answer with an id that is not valid JSON-RPC: the waiting call fails at once. */
  | { kind: 'broken'; id: number; why: string }
  | { kind: 'noise'; shown: string }

/** numbers: those of the answer that parsing would change, as written; bare: a result that is no object. */
export type Reading = { numbers: string[]; bare?: Json }

/** Where a result carries its reading. Servers have no say in it: what they write under `_meta` of a result is dropped. */
const READING_KEY = 'convene/reading'

const LONGEST_SHOWN = 120
const TOO_MANY_NUMBERS = `its answer holds more than ${MOST_KEPT_NUMBERS.toLocaleString('en')} numbers of more digits than are kept`

/**
 * Parses one text of a server: a line, a body, the data of an event.
 *
 * in      askedId: of the only request that the text can answer; null: it is known by the id in the text
 * out     its messages, several of a batch. Servers often print to stdout by mistake, so noise does not end the connection
 */
export function readMessages(text: string, askedId: number | null = null): ReadMessage[] {
  const shown = text.trim().slice(0, LONGEST_SHOWN)
  const whole = withoutLead(text)
  const kept = withNumbersKept(whole)
  const value = jsonValueOf(kept?.text ?? whole)
  const readOne = (one: Json): ReadMessage => messageIn(one, kept?.kept ?? null, askedId) ?? { kind: 'noise', shown }
  return value === undefined ? [{ kind: 'noise', shown }] : Array.isArray(value) ? value.map(readOne) : [readOne(value)]
}

/** A byte order mark (which is a space here) and terminal codes may stand before a message. */
const withoutLead = (text: string): string => text.replace(/^(?:\s|\p{Cc}\[[0-9;?]*[A-Za-z])+/u, '')

/** in: numbers null: more of them would change than are kept. out: null: it is none */
function messageIn(value: Json, numbers: string[] | null, askedId: number | null): ReadMessage | null {
  if (!isJsonObject(value)) return null
  const { method, result, error } = value
  if (typeof method === 'string') return requestIn(value, method)
  const isAnswered = result !== undefined || (error !== undefined && error !== null)
  const id = idIn(value.id) ?? (isAnswered && (value.id === undefined || value.id === null) ? askedId : null)
  if (id === null) return null
  if (error !== undefined && error !== null) return { kind: 'message', message: errorIn(id, error) }
  if (result === undefined) return { kind: 'broken', id, why: 'its answer is not a JSON-RPC answer' }
  if (numbers === null) return { kind: 'broken', id, why: TOO_MANY_NUMBERS }
  return { kind: 'message', message: { jsonrpc: '2.0', id, result: resultIn(result, numbers) } }
}

/** Our ids are numbers; some servers give them back as texts. */
function idIn(id: Json | undefined): number | null {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? id : null
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : null
}

/** A request or a notification; a parameter that is null is one that is left out. */
function requestIn(value: { [key: string]: Json }, method: string): ReadMessage | null {
  const { id, params } = value
  const given = Object.entries(fieldsIn(params)).filter(([, one]) => one !== null)
  const message = {
    jsonrpc: '2.0',
    method,
    ...(id === undefined || id === null ? {} : { id }),
    ...(isJsonObject(params) ? { params: Object.fromEntries(given) } : {}),
  }
  const { data } = JSONRPCMessageSchema.safeParse(message)
  return data === undefined ? null : { kind: 'message', message: data }
}

function resultIn(result: Json, numbers: string[]): { [key: string]: unknown } {
  const isBare = !isJsonObject(result)
  const reading: Reading = { numbers, ...(isBare ? { bare: result } : {}) }
  const { _meta: _, ...fields } = fieldsIn(result)
  return {
    ...('protocolVersion' in fields || 'serverInfo' in fields ? welcomeIn(fields) : fields),
    ...(isBare || numbers.length > 0 ? { _meta: { [READING_KEY]: reading } } : {}),
  }
}

/** The result as its server gave it, and what was found while its message was read. */
export function takenApart(result: unknown): { value: unknown; numbers: string[] } {
  const { _meta: meta, ...value } = fieldsIn(result)
  const { numbers, ...rest } = fieldsIn(fieldsIn(meta)[READING_KEY])
  return { value: 'bare' in rest ? rest.bare : value, numbers: Array.isArray(numbers) ? numbers.map(String) : [] }
}

const ABILITIES = ['tools', 'resources', 'prompts', 'logging', 'completions']

/** The answer to `initialize`: a server with one odd field in it is used all the same. */
function welcomeIn(fields: { [key: string]: Json }): { [key: string]: Json } {
  const { protocolVersion, capabilities, serverInfo, instructions } = fields
  const offered = Object.entries(fieldsIn(capabilities)).filter(
    ([name, value]) => ABILITIES.includes(name) && value !== null && value !== false,
  )
  const { name, version } = fieldsIn(serverInfo)
  return {
    protocolVersion: typeof protocolVersion === 'string' ? protocolVersion : LATEST_PROTOCOL_VERSION,
    capabilities: Object.fromEntries(offered.map(([ability]) => [ability, {}])),
    serverInfo: { name: typeof name === 'string' ? name : '', version: String(version ?? '') },
    ...(typeof instructions === 'string' ? { instructions } : {}),
  }
}

/** The code may be a text, the message missing, the whole error a text. */
function errorIn(id: number, error: Json): JSONRPCMessage {
  const { code, message, data } = fieldsIn(error)
  const isCode = /^-?\d{1,9}$/.test(String(code))
  const said = isJsonObject(error) ? [message, data] : [error]
  const words = said.find((one) => one !== undefined && one !== null && one !== '')
  const told = words === undefined ? 'it gave no reason' : typeof words === 'string' ? words : JSON.stringify(words)
  return {
    jsonrpc: '2.0',
    id,
    error: {
      code: isCode && !OUR_CODES.includes(Number(code)) ? Number(code) : NO_CODE,
      message: isCode || code === undefined || code === null ? told : `${String(code)}: ${told}`,
      ...(data === undefined ? {} : { data }),
    },
  }
}

/** JSON-RPC: an internal error. */
const NO_CODE = ErrorCode.InternalError
/** What these say happened on our side; many servers use -32000 for any error of their own. */
const OUR_CODES: readonly number[] = [
  ErrorCode.ConnectionClosed,
  ErrorCode.RequestTimeout,
  ANSWER_BROKEN,
  DROPPED_FOR_SIZE,
]

/** The error in place of an answer that exceeds the size limit. */
export function droppedForSize(id: number, why: LineExcess): JSONRPCMessage {
  return errorAnswer(id, DROPPED_FOR_SIZE, `answered with ${EXCESS[why]}`)
}

const EXCESS = {
  size: `more than ${sizeInWords(MESSAGE_LIMIT_BYTES)}`,
  lines: `an event of more than ${MOST_EVENT_LINES.toLocaleString('en')} lines`,
  deep: `JSON nested deeper than ${DEEPEST_JSON} levels`,
  many: `JSON of more than ${MOST_JSON_VALUES.toLocaleString('en')} values`,
} satisfies Record<LineExcess, string>

/** The error in place of an answer that is unreadable or will not arrive. */
export function brokenAnswer(id: number, why: string): JSONRPCMessage {
  return errorAnswer(id, ANSWER_BROKEN, why)
}

function errorAnswer(id: number, code: number, message: string): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code, message } }
}
