/** Tool servers over HTTP: who sees what of them, and signing in. */

import { describe, expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { configOfAgent } from '@/lib/mas/team/commands/applyAgent'
import { must } from '@/test/stories'
import type { ToolPort } from '../..'
import { noServers, openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

const SIGN_IN = 'https://sign-in.example.org/authorize?state=s1'
function queue(): ToolPort & { finished: unknown[] } {
  const finished: unknown[] = []
  return {
    ...noServers,
    finished,
    servers: () => [
      { name: 'files', guide: 'reads files', state: 'connected', isRemote: false },
      { name: 'far', guide: '', state: 'needs_sign_in', isRemote: true, lastError: 'no sign-in', signInUrl: SIGN_IN },
    ],
    signIn: async () => ({ ok: true, url: SIGN_IN }),
    async finishSignIn(answer) {
      finished.push(answer)
      return answer.state === 's1'
        ? { ok: true, server: 'far' }
        : { ok: false, code: 'TOOL_TRANSPORT', message: 'no sign-in is waited for' }
    },
  }
}

describe('GET /api/tools', () => {
  it('operators see every tool server with its error and the page to sign in at', async () => {
    const { call, signIn } = await openDouble({ tools: queue() })
    const { json } = await call('GET', '/api/tools', { cookie: await signIn('ana') })
    expect(json).toEqual({
      servers: [
        {
          name: 'files',
          guide: 'reads files',
          state: 'connected',
          mayRun: false,
          remote: false,
          error: null,
          signInUrl: null,
        },
        {
          name: 'far',
          guide: '',
          state: 'needs_sign_in',
          mayRun: false,
          remote: true,
          error: 'no sign-in',
          signInUrl: SIGN_IN,
        },
      ],
    })
  })

  it('others see no sign-in page, and no server that they may not use', async () => {
    const { call, signIn } = await openDouble({ tools: queue() })
    const { json, status } = await call('GET', '/api/tools', { cookie: await signIn('ben') })
    expect(status).toBe(200)
    expect(JSON.stringify(json)).not.toContain('sign-in.example.org')
    expect(JSON.stringify(json)).not.toContain('"far"')
    expect((await call('GET', '/api/tools')).status).toBe(401)
  })
})

describe('signing in at a tool server', () => {
  it('an operator begins a sign-in, and gets the page to open', async () => {
    const { call, signIn } = await openDouble({ tools: queue() })
    const ana = await signIn('ana')
    const begun = await call('POST', '/api/tools/far/sign_in', { cookie: ana, body: {} })
    expect(begun.json).toEqual({ url: SIGN_IN })
    expect((await call('POST', '/api/tools/none/sign_in', { cookie: ana, body: {} })).status).toBe(404)
    const ben = await call('POST', '/api/tools/far/sign_in', { cookie: await signIn('ben'), body: {} })
    expect(ben.status).toBe(403)
  })

  it('the callback of a sign-in needs no session, is identified by its state, and leads to the settings', async () => {
    const tools = queue()
    const { call } = await openDouble({ tools })
    const back = await call('GET', '/api/tools/oauth/callback?state=s1&code=c1')
    expect([back.status, back.headers.get('location')]).toEqual([303, '/settings/models?signed_in=far'])
    expect(tools.finished).toEqual([{ state: 's1', code: 'c1' }])
    const stranger = await call('GET', '/api/tools/oauth/callback?state=guessed&code=c1')
    expect(stranger.headers.get('location')).toContain('sign_in_failed=')
    const refused = await call('GET', '/api/tools/oauth/callback?state=s1&error=access_denied')
    expect(refused.headers.get('location')).toBe('/settings/models?sign_in_failed=access_denied')
    expect(tools.finished).toHaveLength(2)
  })
})

describe('tool servers', () => {
  it('others see the servers that they may use, without errors, and operators which they may use themselves', async () => {
    const { call, signIn, engine } = await openDouble({ tools: queue() })
    await engine.put(
      [ID.ben, ID.ana].map((id) => {
        const { configId, ...config } = configOfAgent(must(engine.world().agents[id], id))
        return event('agent.changed', { agent: id, config: { ...config, configId: configId ?? '', tools: ['far'] } })
      }),
    )
    const servers = async (who: string) =>
      ((await call('GET', '/api/tools', { cookie: await signIn(who) })).json.servers ?? []) as object[]
    expect(await servers('ben')).toEqual([
      { name: 'far', guide: '', state: 'needs_sign_in', mayRun: true, remote: true, error: null, signInUrl: null },
    ])
    expect(await servers('ana')).toMatchObject([{ mayRun: false }, { mayRun: true, error: 'no sign-in' }])
  })

  it('are none where none is configured, and nothing can be signed in to', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ana')
    expect((await call('GET', '/api/tools', { cookie })).json).toEqual({ servers: [] })
    expect((await call('POST', '/api/tools/far/sign_in', { cookie, body: {} })).json.error).toBe('NOT_FOUND')
    const back = await call('GET', '/api/tools/oauth/callback?state=s1&code=c1')
    expect(back.headers.get('location')).toContain('/settings/models?sign_in_failed=no+sign-in+is+waited+for')
  })

  it('[R359] that cannot be signed in to say why; a refusal is told by its OAuth code, and no text of a stranger is told or logged', async () => {
    const refused = { ok: false, code: 'TOOL_TRANSPORT', message: 'it answers nothing' } as const
    const { call, signIn, logged } = await openDouble({ tools: { ...queue(), signIn: async () => refused } })
    const begun = await call('POST', '/api/tools/far/sign_in', { cookie: await signIn('ana'), body: {} })
    expect(begun.json).toMatchObject({ error: 'BAD_INPUT', message: 'it answers nothing' })
    const told = async (query: string) => {
      const { headers } = await call('GET', `/api/tools/oauth/callback?state=s1${query}`)
      return new URL(headers.get('location') ?? '', 'http://x').searchParams.get('sign_in_failed')
    }
    expect(await told('&error=access_denied&error_description=FORGED+text')).toBe('access_denied')
    for (const query of ['', '&error=FORGED', '&error=access_denied%0aFORGED', '&error_description=FORGED'])
      expect(await told(query)).toBe('no code came back')
    expect(JSON.stringify(logged)).not.toContain('FORGED')
  })
})
