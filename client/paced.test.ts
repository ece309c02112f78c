import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPacer } from './paced'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const EVERY_MS = 10_000

it('[R428] what changes with every journal entry is passed on at most once in its time, and the newest is never lost', () => {
  const shown: number[] = []
  const { put } = createPacer<number>(EVERY_MS, (value) => shown.push(value))
  // Entries come each 100 ms for a minute.
  for (let seq = 1; seq <= 600; seq += 1) {
    put(seq)
    vi.advanceTimersByTime(100)
  }
  expect(shown).toEqual([1, 100, 200, 300, 400, 500, 600])
  vi.advanceTimersByTime(EVERY_MS)
  put(601)
  expect(shown.at(-1)).toBe(601)
  put(602)
  vi.advanceTimersByTime(EVERY_MS - 1)
  expect(shown.at(-1)).toBe(601)
  vi.advanceTimersByTime(1)
  expect(shown.at(-1)).toBe(602)
})

it('[R428] nothing is passed on after the end', () => {
  const shown: number[] = []
  const { put, stop } = createPacer<number>(EVERY_MS, (value) => shown.push(value))
  put(1)
  put(2)
  stop()
  vi.advanceTimersByTime(EVERY_MS * 2)
  expect(shown).toEqual([1])
})
