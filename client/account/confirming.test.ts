/** An act that wants the password: it waits, and is sent again as it was, or comes back refused. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { call } from '../api'
import { passwordAsked } from './confirming'

const REFUSED = {
  error: 'CONFIRM_PASSWORD',
  message: 'Enter your password.',
  status_code: 403,
  details: { hasPassword: true },
}
type Sent = { path: string; body: Record<string, unknown> }
const sent: Sent[] = []
let isConfirmed = false

beforeEach(() => {
  sent.length = 0
  isConfirmed = false
  vi.stubGlobal('fetch', async (path: string, { body }: { body: string }) => {
    sent.push({ path, body: JSON.parse(body) as Sent['body'] })
    return Response.json(isConfirmed ? { made: true } : REFUSED, { status: isConfirmed ? 200 : 403 })
  })
})
afterEach(() => vi.unstubAllGlobals())

it('[R352] an act waits for the password and is sent again with the same values, its time apart', async () => {
  const done = call('POST', '/api/people', { id: 'one', until: 1, person: 'zoe' })
  await vi.waitFor(() => expect(passwordAsked()?.hasPassword).toBe(true))
  expect(sent).toHaveLength(1)
  isConfirmed = true
  passwordAsked()?.end(true)
  expect(await done).toEqual({ ok: true, value: { made: true } })
  expect(sent.map(({ body }) => [body.id, body.person])).toEqual([
    ['one', 'zoe'],
    ['one', 'zoe'],
  ])
  expect(sent[1]?.body.until).toBeGreaterThan(1)
  expect(passwordAsked()).toBeNull()
})

it('[R352] an act whose password is not typed comes back refused, and was sent once', async () => {
  const done = call('POST', '/api/people', { person: 'zoe' })
  await vi.waitFor(() => expect(passwordAsked()).not.toBeNull())
  passwordAsked()?.end(false)
  expect(await done).toEqual({ ok: false, fault: REFUSED })
  expect(sent).toHaveLength(1)
})

it('[R352] acts side by side are asked for one password, and a refused password asks no second time', async () => {
  const both = [call('POST', '/api/a', {}), call('POST', '/api/b', {})]
  await vi.waitFor(() => expect(sent).toHaveLength(2))
  await vi.waitFor(() => expect(passwordAsked()).not.toBeNull())
  const confirming = await call('POST', '/api/sessions/confirm', { password: '' })
  expect(confirming.ok).toBe(false)
  isConfirmed = true
  passwordAsked()?.end(true)
  expect((await Promise.all(both)).map(({ ok }) => ok)).toEqual([true, true])
})
