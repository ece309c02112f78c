/** What the file may say of models: the examples hold, secrets stay out of it, folders are found from the file. */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openModels } from '../models'
import { ConfigError, loadConfig } from './index'

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

describe.each([
  ['config/examples/openai.yaml', 'openai', 'gpt-4o-mini', 'gpt-4o'],
  ['config/examples/ollama.yaml', 'ollama', 'llama3.1', 'qwen2.5:14b'],
])('%s', (file, provider, small, large) => {
  const config = loadConfig({ CONVENE_CONFIG: file, OPENAI_API_KEY: 'sk-test' }, (path) => readFileSync(path, 'utf8'))

  test('gives each agent its own model, and all of them can be opened', () => {
    expect(config.warnings).toEqual([])
    expect(config.agents.map(({ agent }) => [agent.name, config.models[agent.model]?.model])).toEqual([
      ['Manager', large],
      ['Reader', small],
      ['Analyst', small],
    ])
    const models = openModels({ models: config.models, rehearsal: config.rehearsal, secret: config.secret })
    for (const { agent } of config.agents) expect(models.get(agent.model).provider).toBe(provider)
  })
})

test('each key of a model is explained in docs/configuration.md', () => {
  const explained = readFileSync('docs/configuration.md', 'utf8')
  const shown = load('{ default: { provider: rehearsal } }').models.default ?? {}
  const inFile = Object.keys(shown).map((key) =>
    key.replace(/Ms$/, 'S').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  )
  expect(inFile).toContain('first_token_limit_s')
  for (const key of inFile.filter((key) => key !== 'name')) expect(explained).toContain(`\`${key}\``)
})

test('limits, prices and folders arrive in the server’s own units and names', () => {
  const text =
    '{ default: { provider: openai, model: m, time_limit_s: 30, first_token_limit_s: 2.5, price: { input: 1, output: 2 }, record: rec } }'
  expect(load(text).models.default).toMatchObject({
    baseUrl: 'https://api.openai.com/v1',
    timeLimitMs: 30_000,
    firstTokenLimitMs: 2_500,
    connectLimitMs: 10_000,
    parallel: 4,
    accepts: [],
    price: { input: 1, output: 2, cached: null },
    record: '/srv/team/config/rec',
    play: null,
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
    'models.default.accepts: Ollama takes pictures only',
  ],
  [
    '{ default: { provider: person, accepts: [image] } }',
    'models.default.accepts: is for a model, not for provider person',
  ],
])('%s is refused', (models, mistake) => {
  expect(mistakes(models)).toEqual([mistake])
})

test('a model says what it takes beside text', () => {
  const accepts = (more: string) => load(`{ default: { provider: openai, model: m${more} } }`).models.default?.accepts
  expect([accepts(', accepts: [image, audio]'), accepts('')]).toEqual([['image', 'audio'], []])
})

test('an address may have a query that is no secret', () => {
  expect(mistakes('{ default: { provider: openai, model: m, base_url: "https://host/v1?api-version=1" } }')).toEqual([])
})
