/** Functions are asked for where the configuration leaves the form open, but of a model whose reasoning would have to come back. */
import { expect, it } from 'vitest'
import { SERVER_PROVIDERS } from '@/lib/mas/setup/providers'
import { answerFormOf } from './answerForm'

it.each(SERVER_PROVIDERS)(
  '[R343] auto at a server of provider %s is native, unless the configuration says otherwise',
  (provider) => {
    expect(answerFormOf({ provider, form: 'auto' })).toBe('native')
    for (const form of ['native', 'schema', 'tags'] as const) expect(answerFormOf({ provider, form })).toBe(form)
  },
)

it('[R343] a model of Anthropic that reasons is asked with tags: a later step does not send its reasoning', () => {
  const asked = { provider: 'anthropic', form: 'auto' } as const
  expect(answerFormOf({ ...asked, reasoningEffort: 'low' })).toBe('tags')
  expect(answerFormOf({ ...asked, reasoningEffort: 'none' })).toBe('native')
})
