/** The providers of models, and what a model of each needs. A new one is a row here; all lists of their names follow from it. */
import { keysOf } from '../json'

export const MEDIA = ['image', 'audio'] as const

/**
 * isServer   calls go to a model server: a model has an address, its name there, a key and output settings; people may
 *            create one in the page
 * address    of the server of a model that names none; null: there is none
 * accepts    media that its models may take beside text
 * plays      answers come from the folder of a recording
 * cachesBySchema  the cache of a prompt holds for one schema: with a schema for each skill nothing would be cached between skills
 */
type ProviderTraits = {
  isServer: boolean
  address: string | null
  accepts: readonly (typeof MEDIA)[number][]
  plays: boolean
  cachesBySchema: boolean
}

export const PROVIDERS = {
  rehearsal: { isServer: false, address: null, accepts: [], plays: false, cachesBySchema: false },
  openai: {
    isServer: true,
    address: 'https://api.openai.com/v1',
    accepts: ['image'],
    plays: false,
    cachesBySchema: true,
  },
  'openai-compatible': {
    isServer: true,
    address: null,
    accepts: ['image', 'audio'],
    plays: false,
    cachesBySchema: false,
  },
  anthropic: {
    isServer: true,
    address: 'https://api.anthropic.com/v1',
    accepts: ['image'],
    plays: false,
    cachesBySchema: true,
  },
  google: {
    isServer: true,
    address: 'https://generativelanguage.googleapis.com/v1beta',
    accepts: ['image', 'audio'],
    plays: false,
    cachesBySchema: false,
  },
  ollama: {
    isServer: true,
    address: 'http://127.0.0.1:11434',
    accepts: ['image'],
    plays: false,
    cachesBySchema: false,
  },
  recording: { isServer: false, address: null, accepts: ['image', 'audio'], plays: true, cachesBySchema: false },
  person: { isServer: false, address: null, accepts: [], plays: false, cachesBySchema: false },
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
  structured: 'auto',
  reasoningEffort: null,
  extra: {},
  accepts: [],
  timeLimitMs: 120_000,
  parallel: 4,
} as const
