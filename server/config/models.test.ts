/** What the file may say of models: the examples hold, secrets stay out of it, folders are found from the file. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
// The default model of a configuration that names none.
import '@/packages/rehearsal/register'
import { fieldsIn } from '@/lib/json'
import { ofVariables, openModels } from '../models'
import { ConfigError, fileModel, loadConfig, writeKeys } from './index'

const TEAM = `team: { name: Small }
agents: [{ id: boss, name: Boss, manager: true }]
humans: [{ id: ana, name: Ana, access: operator }]
`
const load = (models: string, env: Record<string, string> = {}) =>
  loadConfig(env, () => `${TEAM}models: ${models}\n`, { folder: '/srv/team' })
const mistakes = (models: string): string[] => {
  try {
    load(models)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ at, message }) => `${at}: ${message}`)
    throw error
  }
}

test('[R404] a number of more digits than are kept is a mistake of the file, with its place', () => {
  const models = '{ default: { provider: openai, model: m, extra: { seed: 1234567890123456789 } } }'
  expect(mistakes(models)).toEqual([': 1234567890123456789 has more digits than a number keeps'])
})

describe.each([
  ['openai', 'https://api.openai.com/v1', 'OPENAI_API_KEY', ['auto', 'auto'], 'openai'],
  ['anthropic', 'https://api.anthropic.com/v1', 'ANTHROPIC_API_KEY', ['auto', 'auto'], 'anthropic'],
  ['gemini', 'https://generativelanguage.googleapis.com/v1beta', 'GEMINI_API_KEY', ['auto', 'auto'], 'google'],
  ['deepseek', 'https://api.deepseek.com', 'DEEPSEEK_API_KEY', ['tags', 'tags'], 'openai-compatible'],
  [
    'qwen',
    'https://dashscope-intl.aliyuncs.com/compatible-mode/v1',
    'DASHSCOPE_API_KEY',
    ['auto', 'tags'],
    'openai-compatible',
  ],
  ['openrouter', 'https://openrouter.ai/api/v1', 'OPENROUTER_API_KEY', ['auto', 'auto'], 'openai-compatible'],
  ['vllm', 'http://127.0.0.1:8000/v1', null, ['schema', 'schema'], 'openai-compatible'],
  ['lmstudio', 'http://127.0.0.1:1234/v1', null, ['auto', 'auto'], 'openai-compatible'],
  ['ollama', 'http://127.0.0.1:11434', null, ['auto', 'auto'], 'ollama'],
])('the example of %s names the address, key and format of its preset', (name, address, key, form, provider) => {
  const file = `config/examples/${name}.yaml`
  const env = { CONVENE_CONFIG: file, ...(key === null ? {} : { [key]: 'sk-test' }) }
  const config = loadConfig(env, (path) => readFileSync(path, 'utf8'))
  const { default: small, planner } = config.models
  const both = [small, planner]

  test('gives each agent a model at the right address, with its key, and all of them can be opened', () => {
    expect(config.warnings).toEqual([])
    expect(config.agents.map(({ agent }) => [agent.name, agent.model])).toEqual([
      ['Manager', 'planner'],
      ['Reader', 'default'],
      ['Analyst', 'default'],
    ])
    for (const model of both) expect(model).toMatchObject({ provider, baseUrl: address, key: key && { env: key } })
    expect(key === null ? undefined : config.secret(key)).toBe(key === null ? undefined : 'sk-test')
    const models = openModels({
      models: config.models,
      sections: config.sections,
      secret: ofVariables(config.secret),
    })
    for (const { agent } of config.agents) expect(models.get(agent.model).contextTokens).toBeGreaterThanOrEqual(8_192)
  })

  test('says how answers are asked for, and is in the table of docs/configuration.md', () => {
    expect(both.map((model) => model?.form)).toEqual(form)
    const row = readFileSync('docs/configuration.md', 'utf8')
      .split('\n')
      .find((line) => line.startsWith(`| \`${name}.yaml\` |`))
    expect(row).toContain(`\`${address}\``)
    if (key !== null) expect(row).toContain(`\`${key}\``)
  })
})

test('each key of a model is explained in docs/configuration.md', () => {
  const explained = readFileSync('docs/configuration.md', 'utf8')
  const inFile = Object.keys(fieldsIn(writeKeys(fileModel, {})))
  expect(inFile).toContain('first_token_limit_s')
  for (const key of inFile) expect(explained).toContain(`\`${key}\``)
})

test('limits, prices and folders arrive in the server’s own units and names', () => {
  const text =
    '{ default: { provider: openai, model: m, time_limit_s: 30, first_token_limit_s: 2.5, price: { input: 1, output: 2, cache_write: 1.25 }, record: rec } }'
  expect(load(text).models.default).toMatchObject({
    baseUrl: 'https://api.openai.com/v1',
    timeLimitMs: 30_000,
    firstTokenLimitMs: 2_500,
    connectLimitMs: 10_000,
    parallel: 4,
    accepts: [],
    price: { input: 1, output: 2, cached: null, cacheWrite: 1.25 },
    record: '/srv/team/config/rec',
    play: null,
  })
})

test('what an answer may take is a number for all skills, or numbers by skill', () => {
  const maxTokens = (said: string) =>
    load(`{ default: { provider: openai, model: m, max_tokens: ${said} } }`).models.default?.maxTokens
  expect(maxTokens('900')).toEqual({ default: 900 })
  expect(maxTokens('{ default: 900, think: 4000 }')).toEqual({ default: 900, think: 4_000 })
  expect(mistakes('{ default: { provider: openai, model: m, max_tokens: { dream: 4 } } }')[0]).toContain('max_tokens')
  const more = 'reasoning_effort: low, extra: { enable_thinking: false, chat_template_kwargs: { a: [1] } }'
  expect(load(`{ default: { provider: openai, model: m, ${more} } }`).models.default).toMatchObject({
    maxTokens: null,
    reasoningEffort: 'low',
    extra: { enable_thinking: false, chat_template_kwargs: { a: [1] } },
  })
})

test('a key that is not set is a warning that names the model', () => {
  const text = '{ default: { provider: openai, model: m, key_env: MY_KEY } }'
  expect(load(text).warnings).toEqual(['MY_KEY is not set: the model default has no key and cannot be called.'])
  expect(load(text, { MY_KEY: 'x' }).warnings).toEqual([])
})

test.each([
  [
    '{ default: { provider: openai, model: m, base_url: "https://me:pass@host/v1" } }',
    'models.default.base_url: holds a secret',
  ],
  [
    '{ default: { provider: openai, model: m, base_url: "https://host/v1?api_key=1" } }',
    'models.default.base_url: holds a secret',
  ],
  ['{ default: { provider: recording } }', 'models.default: a recording needs the folder that it is played from'],
  [
    '{ default: { provider: ollama, model: m, play: x } }',
    'models.default.play: is for provider recording, not ollama',
  ],
  [
    '{ default: { provider: recording, play: x, record: y } }',
    'models.default.record: a recording is not recorded again',
  ],
  [
    '{ default: { provider: ollama, model: m, accepts: [image, audio] } }',
    'models.default.accepts: provider ollama takes image only',
  ],
  [
    '{ default: { provider: person, accepts: [image] } }',
    'models.default.accepts: is for a model, not for provider person',
  ],
  [
    '{ default: { provider: openai, model: m, extra: { messages: [] } } }',
    'models.default.extra.messages: is a field that Convene writes itself',
  ],
  [
    '{ default: { provider: openai, model: m, context_tokens: 8192, max_tokens: { think: 8192 } } }',
    'models.default.max_tokens: leaves no room in a context of 8192',
  ],
  [
    '{ default: { provider: rehearsal, reasoning_effort: high } }',
    'models.default.reasoning_effort: is for a model server, not for provider rehearsal',
  ],
])('%s is refused', (models, mistake) => {
  expect(mistakes(models)).toEqual([mistake])
})

test('a model says what it takes beside text', () => {
  const accepts = (more: string) =>
    load(`{ default: { provider: openai-compatible, base_url: "http://m.example/v1", model: m${more} } }`).models
      .default?.accepts
  expect([accepts(', accepts: [image, audio]'), accepts('')]).toEqual([['image', 'audio'], []])
})

test('an address may have a query that is no secret', () => {
  expect(mistakes('{ default: { provider: openai, model: m, base_url: "https://host/v1?api-version=1" } }')).toEqual([])
})
