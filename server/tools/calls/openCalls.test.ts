/** Whose question it is that a server asks: other people are never shown it. */
import { expect, test } from 'vitest'
import { Deadline } from './deadline'
import { outsideCalls, type RunningCall, RunningCalls } from './openCalls'

const call = (group?: string, asks?: RunningCall['asks']): RunningCall => {
  const deadline = new Deadline({ limitMs: 1_000, longestMs: 1_000, onOver: () => undefined })
  deadline.end()
  return { asks, group, deadline, signal: new AbortController().signal }
}
/** The call that is asked while these run; a message of the shared pipe belongs to none of them. */
async function asked(running: readonly RunningCall[], calls = new RunningCalls()): Promise<RunningCall | null> {
  const [first, ...others] = running
  return first === undefined ? outsideCalls(() => calls.asking()) : calls.during(first, () => asked(others, calls))
}

test('is that of the only call, and of nobody without one', async () => {
  const one = call()
  expect(await asked([one])).toBe(one)
  expect(await asked([])).toBeNull()
})

test('is that of the oldest of several for the same people, and of nobody where one is for others', async () => {
  const [one, two, three] = [call('a'), call('a'), call('a')]
  expect(await asked([one, two, three])).toBe(one)
  for (const others of [
    [two, call('b')],
    [call('b'), two],
    [two, call()],
  ])
    expect(await asked([one, ...others])).toBeNull()
  expect(await asked([call(), call()])).toBeNull()
})

test('is that of a call that can ask somebody, also when an older one was begun early and asks nobody', async () => {
  const nobody: RunningCall['asks'] = {
    asksNobody: true,
    question: async () => ({ action: 'cancel' }),
    sample: async () => ({ ok: false, reason: 'nobody' }),
  }
  const [ahead, atTurn] = [call('a', nobody), call('a')]
  expect(await asked([ahead, atTurn])).toBe(atTurn)
  expect(await asked([ahead, call('a', nobody)])).toBe(ahead)
  expect(await asked([ahead, call('b')])).toBeNull()
})

test('is that of the call whose answer it arrives in, whoever else calls, and not after its end', async () => {
  const calls = new RunningCalls()
  const [one, two] = [call('a'), call('b')]
  await calls.during(one, async () => {
    await calls.during(two, async () => expect(calls.asking()).toBe(two))
    expect(calls.asking()).toBe(one)
  })
  expect(calls.asking()).toBeNull()
})
