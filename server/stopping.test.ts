/** The process ends in time, whatever its parts do, and each of them has its chance. */
import { expect, it } from 'vitest'
import { handClock } from '@/test/handClock'
import { createStopping, DEADLINE_MS, PART_MS } from './stopping'
import { StoreBrokenError } from './store'

function stage() {
  const clock = handClock(0)
  const exits: number[] = []
  const said: string[] = []
  const done: string[] = []
  const stopping = createStopping({
    log: {
      error: (data, message) => said.push(`${message} ${JSON.stringify(data)}`),
      fatal: (data, message) => said.push(`${message} ${JSON.stringify(data)}`),
    },
    exit: (code) => exits.push(code),
    schedule: clock.schedule,
  })
  const part = (name: string, end: () => unknown = () => {}): void =>
    stopping.add(name, () => {
      done.push(name)
      return end()
    })
  const turns = async (): Promise<void> => {
    for (let n = 0; n < 50; n++) await Promise.resolve()
  }
  return { clock, done, exits, part, said, stopping, turns }
}
const never = (): Promise<void> => new Promise(() => {})

it('[R82] the last part that came up stops first, and the process exits with its code', async () => {
  const { done, exits, part, stopping } = stage()
  part('log')
  part('store', async () => {})
  part('gateway')
  expect(stopping.isStopping()).toBe(false)
  const end = stopping.stop(0)
  expect(stopping.isStopping()).toBe(true)
  await end
  expect([done, exits]).toEqual([['gateway', 'store', 'log'], [0]])
})

it('[R262] a part may be given longer than the others', async () => {
  const { clock, done, exits, part, said, stopping, turns } = stage()
  part('log')
  stopping.add('work', never, PART_MS + 1_000)
  void stopping.stop(0)
  await turns()
  clock.pass(PART_MS)
  await turns()
  expect([done, said]).toEqual([[], []])
  clock.pass(1_000)
  await turns()
  expect([done, exits]).toEqual([['log'], [0]])
})

it('[R82] a part that throws, rejects or hangs keeps no other from stopping', async () => {
  const { clock, done, exits, part, said, stopping, turns } = stage()
  part('log')
  part('store')
  part('hangs', never)
  part('rejects', () => Promise.reject(new Error('no')))
  part('throws', () => {
    throw new Error('no')
  })
  void stopping.stop(0)
  await turns()
  expect(done).toEqual(['throws', 'rejects', 'hangs'])
  clock.pass(PART_MS - 1)
  await turns()
  expect(done).toEqual(['throws', 'rejects', 'hangs'])
  clock.pass(1)
  await turns()
  expect([done, exits]).toEqual([['throws', 'rejects', 'hangs', 'store', 'log'], [0]])
  expect(said.map((line) => line.slice(0, 40))).toEqual([
    expect.stringContaining('failed to stop'),
    expect.stringContaining('failed to stop'),
    expect.stringContaining('did not stop in time'),
  ])
})

it('[R82] when too many hang the process is ended at the deadline, not before, and not with 0', async () => {
  const { clock, done, exits, part, said, stopping, turns } = stage()
  for (const name of ['a', 'b', 'c', 'd', 'e']) part(name, never)
  void stopping.stop(0)
  for (let ms = 0; ms < DEADLINE_MS - 1_000; ms += 1_000) {
    await turns()
    clock.pass(1_000)
  }
  await turns()
  clock.pass(999)
  await turns()
  expect(exits).toEqual([])
  clock.pass(1)
  await turns()
  expect(exits).toEqual([1])
  expect(done).toEqual(['e', 'd', 'c', 'b'])
  expect(said.at(-1)).toContain('["a"]')
})

it('[R82] a second signal ends it at once, and once', async () => {
  const { clock, exits, part, stopping, turns } = stage()
  part('store')
  part('hangs', never)
  void stopping.stop(0)
  await turns()
  stopping.exitNow(1)
  clock.pass(DEADLINE_MS)
  await turns()
  expect(exits).toEqual([1])
})

it('[R82] the first code that says trouble counts', async () => {
  const { exits, part, stopping } = stage()
  part('one', () => void stopping.stop(1))
  await stopping.stop(0)
  expect(exits).toEqual([1])
})

it('[R82] an error that nothing caught is logged and stops the process; a broken connection is only logged', async () => {
  const { done, exits, part, said, stopping, turns } = stage()
  part('store')
  stopping.onUncaught(Object.assign(new Error('read'), { code: 'ECONNRESET' }), 'uncaughtException')
  stopping.onUncaught(Object.assign(new Error('write'), { code: 'EPIPE' }), 'uncaughtException')
  stopping.onUncaught(new StoreBrokenError('person', new Error('full')), 'unhandledRejection')
  await turns()
  expect([exits, stopping.isStopping()]).toEqual([[], false])
  stopping.onUncaught('a word', 'unhandledRejection')
  await turns()
  expect([done, exits]).toEqual([['store'], [1]])
  expect(said).toHaveLength(4)
  expect(said[3]).toContain('unhandledRejection')
})
