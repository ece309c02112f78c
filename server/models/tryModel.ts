/** Tries one configured model and says in plain words what is wrong with it. */

import { wholeMs } from '../shared/wholeMs'
import { Endpoint } from './endpoints'
import { ModelError, type ObjectAnswer } from './model'
import { PersonQueue } from './person'
import { modelOf, type ProviderModelConfig } from './providers'
import { recordedCalls } from './recording'
import { trialWords, troubleWords } from './trialWords'

export type TrialDeps = {
  /** The value of a key for that address. */
  secret: (name: string, address: string) => string | undefined
  language?: 'en' | 'zh'
  /** The longest that one waits; the model's own limit counts if it is shorter. */
  limitMs?: number
  signal?: AbortSignal
  /** Measures durations only, ms. */
  clock?: () => number
}

export type ModelTrial = {
  ok: boolean
  /** What was found, a sentence. */
  says: string
  /** What to do next; null when nothing is wrong. */
  hint: string | null
  firstTokenMs: number | null
  totalMs: number
}

const QUESTION = [
  { role: 'system' as const, content: 'You are tried. Be brief.' },
  { role: 'user' as const, content: 'Answer with the one word: ready' },
]
/** For a model that is to be held to schemas: whether its server takes one. */
const OBJECT: ObjectAnswer = {
  name: 'trial',
  schema: {
    type: 'object',
    properties: { ready: { type: 'boolean' } },
    required: ['ready'],
    additionalProperties: false,
  },
  isStrict: true,
  says: 'Answer with one JSON object.',
}
const LIMIT_MS = 60_000

/**
 * Try a model: one short call, of its own, beside the line of its endpoint.
 *
 * in      its name and configuration
 * out     never throws: what is wrong is said
 * units   ms
 */
export async function tryModel(name: string, config: ProviderModelConfig, deps: TrialDeps): Promise<ModelTrial> {
  const clock = deps.clock ?? (() => performance.now())
  const began = clock()
  const words = trialWords(deps.language ?? 'en')
  let firstTokenMs: number | null = null
  const since = (): number => wholeMs(clock() - began)
  const good = (says: string): ModelTrial => ({ ok: true, says, hint: null, firstTokenMs, totalMs: since() })
  try {
    if (config.provider === 'rehearsal') return good(words.rehearsal)
    if (config.provider === 'person') return good(words.person)
    if (config.provider === 'recording' && config.play) return good(words.recording(recordedCalls(config.play)))
    const limitMs = deps.limitMs ?? LIMIT_MS
    const limited = { ...config, record: null, timeLimitMs: Math.min(config.timeLimitMs ?? limitMs, limitMs) }
    const model = modelOf(name, limited, {
      rehearsal: { delayMs: 0 },
      sleep: async () => {},
      secret: deps.secret,
      now: Date.now,
      endpoint: () => new Endpoint(() => 1),
      queue: new PersonQueue(),
    })
    const signal = deps.signal ?? new AbortController().signal
    const answer = config.structured === 'json_schema' ? { answer: OBJECT } : {}
    for await (const piece of model.call(QUESTION, { signal, ...answer })) {
      if (piece.type === 'text') firstTokenMs ??= since()
    }
    return good(words.works(config.model ?? name, firstTokenMs ?? since()))
  } catch (error) {
    return { ok: false, ...wordsFor(name, config, error, deps.language ?? 'en'), firstTokenMs, totalMs: since() }
  }
}

function wordsFor(
  name: string,
  config: ProviderModelConfig,
  error: unknown,
  language: 'en' | 'zh',
): { says: string; hint: string } {
  const message = error instanceof Error ? error.message : String(error)
  const trouble = error instanceof ModelError ? error.details.trouble : undefined
  if (trouble === undefined) return trialWords(language).other(message)
  const { provider, keyEnv = null } = config
  const host = config.baseUrl && URL.canParse(config.baseUrl) ? new URL(config.baseUrl).host : '?'
  return troubleWords(trouble, { name, provider, model: config.model ?? '?', host, keyEnv, message }, language)
}
