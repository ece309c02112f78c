/** Operators' rules for tools over HTTP: one list of them and the configuration, and setting one. */
import { describe, expect, it } from 'vitest'
import type { ToolPort } from '../..'
import { describedWith, noServers, openDouble, toolInfo } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

const connected: ToolPort = {
  ...noServers,
  servers: () => [
    { name: 'files', guide: '', state: 'connected', isRemote: false },
    { name: 'idle', guide: '', state: 'idle', isRemote: false },
  ],
  describe: async (server) =>
    server === 'files'
      ? describedWith([toolInfo('read'), toolInfo('write', { confirmRule: 'always' })])
      : { ok: false, code: 'TOOL_TRANSPORT', message: 'it is not there' },
}
const [OF_TASK, OF_AGENT] = [`/api/tasks/${ID.prices}/tool_rules`, `/api/agents/${ID.reader}/tool_rules`]

async function opened(name: 'ana' | 'ben') {
  let count = 0
  const { call, signIn } = await openDouble({ tools: connected })
  const cookie = await signIn(name)
  const rule = (path: string, more: object = {}) => {
    count += 1
    const head = { id: `rule-${count}-xxxxxxxx`, until: Date.UTC(2030, 0) }
    return call('POST', path, {
      cookie,
      body: { ...head, server: 'files', tool: 'read', rule: 'ask', endsAt: null, reason: 'r', ...more },
    })
  }
  return { rule, list: (query = '') => call('GET', `/api/tool_rules${query}`, { cookie }) }
}

describe('[R108] the rules of tools', () => {
  it('are one list with what the configuration says', async () => {
    const { rule, list } = await opened('ana')
    expect((await rule(OF_TASK)).status).toBe(200)
    expect((await rule(OF_AGENT, { rule: 'allow' })).status).toBe(200)
    const { json } = await list(`?task=${ID.prices}`)
    expect(json.rules).toMatchObject([
      { server: 'files', tool: 'read', rule: 'ask', owner: { kind: 'task', id: ID.prices }, by: 'Ana', endsAt: null },
      { server: 'files', tool: 'read', rule: 'allow', owner: { kind: 'agent', name: 'Reader' } },
    ])
    expect(json.tools).toEqual([
      { server: 'files', tool: 'read', configured: 'risky' },
      { server: 'files', tool: 'write', configured: 'always' },
    ])
    expect((await list()).json.rules).toHaveLength(2)
  })

  it('are read and set by operators alone', async () => {
    const { rule, list } = await opened('ben')
    expect([(await list()).status, (await rule(OF_AGENT)).status, (await rule(OF_TASK)).status]).toEqual([
      403, 403, 403,
    ])
  })

  it('allow only a tool that is there; nothing needs to be known of one to turn it off', async () => {
    const { rule } = await opened('ana')
    expect((await rule(OF_AGENT, { rule: 'allow', tool: 'gone' })).status).toBe(404)
    expect((await rule(OF_AGENT, { rule: 'allow', server: 'idle' })).json).toMatchObject({ error: 'TOOL_UNREACHABLE' })
    expect((await rule(OF_AGENT, { rule: 'off', tool: 'gone' })).status).toBe(200)
  })
})
