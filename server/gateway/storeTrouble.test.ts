/**
 * While the store cannot write: 503 with words for everything that would be saved, normal answers for reads.
 */
import { expect, it } from 'vitest'
import { StoreBrokenError } from '@/server/store'
import { errorsIn, openDouble } from './test/gatewayDouble'
import { ID } from './test/world'

it('[R80] a store that cannot write is answered 503 with words, outside the journal too, and is not logged as a defect', async () => {
  const { call, logged, signIn, store } = await openDouble()
  const cookie = await signIn('ben')
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
  expect(errorsIn(logged)).toEqual([])
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
