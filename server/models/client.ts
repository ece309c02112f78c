/** A language model behind HTTP, in any of the wire formats. */
import type { PrivateReach } from '../net'
import { type ExchangeLimits, type ExchangeReply, exchange } from './exchange'
import { decodeLines } from './lines'
import {
  type MediaKind,
  type Model,
  type ModelCallOptions,
  ModelError,
  type ModelPiece,
  type ObjectAnswer,
  STORED_KEY,
  type Turn,
} from './model'
import { ERROR_BYTES, modelErrorOf, providerSentenceOf } from './refusal'
import { type Counted, NOT_COUNTED, type Price, usageOf } from './usage'

export type ClientSettings = {
  name: string
  provider: string
  baseUrl: string
  /** The model's name at the server. */
  model: string
  /** The environment variable that holds the key. */
  keyEnv: string | null
  /** Whether the address may be in a private network. */
  allowPrivate: PrivateReach
  temperature: number | null
  contextTokens: number
  /** Token limits of answers by skill; `default`: for all others. */
  maxTokens: Readonly<Record<string, number>>
  /** auto: schemas are sent until the server refuses one. */
  structured: 'auto' | 'json_schema' | 'tags'
  reasoningEffort: string | null
  /** Additional fields of the request; our own fields win. */
  extra: Readonly<Record<string, unknown>>
  /** Input kinds beside text. */
  accepts: readonly MediaKind[]
  limits: ExchangeLimits
  price: Price | null
  /** The value of a key for that address. */
  secret: (name: string, address: string) => string | undefined
  /** Epoch ms: a Retry-After may be a date. */
  now: () => number
}

export type StreamFrame = {
  text?: string
  /** Reasoning text that the server sends apart from the answer. */
  reasoning?: string
  finish?: 'stop' | 'length'
  /** The server refused to answer; the reason. The answer must not be used. */
  refused?: string
  counted?: Counted
  version?: string
  fingerprint?: string
  /** An error that the server sent in the middle of the stream. */
  fault?: string
}

/** Differences between servers of one wire format, recognised by their refusals. */
type Dialect = 'noStreamOptions' | 'maxCompletionTokens'

type Question = {
  turns: readonly Turn[]
  settings: ClientSettings
  /** Token limit of the answer; null: the server's own. */
  maxTokens: number | null
  speaks: ReadonlySet<Dialect>
  answer: ObjectAnswer | null
}

export interface WireFormat {
  readonly path: string
  /** The body of the question. */
  question(question: Question): Record<string, unknown>
  frames(lines: AsyncIterable<string>): AsyncIterable<string>
  /** 'done': nothing of interest follows. null: not a frame of this format. */
  read(frame: string): StreamFrame | 'done' | null
  /** The dialect that a refusal reveals; null: none. */
  dialectOf?(body: string): Dialect | null
}

/** Characters; a longer answer is cut off, as it may be endless. */
const LONGEST_ANSWER = 4_194_304

/**
 * out     text pieces, then one end piece. A wrong address, key or model shows at the first call
 * faults  ModelError of every code but MODEL_PROMPT; after the answer has begun it includes the cost
 */
export function httpModel(settings: ClientSettings, format: WireFormat): Model {
  const { name, provider, contextTokens, accepts } = settings
  const speaks = new Set<Dialect>()
  let takesObjects = settings.structured !== 'tags'

  async function ask(
    turns: readonly Turn[],
    { signal, about, answer: wished }: ModelCallOptions,
  ): Promise<{ reply: ExchangeReply; key: string | null; answer: ObjectAnswer | null }> {
    const key = keyOf(settings)
    const maxTokens = settings.maxTokens[about?.skill ?? 'default'] ?? settings.maxTokens.default ?? null
    let answer = takesObjects ? (wished ?? null) : null
    for (;;) {
      const reply = await exchange({
        url: addressOf(settings.baseUrl, format.path),
        headers: headersOf(key),
        body: JSON.stringify(
          format.question({ turns: withWords(turns, answer).map(wellFormed), settings, maxTokens, speaks, answer }),
        ),
        limits: settings.limits,
        allowPrivate: settings.allowPrivate,
        signal,
      })
      if (reply.status === 200) {
        // The server accepted the request only without the schema, so later calls send none.
        if (wished && answer === null) takesObjects = false
        return { reply, key, answer }
      }
      const body = await beginningOf(reply)
      const dialect = reply.status >= 400 && reply.status < 500 ? (format.dialectOf?.(body) ?? null) : null
      if (dialect !== null && !speaks.has(dialect)) speaks.add(dialect)
      else if (answer !== null && settings.structured === 'auto' && REFUSES.includes(reply.status)) answer = null
      else throw modelErrorOf({ status: reply.status, headers: reply.headers, body, key, now: settings.now() })
    }
  }

  return {
    name,
    provider,
    contextTokens,
    accepts,
    async *call(turns: Turn[], options: ModelCallOptions): AsyncGenerator<ModelPiece> {
      const { reply, key, answer: asked } = await ask(turns, options)
      const answer = new Answer(withWords(turns, asked), settings, asked !== null)
      let isWhole = false
      try {
        for await (const frame of format.frames(decodeLines(reply.bytes))) {
          const read = format.read(frame)
          if (read === 'done') break
          const text = answer.take(read, key)
          if (text === null) continue
          reply.begun()
          if (text !== '') yield { type: 'text', text }
        }
        isWhole = answer.isFinished
      } catch (error) {
        // An error after the model's end of the answer does not invalidate the answer.
        if (!answer.isFinished || options.signal.aborted) throw answer.costOf(error)
      } finally {
        reply.close(isWhole)
      }
      yield answer.end()
    },
  }
}

