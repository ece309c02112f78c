/** Who signed in, and what was refused, in the log. */
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../shared/limits'
import { openDouble, PASSWORD } from '../test/gatewayDouble'
import { ID } from '../test/world'

const FROM = '127.0.0.1'
const bind = (human_agent_id: string, password = PASSWORD) => ({ body: { human_agent_id, password } })
const line = (more: object) => expect.objectContaining({ from: FROM, request: expect.any(String), ...more })

describe('[R355] the log', () => {
  it('has each sign-in, refused or not, by password and by link, and each sign-out', async () => {
    const { call, logged, store } = await openDouble()
    const { cookie } = await call('POST', '/api/bind_human_agent', bind('ben'))
    await call('POST', '/api/bind_human_agent', bind('ben', 'wrong horse'))
    await call('POST', '/api/bind_human_agent', bind('my secret password, typed into the wrong field'))
    const token = await store.accounts.makeLink(ID.ana)
    await call('POST', '/api/sessions/link', { body: { token } })
    await call('POST', '/api/sessions/link', { body: { token } })
    await call('POST', '/api/sessions/confirm', { cookie, body: { password: 'wrong horse' } })
    await call('POST', '/api/sessions/end', { cookie })
    expect(logged).toEqual([
      line({ by: ID.ben, way: 'password' }),
      line({ person: ID.ben, way: 'password', code: 'SIGN_IN_FAILED' }),
      line({ person: null, way: 'password', code: 'SIGN_IN_FAILED' }),
      line({ by: ID.ana, way: 'link' }),
      line({ person: null, way: 'link', code: 'LINK_USED' }),
      line({ person: ID.ben, way: 'confirm', code: 'WRONG_PASSWORD' }),
      line({ by: ID.ben }),
    ])
    expect(JSON.stringify(logged)).not.toMatch(/secret password|wrong horse|correct horse/)
  })

  it('has each refused right with who asked for what, and nothing where no right is wanted', async () => {
    const { call, signIn, logged } = await openDouble()
    const cookie = await signIn('ben')
    logged.length = 0
    await call('GET', '/api/people', { cookie })
    await call('GET', '/api/me', { cookie, headers: { origin: 'https://evil.example' } })
    await call('GET', '/api/me')
    await call('PUT', '/api/me/settings', { cookie, body: { theme: 'green' } })
    expect(logged).toEqual([
      line({ by: ID.ben, method: 'GET', path: '/api/people', code: 'NOT_ALLOWED' }),
      line({ by: null, path: '/api/me', code: 'FOREIGN_ORIGIN' }),
    ])
  })

  it('counts a flood: so many lines a minute, then how many were left out', async () => {
    const { call, signIn, logged, clock } = await openDouble()
    const cookie = await signIn('ben')
    logged.length = 0
    const { most, windowMs } = LIMITS.accessLinesOfAddress
    // The sign-in was the first.
    for (let n = 1; n < most; n++) await call('GET', '/api/people', { cookie })
    expect(logged).toHaveLength(most - 1)
    for (let n = 0; n < 5; n++) await call('GET', '/api/people', { cookie })
    expect(logged).toHaveLength(most - 1)
    clock.now += windowMs
    await call('GET', '/api/people', { cookie })
    await call('GET', '/api/people', { cookie })
    expect(logged.slice(most - 1)).toEqual([line({ leftOut: 5 }), expect.not.objectContaining({ leftOut: 5 })])
  })
})
