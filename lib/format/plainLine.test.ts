import { describe, expect, it } from 'vitest'
import { plainLine } from './plainLine'

describe('a text as one line', () => {
  it('says what Markdown says, without its signs', () => {
    expect(plainLine('## What holds\n\n- **apple**: `3.20` in [north](files/north.csv)\n> as said')).toBe(
      'What holds apple: 3.20 in north as said',
    )
    expect(plainLine('Look:\n```ts\nconst a = 1\n```')).toBe('Look: const a = 1')
  })

  it('says a table as its cells', () => {
    expect(plainLine('| File | Lines |\n| --- | --: |\n| east.csv | 5 |')).toBe('File · Lines east.csv · 5')
  })

  it('says names and values of JSON, and of what stands in a tag', () => {
    expect(plainLine('read it\n<job>{"op":"compare","where":["prices"],"report":true,"n":1200}</job>')).toBe(
      'read it op: compare, where: prices, report: true, n: 1200',
    )
    expect(plainLine('{"text":"two\\nlines, \\"quoted\\""}')).toBe('text: two lines, quoted')
  })

  it('leaves a sentence as it was written', () => {
    for (const said of [
      'She said "no" [sic] {maybe}.',
      'An Array<string> of 1,284 * 2 * 3.',
      '4 < 5 and 6 > 5',
      '价格是 3.20。',
    ])
      expect(plainLine(said)).toBe(said)
  })
})
