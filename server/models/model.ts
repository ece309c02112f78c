/** The interface of every language model. */
import type { JsonObject } from '@/lib/json'
import type { ModelCall } from '@/lib/mas/records'
import type { KeyRef } from '@/lib/mas/setup/setupRecords'
import type { FailureCause } from '@/lib/mas/steps/failureCause'
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

/** A call of a function that the model wrote. */
export type FunctionCall = {
  /** Made by the server, or by us where it makes none: the result names it. */
  id: string
  name: string
  /** JSON as the model wrote it. It may be no object: the caller parses it exactly and says what is wrong. */
  arguments: string
}

/**
 * An answer in the parts of its provider, in their order, where one of them must come back as it was: signed or encrypted
 * reasoning, a signed call. JSON; callers keep it and look at nothing in it.
 */
export type ProviderParts = {
  provider: string
  model: string
  parts: readonly ProviderPart[]
}
export type ProviderPart =
  | { type: 'text' | 'reasoning'; text: string; metadata?: JsonObject }
  | ({ type: 'call'; metadata?: JsonObject } & FunctionCall)

/**
 * One turn of a conversation. System turns come first. Each call of an assistant's turn is answered by a turn of the tool
 * before anything else follows.
 */
export type Turn = {
  content: string
  /** Of a turn of the user. */
  media?: readonly Media[]
  /** The prompt up to this turn stays the same in later calls. Servers that must be told so (Anthropic) cache it. */
  endsPrefix?: true
} & (
  | { role: 'system' | 'user' }
  | {
      role: 'assistant'
      calls?: readonly FunctionCall[]
      /** Of the end piece; for turns of the step at hand only: other steps are sent without their reasoning. */
      providerParts?: ProviderParts
    }
  /** The result of a call. isError: the function failed, and the content says why. */
  | { role: 'tool'; call: string; name: string; isError?: true }
)

/** A turn that holds text alone, as prompts with tags have them. */
export type TextTurn = Pick<Turn, 'content' | 'media' | 'endsPrefix'> & { role: 'system' | 'user' | 'assistant' }

/** A function that the model may call. schema: of its arguments, an object */
export type FunctionTool = { name: string; description: string; schema: JsonObject }
/** auto: the model chooses; required: it calls one of them; { name }: that one. Where a server refuses to be forced: auto. */
export type ToolChoice = 'auto' | 'none' | 'required' | { name: string }

export type ModelUsage = Pick<
  ModelCall,
  'promptTokens' | 'completionTokens' | 'cachedTokens' | 'reasoningTokens' | 'estimated' | 'costUsd'
> & {
  /** Part of promptTokens: written to the server's cache by this call. */
  cacheWrittenTokens?: number | null
}

/** Pieces of text, and of calls as they are written, then exactly one end piece. */
export type ModelPiece =
  | { type: 'text'; text: string }
  /** For those who look on: the calls themselves are in the end piece. */
  | { type: 'calling'; text: string }
  | {
      type: 'end'
      usage: ModelUsage
      modelVersion: string
      /** The server's fingerprint of its configuration, where it gives one. */
      fingerprint?: string
      /** calls: the model waits for the results of `calls`. length: the server's limit; calls that it cut are left out. */
      finish: 'stop' | 'length' | 'calls'
      calls?: readonly FunctionCall[]
      /** The answer was requested as one object whose keys are the tags. */
      isObject?: true
      /** Text of the reasoning that the server gave apart from the answer. */
      reasoning?: string
      /** What the provider wants back with this answer in later turns of the same step; absent: nothing. */
      providerParts?: ProviderParts
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
  /** Functions that the model may call; only for one that takes functions. The same list in all calls of a conversation keeps its cache. */
  functions?: readonly FunctionTool[]
  /** Default: auto. */
  choice?: ToolChoice
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
  /** It can be asked with functions; false from the call on in which its server refuses them. Absent: it cannot. */
  readonly takesFunctions?: boolean | undefined
  /**
   * How it answered where it had functions. Where the form is left open, it is asked with tags after two answers in a row without a
   * call; words alone do not count once it has called a function.
   */
  answeredBy?(what: 'calls' | 'tags' | 'words'): void
  /** Throws ModelError when the stream breaks; an answer without an end piece is incomplete and must not be used. */
  call(turns: Turn[], options: ModelCallOptions): AsyncIterable<ModelPiece>
}

/** The same model, called in another way: what it says of itself is asked of it each time, for a server may turn out to take less. */
export const calledBy = (model: Model, call: Model['call']): Model => ({
  name: model.name,
  provider: model.provider,
  get contextTokens() {
    return model.contextTokens
  },
  ...(model.accepts ? { accepts: model.accepts } : {}),
  get takesFunctions() {
    return model.takesFunctions
  },
  answeredBy: (what) => model.answeredBy?.(what),
  call,
})

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

/** Why a step fails whose call had this fault, by what a person can do about it. */
export function causeOfFault({ code, details: { trouble } }: ModelError): FailureCause {
  switch (trouble) {
    case 'noKey':
    case 'keyRefused':
      return 'key'
    case 'outOfCredit':
    case 'tooMany':
    case 'promptTooLong':
      return 'limit'
    case 'hostUnknown':
    case 'connectionRefused':
    case 'connectionBroke':
    case 'certificate':
    case 'privateAddress':
    case 'modelUnknown':
    case 'addressWrong':
    case 'requestRefused':
    case 'filtered':
    case 'serverBroken':
    case 'timeLimit':
    case 'wrongFormat':
    case 'cut':
    case 'neverEnds':
      return 'model'
    case undefined:
      return code === 'MODEL_PROMPT' || code === 'MODEL_RATE_LIMITED' ? 'limit' : 'model'
    default:
      return trouble satisfies never
  }
}

/** Rejects with `stopped()` when the signal ends it. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

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
