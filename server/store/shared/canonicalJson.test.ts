/** Canonical JSON against the package that is the reference. */
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SAMPLES } from '@/test/samples'
import { canonicalJson } from './canonicalJson'

it('[S16] canonical JSON of any value is what the reference package writes', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      expect(canonicalJson(value)).toBe(canonicalize(value))
    }),
    { numRuns: process.env.CONVENE_ALL ? 20_000 : 1_000 },
  )
  for (const sample of SAMPLES) expect(canonicalJson(sample)).toBe(canonicalize(sample))
})

it('[S16] canonical JSON puts names in the order of their UTF-16 units, numbers like names too', () => {
  const value = { b: 1, 10: 2, 9: 3, '\u20ac': 4, '\ud83d\ude00': 5, '\ufb33': 6, é: [0.1, 1e21, -0, 'a"\n'] }
  expect(canonicalJson(value)).toBe('{"10":2,"9":3,"b":1,"é":[0.1,1e+21,0,"a\\"\\n"],"€":4,"😀":5,"\ufb33":6}')
  expect(canonicalJson(value)).toBe(canonicalize(value))
})

it('[S16] canonical JSON of an object with very many names in reverse order is written without delay', () => {
  // Sorting that compares each name with each takes a minute: the runner's own limit ends it.
  const names = Array.from({ length: 100_000 }, (_, n) => `k${String(n).padStart(6, '0')}`)
  const text = canonicalJson(Object.fromEntries(names.toReversed().map((name) => [name, 1])))
  expect(text).toBe(`{${names.map((name) => `"${name}":1`).join(',')}}`)
})

it('[S16] canonical JSON leaves out and refuses what JSON.stringify leaves out and refuses', () => {
  expect(canonicalJson({ a: undefined, b: [undefined, Number.NaN], c: Number.POSITIVE_INFINITY })).toBe(
    '{"b":[null,null],"c":null}',
  )
  expect(() => canonicalJson({ a: 1n })).toThrow(TypeError)
  expect(() => canonicalJson(undefined)).toThrow(TypeError)
})
