/**
 * The models of a configuration: the folder's front door.
 *
 * Owns: looking one up by its configured name, each made once. Not here: providers (providers.ts), the port (model.ts).
 */

import { type Model, ModelError, type Models } from './model'
import { type ModelConfig, modelOf, type RehearsalConfig } from './providers'
import type { Sleep } from './rehearsal'

export type { Model, ModelErrorCode, ModelPiece, Models, ModelUsage, Turn } from './model'
export { ModelError } from './model'
export type { ModelConfig, RehearsalConfig } from './providers'
export type { Sleep } from './rehearsal'

export type ModelsConfig = {
  models: Record<string, ModelConfig>
  rehearsal: RehearsalConfig
  /** Waits between pieces; rejects when the signal is aborted. */
  sleep?: Sleep
}

/**
 * Open the configured models.
 *
 * in      models by name; what the rehearsal is to do; how to wait
 * out     get(name): the same model each time
 * faults  get: MODEL_REFUSED for a name that is not configured; a call: MODEL_REFUSED for a provider that is not there
 */
export function openModels(config: ModelsConfig): Models {
  const made = new Map<string, Model>()
  return {
    get(name) {
      const known = made.get(name)
      if (known) return known
      const own = Object.hasOwn(config.models, name) ? config.models[name] : undefined
      if (own === undefined) throw new ModelError('MODEL_REFUSED', `no model ${name} is configured`, false)
      const model = modelOf(name, own, config.rehearsal, config.sleep ?? sleepUntil)
      made.set(name, model)
      return model
    },
  }
}

function sleepUntil(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(new ModelError('MODEL_ABORTED', 'the call was stopped', false))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
