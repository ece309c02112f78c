/** Which form of answers `form: auto` stands for, by the provider and the server. */
import { type ANSWER_FORMS, type AnswerForm, type Provider, traitsOf } from '@/lib/mas/providers'

/** Servers of other providers where functions are known to work: OpenAI's models, and gateways to many models. */
const NATIVE_HOSTS = [
  'api.openai.com',
  'openai.azure.com',
  'cognitiveservices.azure.com',
  'services.ai.azure.com',
  'openrouter.ai',
  'ai-gateway.vercel.sh',
]

type Asked = {
  provider: Provider
  form: (typeof ANSWER_FORMS)[number]
  baseUrl: string
  reasoningEffort?: string | null
}

/** out: as configured; for auto that of the provider, or of a server that is known */
export function answerFormOf({ provider, form, baseUrl, reasoningEffort = null }: Asked): AnswerForm {
  if (form !== 'auto') return form
  // With reasoning Anthropic wants it back with the results of calls, also in a later step, where it is not sent.
  if (provider === 'anthropic' && reasoningEffort !== null && reasoningEffort !== 'none') return 'tags'
  const { hostname } = new URL(baseUrl)
  const isKnown = NATIVE_HOSTS.some((host) => hostname === host || hostname.endsWith(`.${host}`))
  return isKnown ? 'native' : traitsOf(provider).auto
}
