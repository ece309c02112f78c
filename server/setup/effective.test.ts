/** Models and tool servers of the file and the page, as they are in effect. */

import { describe, expect, it } from 'vitest'
// The default model of a configuration that names none.
import '@/packages/rehearsal/register'
import { PROVIDER_NAMES, type Provider } from '@/lib/mas/setup/providers'
import type { ModelSetup, SetupRecord, ToolSetup } from '@/lib/mas/setup/setupRecords'
import { EMPTY_SETUP } from '@/lib/mas/setup/setupRecords'
import { configCommand, loadConfig } from '../config'
import { modelsNow, serverWith, toolsNow } from './effective'

const TEAM = `team: { name: Testers }
agents: [{ id: manager, name: Manager, manager: true }]
humans: [{ id: ana, name: Ana, access: operator }]
`
const FILE = `${TEAM}models:
  default: { provider: openai, base_url: "https://models.example/v1", model: large, record: calls }
tools:
  mail: { baseurl: "https://tools.example/mcp", headers: { X-Team: red }, tools: { send: { confirm: always }, list: {} } }
  files: { command: npx, args: [files] }
`
const load = (text: string) => loadConfig({}, () => text, { folder: '/srv' })
const config = load(FILE)
const { models = {}, tools = {} } = configCommand(config)

/** What the page says takes the place of what the file says. */
function records<Value>(file: Record<string, Value>, page: Record<string, Value>): Record<string, SetupRecord<Value>> {
  const ids = [...new Set([...Object.keys(file), ...Object.keys(page)])]
  const saidOf = (id: string) => (page[id] === undefined ? null : { value: page[id] })
  return Object.fromEntries(ids.map((id) => [id, { id, file: file[id] ?? null, page: saidOf(id), changes: [] }]))
}
const modelsWith = (page: Record<string, ModelSetup> = {}) =>
  modelsNow(config, { setup: { ...EMPTY_SETUP, model: records(models, page) } })
const toolsWith = (page: Record<string, ToolSetup> = {}, secret = (): string | undefined => undefined) =>
  Object.fromEntries(
    toolsNow(config, { setup: { ...EMPTY_SETUP, tool: records(tools, page) } }, secret).map((one) => [one.name, one]),
  )
const must = <Value>(value: Value | undefined): Value => {
  if (value === undefined) throw new Error('missing')
  return value
}
const [LARGE, MAIL, FILES] = [must(models.default), must(tools.mail), must(tools.files)]

describe('a model', () => {
  it('that the page says nothing of is the file’s, and there is a default one without any', () => {
    expect(modelsWith().default).toBe(config.models.default)
    expect(modelsNow(config, { setup: EMPTY_SETUP }).default).toBe(config.models.default)
    expect(modelsNow(load(TEAM), { setup: EMPTY_SETUP }).default).toMatchObject({ provider: 'rehearsal' })
  })

  it('of the file that the page changes keeps what the page cannot say; one of the page alone has none of it', () => {
    const made = modelsWith({ default: { ...LARGE, model: 'larger' }, fast: LARGE })
    expect(made.default).toMatchObject({ model: 'larger', record: config.models.default?.record })
    expect(made.default?.record).toContain('calls')
    expect(made.fast?.record).toBeNull()
  })

  it('at an address that the page says is held to the rule for private addresses, at the file’s own it is not', () => {
    const elsewhere = { ...LARGE, baseUrl: 'http://127.0.0.1:1/v1' }
    expect(modelsWith({ default: elsewhere, fast: LARGE })).toMatchObject({
      default: { allowPrivate: 'loopback' },
      fast: { allowPrivate: 'loopback' },
    })
    expect(modelsWith({ default: { ...LARGE, model: 'larger' } }).default).not.toHaveProperty('allowPrivate')
  })

  it('[R416] has the provider that the page says, whichever it is', () => {
    const provider = (name: Provider) => modelsWith({ fast: { ...LARGE, provider: name } }).fast?.provider
    expect(PROVIDER_NAMES.map(provider)).toEqual(PROVIDER_NAMES)
  })
})

describe('a tool server', () => {
  it('that the page says nothing of is the file’s, be it remote or a program', () => {
    expect(Object.values(toolsWith())).toEqual(config.tools)
  })

  it('of the page is a program or an address; node is the one that runs the server', () => {
    const program = (command: string) => toolsWith({ new: { ...FILES, command, args: ['a'] } }).new
    expect(program('node')).toMatchObject({ command: process.execPath, args: ['a'] })
    expect(program('nodes')).toMatchObject({ command: 'nodes', args: ['a'] })
    expect(program('npx')).not.toHaveProperty('baseurl')
    expect(toolsWith({ new: MAIL }).new).toMatchObject({ baseurl: MAIL.address, allowPrivate: 'loopback' })
  })

  it('gets no header for a key that is not set', () => {
    const headers = [
      { name: 'X-Team', key: null },
      { name: 'Authorization', key: { env: 'CONVENE_KEY_A' } },
    ]
    const page = { mail: { ...MAIL, headers } }
    expect(toolsWith(page).mail?.headers).toStrictEqual({ 'X-Team': 'red' })
    expect(toolsWith(page, () => 'k').mail?.headers).toStrictEqual({ 'X-Team': 'red', Authorization: 'k' })
  })
})

it('[R122] a server of the file is tried with the key and the rules that were typed, at the address of the file alone', () => {
  const asked: string[] = []
  const secret = (_: unknown, address: string): string | undefined => {
    asked.push(address)
    return 'typed'
  }
  const typed = { ...MAIL, confirm: 'never' as const, headers: [{ name: 'X-Team', key: { stored: 'k' } }] }
  expect(serverWith(config, 'mail', { ...typed, address: 'https://other.example/mcp' }, secret)).toMatchObject({
    baseurl: 'https://tools.example/mcp',
    headers: { 'X-Team': 'typed' },
    confirm: 'never',
  })
  expect(asked).toEqual(['https://tools.example/mcp'])
})

it('[R417] the page changes whether a tool is confirmed; what else the file says of that tool stays in effect', () => {
  const [mail, ...others] = config.tools
  const send = { confirm: 'always' as const, ...{ timeLimitMs: 5_000 } }
  const limits = { timeLimitMs: 90_000, longestMs: 900_000 }
  const more = { ...config, tools: [{ ...must(mail), ...limits, tools: { send } }, ...others] }
  const now = serverWith(more, 'mail', { ...MAIL, rules: { list: 'never' } }, () => undefined)
  expect(now).toMatchObject({ ...limits, tools: { send: { timeLimitMs: 5_000 }, list: { confirm: 'never' } } })
  expect(now.tools.send).not.toHaveProperty('confirm')
})
