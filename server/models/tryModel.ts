/** Tries one configured model and reports what is wrong in plain words. */
import { fillIn } from '@/lib/i18n/sentences'
import type { Language } from '@/lib/language'
import { MODEL_TRIAL_EN } from '@/messages/reports.en'
import { MODEL_TRIAL_ZH } from '@/messages/reports.zh'
import { errorMessage } from '@/server/shared/errors'
import { wholeMs } from '../shared/wholeMs'
import { Endpoint } from './endpoints'
import { nothingLearned } from './learned'
import {
  type FunctionTool,
  type ModelCallOptions,
  ModelError,
  type ModelTrouble,
  type ObjectAnswer,
  type SecretOf,
  type Turn,
} from './model'
import { PersonQueue } from './person'
import { modelOf, type ProviderModelConfig } from './providers'
import { recordedCalls } from './recording'

type TrialDeps = {
  secret: SecretOf
  language?: Language
  clock?: () => number
}

export type ModelTrial = {
  ok: boolean
  /** The result, one sentence. */
  words: string
  /** What to do next; null: nothing is wrong. */
  hint: string | null
  firstTokenMs: number | null
  totalMs: number
}

const asking = (content: string): Turn[] => [
  { role: 'system', content: 'You are tried. Be brief.' },
  { role: 'user', content },
]
const QUESTION = asking('Answer with the one word: ready')
const CALL_QUESTION = asking('Call the function ready.')
const READY: FunctionTool = {
  name: 'ready',
  description: 'to be called at once',
  schema: { type: 'object', properties: { ready: { type: 'boolean' } }, required: ['ready'] },
}
/** A minimal schema, for models configured to use one: shows whether the server accepts it. */
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

/** Try a model: one short call of its own, outside of its endpoint's queue. out: never throws: problems are in the result. units: ms */
export async function tryModel(name: string, config: ProviderModelConfig, deps: TrialDeps): Promise<ModelTrial> {
  const clock = deps.clock ?? (() => performance.now())
  const began = clock()
  const language = deps.language ?? 'en'
  let firstTokenMs: number | null = null
  const since = (): number => wholeMs(clock() - began)
  const good = (key: Key, values = {}): ModelTrial => {
    return { ok: true, words: say(language, key, values), hint: null, firstTokenMs, totalMs: since() }
  }
  try {
    if (config.provider === 'rehearsal') return good('rehearsal')
    if (config.provider === 'person') return good('person')
    if (config.provider === 'recording' && config.play) return good('recording', { count: recordedCalls(config.play) })
    const limited = { ...config, record: null, timeLimitMs: Math.min(config.timeLimitMs ?? LIMIT_MS, LIMIT_MS) }
    const model = modelOf(name, limited, {
      sections: {},
      sleep: async () => {},
      secret: deps.secret,
      now: Date.now,
      endpoint: () => new Endpoint(() => 1),
      learned: nothingLearned,
      queue: new PersonQueue(),
    })
    const { signal } = new AbortController()
    const called = async (turns: Turn[], asked: Pick<ModelCallOptions, 'answer' | 'functions'>): Promise<boolean> => {
      let calls = 0
      for await (const piece of model.call(turns, { signal, ...asked })) {
        if (piece.type !== 'end') firstTokenMs ??= since()
        else calls = piece.calls?.length ?? 0
      }
      return calls > 0
    }
    const formFound = async (): Promise<Key> => {
      if (model.takesFunctions) {
        try {
          if (await called(CALL_QUESTION, { functions: [READY] })) return 'formNative'
          return config.form === 'native' ? 'formUncalled' : 'formTags'
        } catch (error) {
          if (model.takesFunctions) throw error
        }
      }
      const isHeld = config.form === 'schema'
      await called(QUESTION, isHeld ? { answer: OBJECT } : {})
      return isHeld ? 'formSchema' : 'formTags'
    }
    const form = await formFound()
    return good('works', {
      name: config.model ?? name,
      ms: firstTokenMs ?? since(),
      form: say(language, form, {}),
    })
  } catch (error) {
    return { ok: false, ...troubleWords(config, error, language), firstTokenMs, totalMs: since() }
  }
}

type Key = keyof typeof MODEL_TRIAL_EN
const WORDS = { en: MODEL_TRIAL_EN, zh: MODEL_TRIAL_ZH }

const say = (language: Language, key: Key, values: object): string => fillIn(language, WORDS[language][key], values)

/** What is wrong with a model, and what to do next. */
export function troubleWords(
  config: ProviderModelConfig,
  error: unknown,
  language: Language,
): { words: string; hint: string } {
  const message = errorMessage(error)
  const trouble = error instanceof ModelError ? error.details.trouble : undefined
  const host = config.baseUrl && URL.canParse(config.baseUrl) ? new URL(config.baseUrl).host : '?'
  const values = {
    host,
    message,
    Message: message.charAt(0).toUpperCase() + message.slice(1),
    provider: config.provider,
    model: config.model ?? '?',
    keyEnv: config.key && 'env' in config.key ? config.key.env : 'key_env',
  }
  const key = trouble === 'keyRefused' && !config.key ? 'keyAsked' : (trouble ?? 'other')
  const sentence = say(language, key, values)
  const said = error instanceof ModelError ? (error.details.said ?? '') : ''
  const words = said === '' || sentence.includes(said) ? sentence : say(language, 'said', { sentence, said })
  return { words, hint: say(language, hintOf(key, config), values) }
}

function hintOf(key: ModelTrouble | 'keyAsked' | 'other', { provider, key: ref }: ProviderModelConfig): Key {
  const ofProvider = `${key}Hint${provider.charAt(0).toUpperCase()}${provider.slice(1)}`
  if (isKey(ofProvider)) return ofProvider
  // A stored key has no variable: the hint speaks of the key that was typed into the page.
  const ofStored = `${key}HintStored`
  return ref && 'stored' in ref && isKey(ofStored) ? ofStored : `${key}Hint`
}

const isKey = (key: string): key is Key => Object.hasOwn(MODEL_TRIAL_EN, key)
