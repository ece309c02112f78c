/** The interface of every language model. */
import type { ModelCall } from '@/lib/mas/records'
import type { KeyRef } from '@/lib/mas/setupRecords'
import type { RefusedPart } from './response/limits'

export type MediaKind = 'image' | 'audio'
/** A picture or a sound beside a turn's text. */
export type Media = {
  kind: MediaKind
  mime: string
  base64: string
  /** Resolution of a picture: low costs few tokens. Absent: the server's default. */
  detail?: 'low' | 'high' | 'auto'
}

export type Turn = { role: 'system' | 'user' | 'assistant'; content: string; media?: readonly Media[] }

export type ModelUsage = Pick<
  ModelCall,
  'promptTokens' | 'completionTokens' | 'cachedTokens' | 'reasoningTokens' | 'estimated' | 'costUsd'
>

/** Text pieces, then exactly one end piece. */
export type ModelPiece =
  | { type: 'text'; text: string }
  | {
      type: 'end'
      usage: ModelUsage
      modelVersion: string
      /** The server's fingerprint of its configuration, where it gives one. */
      fingerprint?: string
      finish: 'stop' | 'length'
      /** The answer was requested as one object whose keys are the tags. */
      isObject?: true
      /** Reasoning that the server gave apart from the text. It is never sent back. */
      reasoning?: string
    }

export type ObjectAnswer = {
  name: string
  schema: Record<string, unknown>
  /** The schema allows exact enforcement: every key is required, and no key is free. */
  isStrict: boolean
  /** Added to the last turn when the object is requested. */
  says: string
}

export type ModelCallOptions = {
  signal: AbortSignal
  /** The object to request, if the model supports it. */
  answer?: ObjectAnswer
  /** Who makes the call; recordings are matched by it. */
  about?: { agent: string; skill: string; step?: string }
  /** Called with its place in the endpoint's queue, from 1, while it waits there: at once, and when the place changes. */
  onPlace?: (place: number) => void
  /** Called when the request is sent, after its wait in the endpoint's queue. */
  onStart?: () => void
}

export interface Model {
  /** The configured name: the key in `models`. */
  readonly name: string
  readonly provider: string
  readonly contextTokens: number
  /** Input kinds beside text; absent: text only. */
  readonly accepts?: readonly MediaKind[]
  /** Throws ModelError when the stream breaks; an answer without an end piece is incomplete and must not be used. */
  call(turns: Turn[], options: ModelCallOptions): AsyncIterable<ModelPiece>
}

export type ModelErrorCode =
  | 'MODEL_UNREACHABLE'
  | 'MODEL_REFUSED'
  | 'MODEL_RATE_LIMITED'
  | 'MODEL_TIME_LIMIT'
  | 'MODEL_CUT'
  | 'MODEL_ABORTED'
  | 'MODEL_PROMPT'

/** What is wrong, by what a person can do about it. The sentences are in messages/reports.en.ts. */
export type ModelTrouble =
  | 'hostUnknown'
  | 'connectionRefused'
  | 'connectionBroke'
  | 'certificate'
  | 'privateAddress'
  | 'noKey'
  | 'keyRefused'
  | 'modelUnknown'
  | 'addressWrong'
  | 'requestRefused'
  | 'promptTooLong'
  | 'filtered'
  | 'outOfCredit'
  | 'tooMany'
  | 'serverBroken'
  | 'timeLimit'
  | 'wrongFormat'
  | 'cut'
  | 'neverEnds'

type ModelErrorDetails = {
  trouble?: ModelTrouble
  status?: number
  /** The server's own sentence, without secrets. */
  said?: string
  /** What the server cannot, if its sentence says it. */
  refused?: RefusedPart
  /** Cost of a call although it gave no usable answer. */
  usage?: ModelUsage
  /** Reasoning that arrived before the fault. */
  reasoning?: string
}

/** A call without a usable answer. `again`: a repeat may succeed. */
export class ModelError extends Error {
  constructor(
    readonly code: ModelErrorCode,
    message: string,
    readonly again: boolean,
    readonly retryAfterMs: number | null = null,
    readonly details: ModelErrorDetails = {},
  ) {
    super(message)
  }
}

/** The fault of a call that our side aborted. */
export const stopped = (): ModelError => new ModelError('MODEL_ABORTED', 'the call was stopped', false)

export interface Models {
  /** The model of that configured name; throws ModelError MODEL_REFUSED when there is none. */
  get(name: string): Model
}

/** The value of a key for that address; undefined: there is none. */
export type SecretOf = (key: KeyRef, address: string) => string | undefined
/** Of keys in variables alone. */
export const ofVariables =
  (variable: (name: string) => string | undefined): SecretOf =>
  (key) =>
    'env' in key ? variable(key.env) : undefined
