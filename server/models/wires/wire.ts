/** What a way to speak to a model server must do; above it nothing knows the format of a server. */
import { exactJsonOf, fieldsIn, isJsonObject, type JsonObject } from '@/lib/json'
import { changedNumberIn } from '@/lib/jsonNumbers'
import type { ClientSettings } from '../client'
import {
  type FunctionCall,
  type FunctionTool,
  ModelError,
  type ObjectAnswer,
  type ProviderPart,
  type ToolChoice,
  type Turn,
} from '../model'
import type { Ending, Feature, ServerError } from '../response'
import type { Counted } from '../usage'

export type Question = {
  turns: readonly Turn[]
  settings: ClientSettings
  /** Token limit of the answer; null: the server's own. */
  maxTokens: number | null
  /** What the server does not support. */
  without: ReadonlySet<Feature>
  answer: ObjectAnswer | null
  functions: readonly FunctionTool[]
  choice: ToolChoice
}

/** What one piece of an answer holds, in no format. */
export type StreamFrame = {
  text?: string
  /** Reasoning text that the server sends apart from the answer. */
  reasoning?: string
  /** A piece of the model's refusal, in place of an answer. */
  refusal?: string
  /** Part of a call as the model writes it: the function's name, then pieces of its arguments. */
  calling?: string
  /** A call to its end, or as far as it came. */
  call?: FunctionCall
  ending?: Ending
  /** Nothing follows it. */
  isWhole?: true
  counted?: Partial<Counted>
  version?: string
  fingerprint?: string
  /** The whole answer in the provider's parts, if one of them must come back. */
  parts?: readonly ProviderPart[]
}

/** What the server reports instead of an answer, or in it. It is put into words when all that came before it has been taken. */
export class ReportedError extends Error {
  constructor(readonly report: ServerError) {
    super(report.sentence)
  }
}

/** A JSON object of the answer, and its text. */
export type Piece = { value: Record<string, unknown>; text: string }

export type WireRequest = { path: string; query?: URLSearchParams; headers?: Record<string, string>; body: string }
/** Sends the request once; the pieces of its answer in their order. Throws ModelError, and ReportedError. */
export type Send = (request: WireRequest) => AsyncGenerator<Piece>

export interface Wire {
  /** in: the API key; null: none */
  headers(key: string | null): Record<string, string>
  /** Whether a JSON object that reports no error is a piece of an answer in this format. */
  isPiece(value: Record<string, unknown>): boolean
  ask(question: Question, send: Send): AsyncIterable<StreamFrame>
  /** The path and query that list the server's models, and their names in the answer. */
  readonly list: { path: string; names(value: unknown): string[] }
}

/** The header in which most servers take a key. */
export const bearer = (key: string | null): Record<string, string> =>
  key === null ? {} : { authorization: `Bearer ${key}` }

/**
 * The arguments of a call as text; those that a server gives as a value are written again.
 *
 * in      the text of the piece, in which their numbers are as the model wrote them
 * faults  MODEL_REFUSED, to be asked again: a number in them would become another one
 */
export function argumentsText(args: unknown, piece: string, name: string): string {
  if (typeof args === 'string') return args
  const at = changedNumberIn(piece)
  if (at === null) return JSON.stringify(args ?? {})
  const number = /^-?[\d.eE+-]{1,40}/.exec(piece.slice(at))?.[0] ?? ''
  const message = `the model calls ${name.slice(0, 100)} with ${number}: this number has more digits than are kept`
  throw new ModelError('MODEL_REFUSED', message, true, null, { trouble: 'requestRefused' })
}

/** The arguments of a call for a server that takes an object: a text that is none, or whose numbers would change, is kept in one. */
export function argumentsObject(text: string): JsonObject {
  const value = exactJsonOf(text)
  return isJsonObject(value) ? value : { arguments: text }
}

/** The names in a list of models as OpenAI, Anthropic and most other servers write it. */
export function namesInData(value: unknown): string[] {
  const { data } = fieldsIn(value)
  const all = Array.isArray(data) ? data.map((one) => fieldsIn(one).id) : []
  return all.filter((id): id is string => typeof id === 'string' && id !== '')
}
