/** The time limit of a call: progress extends it up to a maximum, and the wait for a person does not count. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Deadline } from './deadline'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** pass(ms): is the call over then? */
function open(limitMs = 100, longestMs = 250) {
  const onOver = vi.fn()
  const deadline = new Deadline({ limitMs, longestMs, onOver })
  const pass = (ms: number): number => {
    vi.advanceTimersByTime(ms)
    return onOver.mock.calls.length
  }
  return { deadline, pass }
}

test('a call is over at its limit, once, and not before', () => {
  const { deadline, pass } = open()
  expect([pass(99), pass(1)]).toEqual([0, 1])
  deadline.touch()
  expect(pass(1_000)).toBe(1)
})

test('progress renews the limit, up to the bound of all renewals', () => {
  const { deadline, pass } = open()
  expect(pass(90)).toBe(0)
  deadline.touch()
  expect(pass(99)).toBe(0)
  deadline.touch()
  expect([pass(60), pass(1)]).toEqual([0, 1])
})

test('a bound that is shorter than the limit does not shorten it', () => {
  const { pass } = open(100, 10)
  expect([pass(99), pass(1)]).toEqual([0, 1])
})

test('time in which people are asked does not count, neither for the limit nor for the bound', () => {
  const { deadline, pass } = open()
  pass(60)
  const resume = deadline.pause()
  expect(pass(10_000)).toBe(0)
  resume()
  expect(pass(39)).toBe(0)
  deadline.touch()
  expect(pass(99)).toBe(0)
  deadline.touch()
  expect([pass(51), pass(1)]).toEqual([0, 1])
})

test('of several questions at once the last one counts, and an end that is said twice counts once', () => {
  const { deadline, pass } = open()
  const [one, two] = [deadline.pause(), deadline.pause()]
  pass(50)
  one()
  one()
  expect(pass(10_000)).toBe(0)
  two()
  expect([pass(99), pass(1)]).toEqual([0, 1])
})

test('progress while a person is asked gives the whole limit after the answer', () => {
  const { deadline, pass } = open()
  pass(60)
  const resume = deadline.pause()
  pass(500)
  deadline.touch()
  expect(pass(500)).toBe(0)
  resume()
  expect([pass(99), pass(1)]).toEqual([0, 1])
})

test('a call that has ended is never over, also when a question of it ends afterwards', () => {
  const { deadline, pass } = open()
  const resume = deadline.pause()
  deadline.end()
  resume()
  deadline.touch()
  expect(pass(1_000)).toBe(0)
})
