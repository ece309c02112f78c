/** The queue of an endpoint: who goes when, and what makes all of it pause. */
import { expect, it, vi } from 'vitest'
import { faultOf, signal, TURNS } from '@/test/modelCalls'
import { Endpoint, queuedAt } from './endpoints'
import { type Model, ModelError, type ModelErrorCode } from './model'

const failing = (code: ModelErrorCode, retryAfterMs: number | null): Model => ({
  name: 'one',
  provider: 'openai',
  contextTokens: 1_000,
  // biome-ignore lint/correctness/useYield: it fails before its first piece.
  async *call() {
    throw new ModelError(code, 'no', true, retryAfterMs)
  },
})

it('an endpoint pauses only when the server says that it is asked too often, and says for how long', async () => {
  const paused = async (code: ModelErrorCode, ms: number | null): Promise<number[]> => {
    const endpoint = new Endpoint(() => 1)
    const pause = vi.spyOn(endpoint, 'pause')
    const fault = await faultOf(queuedAt(failing(code, ms), endpoint).call(TURNS, { signal: signal() }))
    expect(fault.code).toBe(code)
    return pause.mock.calls.flat()
  }
  expect(await paused('MODEL_RATE_LIMITED', 200)).toEqual([200])
  expect(await paused('MODEL_RATE_LIMITED', null)).toEqual([0])
  expect(await paused('MODEL_UNREACHABLE', 200)).toEqual([])
})

it('a call that is stopped while it runs is not taken for one that waits', async () => {
  const endpoint = new Endpoint(() => 1)
  const stop = new AbortController()
  const leave = await endpoint.enter(stop.signal)
  const next = endpoint.enter(signal())
  stop.abort()
  leave()
  ;(await next)()
  await expect(endpoint.enter(stop.signal)).rejects.toMatchObject({ code: 'MODEL_ABORTED' })
})
