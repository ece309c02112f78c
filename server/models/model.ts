/**
 * The port that every language model stands behind, real or not.
 *
 * Owns: turns, the stream of a call, its faults. Not here: the clients (one file each), what a prompt says (server/skills).
 */

export type Turn = { role: 'system' | 'user' | 'assistant'; content: string }

export type ModelUsage = {
  promptTokens: number | null
  completionTokens: number | null
  estimated: boolean
  costUsd: number | null
}

/** Pieces of text as they come, then exactly one end. */
export type ModelPiece =
  | { type: 'text'; text: string }
  | { type: 'end'; usage: ModelUsage; modelVersion: string; finish: 'stop' | 'length' }

export interface Model {
  /** As configured: the key in `models`. */
  readonly name: string
  readonly provider: string
  readonly contextTokens: number
  /** A stream that breaks throws ModelError; an answer without its end piece is cut and never taken. */
  call(turns: Turn[], options: { signal: AbortSignal }): AsyncIterable<ModelPiece>
}

export type ModelErrorCode =
  | 'MODEL_UNREACHABLE'
  | 'MODEL_REFUSED'
  | 'MODEL_RATE_LIMITED'
  | 'MODEL_TIME_LIMIT'
  | 'MODEL_CUT'
  | 'MODEL_ABORTED'
  | 'MODEL_PROMPT'

/** A call that gave nothing to take. `again`: a repeat can help. */
export class ModelError extends Error {
  constructor(
    readonly code: ModelErrorCode,
    message: string,
    readonly again: boolean,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message)
  }
}

export interface Models {
  /** The model of that configured name; throws ModelError MODEL_REFUSED when there is none. */
  get(name: string): Model
}
