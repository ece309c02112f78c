/** A map that forgets: never what was used lately, never more than it may hold, never a value that was replaced. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { recentMap } from './recentMap'

type Act = { act: 'get' | 'set' | 'delete'; key: number; value: number }
const acts = (): fc.Arbitrary<Act[]> =>
  fc.array(
    fc.record({
      act: fc.constantFrom('get' as const, 'set' as const, 'set' as const, 'delete' as const),
      key: fc.integer({ min: 0, max: 30 }),
      value: fc.integer({ min: 1, max: 9 }),
    }),
    { maxLength: 300 },
  )

/** The keys that were got or set last, without those deleted since, the newest first. */
function usedLast(done: Act[]): number[] {
  const seen = new Set<number>()
  const used: number[] = []
  for (const { act, key } of done.toReversed()) {
    if (seen.has(key)) continue
    seen.add(key)
    if (act !== 'delete') used.push(key)
  }
  return used
}

it('what it answers is what was set last, and what was used lately it still knows', () => {
  fc.assert(
    fc.property(acts(), fc.integer({ min: 2, max: 20 }), (all, most) => {
      const map = recentMap<number, number>(most)
      const truth = new Map<number, number>()
      const done: Act[] = []
      for (const one of all) {
        const { act, key, value } = one
        if (act === 'set') {
          map.set(key, value)
          truth.set(key, value)
        } else if (act === 'delete') {
          map.delete(key)
          truth.delete(key)
        } else {
          const found = map.get(key)
          expect([undefined, truth.get(key)]).toContain(found)
          if (found === undefined) truth.delete(key)
          // A question that found nothing was no use of anything.
          if (found === undefined) continue
        }
        done.push(one)
      }
      for (const key of usedLast(done).slice(0, Math.floor(most / 2))) expect(map.get(key)).toBe(truth.get(key))
    }),
  )
})

it('it never holds more than it may, by number or by weight', () => {
  fc.assert(
    fc.property(acts(), fc.integer({ min: 20, max: 60 }), (all, most) => {
      for (const weigh of [undefined, (value: number) => value]) {
        const map = recentMap<number, number>(most, weigh)
        for (const { act, key, value } of all) act === 'set' ? map.set(key, value) : map[act](key)
        const held = Array.from({ length: 31 }, (_, key) => key).flatMap((key) => {
          const copy = map.get(key)
          return copy === undefined ? [] : [copy]
        })
        expect(held.reduce((sum, value) => sum + (weigh?.(value) ?? 1), 0)).toBeLessThanOrEqual(most)
      }
    }),
  )
})

it('what it does not hold is made once, and held', () => {
  const map = recentMap<string, { from: string }>(4)
  const first = map.getOrMake('a', () => ({ from: 'first' }))
  expect(map.getOrMake('a', () => ({ from: 'second' }))).toBe(first)
  expect(map.get('a')).toBe(first)
})

it('a value heavier than all of it is held until the next comes', () => {
  const map = recentMap<string, string>(10, (text) => text.length)
  map.set('a', 'x'.repeat(50))
  expect(map.get('a')).toHaveLength(50)
  map.set('b', 'short')
  map.set('c', 'short')
  map.set('d', 'short')
  expect([map.get('a'), map.get('d')]).toEqual([undefined, 'short'])
})
