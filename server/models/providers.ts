/**
 * A model by its configured provider.
 *
 * Owns: which provider is which client. Not here: the clients.
 */

import { type Model, ModelError } from './model'
import { rehearsalModel, type Sleep } from './rehearsal'
import { type PlannedFault, withFaults } from './rehearsal/faults'

/** What a model's configuration must say here; more keys belong to its provider. */
export type ModelConfig = { provider: string; contextTokens?: number | null }

export type RehearsalConfig = { delayMs: number; faults?: readonly PlannedFault[] }

/** A program has no context to run out of: a small one would only cut the histories that it counts in. */
const REHEARSAL_CONTEXT_TOKENS = 200_000
const UNKNOWN_CONTEXT_TOKENS = 8_000

/** A provider that is not built yet may be configured; using it says so. */
export function modelOf(name: string, config: ModelConfig, rehearsal: RehearsalConfig, sleep: Sleep): Model {
  if (config.provider !== 'rehearsal') return missingProvider(name, config)
  const model = rehearsalModel({
    name,
    contextTokens: Math.max(config.contextTokens ?? 0, REHEARSAL_CONTEXT_TOKENS),
    delayMs: rehearsal.delayMs,
    sleep,
  })
  return rehearsal.faults?.length ? withFaults(model, rehearsal.faults, sleep) : model
}

function missingProvider(name: string, config: ModelConfig): Model {
  return {
    name,
    provider: config.provider,
    contextTokens: config.contextTokens ?? UNKNOWN_CONTEXT_TOKENS,
    call: () => {
      throw new ModelError('MODEL_REFUSED', `model ${name}: provider ${config.provider} is not there yet`, false)
    },
  }
}
