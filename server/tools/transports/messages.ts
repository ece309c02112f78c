/** Messages of servers, read leniently: what is not quite JSON-RPC, but can be understood, is made so. */
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  type JSONRPCMessage,
  LATEST_PROTOCOL_VERSION,
  ProtocolErrorCode,
  type RequestId,
} from '@modelcontextprotocol/client'
import { fieldsIn, isJsonObject, jsonValueOf } from '@/lib/json'
import { MOST_KEPT_NUMBERS, withNumbersKept } from '@/lib/jsonNumbers'
import type { Json } from '@/lib/mas/records'
import { DEEPEST_JSON, MOST_JSON_VALUES } from '@/server/shared/boundedJson'
import { ANSWER_BROKEN, DROPPED_FOR_SIZE, MESSAGE_LIMIT_BYTES, MOST_EVENT_LINES, sizeInWords } from '../limits'
import type { LineExcess } from './boundedLines'

type ReadMessage =
  | { kind: 'message'; message: JSONRPCMessage }
  /** An answer with an id that is not valid JSON-RPC: the waiting call fails at once. */
  | { kind: 'broken'; id: RequestId; why: string }
  | { kind: 'noise'; shown: string }

/** numbers: those of the answer that parsing would change, as written; given: the result of its server, without its `_meta`. */
export type Reading = { numbers: string[]; given: Json }

/** Where a result carries its reading. Servers have no say in it: what they write under `_meta` of a result is dropped. */
const READING_KEY = 'convene/reading'

/** Fits every result of every revision. The SDK would refuse a whole result of the stateless revision for one odd item in it. */
const SHELL = {
  resultType: 'complete',
  ttlMs: 0,
  cacheScope: 'private',
  ...{ content: [], contents: [], messages: [], tools: [], resources: [], resourceTemplates: [], prompts: [] },
}

const LONGEST_SHOWN = 120
const TOO_MANY_NUMBERS = `its answer holds more than ${MOST_KEPT_NUMBERS.toLocaleString('en')} numbers of more digits than are kept`

/**
 * Parses one text of a server: a line, a body, the data of an event.
 *
 * in      askedId: of the only request that the text can answer; null: it is known by the id in the text
 * out     its messages, several of a batch. Servers often print to stdout by mistake, so noise does not end the connection
 */
export function readMessages(text: string, askedId: RequestId | null = null): ReadMessage[] {
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
function messageIn(value: Json, numbers: string[] | null, askedId: RequestId | null): ReadMessage | null {
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

/** Our ids are numbers, which some servers give back as texts; the SDK's own requests have ids that are texts. */
function idIn(id: Json | undefined): RequestId | null {
  if (typeof id === 'number') return Number.isSafeInteger(id) ? id : null
  if (typeof id !== 'string') return null
  if (/^\d{1,15}$/.test(id)) return Number(id)
  return /^(?:server-discover-probe-|listen:)\d{1,15}$/.test(id) ? id : null
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
  return isJSONRPCRequest(message) || isJSONRPCNotification(message) ? { kind: 'message', message } : null
}

function resultIn(result: Json, numbers: string[]): { [key: string]: unknown } {
  const { _meta: _, resultType, ...fields } = fieldsIn(result)
  if (resultType === 'input_required') return { resultType, ...fields }
  if ('supportedVersions' in fields) return discoveredIn(fields)
  if ('protocolVersion' in fields || 'serverInfo' in fields) return welcomeIn(fields)
  const reading: Reading = { numbers, given: isJsonObject(result) ? fields : result }
  return { ...SHELL, ...(typeof resultType === 'string' ? { resultType } : {}), _meta: { [READING_KEY]: reading } }
}

/** The result as its server gave it, and what was found while its message was read. */
export function takenApart(result: unknown): { value: unknown; numbers: string[] } {
  const { _meta: meta, ...fields } = fieldsIn(result)
  const { numbers, ...rest } = fieldsIn(fieldsIn(meta)[READING_KEY])
  return { value: 'given' in rest ? rest.given : fields, numbers: Array.isArray(numbers) ? numbers.map(String) : [] }
}

const ABILITIES = ['tools', 'resources', 'prompts', 'logging', 'completions']

/** The answer to `initialize`: a server with one odd field in it is used all the same. */
function welcomeIn(fields: { [key: string]: Json }): { [key: string]: Json } {
  const { protocolVersion, serverInfo } = fields
  const { name, version } = fieldsIn(serverInfo)
  return {
    protocolVersion: typeof protocolVersion === 'string' ? protocolVersion : LATEST_PROTOCOL_VERSION,
    serverInfo: { name: typeof name === 'string' ? name : '', version: String(version ?? '') },
    ...offeredIn(fields),
  }
}

/** The answer to `server/discover`, read in the same way. */
function discoveredIn(fields: { [key: string]: Json }): { [key: string]: Json } {
  const supportedVersions = [fields.supportedVersions ?? []].flat().filter((one) => typeof one === 'string')
  return { resultType: 'complete', ttlMs: 0, cacheScope: 'private', supportedVersions, ...offeredIn(fields) }
}

function offeredIn({ capabilities, instructions }: { [key: string]: Json }): { [key: string]: Json } {
  const offered = Object.entries(fieldsIn(capabilities)).filter(
    ([name, value]) => ABILITIES.includes(name) && value !== null && value !== false,
  )
  const flags = (value: Json): { [key: string]: Json } =>
    fieldsIn(value).listChanged === true ? { listChanged: true } : {}
  return {
    capabilities: Object.fromEntries(offered.map(([ability, value]) => [ability, flags(value)])),
    ...(typeof instructions === 'string' ? { instructions } : {}),
  }
}

/** The code may be a text, the message missing, the whole error a text. */
function errorIn(id: RequestId, error: Json): JSONRPCMessage {
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
const NO_CODE = ProtocolErrorCode.InternalError
/** What these say happened on our side. */
const OUR_CODES: readonly number[] = [ANSWER_BROKEN, DROPPED_FOR_SIZE]

/** The error in place of an answer that exceeds the size limit. */
export function droppedForSize(id: RequestId, why: LineExcess): JSONRPCMessage {
  return errorAnswer(id, DROPPED_FOR_SIZE, `answered with ${EXCESS[why]}`)
}

const EXCESS = {
  size: `more than ${sizeInWords(MESSAGE_LIMIT_BYTES)}`,
  lines: `an event of more than ${MOST_EVENT_LINES.toLocaleString('en')} lines`,
  deep: `JSON nested deeper than ${DEEPEST_JSON} levels`,
  many: `JSON of more than ${MOST_JSON_VALUES.toLocaleString('en')} values`,
} satisfies Record<LineExcess, string>

/** The error in place of an answer that is unreadable or will not arrive. */
export function brokenAnswer(id: RequestId, why: string): JSONRPCMessage {
  return errorAnswer(id, ANSWER_BROKEN, why)
}

function errorAnswer(id: RequestId, code: number, message: string): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code, message } }
}
