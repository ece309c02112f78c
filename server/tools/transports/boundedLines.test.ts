import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BoundedLines, type LineOptions } from './boundedLines'
import { TopLevelId } from './topLevelId'

/** Feed text in pieces of a size; gives the lines and the ids of those dropped. */
function cut(text: string, pieceSize: number, options: Omit<LineOptions, 'onTooLarge'>) {
  const dropped: (number | null)[] = []
  const reader = new BoundedLines({ ...options, onTooLarge: (id) => dropped.push(id) })
  const bytes = Buffer.from(text)
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += pieceSize)
    lines.push(...reader.push(bytes.subarray(at, at + pieceSize)).map(String))
  const last = reader.end()
  return { lines: last === null ? lines : [...lines, String(last)], dropped }
}

describe('lines', () => {
  test('are the same however the stream is cut, and the large ones are dropped with their id', () => {
    const text = [
      'short',
      JSON.stringify({ result: { id: 5, text: '"id":6, } é'.repeat(20) }, jsonrpc: '2.0', id: 42 }),
      '',
      'ünder',
      'x'.repeat(99),
      'end',
    ].join('\n')
    for (const pieceSize of [1, 2, 3, 7, 64, 10_000]) {
      expect(cut(text, pieceSize, { limitBytes: 50 })).toEqual({
        lines: ['short', '', 'ünder', 'end'],
        dropped: [42, null],
      })
    }
  })

  test('a stream that is one line is bounded as a whole', () => {
    expect(cut('{"a":1,\n"b":2}', 4, { isSplit: false })).toEqual({ lines: ['{"a":1,\n"b":2}'], dropped: [] })
    expect(cut('{\n"id": 3,\n"b":2}', 4, { isSplit: false, limitBytes: 5 })).toEqual({ lines: [], dropped: [3] })
  })

  test('[R73] a line of too many levels or values is dropped with its id', () => {
    const line = (inner: string) => `{"result":${inner},"id":9}`
    const few = [
      line('['.repeat(127) + ']'.repeat(127)),
      line(`["${'['.repeat(500)},,,"]`),
      line(`[${'0,'.repeat(199_990)}0]`),
    ]
    const many = [line('['.repeat(128) + ']'.repeat(128)), line(`[${'0,'.repeat(200_000)}0]`)]
    expect(cut([...few, ...many, 'end'].join('\n'), 10_000, {})).toEqual({ lines: [...few, 'end'], dropped: [9, 9] })
  })

  test('a line that does not end is a fault', () => {
    expect(() => cut('x'.repeat(101), 10, { limitBytes: 5, runawayBytes: 100 })).toThrow('without an end')
  })

  test('the id of a message is found wherever it stands, and nothing else is taken for it', () => {
    const key = fc.constantFrom('id', 'result', '"id":7', 'a\\', '{', 'ид')
    const inner = fc.object({ key, values: [fc.string(), fc.integer()] })
    fc.assert(
      fc.property(fc.nat(), inner, inner, fc.integer({ min: 1, max: 9 }), (id, before, after, pieceSize) => {
        const text = Buffer.from(`data: ${JSON.stringify({ result: before, jsonrpc: '2.0', id, more: [after] })}`)
        const scanner = new TopLevelId()
        for (let at = 0; at < text.length; at += pieceSize) scanner.read(text.subarray(at, at + pieceSize))
        expect(scanner.id()).toBe(id)
      }),
    )
  })
})
