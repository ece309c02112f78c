/** The port that every language model stands behind, real or not. */
import type { ModelCall } from '@/lib/mas/records'

export type MediaKind = 'image' | 'audio'
/** A picture or a sound beside a turn's text. */
export type Media = {
  kind: MediaKind
  mime: string
  base64: string
  /** How closely a picture is looked at: low takes few tokens. Absent: as the server likes. */
  detail?: 'low' | 'high' | 'auto'
}

export type Turn = { role: 'system' | 'user' | 'assistant'; content: string; media?: readonly Media[] }

export type ModelUsage = Pick<
  ModelCall,
  'promptTokens' | 'completionTokens' | 'cachedTokens' | 'reasoningTokens' | 'estimated' | 'costUsd'
>

/** Pieces of text as they come, then exactly one end. */
export type ModelPiece =
  | { type: 'text'; text: string }
  | {
      type: 'end'
      usage: ModelUsage
      modelVersion: string
      /** What its server calls its configuration, where it says so. */
      fingerprint?: string
      finish: 'stop' | 'length'
      /** It was asked for as one object whose keys are the tags. */
      isObject?: true
      /** What the server gave as the model's reasoning, apart from the text. It is never sent again. */
      reasoning?: string
    }

export type ObjectAnswer = {
  name: string
  schema: Record<string, unknown>
  /** The schema is of the kind that servers hold answers to exactly: no key may be missing, none may be free. */
  isStrict: boolean
  /** Stands behind the last turn where the object is asked for. */
  says: string
}

export type ModelCallOptions = {
  signal: AbortSignal
  /** Ask for this object, if the model can be asked for one. */
  answer?: ObjectAnswer
  /** Whose call it is: a recording is played back by it. */
  about?: { agent: string; skill: string; step?: string }
  /** Called when the call leaves, after its wait for a place among the calls of its endpoint. */
  onStart?: () => void
}

export interface Model {
  /** As configured: the key in `models`. */
  readonly name: string
  readonly provider: string
  readonly contextTokens: number
  /** What it takes beside text; absent: text only. */
  readonly accepts?: readonly MediaKind[]
  /** A stream that breaks throws ModelError; an answer without its end piece is cut and never taken. */
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

/** What is wrong, as far as a person can fix it. The sentences are in messages/reports.en.ts. */
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
  | 'outOfCredit'
  | 'tooMany'
  | 'serverBroken'
  | 'timeLimit'
  | 'wrongFormat'
  | 'cut'

type ModelErrorDetails = {
  trouble?: ModelTrouble
  /** The HTTP status that the server answered. */
  status?: number
  /** What the call has cost although it gave nothing to take. */
  usage?: ModelUsage
  /** The reasoning that had come. */
  reasoning?: string
}

/** A call that gave nothing to take. `again`: a repeat can help. */
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

/** The one fault of a call that was stopped from our side. */
export const stopped = (): ModelError => new ModelError('MODEL_ABORTED', 'the call was stopped', false)

export interface Models {
  /** The model of that configured name; throws ModelError MODEL_REFUSED when there is none. */
  get(name: string): Model
}

/** How the names of keys begin that were typed into the page and are in no variable. */
export const STORED_KEY = 'stored:'
