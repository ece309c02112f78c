import { describe, expect, it } from 'vitest'
import { plainLine } from './plainLine'

describe('a text as one line', () => {
  it('Markdown becomes plain text without its syntax', () => {
    expect(plainLine('## What holds\n\n- **apple**: `3.20` in [north](files/north.csv)\n> as said')).toBe(
      'What holds apple: 3.20 in north as said',
    )
    expect(plainLine('Look:\n```ts\nconst a = 1\n```')).toBe('Look: const a = 1')
  })

  it('a table becomes its cells', () => {
    expect(plainLine('| File | Lines |\n| --- | --: |\n| east.csv | 5 |')).toBe('File · Lines east.csv · 5')
  })

  it('JSON and tags become names and values', () => {
    expect(plainLine('read it\n<job>{"op":"compare","where":["prices"],"report":true,"n":1200}</job>')).toBe(
      'read it op: compare, where: prices, report: true, n: 1200',
    )
    expect(plainLine('{"text":"two\\nlines, \\"quoted\\""}')).toBe('text: two lines, quoted')
  })

  it('a plain sentence stays unchanged', () => {
    for (const said of [
      'She said "no" [sic] {maybe}.',
      'An Array<string> of 1,284 * 2 * 3.',
      '4 < 5 and 6 > 5',
      '价格是 3.20。',
    ])
      expect(plainLine(said)).toBe(said)
  })
})