/** Strict servers refuse a request with half a surrogate pair, such as a tool's result may have. */
const wellFormed = (turn: Turn): Turn => ({ ...turn, content: turn.content.replace(/\p{Cs}/gu, '\uFFFD') })

/** Statuses of a server that does not know a field, or rejects a schema. */
const REFUSES = [400, 422]

function withWords(turns: readonly Turn[], answer: ObjectAnswer | null): readonly Turn[] {
  const last = turns.at(-1)
  if (answer === null || last === undefined) return turns
  return [...turns.slice(0, -1), { ...last, content: `${last.content}\n${answer.says}` }]
}

/** Assembles the answer from the frames. */
class Answer {
  private text = ''
  private reasoning = ''
  private finish: 'stop' | 'length' | null = null
  private counted = NOT_COUNTED
  private version: string | null = null
  private fingerprint: string | null = null
  private frames = 0

  constructor(
    private readonly turns: readonly Turn[],
    private readonly settings: ClientSettings,
    private readonly isObject: boolean,
  ) {}

  get isFinished(): boolean {
    return this.finish !== null
  }

  /** out: the text of the frame; '' when it only shows that the model works; null: neither */
  take(frame: StreamFrame | null, key: string | null): string | null {
    if (frame === null) {
      throw this.frames === 0
        ? wrongFormat()
        : new ModelError('MODEL_CUT', 'the server sent a piece that cannot be read', true, null, { trouble: 'cut' })
    }
    this.frames += 1
    if (frame.fault !== undefined) {
      const message = `the server stopped in the middle: ${providerSentenceOf(frame.fault, key)}`
      throw new ModelError('MODEL_UNREACHABLE', message, true, null, { trouble: 'serverBroken' })
    }
    if (frame.refused !== undefined) {
      throw new ModelError('MODEL_REFUSED', frame.refused, false, null, { trouble: 'requestRefused' })
    }
    this.finish = frame.finish ?? this.finish
    this.counted = frame.counted ?? this.counted
    this.version = frame.version || this.version
    this.fingerprint = frame.fingerprint ?? this.fingerprint
    if (frame.text === undefined && frame.reasoning === undefined) return null
    this.text += frame.text ?? ''
    this.reasoning += frame.reasoning ?? ''
    if (this.text.length + this.reasoning.length > LONGEST_ANSWER) {
      throw new ModelError('MODEL_CUT', 'the answer has no end', false, null, { trouble: 'cut' })
    }
    return frame.text ?? ''
  }

  end(): ModelPiece {
    if (this.frames === 0) throw wrongFormat()
    if (this.finish === null) {
      const message = 'the answer broke off before its end'
      throw this.costOf(new ModelError('MODEL_CUT', message, true, null, { trouble: 'cut' }))
    }
    const modelVersion = this.version ?? this.settings.model
    const asked = {
      ...(this.isObject ? { isObject: true as const } : {}),
      ...(this.fingerprint === null ? {} : { fingerprint: this.fingerprint }),
    }
    return { type: 'end', usage: this.usage(), modelVersion, finish: this.finish, ...asked, ...this.reasoned() }
  }

  /** Adds the usage to an error: the server accepted the request, so it is paid for. */
  costOf(error: unknown): unknown {
    if (!(error instanceof ModelError) || error.details.trouble === 'wrongFormat') return error
    const { code, message, again, retryAfterMs, details } = error
    return new ModelError(code, message, again, retryAfterMs, { ...details, usage: this.usage(), ...this.reasoned() })
  }

  private usage() {
    return usageOf(this.counted, this.turns, this.text + this.reasoning, this.settings.price)
  }

  private reasoned(): { reasoning?: string } {
    return this.reasoning === '' ? {} : { reasoning: this.reasoning }
  }
}

const wrongFormat = (): ModelError =>
  new ModelError('MODEL_REFUSED', 'the server answers in another format', false, null, { trouble: 'wrongFormat' })

/** The API key from the environment. Throws when one is configured and not set. */
function keyOf({ keyEnv, secret, baseUrl }: ClientSettings): string | null {
  if (keyEnv === null) return null
  const key = secret(keyEnv, baseUrl)?.trim()
  // Other characters are not valid in a header, and Node's own error does not name the cause.
  if (key && /^[\x21-\x7e]+$/.test(key)) return key
  const name = keyEnv.startsWith(STORED_KEY) ? 'the stored key' : keyEnv
  const message = key ? `${name} holds characters that no key has` : `${name} is not set`
  throw new ModelError('MODEL_REFUSED', message, false, null, { trouble: 'noKey' })
}

const headersOf = (key: string | null): Record<string, string> => ({
  'content-type': 'application/json',
  accept: 'text/event-stream, application/x-ndjson, application/json',
  ...(key === null ? {} : { authorization: `Bearer ${key}` }),
})

/** The base's own path and query stay: gateways put a deployment or a version there. */
function addressOf(baseUrl: string, path: string): URL {
  const url = new URL(baseUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`
  return url
}

async function beginningOf(reply: ExchangeReply): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  let isWhole = false
  try {
    for await (const piece of reply.bytes) {
      pieces.push(piece)
      size += piece.length
      if (size >= ERROR_BYTES) break
    }
    isWhole = size < ERROR_BYTES
  } catch (error) {
    // The status is known: a body that breaks off only makes the sentence shorter.
    if (error instanceof ModelError && error.code === 'MODEL_ABORTED') throw error
  } finally {
    reply.close(isWhole)
  }
  return new TextDecoder().decode(Buffer.concat(pieces))
}
