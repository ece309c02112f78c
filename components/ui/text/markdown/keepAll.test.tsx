/** Markdown loses nothing: each letter, digit and line of the source is on the screen. */
import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { describe, expect, it } from 'vitest'
import en from '@/messages/en.json'
import MarkdownBody from './MarkdownBody'

const RUNS = process.env.CONVENE_ALL === '1' ? 20_000 : 300

const html = (text: string): string =>
  renderToStaticMarkup(
    <IntlProvider locale="en" messages={en} timeZone="UTC">
      <MarkdownBody text={text} headingLevel={3} />
    </IntlProvider>,
  )
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', '#x27': "'" }

/** The lines that a reader sees, without the codes of hidden characters. */
const lines = (text: string): string[] =>
  html(text)
    .replace(/<span role="img"[^>]*>[^<]*<\/span>/g, '')
    .replace(/<(?:br\/?|hr[^>]*|\/(?:p|li|h\d|tr|pre|div|blockquote))>/g, '\n')
    .replace(/<\/t[dh]>/g, ' ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(lt|gt|amp|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
const tagged = (text: string, tag: string): string[] =>
  [...html(text).matchAll(new RegExp(`<${tag}\\b[^>]*>(.*?)</${tag}>`, 'gs'))].map(([, inner = '']) => inner)
const hrefs = (text: string): string[] => [...html(text).matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href)

/** Marks, beginnings of blocks, words and numbers in two scripts. Without an address after a bracket: it is the link's. */
const TOKENS = [
  ...['a', 'bc', '7', '10', '价', '格', '，', '。', '（', '）', '“', '”', ' ', '\n', '\n\n', '    ', '\t', '\u00a0'],
  ...['*', '**', '***', '_', '__', '~', '~~', '`', '``', '```', '[', ']', '(', ')', '<', '>', '\\', '!', '=', '$', ':'],
  ...['<id>', '</div>', '<div>', '<!--', '-->', '&lt;', '&', '#', '##', '|', '---', '===', '"', "'", '> ', '+ ', '- '],
  ...['1. ', '2019. ', '3) ', 'https://e.org/p', 'www.e.org', '[^1]', '[^1]: ', '[1]: '],
]
const source = fc
  .array(fc.constantFrom(...TOKENS), { maxLength: 30 })
  .map((tokens) => tokens.join(''))
  .filter((text) => !/\]\s*[([]/.test(text))

const lettersOf = (all: readonly string[]): string[] =>
  all.map((line) => (line.match(/[\p{L}\p{N}]/gu) ?? []).join('')).filter((line) => line !== '')
const endsOf = (all: readonly string[]): number[] => all.map((_, at) => all.slice(0, at + 1).join('').length)

describe('Markdown', () => {
  it('[R386] every letter and digit of a source is shown, in its order, and no two of its lines become one', () => {
    fc.assert(
      fc.property(source, (text) => {
        const [seen, written] = [lettersOf(lines(text)), lettersOf(text.split('\n'))]
        expect(seen.join('')).toBe(written.join(''))
        expect(endsOf(seen)).toEqual(expect.arrayContaining(endsOf(written)))
      }),
      { numRuns: RUNS },
    )
  })

  it.each([
    '请把 <id> 换成 Vector<String>，见 <name>。若 a<b 且 c>d 则停。',
    '<div>块里的文字：合计 45 元</div>',
    '<details><summary>更多</summary>',
    '<!-- 注释 -->',
    '100*2*3=600，__init__，5~10 元、3~4 个',
    '长*2*宽、（甲）*3*乙、共*3.5*个',
    '2**3**4 = 4096, f(x)*2*y, obj.__init__(), a~~b~~c',
    'Use &lt; and &nbsp; in HTML',
    'C:\\_dir\\*.txt, \\\\server\\_share, \\d+\\.\\d+, \\(x\\), \\frac\\{a\\}',
    'std::vector<std::string>, <std::vector>',
    'a note[^1]',
    '[^1]: of several words',
    '[1]: https://example.com/x "Title"',
    'costs $5*2*3 and $x_1 + y_1$',
    'a line with a backslash\\',
  ])('[R386] %s is shown as it is written', (text) => {
    expect(lines(text)).toEqual([text])
  })

  it('[R386] a line of the source is a line: of a paragraph, of code in a sentence, of an unclosed fence, of HTML', () => {
    expect(lines('第一行：A\n第二行：B')).toEqual(['第一行：A', '第二行：B'])
    expect(lines('> a\n> b\n\n- c\n  d')).toEqual(['a', 'b', 'c', 'd'])
    expect(lines('`a\nb` c')).toEqual(['a', 'b c'])
    expect(lines('```ts title=x\na\n\nb')).toEqual(['ts title=x', 'a', 'b'])
    expect(lines('<div>\n合计\n</div>')).toEqual(['<div>', '合计', '</div>'])
  })

  it('[R386] the numbers of a list are those of the source, and a table is as wide as its widest row', () => {
    expect(lines('1. a\n1. b\n5. c\n\n2019. A year')).toEqual(['1. a', '1. b', '5. c', '2019. A year'])
    expect(lines('3) a')).toEqual(['3) a'])
    expect(lines('| a |\n|---|\n| 1 | 2 | 3 |')).toEqual(['a', '1 2 3'])
  })

  it('[R386] an escaped sign is shown without its backslash in prose', () => {
    expect(lines('snake\\_case is \\*not\\* bold')).toEqual(['snake_case is *not* bold'])
  })

  it('[R386] emphasis beside Chinese signs is emphasis, and no mark of it is left', () => {
    const text = '**重点：**请看。他说**“好”**的事。**结论（含税）**如下。~~旧价：~~新价'
    expect(tagged(text, 'strong')).toEqual(['重点：', '“好”', '结论（含税）'])
    expect(tagged(text, 'del')).toEqual(['旧价：'])
    expect(lines(text)).toEqual(['重点：请看。他说“好”的事。结论（含税）如下。旧价：新价'])
    expect(tagged('这是*重点*，*3* 个', 'em')).toEqual(['重点', '3'])
    expect(tagged('**合计：**45 元，3**合计**4，_really_ **done**.', 'strong')).toEqual(['合计：', '合计', 'done'])
  })

  it('[R386] an address without marks ends where a reader would end it', () => {
    const cases: [string, string[]][] = [
      [
        '见 https://example.com/a，然后继续。另见 https://example.com/b。',
        ['https://example.com/a', 'https://example.com/b'],
      ],
      ['见https://example.com/a然后', ['https://example.com/a']],
      ['（https://example.com/a）“https://example.com/b”', ['https://example.com/a', 'https://example.com/b']],
      [
        '**https://example.com/a** and https://example.com/c_(d).',
        ['https://example.com/a', 'https://example.com/c_(d)'],
      ],
      [
        '(see https://example.com/a_b_c?x=1&y=*z*), www.example.org!',
        ['https://example.com/a_b_c?x=1&amp;y=*z', 'https://www.example.org/'],
      ],
      ['mail me@example.org.', ['mailto:me@example.org']],
      ['[see https://example.com](https://example.org)', ['https://example.org/']],
      ['https://example.com/a\u202eb', ['https://example.com/a']],
      ['xhttps://example.com `https://example.com`', []],
    ]
    for (const [text, expected] of cases) expect([text, hrefs(text)]).toEqual([text, expected])
  })

  it('[R386] a link that leads nowhere says its address, and the address of a definition can be followed', () => {
    expect(lines('[a](b.md) [b](javascript:x "t")')).toEqual(['a (b.md) b (javascript:x t)'])
    expect(lines('see [](https://e.org/5) and [ ](https://e.org/6)')).toEqual([
      'see https://e.org/5 and https://e.org/6',
    ])
    expect(lines('[a][x] and [x]\n\n[x]: b.md')).toEqual(['[a][x] and [x]', '[x]: b.md'])
    expect(hrefs('see [1]\n\n[1]: https://example.com/x')).toEqual(['https://example.com/x', 'https://example.com/x'])
  })
})
