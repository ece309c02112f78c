/** Which form of answers `structured: auto` asks for, by the provider and the server. */
import { type Provider, traitsOf } from '@/lib/mas/providers'

/**
 * Servers that cache the beginning of a prompt and count the schema as its very beginning. Each skill has a schema of its own, so
 * with schemas nothing of an agent's prompt would be cached between its skills.
 *
 * source  docs/configuration.md
 */
const SCHEMA_BEFORE_PROMPT = [
  'api.openai.com',
  'openai.azure.com',
  'cognitiveservices.azure.com',
  'services.ai.azure.com',
]
/** Gateways to many models. Those of OpenAI are named with its prefix; its open-weight models run elsewhere. */
const GATEWAYS = ['openrouter.ai', 'ai-gateway.vercel.sh']
const OF_OPENAI = /^openai\/(?!gpt-oss)/i

type Asked = { provider: Provider; structured: 'auto' | 'json_schema' | 'tags'; baseUrl: string; model: string }

/** out: `tags` where a schema for each skill would defeat the server's cache; else as configured */
export function answerFormOf({ provider, structured, baseUrl, model }: Asked): Asked['structured'] {
  if (structured !== 'auto') return structured
  if (traitsOf(provider).cachesBySchema) return 'tags'
  const { hostname } = new URL(baseUrl)
  const isOf = (hosts: readonly string[]): boolean =>
    hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))
  return isOf(SCHEMA_BEFORE_PROMPT) || (isOf(GATEWAYS) && OF_OPENAI.test(model)) ? 'tags' : 'auto'
}
