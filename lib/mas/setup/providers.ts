/** The providers of models, and what a model of each needs. A new one is a row here; all lists of their names follow from it. */
import { keysOf } from '../../json'

export const MEDIA = ['image', 'audio'] as const

/** native: calls of functions; schema: an object whose keys are the tags; tags: in the text. */
export const ANSWER_FORMS = ['auto', 'native', 'schema', 'tags'] as const
export type AnswerForm = Exclude<(typeof ANSWER_FORMS)[number], 'auto'>

/**
 * isServer   calls go to a model server: a model has an address, its name there, a key and output settings; people may
 *            create one in the page
 * address    of the server of a model that names none; null: there is none
 * accepts    media that its models may take beside text
 * plays      answers come from the folder of a recording
 * auto       the form of answers where the configuration leaves it open; servers that turn out to take no functions get tags
 */
type ProviderTraits = {
  isServer: boolean
  address: string | null
  accepts: readonly (typeof MEDIA)[number][]
  plays: boolean
  auto: AnswerForm
}

export const PROVIDERS = {
  rehearsal: { isServer: false, address: null, accepts: [], plays: false, auto: 'tags' },
  openai: {
    isServer: true,
    address: 'https://api.openai.com/v1',
    accepts: ['image'],
    plays: false,
    auto: 'native',
  },
  'openai-compatible': {
    isServer: true,
    address: null,
    accepts: ['image', 'audio'],
    plays: false,
    auto: 'native',
  },
  anthropic: {
    isServer: true,
    address: 'https://api.anthropic.com/v1',
    accepts: ['image'],
    plays: false,
    auto: 'native',
  },
  google: {
    isServer: true,
    address: 'https://generativelanguage.googleapis.com/v1beta',
    accepts: ['image', 'audio'],
    plays: false,
    auto: 'native',
  },
  ollama: {
    isServer: true,
    address: 'http://127.0.0.1:11434',
    accepts: ['image'],
    plays: false,
    auto: 'native',
  },
  recording: { isServer: false, address: null, accepts: ['image', 'audio'], plays: true, auto: 'tags' },
  person: { isServer: false, address: null, accepts: [], plays: false, auto: 'tags' },
} as const satisfies Record<string, ProviderTraits>

export type Provider = keyof typeof PROVIDERS
export type ServerProvider = {
  [Name in Provider]: (typeof PROVIDERS)[Name]['isServer'] extends true ? Name : never
}[Provider]

export const PROVIDER_NAMES: readonly Provider[] = keysOf(PROVIDERS)

export const traitsOf = (provider: Provider): ProviderTraits => PROVIDERS[provider]

/** Of a name that is not known, which a record of another version may hold: no. */
export const isServerProvider = (provider: Provider): provider is ServerProvider =>
  Object.hasOwn(PROVIDERS, provider) && PROVIDERS[provider].isServer

/** The providers of models that people create in the page. */
export const SERVER_PROVIDERS: readonly ServerProvider[] = PROVIDER_NAMES.filter(isServerProvider)

/** Of a model at a server of which no other is known. */
export const DEFAULT_CONTEXT_TOKENS = 32_768

/** What a model at a server has unless somebody says otherwise. */
export const PLAIN_MODEL = {
  provider: 'openai-compatible',
  temperature: null,
  contextTokens: null,
  price: null,
  form: 'auto',
  reasoningEffort: null,
  extra: {},
  accepts: [],
  timeLimitMs: 120_000,
  parallel: 4,
} as const
