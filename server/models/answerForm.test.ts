/** Schemas are asked for where they help, and tags where a schema for each skill costs more than it brings. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MODEL_PRESETS } from '@/lib/mas/modelPresets'
import type { Provider } from '@/lib/mas/providers'
import { answerFormOf } from './answerForm'

type Form = Parameters<typeof answerFormOf>[0]['structured']

const formAt = (baseUrl: string, model = 'm', structured: Form = 'auto', provider: Provider = 'openai-compatible') =>
  answerFormOf({ provider, structured, baseUrl, model })

it.each([
  ['https://api.openai.com/v1'],
  ['https://eu.api.openai.com/v1'],
  ['https://ours.openai.azure.com/openai/deployments/small?api-version=2026-01-01'],
])('[R343] auto asks for tags at %s, whose cache begins with the schema', (address) => {
  expect(formAt(address)).toBe('tags')
  expect(formAt(address, 'm', 'json_schema')).toBe('json_schema')
})

it.each([
  ['openai', 'tags'],
  ['anthropic', 'tags'],
  ['google', 'auto'],
  ['ollama', 'auto'],
] as const)('[R343] auto at any address of provider %s is %s', (provider, form) => {
  expect(formAt('https://gateway.example/v1', 'm', 'auto', provider)).toBe(form)
})

it.each([
  ['https://openrouter.ai/api/v1', 'openai/gpt-5.4-mini', 'tags'],
  ['https://openrouter.ai/api/v1', 'openai/gpt-oss-120b', 'auto'],
  ['https://openrouter.ai/api/v1', 'qwen/qwen3-14b', 'auto'],
  ['http://127.0.0.1:8000/v1', 'openai/gpt-oss-20b', 'auto'],
  ['http://127.0.0.1:11434', 'llama3.1', 'auto'],
  ['https://api.openai.com.example.org/v1', 'm', 'auto'],
] as const)('[R343] auto at %s for %s is %s', (address, model, form) => expect(formAt(address, model)).toBe(form))

it('[R343] the configuration page says where auto means tags, as it is for each preset', () => {
  const page = readFileSync('docs/configuration.md', 'utf8')
  for (const host of ['api.openai.com', 'openai.azure.com', 'openrouter.ai']) expect(page).toContain(`\`${host}\``)
  const tagged = MODEL_PRESETS.filter(
    ({ setup }) => formAt(setup.baseUrl, setup.model, setup.structured, setup.provider) === 'tags',
  )
  expect(tagged.map(({ id }) => id)).toEqual(expect.arrayContaining(['openai', 'anthropic']))
})
