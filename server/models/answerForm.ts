/** Which form of answers `form: auto` stands for, by the provider and the server. */
import { type ANSWER_FORMS, type AnswerForm, type Provider, traitsOf } from '@/lib/mas/setup/providers'

type Asked = {
  provider: Provider
  form: (typeof ANSWER_FORMS)[number]
  reasoningEffort?: string | null
}

/** out: as configured; for auto that of the provider, until the first answers show that its server takes no functions */
export function answerFormOf({ provider, form, reasoningEffort = null }: Asked): AnswerForm {
  if (form !== 'auto') return form
  // With reasoning Anthropic wants it back with the results of calls, also in a later step, where it is not sent.
  if (provider === 'anthropic' && reasoningEffort !== null && reasoningEffort !== 'none') return 'tags'
  return traitsOf(provider).auto
}
