import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstWords, plainText } from './plainText'

describe('a text as one line', () => {
  it('says what Markdown says, without its signs', () => {
    expect(plainText('## What holds\n\n- **apple**: `3.20` in [north](files/north.csv)\n> as said')).toBe(
      'What holds apple: 3.20 in north (files/north.csv) as said',
    )
    expect(plainText('Look:\n```ts\nconst a = 1\n```')).toBe('Look: const a = 1')
  })

  it('says a table as its cells', () => {
    expect(plainText('| File | Lines |\n| --- | --: |\n| east.csv | 5 |')).toBe('File · Lines east.csv · 5')
  })

  it('says names and values of JSON, also between tags', () => {
    expect(plainText('read it\n<job>{"op":"compare","where":["prices"],"report":true,"n":1200}</job>')).toBe(
      'read it <job> op: compare, where: prices, report: true, n: 1200 </job>',
    )
    expect(plainText('{"text":"two\\nlines, \\"quoted\\""}')).toBe('text: two lines, quoted')
  })

  it('leaves a sentence as it was written', () => {
    for (const said of [
      'She said "no" [sic] {maybe}.',
      'An Array<string> of 1,284 * 2 * 3.',
      '4 < 5 and 6 > 5',
      '价格是 3.20。',
      '请把 <id> 换成 Vector<String>，见 <name>。',
      '100*2*3=600，2**3**4，__init__，obj.__init__()，5~10 元、3~4 个',
      '<div>合计 45 元</div> <!-- 注释 -->',
      'list[i](x) and [sic](so)',
    ])
      expect(plainText(said)).toBe(said)
    expect(plainText('**合计：**45 元')).toBe('合计：45 元')
    expect(plainText('~~~ 哈哈\n好')).toBe('哈哈 好')
    expect(plainText('{"path":"C:\\\\new\\ttable"}')).toBe('path: C:\\new table')
  })

  it('[R386] a preview has every letter and digit of its text', () => {
    const tokens = [
      ...[
        'a',
        'bc',
        '7',
        '10',
        '价',
        '格',
        '，',
        ' ',
        '\n',
        '    ',
        '*',
        '**',
        '_',
        '__',
        '~~',
        '`',
        '```',
        '[',
        '](',
        ')',
      ],
      ...['<id>', '</div>', '<!--', '-->', '&lt;', '#', '## ', '|', '---', '- ', '1. ', '> ', '\\', '"', '{', '}', ':'],
    ]
    const letters = (text: string): string => (text.match(/[\p{L}\p{N}]/gu) ?? []).join('')
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...tokens), { maxLength: 30 }), (parts) => {
        // The language of a block of code is a mark of it.
        const text = parts.join('').replaceAll(/(```|~~~)(?=[\w+#-])/g, '$1 ')
        expect(letters(plainText(text))).toBe(letters(text))
      }),
      { numRuns: process.env.CONVENE_ALL === '1' ? 50_000 : 1_000 },
    )
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

  it('[R387] an isolate that is cut ends before the cut', () => {
    expect(firstWords('\u2068מיכל\u2069 waits for you', 4)).toBe('\u2068מי\u2069…')
    expect(firstWords('\u2068מיכל\u2069 waits for you', 9)).toBe('\u2068מיכל\u2069 w…')
  })
})
