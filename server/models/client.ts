/** A language model behind HTTP, in any of the wire formats. */
import type { KeyRef } from '@/lib/mas/setupRecords'
import type { PrivateReach } from '../net'
import { Answer } from './answer'
import { type AskedParts, askedOf, askedWithout, shorterNext } from './asked'
import { type ExchangeLimits, type ExchangeReply, exchange } from './exchange'
import type { Learned } from './learned'
import { decodeLines } from './lines'
import {
  type MediaKind,
  type Model,
  type ModelCallOptions,
  ModelError,
  type ModelPiece,
  type ObjectAnswer,
  type SecretOf,
  type Turn,
} from './model'
import { type Ending, errorInText, eventsIn, type Feature, modelErrorOf, type ServerError } from './response'
import type { Counted, Price } from './usage'

export type ClientSettings = {
  name: string
  provider: string
  baseUrl: string
  /** The model's name at the server. */
  model: string
  key: KeyRef | null
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
  secret: SecretOf
  /** Epoch ms: a Retry-After may be a date. */
  now: () => number
  /** What that server turned out not to support, for that model. */
  learned: Learned
}

/** Bytes of an error body that are read. */
const ERROR_BYTES = 65_536

/** What one piece of an answer holds, in no format. */
export type StreamFrame = {
  text?: string
  /** The whole text so far, from a server that repeats it or does not stream. */
  whole?: string
  /** Reasoning text that the server sends apart from the answer. */
  reasoning?: string
  /** A piece of the model's refusal, in place of an answer. */
  refusal?: string
  ending?: Ending
  /** Why the answer must not be used. */
  refused?: string
  /** An error that the server reports beside the answer. */
  error?: ServerError
  counted?: Partial<Counted>
  version?: string
  fingerprint?: string
}

type Question = {
  turns: readonly Turn[]
  settings: ClientSettings
  /** Token limit of the answer; null: the server's own. */
  maxTokens: number | null
  /** What the server does not support. */
  without: ReadonlySet<Feature>
  answer: ObjectAnswer | null
}

/** One way to write a question and to read the pieces of an answer. Errors, endings and events are read in response/. */
export interface WireFormat {
  readonly path: string
  /** The body of the question. */
  question(question: Question): Record<string, unknown>
  /** in: the API key; null: none */
  headers(key: string | null): Record<string, string>
  /** in: a JSON object of the answer that reports no error. null: no piece of this format */
  read(value: Record<string, unknown>): StreamFrame | null
}

/**
 * out     text pieces, then one end piece. A wrong address, key or model shows at the first call
 * faults  ModelError of every code but MODEL_PROMPT; after the answer has begun it includes the cost
 */
export function httpModel(settings: ClientSettings, format: WireFormat): Model {
  const { name, provider, accepts, learned } = settings
  return {
    name,
    provider,
    get contextTokens() {
      return Math.min(settings.contextTokens, learned.contextTokens ?? settings.contextTokens)
    },
    accepts,
    async *call(turns: Turn[], options: ModelCallOptions): AsyncGenerator<ModelPiece> {
      let asked = askedOf(settings, options)
      for (;;) {
        let hasText = false
        try {
          for await (const piece of answerTo(turns, asked, settings, format, options.signal)) {
            hasText ||= piece.type === 'text'
            yield piece
          }
          // The server accepted the request only without the schema, so later calls send none.
          if (asked.isTriedWithout) learned.without.add('schema')
          return
        } catch (error) {
          if (!(error instanceof ModelError)) throw error
          const next = hasText ? null : askedWithout(asked, error, settings, options)
          if (next === null) throw shorterNext(error, turns, settings)
          asked = next
        }
      }
    },
  }
}

