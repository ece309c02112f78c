/** The models that a server offers. */

import { jsonValueOf } from '@/lib/json'
import type { Language } from '@/lib/language'
import type { ModelPreset } from '@/lib/mas/setup/modelPresets'
import { isServerProvider, type ServerProvider } from '@/lib/mas/setup/providers'
import type { KeyRef } from '@/lib/mas/setup/setupRecords'
import { type KnownModel, knownModel } from '@/server/shared/knownModels'
import { type Outbound, openOutbound } from '../net'
import { addressOf, apiKeyOf, secretsOf } from './client'
import { networkFault } from './exchange'
import { ModelError, type SecretOf } from './model'
import { type ProviderModelConfig, wireOf } from './providers'
import { errorInText, modelErrorOf } from './response'
import { troubleWords } from './tryModel'

/** One that is offered; known: its context size and price, where they are kept. */
type OfferedModel = { name: string; known: KnownModel | null }
export type ModelListing = { ok: true; models: OfferedModel[] } | { ok: false; words: string; hint: string }

type Listed = { provider: ServerProvider; baseUrl: string; key: KeyRef | null }

const LIMIT_MS = 10_000
const ANSWER_BYTES = 1024 * 1024
/** More are of no use in a choice. */
const MOST_MODELS = 1_000

/**
 * in      a configuration with provider, baseUrl and key; `model` is not used
 * out     never throws: what is wrong is in words, as of a trial
 */
export async function listModels(
  config: ProviderModelConfig,
  deps: { secret: SecretOf; language?: Language },
): Promise<ModelListing> {
  const { provider, baseUrl } = config
  try {
    if (!isServerProvider(provider) || !baseUrl || !URL.canParse(baseUrl)) {
      throw new ModelError('MODEL_REFUSED', 'there is no address of a model server', false)
    }
    const call = openOutbound({ allowPrivate: config.allowPrivate ?? true })
    const names = await namesAt({ provider, baseUrl, key: config.key ?? null }, call, deps.secret, LIMIT_MS)
    const models = names.slice(0, MOST_MODELS).map((name) => ({ name, known: knownModel(provider, name) }))
    return { ok: true, models }
  } catch (error) {
    return { ok: false, ...troubleWords(config, error, deps.language ?? 'en') }
  }
}

/** The names in alphabetical order, each once. Throws ModelError. */
async function namesAt(of: Listed, call: Outbound, secret: SecretOf, limitMs: number): Promise<string[]> {
  const wire = wireOf(of.provider)
  const key = apiKeyOf({ ...of, secret })
  const [path = '', query = ''] = wire.list.path.split('?')
  const address = addressOf(of.baseUrl, { path, query: new URLSearchParams(query) })
  const asked = { method: 'GET' as const, headers: wire.headers(key), limitMs, answerBytes: ANSWER_BYTES }
  const { status, headers, bytes } = await call(address.href, asked).catch((error: unknown) => {
    throw networkFault(error, address)
  })
  const text = Buffer.from(bytes).toString('utf8')
  if (status < 200 || status >= 300) {
    const secrets = secretsOf(of, key)
    throw modelErrorOf({ status, headers, error: errorInText(text), secrets, now: Date.now(), hasBegun: false })
  }
  const names = wire.list.names(jsonValueOf(text))
  if (names.length > 0) return [...new Set(names)].sort()
  throw new ModelError('MODEL_REFUSED', 'the server lists no model', false, null, { trouble: 'wrongFormat' })
}

/** in  name: of the preset; models: those that the server offers now */
export type LocalServer = { preset: string; name: string; models: string[] }

const LOCAL_LIMIT_MS = 1_500

/** Asks each local preset for its models. out: the servers that answered with at least one, in order; never throws */
export async function findLocalServers(presets: readonly ModelPreset[], call: Outbound): Promise<LocalServer[]> {
  const asked = presets.flatMap(({ isLocal, id, name, setup: { provider, baseUrl } }) => {
    if (!isLocal || !isServerProvider(provider)) return []
    const names = namesAt({ provider, baseUrl, key: null }, call, () => undefined, LOCAL_LIMIT_MS)
    return [names.then((models): LocalServer => ({ preset: id, name, models }))]
  })
  const found = await Promise.allSettled(asked)
  return found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}
