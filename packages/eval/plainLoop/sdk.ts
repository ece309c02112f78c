/** The AI SDK, a development dependency, and its language model for a configured model. */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { ProviderModelConfig, SecretOf } from '@/server/models'
import { EvalArgumentsError } from '../evalArguments'

export type AiSdk = typeof import('ai')
export type LoopModel = Parameters<AiSdk['wrapLanguageModel']>[0]['model']

/** Throws EvalArgumentsError with how to add the package when it is not installed. */
export async function loadAiSdk(load: () => Promise<AiSdk> = () => import('ai')): Promise<AiSdk> {
  try {
    return await load()
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).endsWith('MODULE_NOT_FOUND'))
      throw new EvalArgumentsError(
        'The plain loop needs the package `ai`, a development dependency. Add it with: npm install --include=dev',
      )
    throw error
  }
}

/** Where a server of this provider speaks OpenAI's chat completions with tools. */
const CHAT_ADDRESS: Partial<Record<ProviderModelConfig['provider'], (baseUrl: string) => string>> = {
  openai: (baseUrl) => baseUrl,
  'openai-compatible': (baseUrl) => baseUrl,
  ollama: (baseUrl) => `${baseUrl.replace(/\/+$/, '')}/v1`,
}

const TIME_LIMIT_MS = 120_000

/** out: the model with its configured settings. Throws EvalArgumentsError for a model that the loop cannot use */
export function loopModelOf(name: string, config: ProviderModelConfig, secret: SecretOf) {
  const addressOf = CHAT_ADDRESS[config.provider]
  if (addressOf === undefined)
    throw new EvalArgumentsError(
      `The plain loop needs a model server with tools: --loop works with provider ${Object.keys(CHAT_ADDRESS).join(', ')}, not with ${config.provider}.`,
    )
  if (!config.baseUrl || !config.model) throw new EvalArgumentsError(`model ${name} has no base_url or no model`)
  const key = config.key ? secret(config.key, config.baseUrl) : undefined
  const limitMs = config.timeLimitMs ?? TIME_LIMIT_MS
  const provider = createOpenAICompatible({
    name: 'eval',
    baseURL: addressOf(config.baseUrl),
    ...(key === undefined ? {} : { apiKey: key }),
    // Our own fields win, as in other calls of the model.
    transformRequestBody: (body) => ({ ...config.extra, ...body }),
    fetch: (address, init) => {
      const limit = AbortSignal.timeout(limitMs)
      return fetch(address, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit })
    },
  })
  return {
    model: provider.chatModel(config.model),
    settings: {
      ...(typeof config.temperature === 'number' ? { temperature: config.temperature } : {}),
      ...(config.maxTokens?.default === undefined ? {} : { maxOutputTokens: config.maxTokens.default }),
      ...(config.reasoningEffort ? { providerOptions: { eval: { reasoningEffort: config.reasoningEffort } } } : {}),
    },
  }
}

export type LoopSettings = ReturnType<typeof loopModelOf>['settings']
