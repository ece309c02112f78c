/** JSON that is shown as it is written. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readWrittenJson, Written, type WrittenValue } from './writtenJson'

/** The JSON that a tree shows, written again. */
function written(value: WrittenValue): string {
  if (!(value instanceof Written)) return JSON.stringify(value)
  const parts = value.entries.map(
    ([name, inner]) => (value.kind === 'list' ? '' : `${JSON.stringify(name)}:`) + written(inner),
  )
  return value.kind === 'number' ? value.text : value.kind === 'list' ? `[${parts.join()}]` : `{${parts.join()}}`
}
const tree = (text: string): string => written(readWrittenJson(text) ?? null)

it('[R403] numbers, the order of names and names that come twice are those of the text', () => {
  const text = '{"id":1234567890123456789,"price":3.10,"10":"a","9":[1e400,-0,1.0],"9":{"":null}}'
  expect(tree(text)).toBe(text)
})

it('[R403] every number of the text is in the tree, whatever the text', { timeout: 120_000 }, () => {
  const number = fc.constantFrom(
    '0',
    '-0',
    '1.0',
    '3.10',
    '1e400',
    '-1E-7',
    '1234567890123456789',
    '0.1234567890123456789',
  )
  const json = fc
    .letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        number,
        fc
          .oneof(fc.string({ maxLength: 12 }), fc.constantFrom('\\', '"', '\\"', '价\u2028', '1234567890123456789'))
          .map((one) => JSON.stringify(one)),
        fc.constantFrom('true', 'false', 'null'),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join()}]`),
      object: fc
        .array(fc.tuple(fc.string(), tie('value')))
        .map((items) => `{${items.map(([name, one]) => `${JSON.stringify(name)}:${one}`).join()}}`),
    }))
    .value.map(String)
  fc.assert(
    fc.property(json, fc.constantFrom(' ', '\n\t'), (text, space) => {
      expect(tree(text)).toBe(text)
      expect(tree(`${space}${text}${space}`)).toBe(text)
    }),
    { numRuns: process.env.CONVENE_ALL === '1' ? 20_000 : 60 },
  )
})

it('a text that is no JSON has no tree', () => {
  for (const text of ['', '{', '[1,]', 'x', '{"a":01}']) expect(readWrittenJson(text)).toBeUndefined()
  expect(readWrittenJson('['.repeat(100_000) + ']'.repeat(100_000))).toBeUndefined()
})
