import type { Json } from '@/lib/mas/records'
import type { Config } from './Config'

/** The fields of models in `llm_config`: no key, not even its name. */
export const modelsShown = ({ models }: Pick<Config, 'models'>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(models).map(([name, { provider, baseUrl, model, temperature, contextTokens, timeLimitMs }]) => [
      name,
      {
        provider,
        base_url: baseUrl,
        model,
        temperature,
        context_tokens: contextTokens,
        time_limit_s: timeLimitMs / 1_000,
      },
    ]),
  )
