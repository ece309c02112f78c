import { type ANSWER_FORMS, isServerProvider, type Provider, type ServerProvider } from '@/lib/mas/setup/providers'
import { contextOf, knownModel } from '@/server/shared/knownModels'
import { isHere, missingPackage, type PackageSections } from '@/server/shared/packages'
import { answerFormOf } from './answerForm'
import { type ClientSettings, httpModel } from './client'
import { type Endpoint, queuedAt } from './endpoints'
import type { Learned } from './learned'
import { type Model, ModelError, type SecretOf, type Sleep } from './model'
import { REHEARSAL } from './packagedModels'
import { type PersonQueue, personModel } from './person'
import { playback, recorded } from './recording'
import { anthropicWire } from './wires/anthropic'
import { chatWire } from './wires/chat'
import { googleWire } from './wires/google'
import { ollamaWire } from './wires/ollama'
import { responsesWire } from './wires/responses'
import type { Wire } from './wires/wire'

/** Settings of a client that may be configured; the others come from the program. */
type ConfiguredSettings = Omit<
  ClientSettings,
  'name' | 'provider' | 'limits' | 'secret' | 'now' | 'learned' | 'form' | 'isFormOpen'
>

/** The configuration of a model; null and left out: the default. */
export type ProviderModelConfig = { [Name in keyof ConfiguredSettings]?: ConfiguredSettings[Name] | null } & {
  provider: Provider
  form?: (typeof ANSWER_FORMS)[number] | null
  timeLimitMs?: number | null
  firstTokenLimitMs?: number | null
  connectLimitMs?: number | null
  /** Concurrent calls. */
  parallel?: number | null
  /** The folder to which answers are recorded, or null. */
  record?: string | null
  /** The folder that provider `recording` plays. */
  play?: string | null
}

/** What providers need beside their configuration. */
type ProviderParts = {
  /** The sections of the configuration for packages. */
  sections: Partial<PackageSections>
  sleep: Sleep
  secret: SecretOf
  now: () => number
  endpoint: (address: string) => Endpoint
  /** What is known of a server, for one of its models. */
  learned: (address: string, model: string) => Learned
  queue: PersonQueue
}

const UNKNOWN_CONTEXT_TOKENS = 8_000
const CONNECT_LIMIT_MS = 10_000
const TIME_LIMIT_MS = 120_000
/** Concurrent calls to one address by default. */
export const PARALLEL = 4

const WIRES: Readonly<Record<ServerProvider, Wire>> = {
  openai: responsesWire,
  'openai-compatible': chatWire,
  anthropic: anthropicWire,
  google: googleWire,
  ollama: ollamaWire,
}

/** How servers of a provider are asked and answer. */
export const wireOf = (provider: ServerProvider): Wire => WIRES[provider]

/** The model of a configuration. One that cannot work gives a model whose calls throw MODEL_REFUSED. */
export function modelOf(name: string, config: ProviderModelConfig, parts: ProviderParts): Model {
  const model = plainModel(name, config, parts)
  return config.record ? recorded(model, config.record) : model
}

function plainModel(name: string, config: ProviderModelConfig, parts: ProviderParts): Model {
  const contextTokens = config.contextTokens ?? UNKNOWN_CONTEXT_TOKENS
  const { provider } = config
  if (isServerProvider(provider)) return realModel(name, config, WIRES[provider], parts)
  switch (provider) {
    case 'rehearsal':
      return isHere('rehearsal')
        ? REHEARSAL.get(provider)({
            name,
            contextTokens: config.contextTokens ?? null,
            sleep: parts.sleep,
            sections: parts.sections,
          })
        : unusable(name, config, `needs ${missingPackage('rehearsal')}`)
    case 'person':
      return personModel(name, contextTokens, parts.queue)
    case 'recording': {
      if (!config.play) return unusable(name, config, 'names no folder to play from')
      return playback({ name, contextTokens, accepts: config.accepts ?? [], folder: config.play })
    }
    default:
      // A record of another version may name one.
      return unusable(name, config, `provider ${provider satisfies never} is not known`)
  }
}

function realModel(name: string, config: ProviderModelConfig, wire: Wire, parts: ProviderParts): Model {
  const { provider, baseUrl, model } = config
  if (!baseUrl || !URL.canParse(baseUrl)) return unusable(name, config, 'has no base_url')
  if (!model) return unusable(name, config, 'does not say which model of the server it is')
  const totalMs = config.timeLimitMs ?? TIME_LIMIT_MS
  const settings: ClientSettings = {
    name,
    provider,
    baseUrl,
    model,
    key: config.key ?? null,
    allowPrivate: config.allowPrivate ?? true,
    temperature: config.temperature ?? null,
    contextTokens: contextOf({ provider, model, contextTokens: config.contextTokens ?? null }),
    maxTokens: config.maxTokens ?? {},
    form: answerFormOf({ ...config, form: config.form ?? 'auto' }),
    isFormOpen: (config.form ?? 'auto') === 'auto',
    reasoningEffort: config.reasoningEffort ?? null,
    extra: config.extra ?? {},
    accepts: config.accepts ?? [],
    limits: {
      connectMs: Math.min(config.connectLimitMs ?? CONNECT_LIMIT_MS, totalMs),
      firstTokenMs: Math.min(config.firstTokenLimitMs ?? totalMs, totalMs),
      totalMs,
    },
    price: config.price ?? knownModel(provider, model)?.price ?? null,
    secret: parts.secret,
    now: parts.now,
    learned: parts.learned(baseUrl, model),
  }
  return queuedAt(httpModel(settings, wire), parts.endpoint(baseUrl))
}

function unusable(name: string, config: ProviderModelConfig, why: string): Model {
  return {
    name,
    provider: config.provider,
    contextTokens: config.contextTokens ?? UNKNOWN_CONTEXT_TOKENS,
    call: () => {
      throw new ModelError('MODEL_REFUSED', `model ${name}: ${why}`, false)
    },
  }
}
