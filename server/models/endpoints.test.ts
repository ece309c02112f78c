/** The queue of an endpoint: who goes when, and what makes all of it pause. */
import { expect, it, vi } from 'vitest'
import { faultOf, signal, TURNS } from '@/test/modelCalls'
import { Endpoint, queuedAt } from './endpoints'
import { type Model, ModelError, type ModelErrorCode } from './model'

const failing = (code: ModelErrorCode, retryAfterMs: number | null): Model => ({
  name: 'one',
  provider: 'openai-compatible',
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

it('[R475] a call that waits is told its place, at once and whenever it changes', async () => {
  const endpoint = new Endpoint(() => 1)
  const told: string[] = []
  const enter = (name: string, stop = signal()) => endpoint.enter(stop, (place) => told.push(`${name} ${place}`))
  const took = (): string[] => told.splice(0)
  const leave = await enter('first')
  expect(took()).toEqual([])
  const [second, stop] = [enter('second'), new AbortController()]
  const third = enter('third', stop.signal)
  const [fourth, fifth] = [enter('fourth'), enter('fifth')]
  expect(took()).toEqual(['second 1', 'third 2', 'fourth 3', 'fifth 4'])
  // One that gives up moves only those behind it.
  stop.abort()
  await expect(third).rejects.toMatchObject({ code: 'MODEL_ABORTED' })
  expect(took()).toEqual(['fourth 2', 'fifth 3'])
  leave()
  expect(took()).toEqual(['fourth 1', 'fifth 2'])
  ;(await second)()
  ;(await fourth)()
  ;(await fifth)()
  expect(took()).toEqual(['fifth 1'])
})

it('[R475] a call that waits out a pause of the endpoint has a place too', async () => {
  vi.useFakeTimers()
  try {
    const endpoint = new Endpoint(() => 4)
    endpoint.pause(1_000)
    const places: number[] = []
    const entered = endpoint.enter(signal(), (place) => places.push(place))
    expect(places).toEqual([1])
    vi.advanceTimersByTime(1_000)
    ;(await entered)()
  } finally {
    vi.useRealTimers()
  }
})
