import { setTimeout } from 'node:timers/promises'
import type { PackageSections } from '../shared/packages'
import { Endpoint } from './endpoints'
import { type Learned, nothingLearned } from './learned'
import { type Model, ModelError, type Models, type SecretOf, type Sleep, stopped } from './model'
import { PersonQueue } from './person'
import { modelOf, PARALLEL, type ProviderModelConfig } from './providers'

export { findLocalServers, type LocalServer, listModels, type ModelListing } from './listModels'
export type {
  Model,
  ModelPiece,
  Models,
  SecretOf,
  TextTurn,
  Turn,
} from './model'
export { ModelError, ofVariables } from './model'
export { PersonQueue } from './person'
export type { ProviderModelConfig } from './providers'
export { type ModelTrial, tryModel } from './tryModel'

type ConfigsByName = Record<string, ProviderModelConfig>

type ModelsConfig = {
  /** By name. As a function it is called for each get; a configuration that is another object makes a new model. */
  models: ConfigsByName | (() => ConfigsByName)
  /** The sections of the configuration for packages; left out: their defaults. */
  sections?: Partial<PackageSections>
  sleep?: Sleep
  /** The key that a model names, for that address; left out: no model has a key. */
  secret?: SecretOf
  /** Epoch ms; left out: the system's clock. */
  now?: () => number
  /** Queue of calls to models of provider `person`; left out: nobody sees them. */
  queue?: PersonQueue
}

/**
 * out     get(name): the same object until its configuration changes
 * faults  get: MODEL_REFUSED for a name that is not configured; a call: MODEL_REFUSED for a provider that is not there
 */
export function openModels(config: ModelsConfig): Models {
  const made = new Map<string, { from: ProviderModelConfig; model: Model }>()
  const { models } = config
  const modelsNow = typeof models === 'function' ? models : () => models
  const endpoints = new Map<string, Endpoint>()
  const learned = new Map<string, Learned>()
  const parts = {
    sections: config.sections ?? {},
    sleep: config.sleep ?? sleepUntil,
    secret: config.secret ?? (() => undefined),
    now: config.now ?? Date.now,
    queue: config.queue ?? new PersonQueue(),
    endpoint: (address: string): Endpoint => {
      const key = plainAddress(address)
      const endpoint = endpoints.get(key) ?? new Endpoint(() => widthOf(key, modelsNow()))
      endpoints.set(key, endpoint)
      return endpoint
    },
    learned: (address: string, model: string): Learned => {
      const key = learnedKey(address, model)
      const known = learned.get(key) ?? nothingLearned()
      learned.set(key, known)
      return known
    },
  }
  return {
    get(name) {
      const now = modelsNow()
      const own = Object.hasOwn(now, name) ? now[name] : undefined
      if (own === undefined) throw new ModelError('MODEL_REFUSED', `no model ${name} is configured`, false)
      const known = made.get(name)
      if (known?.from === own) return known.model
      // Another configuration may be of a server that was changed.
      if (known !== undefined) learned.delete(learnedKey(own.baseUrl ?? '', own.model ?? ''))
      const model = modelOf(name, own, parts)
      made.set(name, { from: own, model })
      return model
    },
  }
}

const plainAddress = (address: string): string => address.replace(/\/+$/, '')
const learnedKey = (address: string, model: string): string => `${plainAddress(address)} ${model}`

/** Models at one address share a queue. out: the smallest of their limits */
function widthOf(address: string, models: Record<string, ProviderModelConfig>): number {
  const widths = Object.values(models)
    .filter(({ baseUrl }) => baseUrl && plainAddress(baseUrl) === address)
    .map(({ parallel }) => parallel ?? PARALLEL)
  return Math.max(1, Math.min(...widths))
}

const sleepUntil = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => {
    throw stopped()
  })