async function* answerTo(
  turns: readonly Turn[],
  { answer: object, maxTokens, without }: AskedParts,
  settings: ClientSettings,
  format: WireFormat,
  signal: AbortSignal,
): AsyncGenerator<ModelPiece> {
  const key = keyOf(settings)
  const said = withWords(turns, object).map(wellFormed)
  const sent = without.has('systemRole') ? withoutSystem(said) : said
  const reply = await exchange({
    url: addressOf(settings.baseUrl, format.path),
    headers: { ...HEADERS, ...format.headers(key) },
    body: JSON.stringify(format.question({ turns: sent, settings, maxTokens, without, answer: object })),
    limits: settings.limits,
    allowPrivate: settings.allowPrivate,
    signal,
  })
  const secrets = secretsOf(settings, key)
  const { status, headers } = reply
  if (status < 200 || status >= 300) {
    const error = errorInText(await beginningOf(reply))
    throw modelErrorOf({ status, headers, error, secrets, now: settings.now(), hasBegun: false })
  }
  const answer = new Answer({ turns: sent, settings, format, isObject: object !== null, headers, secrets })
  let isWhole = false
  try {
    for await (const event of eventsIn(decodeLines(reply.bytes))) {
      const read = answer.take(event)
      if (read === 'done') break
      if (read.text === null) continue
      reply.begun()
      if (read.text !== '') yield { type: 'text', text: read.text }
    }
    isWhole = answer.isFinished
  } catch (error) {
    // An error after the model's end of the answer does not invalidate the answer.
    if (!answer.isFinished || signal.aborted) throw answer.costOf(error)
  } finally {
    reply.close(isWhole)
  }
  yield answer.end()
}

/** Strict servers refuse a request with half a surrogate pair, such as a tool's result may have. */
const wellFormed = (turn: Turn): Turn => ({ ...turn, content: turn.content.replace(/\p{Cs}/gu, '\uFFFD') })

function withWords(turns: readonly Turn[], answer: ObjectAnswer | null): readonly Turn[] {
  const last = turns.at(-1)
  if (answer === null || last === undefined) return turns
  return [...turns.slice(0, -1), { ...last, content: `${last.content}\n${answer.says}` }]
}

/** The system's turns at the beginning of the first turn of the user, for models whose template has no system turn. */
function withoutSystem(turns: readonly Turn[]): Turn[] {
  const system = turns.filter(({ role }) => role === 'system').map(({ content }) => content)
  const [first, ...others] = turns.filter(({ role }) => role !== 'system')
  if (system.length === 0) return [...turns]
  if (first?.role !== 'user') {
    return [{ role: 'user', content: system.join('\n\n') }, ...(first === undefined ? [] : [first]), ...others]
  }
  return [{ ...first, content: [...system, first.content].join('\n\n') }, ...others]
}

/** The API key. Throws when one is configured and not set. */
function keyOf({ key: ref, secret, baseUrl }: ClientSettings): string | null {
  if (ref === null) return null
  const key = secret(ref, baseUrl)?.trim()
  // Other characters are not valid in a header, and Node's own error does not name the cause.
  if (key && /^[\x21-\x7e]+$/.test(key)) return key
  const name = 'env' in ref ? ref.env : 'the stored key'
  const message = key ? `${name} holds characters that no key has` : `${name} is not set`
  throw new ModelError('MODEL_REFUSED', message, false, null, { trouble: 'noKey' })
}

const HEADERS = {
  'content-type': 'application/json',
  accept: 'text/event-stream, application/x-ndjson, application/json',
}

/** The header in which most servers take a key. */
export const bearer = (key: string | null): Record<string, string> =>
  key === null ? {} : { authorization: `Bearer ${key}` }

/** What no sentence of a server may repeat: the key, and values in the address, where gateways put keys. */
function secretsOf({ baseUrl }: ClientSettings, key: string | null): string[] {
  const values = [...new URL(baseUrl).searchParams.values()].filter((value) => value.length >= LEAST_SECRET)
  return key === null ? values : [key, ...values]
}

/** Shorter values are versions and names. */
const LEAST_SECRET = 16

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
