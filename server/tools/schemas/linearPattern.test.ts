import fc from 'fast-check'
import { RE2JS } from 're2js'
import { expect, test } from 'vitest'
import { linearPattern, linearPatternsOf } from './linearPattern'

const TEXTS = [
  '',
  'a',
  'A',
  'ab',
  'aab',
  'abc-1',
  'a_b',
  '0',
  '42',
  '-1.5e3',
  '2026-11-23',
  '2026-11-23T10:00:00Z',
  '٣',
  'é',
  'É',
  'ñandú',
  'ſ',
  '中文',
  'Ω',
  'я',
  '😀',
  'x😀y',
  '\ud83d',
  ' ',
  '\t',
  '\n',
  'a\n',
  '\na',
  '\r',
  '\v',
  '\f',
  '\0',
  '\b',
  '\u001c',
  '\u0085',
  '\u00a0',
  '\u1680',
  '\u180e',
  '\u200b',
  '\u2028',
  '\u2029',
  '\u3000',
  '\ufeff',
  'me@example.org',
  'https://example.org/a?b=c#d',
  '/etc/passwd',
  '../up',
  'C:\\dir',
  '[a]',
  'a]b',
  ':a',
  '{1}',
  'a|b',
  '$5.00',
  '^',
  '-',
  '/',
  '192.168.0.1',
  '550e8400-e29b-41d4-a716-446655440000',
  '#ff00aa',
  'sha256:0123456789abcdef',
  '+49 30 1234',
  'v1.2.3-rc.1',
]

const verdicts = (pattern: { test(text: string): boolean }) => TEXTS.filter((text) => pattern.test(text))
const linearOf = (pattern: string) => {
  const linear = linearPattern(pattern)
  return linear === null ? null : RE2JS.compile(linear)
}

// What the schemas of real servers hold, and where the two engines mean different things by the same signs.
test.each([
  '^[a-z][a-z0-9_-]*$',
  '^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$',
  '^\\d{4}-\\d{2}-\\d{2}$',
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2})$',
  '^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$',
  '^#[0-9a-fA-F]{6}$',
  '^https?:\\/\\/[^\\s/$.?#].[^\\s]*$',
  '^(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}$',
  '^-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?$',
  '^v?\\d+\\.\\d+\\.\\d+(?:-[\\w.]+)?$',
  '^sha256:[0-9a-f]+$',
  '^\\+?[\\d ]{5,20}$',
  '^\\$\\d+\\.\\d{2}$',
  '^.*$',
  '^.+$',
  '.',
  '^[^\\n]*$',
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '^\\s+$',
  '^\\S+$',
  '[\\s\\S]',
  '^[\\s]$',
  '^[\\S]$',
  '^[^\\s]$',
  '^[^\\S]$',
  '^[\\s\\d]+$',
  '^[\\S\\n]+$',
  '\\bb\\b',
  '\\Bb',
  '[\\b]',
  '[^]',
  '[]',
  '^[[]',
  '^[[:alpha:]+$',
  '[\\]]',
  '[a\\-z]',
  '[.]',
  '[$^|]',
  '\\u00e9',
  '^[\\u4e00-\\u9fa5]+$',
  '\\u{1F600}',
  '^.$',
  '^..$',
  '^[😀]$',
  '\\x41',
  '\\cJ',
  '\\0',
  '\\t|\\v|\\f|\\r',
  '^\\p{L}+$',
  '^\\p{Lu}',
  '\\p{N}',
  '\\P{L}',
  '[\\p{L}\\p{N}]',
  '(?<year>\\d{4})-(?<month>\\d{2})',
  'a|b|',
  '(?:)',
  '^(a+)+$',
  '(a*)*b',
  'a{2,3}?b',
  'a\\n?$',
  '$',
  '^',
  '',
  '\\/',
  '\\^\\$\\\\\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|',
])('%j gives the same verdicts in linear time', (pattern) => {
  const linear = linearOf(pattern)
  expect(linear).not.toBeNull()
  if (linear) expect(verdicts(linear)).toEqual(verdicts(new RegExp(pattern, 'u')))
})

test.each(['(?=a)b', '(?!a)b', '(?<=a)b', '(?<!a)b', '(a)\\1', 'a{1001}', '\\p{Script=Greek}'])(
  '%j is left to JavaScript',
  (pattern) => {
    expect(() => linearOf(pattern)).toThrow()
  },
)

test.each(['\\ud83d\\ude00', '[\\uD83D]', '(?<n>a)\\k<n>'])('%j is left to JavaScript at once', (pattern) => {
  expect(linearPattern(pattern)).toBeNull()
})

test('any other pattern that JavaScript takes has its verdicts, or is left to it', () => {
  const atom = fc.constantFrom(
    ...['a', 'b', '.', '\\s', '\\S', '\\d', '\\w', '\\b', '[ab]', '[^a]', '[\\s-]', '[^\\S]', '[\\W_]', '\\.', '[.[]'],
    ...['[^]', '\\n', '\\u00e9', '\\x2d', '(a|b)', '(?:ab)', '(?<x>a)', '^', '$', '|', '\\p{L}', '[\\p{L}-]', '😀'],
  )
  const times = fc.constantFrom('', '', '', '*', '+', '?', '*?', '{2}', '{1,}', '{0,2}?')
  const pattern = fc
    .array(fc.tuple(atom, times), { maxLength: 6 })
    .map((parts) => parts.map(([one, count]) => one + (/^(?:\^|\$|\||\\b)$/.test(one) ? '' : count)).join(''))
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '1', ' ', '\n', '\r', '\u2028', '\u00a0', 'é', '.', '-', '_', '[', '😀'),
    maxLength: 8,
  })
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 5 }), (source, texts) => {
      let own: RegExp
      let linear: RE2JS | null
      try {
        own = new RegExp(source, 'u')
        linear = linearOf(source)
      } catch {
        return
      }
      if (linear) for (const one of texts) expect([one, linear.test(one)]).toEqual([one, own.test(one)])
    }),
    { numRuns: 2_000 },
  )
})

test('the patterns of a schema are found wherever they stand', () => {
  const schema = {
    properties: { a: { pattern: '^a' }, b: { items: [{ anyOf: [{ pattern: '^b' }] }] } },
    propertyNames: { pattern: '^c' },
    patternProperties: { '^d': { $ref: '#/$defs/e' } },
    $defs: { e: { pattern: '^e' } },
  }
  expect([...linearPatternsOf(schema).keys()].sort()).toEqual(['^a', '^b', '^c', '^d', '^e'])
})
