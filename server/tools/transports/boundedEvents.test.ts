/** Events of a stream in bounded size, whatever lines they are written in. */
import { expect, test } from 'vitest'
import { MOST_EVENT_LINES } from '../limits'
import { BoundedEvents } from './boundedFetch'
import { BoundedLines } from './boundedLines'

/** Feed text in pieces of a size; gives what passes, and what was dropped by its id and why. */
function read(text: string, pieceSize: number, limits: { limitBytes?: number; runawayBytes?: number } = {}) {
  const dropped: [number | null, string][] = []
  const onTooLarge = (id: number | null, why: string) => void dropped.push([id, why])
  const lines = new BoundedLines({ onTooLarge })
  const events = new BoundedEvents({ onTooLarge, ...limits })
  const bytes = Buffer.from(text)
  let passed = ''
  for (let at = 0; at < bytes.length; at += pieceSize)
    for (const line of lines.push(bytes.subarray(at, at + pieceSize))) passed += events.push(line) ?? ''
  return { passed, dropped, isResumable: events.isResumable }
}

test('pass whole, however the stream is cut; comments and what is not whole do not', () => {
  const whole = 'event: message\ndata: {"id":1}\n\n' + 'data: {\ndata: "id":2}\r\n\r\n'
  for (const size of [1, 3, 1_000])
    expect(read(`: here\n${whole}data: {"id":3}\n`, size)).toEqual({
      passed: whole.replace('\r\n\r\n', '\r\n\n'),
      dropped: [],
      isResumable: false,
    })
  expect(read('id: 7\ndata: 1\n\n', 1).isResumable).toBe(true)
})

test('[R75] one of more bytes than a message may have is dropped with its id, and the next one passes', () => {
  const event = 'data: {"a":[1,\ndata: 2],\ndata: "id":5}\n\n'
  const next = 'data: 1\n\n'
  const limitBytes = event.length - 1
  for (const size of [1, 7, 1_000]) {
    expect(read(event + next, size, { limitBytes })).toMatchObject({ passed: event + next, dropped: [] })
    expect(read(event + next, size, { limitBytes: limitBytes - 1 })).toMatchObject({
      passed: next,
      dropped: [[5, 'size']],
    })
  }
})

test('[R75] one of too many lines, levels or values over several lines is dropped with its id', () => {
  const lines = (count: number) => `${'data: 1\n'.repeat(count)}\n`
  expect(read(lines(MOST_EVENT_LINES), 10_000).dropped).toEqual([])
  expect(read(lines(MOST_EVENT_LINES + 1), 10_000).dropped).toEqual([[null, 'lines']])
  const deep = (levels: number) => `data: {"id":4,"r":\ndata: ${'['.repeat(levels)}\ndata: ${']'.repeat(levels)}}\n\n`
  expect(read(deep(127), 1_000).dropped).toEqual([])
  expect(read(deep(128), 1_000).dropped).toEqual([[4, 'deep']])
  const half = `data: ${'0,'.repeat(120_000)}\n`
  expect(read(`data: {"id":6,"r":[\n${half}data: 0]}\n\n`, 10_000).dropped).toEqual([])
  expect(read(`data: {"id":6,"r":[\n${half}${half}data: 0]}\n\n`, 10_000).dropped).toEqual([[6, 'many']])
})

test('[R75] one without an end ends the stream', () => {
  const limits = { limitBytes: 10, runawayBytes: 90 }
  expect(read('data: 12\n'.repeat(10), 9, limits).dropped).toEqual([])
  expect(() => read('data: 12\n'.repeat(11), 9, limits)).toThrow('without an end')
})
