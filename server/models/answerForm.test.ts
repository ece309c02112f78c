/** Functions are asked for where they are known to work, else a schema where it costs no cached prompt. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MODEL_PRESETS } from '@/lib/mas/modelPresets'
import type { Provider } from '@/lib/mas/providers'
import { answerFormOf } from './answerForm'

type Form = Parameters<typeof answerFormOf>[0]['form']

const formAt = (baseUrl: string, form: Form = 'auto', provider: Provider = 'openai-compatible') =>
  answerFormOf({ provider, form, baseUrl })

it.each([
  ['https://api.openai.com/v1', 'native'],
  ['https://eu.api.openai.com/v1', 'native'],
  ['https://ours.openai.azure.com/openai/deployments/small?api-version=2026-01-01', 'native'],
  ['https://openrouter.ai/api/v1', 'native'],
  ['http://127.0.0.1:8000/v1', 'schema'],
  ['https://api.openai.com.example.org/v1', 'schema'],
] as const)('[R343] auto at %s is %s, unless the configuration says otherwise', (address, form) => {
  expect(formAt(address)).toBe(form)
  for (const own of ['native', 'schema', 'tags'] as const) expect(formAt(address, own)).toBe(own)
})

it.each([
  ['openai', 'native'],
  ['anthropic', 'native'],
  ['google', 'native'],
  ['ollama', 'schema'],
] as const)('[R343] auto at any address of provider %s is %s', (provider, form) => {
  expect(formAt('https://gateway.example/v1', 'auto', provider)).toBe(form)
})

it('[R343] a model of Anthropic that reasons is asked with tags: a later step does not send its reasoning', () => {
  const asked = { provider: 'anthropic', form: 'auto', baseUrl: 'https://api.anthropic.com/v1' } as const
  expect(answerFormOf({ ...asked, reasoningEffort: 'low' })).toBe('tags')
  expect(answerFormOf({ ...asked, reasoningEffort: 'none' })).toBe('native')
})

it('[R343] the configuration page names the servers where auto means functions, and the presets that use them', () => {
  const page = readFileSync('docs/configuration.md', 'utf8')
  for (const host of ['api.openai.com', 'openai.azure.com', 'openrouter.ai']) expect(page).toContain(`\`${host}\``)
  const native = MODEL_PRESETS.filter(({ setup }) => formAt(setup.baseUrl, setup.form, setup.provider) === 'native')
  expect(native.map(({ id }) => id)).toEqual(expect.arrayContaining(['openai', 'anthropic']))
})
