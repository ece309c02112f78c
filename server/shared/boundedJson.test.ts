import fc from 'fast-check'
import { expect, it } from 'vitest'
import { excessOf, holdsMoreThan, isNestedDeeper, JsonBounds, parseBounded } from './boundedJson'

const nested = (levels: number): string => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`

it('reads what JSON.parse reads, as a text or as bytes', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(3), (text, before) => {
      const value = JSON.parse(text)
      expect(parseBounded(text)).toEqual({ ok: true, value })
      const bytes = new Uint8Array([...Array(before).fill(0x5b), ...Buffer.from(text)]).subarray(before)
      expect(parseBounded(bytes)).toEqual({ ok: true, value })
    }),
  )
})

it('[R73] refuses more than 128 levels and takes 128, without recursion', () => {
  expect(parseBounded(nested(128)).ok).toBe(true)
  expect(parseBounded('[1234567890123456789]')).toEqual({ ok: false, why: 'number' })
  expect(parseBounded(nested(129))).toEqual({ ok: false, why: 'deep' })
  expect(parseBounded('['.repeat(1_000_000))).toEqual({ ok: false, why: 'deep' })
  expect(parseBounded(`["${'['.repeat(500)}\\"[[\\\\"]`).ok).toBe(true)
})

it('[R73] refuses more values than it may hold', () => {
  const list = (count: number) => `[${Array(count).fill('1').join()}]`
  expect(parseBounded(list(9), 10).ok).toBe(true)
  expect(parseBounded(list(10), 10)).toEqual({ ok: false, why: 'many' })
  expect(parseBounded(`["${','.repeat(500)}"]`, 10).ok).toBe(true)
})

it.each(['', '{', '"', '"\\', '[1,]', 'nothing', '\\"'])('%j is no JSON', (text) => {
  expect(parseBounded(text)).toEqual({ ok: false, why: 'syntax' })
})

it('knows how deep a value is', () => {
  const levels = fc.integer({ min: 1, max: 20 })
  fc.assert(
    fc.property(levels, levels, (deep, most) => {
      expect(isNestedDeeper([1, 'a', JSON.parse(nested(deep)), null], most)).toBe(deep + 1 > most)
    }),
  )
})

it('the bounds of a text are the same however it is cut', () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 20 }), (text, size, most) => {
      const bytes = Buffer.from(text)
      const bounds = new JsonBounds(most)
      for (let at = 0; at < bytes.length; at += size) bounds.read(bytes.subarray(at, at + size))
      expect(bounds.excess).toBe(excessOf(bytes, most))
    }),
  )
})

it('[R75] knows whether a value holds more values than a number', () => {
  const countOf = (value: unknown): number =>
    value !== null && typeof value === 'object'
      ? Object.values(value).reduce<number>((sum, one) => sum + countOf(one), 1)
      : 1
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const count = countOf(value)
      expect([holdsMoreThan(value, count - 1), holdsMoreThan(value, count)]).toEqual([true, false])
    }),
  )
})
