/** Bodies of running steps: what the store has is not sent again, for as long as it surely has it. */
import { describe, expect, it } from 'vitest'
import { handClock } from '@/test/handClock'
import { openBodyCaches } from './bodyCache'

const HOUR = 3_600_000
const LONG = 'x'.repeat(100_000)
const ofText = (text: string) => ({ bytes: new TextEncoder().encode(text), mime: 'text/plain' })

function setUp() {
  const clock = handClock()
  const stored = new Map<string, ReturnType<typeof ofText>>()
  const asked: string[] = []
  const get = async (sha: string) => {
    asked.push(sha)
    return stored.get(sha) ?? null
  }
  return { clock, stored, asked, caches: openBodyCaches({ get }, clock.now) }
}

describe('a body that was stored', () => {
  it('is not sent again for an hour; after that it is, because a sweep may have taken it', () => {
    const { clock, caches } = setUp()
    const first = caches.open()
    const { sha } = first.make(LONG, 'text/plain')
    expect(first.made.map((body) => body.sha)).toEqual([sha])
    caches.stored(first.made)
    clock.pass(HOUR - 1)
    const soon = caches.open()
    soon.make(LONG, 'text/plain')
    expect(soon.made).toEqual([])
    clock.pass(1)
    const late = caches.open()
    late.make(LONG, 'text/plain')
    expect(late.made.map((body) => body.sha)).toEqual([sha])
  })

  it('counts its hour from the last time that it was stored', () => {
    const { clock, caches } = setUp()
    const cache = caches.open()
    cache.make(LONG, 'text/plain')
    caches.stored(cache.made)
    clock.pass(HOUR)
    caches.stored(cache.made)
    clock.pass(HOUR - 1)
    const late = caches.open()
    late.make(LONG, 'text/plain')
    expect(late.made).toEqual([])
  })

  it('that no decision named stays with its own step', () => {
    const { caches } = setUp()
    const { sha } = caches.open().make(LONG, 'text/plain')
    const other = caches.open()
    other.make(LONG, 'text/plain')
    expect(other.made.map((body) => body.sha)).toEqual([sha])
  })
})

it('[R568] a body that may have left the store is stored again', () => {
  const { caches } = setUp()
  const first = caches.open()
  first.make(LONG, 'text/plain')
  caches.stored(first.made)
  const again = caches.open()
  again.make(LONG, 'text/plain')
  expect(again.made).toEqual([])
  caches.forgetStored()
  const after = caches.open()
  after.make(LONG, 'text/plain')
  expect(after.made).toHaveLength(1)
})

describe('the text of a body', () => {
  it('is read from the store once, and is an error where the store has none', async () => {
    const { stored, asked, caches } = setUp()
    const elsewhere = setUp().caches.open()
    const ref = elsewhere.make(LONG, 'text/plain')
    await expect(caches.open().text(ref)).rejects.toMatchObject({ code: 'NOT_KEPT' })
    stored.set(ref.sha, ofText(LONG))
    expect(await caches.open().text(ref)).toBe(LONG)
    expect(await caches.open().text(ref)).toBe(LONG)
    expect(asked).toEqual([ref.sha, ref.sha])
    // When there is little to do it is not held in memory.
    caches.forgetTexts()
    expect(await caches.open().text(ref)).toBe(LONG)
    expect(asked).toHaveLength(3)
  })
})
