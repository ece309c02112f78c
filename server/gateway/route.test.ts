/** What every answer has: its headers, and the session that goes on with it. */
import { expect, it } from 'vitest'
import { openDouble } from './test/gatewayDouble'
import { ID } from './test/world'

const DAY_MS = 86_400_000

it('an answer names no other place, and sets no cookie while the session is young', async () => {
  const { call, signIn } = await openDouble()
  const { headers } = await call('GET', '/api/me', { cookie: await signIn('ben') })
  expect([headers.get('location'), headers.get('set-cookie')]).toEqual([null, null])
})

it('a session past the half of its time is renewed with an answer; a download stays the file that it is', async () => {
  const { call, clock, signIn, url } = await openDouble()
  const [early, late] = [await signIn('ben'), await signIn('ana')]
  clock.now += 7 * DAY_MS - 1
  expect((await call('GET', '/api/me', { cookie: early })).cookie).toBeNull()
  clock.now += 1
  expect((await call('GET', '/api/me', { cookie: early })).cookie).toMatch(/./)
  const answer = await fetch(`${url}/api/tasks/${ID.prices}/export?as=markdown`, { headers: { cookie: late } })
  expect(await answer.text()).toMatch(/^# Prices\n/)
})
