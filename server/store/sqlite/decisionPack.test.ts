/** Rows of decisions on disk: what goes in comes out, whatever they are deflated against; other forms are refused. */
import { expect, it } from 'vitest'
import { noise, textBody } from '../contract/harness'
import { type Base, packDecision, unpackDecision } from './decisionPack'

const kept = (row: string | Uint8Array): string | ArrayBuffer =>
  typeof row === 'string' ? row : new Uint8Array(row).slice().buffer
const events = (...texts: [n: number, text: string][]): Buffer =>
  Buffer.from(JSON.stringify(texts.map(([n, text]) => ({ type: 'message.sent', v: 1, n, text }))))
const noBase = (last: number): Buffer => {
  throw new Error(`nobody asked for ${last}`)
}

it('a short decision is its text', () => {
  const short = events([1, 'short'])
  const row = packDecision(1, short, [], null)
  expect(row).toBe(short.toString())
  expect(unpackDecision(1, kept(row), noBase)).toEqual({ events: short, bodies: [] })
})

it('events and bodies come back as they were, also bytes that are no text and a body of none', () => {
  const bodies = [textBody('one line\nand 两 more'), { ...textBody('x'), bytes: noise(5_000, 1), mime: 'image/png' }]
  const empty = { ...textBody(''), bytes: new Uint8Array(0) }
  const two = events([1, '数'], [2, 'b'])
  const back = unpackDecision(7, kept(packDecision(7, two, [...bodies, empty], null)), noBase)
  expect(back.events).toEqual(two)
  expect(JSON.parse(back.events.toString())).toHaveLength(2)
  expect(back.bodies.map(({ mime }) => mime)).toEqual(['text/plain', 'image/png', 'text/plain'])
  for (const [n, body] of [...bodies, empty].entries())
    expect(Buffer.compare(back.bodies[n]?.bytes ?? noise(1, 1), body.bytes)).toBe(0)
})

it('a row that is like an earlier one takes little, and is read with that one however far it lies back', () => {
  const text = Array.from({ length: 60 }, (_, n) => (n * 7_919).toString(36)).join(' ')
  const first = packDecision(3, events([1, text]), [], null)
  const base: Base = { last: 3, events: events([1, text]) }
  for (const last of [4, 130, 131, 20_000, 3_000_000_000]) {
    const row = packDecision(last, events([2, text]), [textBody(text)], base)
    expect(row.length).toBeLessThan(first.length / 3)
    const asked: number[] = []
    const back = unpackDecision(last, kept(row), (number) => {
      asked.push(number)
      return base.events
    })
    expect(asked).toEqual([3])
    expect(back.events).toEqual(events([2, text]))
    expect(back.bodies[0]?.bytes.toString()).toBe(text)
  }
})

it('a form that a later version made is refused by its number', () => {
  expect(() => unpackDecision(1, new Uint8Array([9, 1, 2]).buffer, noBase)).toThrow(/form 9/)
})
