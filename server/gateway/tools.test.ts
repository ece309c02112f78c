/** Tool servers over HTTP: who sees what of them, and signing in. */
import { describe, expect, it } from 'vitest'
import type { ToolPort } from '.'
import { noServers, openDouble } from './test/gatewayDouble'

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
      return answer.state === 's1' ? { ok: true, server: 'far' } : { ok: false, message: 'no sign-in is waited for' }
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
