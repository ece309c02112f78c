/** The events of a body, in whichever form the server sends them. */
import { expect, it } from 'vitest'
import { LONGEST_BLOCK_MS, longestBlock } from '@/test/loopBlocks'
import { decodeLines } from '../lines'
import { eventsIn, readEvent } from './events'

async function* piecesOf(bytes: Uint8Array, size = 16 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
async function eventsOf(text: string): Promise<[string | null, string][]> {
  const events: [string | null, string][] = []
  for await (const { name, data } of eventsIn(decodeLines(piecesOf(Buffer.from(text))))) events.push([name, data])
  return events
}
const dataOf = async (text: string): Promise<string[]> => (await eventsOf(text)).map(([, data]) => data)

it('an event is its data, in one line or several; the last one needs no blank line behind it', async () => {
  const text = ': ping\nevent: x\nid: 1\ndata: one\n\n\ndata:two\ndata: \ndata:  three\n\ndata: four'
  expect(await eventsOf(text)).toEqual([
    ['x', 'one'],
    [null, 'two\n\n three'],
    [null, 'four'],
  ])
  expect(await dataOf(': nothing\n')).toEqual([])
  expect(await dataOf('')).toEqual([])
})

it('[R413] events that end with one line break in place of two are events of their own; JSON over several lines is one', async () => {
  expect(await dataOf('data: {"a":1}\ndata: {"b":2}\ndata: [DONE]\n')).toEqual(['{"a":1}', '{"b":2}', '[DONE]'])
  expect(await dataOf('data: {"a":\ndata: 1}\n\ndata: {"b":2}\n\n')).toEqual(['{"a":\n1}', '{"b":2}'])
})

it('[R413] an error event needs no data, and may be a field or a bare line of JSON in the stream', async () => {
  expect(await eventsOf('data: {"a":1}\n\nevent: error\n\n')).toEqual([
    [null, '{"a":1}'],
    ['error', ''],
  ])
  expect(await eventsOf('data: {"a":1}\n\nerror: {"code":500}\n\n')).toEqual([
    [null, '{"a":1}'],
    ['error', '{"code":500}'],
  ])
  expect(await dataOf('data: {"a":1}\n\n{"detail":"worker died"}\n')).toEqual(['{"a":1}', '{"detail":"worker died"}'])
})

it('[R413] a body without events is its JSON: one value a line, or one text over several lines', async () => {
  expect(await dataOf('{"a":1}\n\n{"b":2}')).toEqual(['{"a":1}', '{"b":2}'])
  expect(await dataOf('\n{\n  "a": 1\n}\n')).toEqual(['{\n  "a": 1\n}'])
  expect(await dataOf('<html>\n<h1>Sign in</h1>')).toEqual(['<html>\n<h1>Sign in</h1>'])
})

it('says of each event whether it is a piece, a report, the end, or nothing that can be read', () => {
  const kind = (data: string, name: string | null = null) => readEvent({ name, data }).type
  expect(['[DONE]', ' "[DONE]" '].map((data) => kind(data))).toEqual(['done', 'done'])
  expect(kind('{"choices":[]}')).toBe('object')
  expect(kind('{"choices":[],"error":null,"detail":"high"}')).toBe('object')
  expect(kind('{"message":{"content":"a"},"error":""}')).toBe('object')
  expect(
    ['{"error":"x"}', '[{"error":{"code":1}}]', '{"message":"x"}', '{"detail":"x"}'].map((data) => kind(data)),
  ).toEqual(['error', 'error', 'error', 'error'])
  expect([kind('Failed to load model', 'error'), kind('', 'error'), kind('{"choices":[]}', 'error')]).toEqual([
    'error',
    'error',
    'error',
  ])
  expect([kind('<html>'), kind('7'), kind('null'), kind('{"a"')]).toEqual(Array(4).fill('unreadable'))
})

it.each(['data: ', ''])(
  '[R75] the loop turns while an event without an end comes in many lines (%j), which ends at 4 MiB',
  async (field) => {
    const line = Buffer.from(`${field}${'x'.repeat(1_000)}\n`)
    const endless = await longestBlock(() => eventsOf(Buffer.alloc(line.length * 8_000, line).toString()).catch(String))
    expect(endless.outcome).toContain('an event without an end')
    expect(endless.blockMs).toBeLessThan(LONGEST_BLOCK_MS)
  },
)
