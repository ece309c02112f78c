/** What every answer has: its headers. */
import { expect, it } from 'vitest'
import { openDouble } from './test/gatewayDouble'

it('an answer names no other place, and sets no cookie', async () => {
  const { call, signIn } = await openDouble()
  const { headers } = await call('GET', '/api/me', { cookie: await signIn('ben') })
  expect([headers.get('location'), headers.get('set-cookie')]).toEqual([null, null])
})
