import type { Json } from '@/lib/mas/records'
import type { Config } from './Config'

/** What llm_config shows of a model: no key, not even its name. */
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
