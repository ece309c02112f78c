import { describe, expect, it } from 'vitest'
import { firstWords, plainText } from './plainText'

describe('a text as one line', () => {
  it('says what Markdown says, without its signs', () => {
    expect(plainText('## What holds\n\n- **apple**: `3.20` in [north](files/north.csv)\n> as said')).toBe(
      'What holds apple: 3.20 in north as said',
    )
    expect(plainText('Look:\n```ts\nconst a = 1\n```')).toBe('Look: const a = 1')
  })

  it('says a table as its cells', () => {
    expect(plainText('| File | Lines |\n| --- | --: |\n| east.csv | 5 |')).toBe('File · Lines east.csv · 5')
  })

  it('says names and values of JSON, and of what stands in a tag', () => {
    expect(plainText('read it\n<job>{"op":"compare","where":["prices"],"report":true,"n":1200}</job>')).toBe(
      'read it op: compare, where: prices, report: true, n: 1200',
    )
    expect(plainText('{"text":"two\\nlines, \\"quoted\\""}')).toBe('text: two lines, quoted')
  })

  it('leaves a sentence as it was written', () => {
    for (const said of [
      'She said "no" [sic] {maybe}.',
      'An Array<string> of 1,284 * 2 * 3.',
      '4 < 5 and 6 > 5',
      '价格是 3.20。',
    ])
      expect(plainText(said)).toBe(said)
  })
})

describe('the first words of a text', () => {
  it('are at most 80 letters of its plain line', () => {
    expect(firstWords('a\nb')).toBe('a b')
    expect(firstWords('Task `Compare prices` has begun')).toBe('Task Compare prices has begun')
    expect(
      firstWords(
        'I found:\n\n| item | east |\n|---|---:|\n| bolt | 1.10 |\n\n![The shelf](https://a.example/s.png) [here](/b)',
      ),
    ).toBe('I found: item · east bolt · 1.10 The shelf here')
    expect(firstWords('either | or, [sic] (so)')).toBe('either | or, [sic] (so)')
    expect([...firstWords('字'.repeat(100))]).toHaveLength(80)
  })
})
