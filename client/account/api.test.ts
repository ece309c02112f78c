/** The account's calls: what they make of refusals and of no answer. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Fault, faultBody } from '@/lib/faults'
import { getMe, retryAfterOf, signIn } from './api'

const answers = (status: number, body: unknown): void => {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body), { status }))
}

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('calls of the account', () => {
  it('[C5] a refusal is a value with its status and sentence', async () => {
    const fault = new Fault('SIGN_IN_FAILED')
    answers(401, faultBody(fault))
    expect(await signIn('ana', 'x')).toEqual({ ok: false, fault: faultBody(fault) })
  })

  it('[C5] too many tries name the seconds to wait', async () => {
    answers(429, faultBody(new Fault('TOO_MANY', { seconds: 42 })))
    const answer = await signIn('ana', 'x')
    expect(answer.ok ? null : retryAfterOf(answer.fault)).toBe(42)
  })

  it('[C5] a lost connection or a proxy’s answer is NO_ANSWER, without a message that a screen could show', async () => {
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')))
    expect(await getMe()).toEqual({
      ok: false,
      fault: { error: 'NO_ANSWER', status_code: 0, detail: 'TypeError: Failed to fetch' },
    })
    answers(502, { error: 'BAD_GATEWAY', message: 'nginx' })
    expect(await getMe()).toEqual({
      ok: false,
      fault: { error: 'NO_ANSWER', status_code: 0, detail: 'status 502' },
    })
  })
})
