/**
 * While the store cannot write: 503 with words for everything that would be saved, normal answers for reads.
 */
import { expect, it } from 'vitest'
import { StoreBrokenError } from '@/server/store'
import { SESSION_MS } from './sessions/sessions'
import { openDouble } from './test/gatewayDouble'
import { ID } from './test/world'

it('[R80] a store that cannot write is answered 503 with words, outside the journal too, and is not logged as a defect', async () => {
  const { call, logged, signIn, store } = await openDouble()
  const cookie = await signIn('ben')
  const before = logged.length
  const full = async (): Promise<never> => {
    throw new StoreBrokenError('person', Object.assign(new Error('full'), { code: 'SQLITE_FULL' }))
  }
  store.people.put = full
  store.accounts.startSession = full
  const draft = await call('PUT', `/api/drafts/task:${ID.prices}`, {
    cookie,
    body: { text: 'half a thought', version: null },
  })
  expect([draft.status, draft.json.error]).toEqual([503, 'STORE_BROKEN'])
  expect(draft.json.message).toContain('Try again')
  const signing = await call('POST', '/api/bind_human_agent', {
    body: { human_agent_id: ID.ana, password: 'wrong' },
  })
  expect(signing.status).toBe(401)
  expect(logged.length).toBe(before)
})

it('[R80] a session due for renewal stays valid while nothing can be saved, and is renewed afterwards', async () => {
  const { call, clock, signIn, store } = await openDouble()
  const cookie = await signIn('ben')
  clock.now += SESSION_MS / 2 + 60_000
  const { startSession } = store.accounts
  store.accounts.startSession = async () => {
    throw new StoreBrokenError('session', Object.assign(new Error('full'), { code: 'SQLITE_FULL' }))
  }
  const now = await call('GET', '/api/me', { cookie })
  expect([now.status, now.cookie]).toEqual([200, null])
  store.accounts.startSession = startSession
  const later = await call('GET', '/api/me', { cookie })
  expect(later.status).toBe(200)
  expect(later.cookie).not.toBeNull()
})

it('[R80] losing access closes what is open, also when the sessions cannot be removed', async () => {
  const { call, engine, gateway, signIn, store } = await openDouble()
  const cookie = await signIn('ben')
  const ended: unknown[] = []
  gateway.sessions.onEnded((one) => ended.push(one))
  store.accounts.endSessionsOf = async () => {
    throw new StoreBrokenError('session', Object.assign(new Error('full'), { code: 'SQLITE_FULL' }))
  }
  await engine.put([{ type: 'human.accessChanged', v: 1, agent: ID.ben, access: 'none' }])
  while (ended.length === 0) await new Promise((resolve) => setImmediate(resolve))
  expect(ended).toEqual([{ person: ID.ben, session: null, reason: 'access' }])
  expect((await call('GET', '/api/me', { cookie })).status).toBe(403)
})
