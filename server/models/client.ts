/** A language model behind HTTP, in any of the wire formats. */
import type { AnswerForm } from '@/lib/mas/setup/providers'
import type { KeyRef } from '@/lib/mas/setup/setupRecords'
import type { PrivateReach } from '../net'
import { Answer } from './answer'
import { type AskedParts, askedOf, askedOtherwise, askedWithout } from './asked'
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
import { errorInText, eventsIn, modelErrorOf } from './response'
import type { Price } from './usage'
import type { Piece, Wire, WireRequest } from './wires/wire'

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
  form: AnswerForm
  /** The form was left open: what the server refuses is left out. */
  isFormOpen: boolean
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

/**
 * out     text pieces, then one end piece. A wrong address, key or model shows at the first call
 * faults  ModelError of every code but MODEL_PROMPT; after the answer has begun it includes the cost
 */
export function httpModel(settings: ClientSettings, wire: Wire): Model {
  const { name, provider, accepts, learned } = settings
  return {
    name,
    provider,
    get contextTokens() {
      return Math.min(settings.contextTokens, learned.contextTokens ?? settings.contextTokens)
    },
    accepts,
    get takesFunctions() {
      return settings.form === 'native' && !learned.without.has('functions')
    },
    answeredBy(what) {
      if (what === 'calls') Object.assign(learned, { calls: true, withoutCall: 0 })
      else if (what === 'tags' || !learned.calls) learned.withoutCall += 1
      if (settings.isFormOpen && learned.withoutCall > 1) learned.without.add('functions')
    },
    async *call(turns: Turn[], options: ModelCallOptions): AsyncGenerator<ModelPiece> {
      let asked = askedOf(settings, options)
      for (;;) {
        let hasText = false
        try {
          for await (const piece of answerTo(turns, asked, settings, wire, options)) {
            hasText ||= piece.type !== 'end'
            yield piece
          }
          return
        } catch (error) {
          if (!(error instanceof ModelError)) throw error
          const next = hasText ? null : askedWithout(asked, error, settings, options)
          if (next === null)
            throw askedOtherwise(error, { turns, hadFunctions: (options.functions ?? []).length > 0 }, settings)
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
  wire: Wire,
  { signal, functions = [], choice = 'auto' }: ModelCallOptions,
): AsyncGenerator<ModelPiece> {
  const key = apiKeyOf(settings)
  const secrets = secretsOf(settings, key)
  const said = withWords(turns, object).map(wellFormed)
  const sent = without.has('systemRole') ? withoutSystem(said) : said
  const mayCall = functions.length > 0 && choice !== 'none'
  const answer = new Answer({ turns: sent, settings, wire, isObject: object !== null, mayCall, secrets })
  const ended = new AbortController()
  const stop = (): void => ended.abort()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  let reply: ExchangeReply | null = null
  async function* send({ headers, body, ...where }: WireRequest): AsyncGenerator<Piece> {
    reply = await exchange({
      url: addressOf(settings.baseUrl, where),
      headers: { ...HEADERS, ...headers, ...wire.headers(key) },
      body,
      limits: settings.limits,
      allowPrivate: settings.allowPrivate,
      signal: ended.signal,
    })
    await mustBeTaken(reply, settings, secrets)
    answer.headers = reply.headers
    let isWhole = false
    try {
      for await (const event of eventsIn(decodeLines(reply.bytes))) {
        const piece = answer.read(event)
        if (piece === 'done') break
        if (piece !== null) yield piece
      }
      isWhole = true
    } finally {
      reply.close(isWhole)
    }
  }
  try {
    const question = { turns: sent, settings, maxTokens, without, answer: object, functions, choice }
    for await (const frame of wire.ask(question, send)) {
      const text = answer.take(frame)
      if (text === null) continue
      begun(reply)
      if (text !== '') yield { type: 'text', text }
      if (frame.calling) yield { type: 'calling', text: frame.calling }
    }
  } catch (error) {
    // An error after the model's end of the answer does not invalidate the answer.
    if (!answer.isFinished || signal.aborted) throw answer.costOf(error)
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
  yield answer.end()
}

/** It is set within a function, which the compiler does not follow. */
const begun = (reply: ExchangeReply | null): void => reply?.begun()

/** Throws what the server reports with a status that is no success. */
async function mustBeTaken(reply: ExchangeReply, settings: ClientSettings, secrets: readonly string[]): Promise<void> {
  const { status, headers } = reply
  if (status >= 200 && status < 300) return
  const error = errorInText(await beginningOf(reply))
  throw modelErrorOf({ status, headers, error, secrets, now: settings.now(), hasBegun: false })
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
export function apiKeyOf({
  key: ref,
  secret,
  baseUrl,
}: Pick<ClientSettings, 'key' | 'secret' | 'baseUrl'>): string | null {
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

/** What no sentence of a server may repeat: the key, and values in the address, where gateways put keys. */
export function secretsOf({ baseUrl }: Pick<ClientSettings, 'baseUrl'>, key: string | null): string[] {
  const values = [...new URL(baseUrl).searchParams.values()].filter((value) => value.length >= LEAST_SECRET)
  return key === null ? values : [key, ...values]
}

/** Shorter values are versions and names. */
const LEAST_SECRET = 16

/** The base's own path and query stay: gateways put a deployment or a version there. */
export function addressOf(baseUrl: string, { path, query }: Pick<WireRequest, 'path' | 'query'>): URL {
  const url = new URL(baseUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${path}`
  for (const [name, value] of query ?? []) url.searchParams.set(name, value)
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
