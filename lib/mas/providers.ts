/** The providers of models, and what a model of each needs. The only list of their names. */
export const PROVIDERS = ['rehearsal', 'openai', 'ollama', 'recording', 'person'] as const
export type Provider = (typeof PROVIDERS)[number]

/**
 * isServer   calls go to a model server: a model has an address, its name there, a key and output settings; people may
 *            create one in the page
 * accepts    media that its models may take beside text
 * plays      answers come from the folder of a recording
 */
type ProviderTraits = { isServer: boolean; accepts: readonly ('image' | 'audio')[]; plays: boolean }

const TRAITS = {
  rehearsal: { isServer: false, accepts: [], plays: false },
  openai: { isServer: true, accepts: ['image', 'audio'], plays: false },
  ollama: { isServer: true, accepts: ['image'], plays: false },
  recording: { isServer: false, accepts: ['image', 'audio'], plays: true },
  person: { isServer: false, accepts: [], plays: false },
} as const satisfies Record<Provider, ProviderTraits>

export type ServerProvider = {
  [Name in Provider]: (typeof TRAITS)[Name]['isServer'] extends true ? Name : never
}[Provider]

export const traitsOf = (provider: Provider): ProviderTraits => TRAITS[provider]

export const isServerProvider = (provider: Provider): provider is ServerProvider => TRAITS[provider].isServer

/** The providers of models that people create in the page. */
export const SERVER_PROVIDERS: readonly ServerProvider[] = PROVIDERS.filter(isServerProvider)
