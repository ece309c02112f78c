import { type JSONRPCMessage, JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js'
import { fieldsIn, jsonValueOf } from '@/lib/json'
import { DEEPEST_JSON, MOST_JSON_VALUES } from '@/server/shared/boundedJson'
import { ANSWER_BROKEN, DROPPED_FOR_SIZE, MESSAGE_LIMIT_BYTES, MOST_EVENT_LINES, sizeInWords } from '../limits'
import type { LineExcess } from './boundedLines'

type ReadMessage =
  | { kind: 'message'; message: JSONRPCMessage }
  /** An answer with an id that is not valid JSON-RPC: the waiting call fails at once. */
  | { kind: 'broken'; id: number; why: string }
  | { kind: 'noise'; shown: string }

const LONGEST_SHOWN = 120

/** Parses one line of output. Servers often print to stdout by mistake, so noise does not end the connection. */
export function readMessage(line: string): ReadMessage {
  const value = jsonValueOf(line)
  const parsed = JSONRPCMessageSchema.safeParse(value)
  if (parsed.success) return { kind: 'message', message: parsed.data }
  const { id, method } = fieldsIn(value)
  return typeof id === 'number' && method === undefined
    ? { kind: 'broken', id, why: 'its answer is not a JSON-RPC answer' }
    : { kind: 'noise', shown: line.trim().slice(0, LONGEST_SHOWN) }
}

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
