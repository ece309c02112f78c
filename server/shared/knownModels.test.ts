import { expect, it } from 'vitest'
import { MODEL_PRESETS } from '@/lib/mas/setup/modelPresets'
import { contextOf, KNOWN_MODEL_PAGES, KNOWN_MODELS_WRITTEN, knownModel } from './knownModels'

it.each([
  ['anthropic', 'claude-sonnet-5', 'claude-sonnet-5'],
  ['anthropic', 'claude-sonnet-5-20260601', 'claude-sonnet-5'],
  ['anthropic', 'claude-sonnet-5-5', 'claude-sonnet-5-5'],
  ['openai', 'gpt-5.4-mini-2026-03-17', 'gpt-5.4-mini'],
  ['google', 'gemini-2.5-flash-latest', 'gemini-2.5-flash'],
] as const)('[R667] of %s %s is known as %s', (provider, model, as) => {
  expect(knownModel(provider, model)).toEqual(knownModel(provider, as))
  expect(knownModel(provider, model)?.contextTokens).toBeGreaterThan(8_192)
})

it.each([
  ['openai', 'gpt-5.4-turbo'],
  ['openai', 'gpt-5.40'],
  ['anthropic', 'claude-opus'],
  ['openai-compatible', 'gpt-5.4'],
  ['ollama', 'llama3.1'],
] as const)(
  '[R667] of %s %s is not known: another word is another model, another server another price',
  (provider, model) => {
    expect(knownModel(provider, model)).toBeNull()
  },
)

it('[R667] the context is the configured one, else the known, else the default', () => {
  const model = { provider: 'anthropic', model: 'claude-haiku-5-5', contextTokens: null } as const
  expect(contextOf({ ...model, contextTokens: 5_000 })).toBe(5_000)
  expect(contextOf(model)).toBe(100_000)
  expect(contextOf({ ...model, model: 'other' })).toBe(32_768)
})

it('[R667] each preset of a provider with prices names a model whose price is known', () => {
  const priced = MODEL_PRESETS.filter(({ setup }) => ['openai', 'anthropic', 'google'].includes(setup.provider))
  expect(priced).toHaveLength(3)
  for (const { setup } of priced) expect(knownModel(setup.provider, setup.model)?.price.input).toBeGreaterThan(0)
  expect(KNOWN_MODEL_PAGES).toHaveLength(3)
  expect(Date.parse(KNOWN_MODELS_WRITTEN)).not.toBeNaN()
})
