/** Groups of decisions on disk: what goes in comes out of any number of rows, and a group that lacks one says so. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { noise, textBody } from '../contract/harness'
import { type GroupMember, type KeptRow, packGroup, spanOf, unpackGroup } from './decisionGroup'

const member = (last: number, text: string, bodies: GroupMember['bodies'] = []): GroupMember => ({
  last,
  events: Buffer.from(JSON.stringify([{ type: 'message.sent', v: 1, text }])),
  bodies,
})
const keptRows = (members: GroupMember[]): KeptRow[] =>
  packGroup(members).map(({ member: { last }, row }) => ({ last, events: new Uint8Array(row).buffer }))

it('any decisions come out of their rows as they went in, also bodies that are no text and a body of none', () => {
  const body = fc.record({ mime: fc.constantFrom('text/plain', 'image/png'), bytes: fc.uint8Array({ maxLength: 300 }) })
  const decided = fc.record({
    step: fc.integer({ min: 1, max: 400 }),
    text: fc.string({ unit: 'grapheme' }),
    bodies: fc.array(body, { maxLength: 3 }),
  })
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3_000_000_000 }),
      fc.array(decided, { minLength: 1, maxLength: 30 }),
      (head, made) => {
        let last = head
        const members = made.map(({ step, text, bodies }) => {
          last += step
          return member(last, text, bodies)
        })
        const rows = keptRows(members)
        for (const row of rows) expect(spanOf(row)).toEqual({ from: members[0]?.last, to: last })
        const inside = unpackGroup(rows)
        expect([...inside.keys()]).toEqual(members.map((one) => one.last))
        for (const one of members) {
          const back = inside.get(one.last)
          expect(back?.events).toEqual(one.events)
          expect(back?.bodies.map(({ mime, bytes }) => ({ mime, bytes: new Uint8Array(bytes) }))).toEqual(one.bodies)
        }
      },
    ),
  )
})

it('decisions that are alike take less room together, in rows of equal length', () => {
  const text = Array.from({ length: 200 }, (_, n) => (n * 7_919).toString(36)).join(' ')
  const members = Array.from({ length: 12 }, (_, n) => member(n + 1, `${n} ${text}`, [textBody(`${n} ${text}`)]))
  const lengths = packGroup(members).map(({ row }) => row.length)
  const [alone] = packGroup(members.slice(0, 1)).map(({ row }) => row.length)
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThan((alone ?? 0) * 2)
  expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1)
})

it('rows between them that stand alone are passed over, and are no piece of a group', () => {
  const rows = keptRows([member(3, 'three'), member(7, 'seven', [{ mime: 'image/png', bytes: noise(900, 1) }])])
  const alone: KeptRow[] = [
    { last: 4, events: '[]' },
    { last: 5, events: new Uint8Array([2, 0, 1]).buffer },
  ]
  const [first, second] = rows
  if (!first || !second) throw new Error('a group of two has two rows')
  expect([...unpackGroup([first, ...alone, second]).keys()]).toEqual([3, 7])
  for (const row of alone) expect(spanOf(row)).toBeNull()
})

it('a group that lacks a row, or has one too many, is an error and not other decisions', () => {
  const rows = keptRows(Array.from({ length: 6 }, (_, n) => member(n + 1, `text ${n}`)))
  for (let gone = 0; gone < rows.length; gone++) expect(() => unpackGroup(rows.filter((_, n) => n !== gone))).toThrow()
  expect(() => unpackGroup([...rows, ...keptRows([member(7, 'another')])])).toThrow()
})
