/** Answers that fail for want of descriptors are said, beside others that fail for another reason. */
import { expect, it, vi } from 'vitest'
import { openDouble } from '../test/gatewayDouble'

const failing = (code: string) => Object.assign(new Error(`${code}: open`), { code })

it('[R459] an answer or an accept that failed for want of descriptors is counted, and said in /api/ready for a minute', async () => {
  const short: string[] = []
  const double = await openDouble({
    meter: { answered: () => {}, refused: () => {}, signedIn: () => {}, short: (code) => void short.push(code) },
  })
  const { call, clock, store, gateway } = double
  const cookie = await double.signIn('ben')
  const ready = async () => {
    const { status, json } = await call('GET', '/api/ready')
    return [status, json.ready, json.reasons]
  }
  const fail = async (code: string) => {
    vi.spyOn(store.people, 'list').mockRejectedValueOnce(failing(code))
    return (await call('GET', '/api/drafts', { cookie })).status
  }
  expect(await fail('EACCES')).toBe(500)
  expect([await ready(), short]).toEqual([[200, true, []], []])
  for (const code of ['EMFILE', 'ENFILE', 'EIO']) {
    expect(await fail(code)).toBe(500)
    expect(short.at(-1)).toBe(code)
    expect(await ready()).toEqual([200, true, ['files']])
    clock.now += 59_999
    expect(await ready()).toEqual([200, true, ['files']])
    clock.now += 1
    expect(await ready()).toEqual([200, true, []])
  }
  gateway.http.emit('error', failing('EMFILE'))
  expect([short.length, await ready()]).toEqual([4, [200, true, ['files']]])
})
