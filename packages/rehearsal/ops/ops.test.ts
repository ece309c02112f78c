/** The operations on texts, each on inputs that nobody chose. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareFacts, contradictions, onlyInOne, totals, totalsByKey } from './compare'
import { countIn, countWords, findPhrase } from './count'
import { addDecimals, parseDecimal, showDecimal, sumDecimals } from './decimal'
import { EXTRACTS, extractFrom } from './extract'
import { factsOf } from './facts'
import { countKinds, filesNamedIn, isReadable } from './fileNames'
import { editorLinesOf, parseJsonLines, parseSource } from './parse'

const source = (path: string, text: string) => parseSource({ path, text, cut: false })
const all = { columns: [], group: null, numbersOnly: false }
const amount = fc.integer({ min: -9_999_999, max: 9_999_999 })
const money = (cents: number): string =>
  `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`

describe('decimals', () => {
  it('are added without rounding, whatever they are', () => {
    fc.assert(
      fc.property(fc.array(amount, { minLength: 1 }), (list) => {
        expect(sumDecimals(list.map(money))).toBe(money(list.reduce((sum, one) => sum + one, 0)))
      }),
    )
  })

  it.each([
    ['1,234.50', '1234.50'],
    ['3,20', '3.20'],
    ['€ 3.20', '3.20'],
    ['¥45', '45'],
    ['12 %', '12'],
    ['-7', '-7'],
    ['0.1', '0.1'],
  ])('%s is read as %s', (text, shown) => {
    const read = parseDecimal(text)
    expect(read && showDecimal(read)).toBe(shown)
  })

  it.each(['', 'apple', '3 apples', '1.2.3', '2026-11-21', '1e5'])('%j is no number', (text) => {
    expect(parseDecimal(text)).toBeNull()
  })

  it('keep the places of the most exact one', () => {
    const [one, other] = [parseDecimal('0.1'), parseDecimal('0.20')]
    expect(one && other && showDecimal(addDecimals(one, other))).toBe('0.30')
  })
})

describe('parsing', () => {
  it('csv: every cell of every row comes back with its line, quotes and line breaks included', () => {
    const cell = fc
      .string({ maxLength: 12 })
      .map((text) => text.replace(/\r/g, '').trim())
      .filter((text) => text !== '')
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 }), (rows) => {
        const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
        const text = `name,what\n${rows.map(([one, other]) => `${quote(one)},${quote(other)}`).join('\n')}\n`
        const [table] = source('t.csv', text).tables
        expect(table?.rows.map((row) => [row.cells.name, row.cells.what])).toEqual(rows.map((row) => [...row]))
        let line = 2
        for (const [at, [one, other]] of rows.entries()) {
          expect(table?.rows[at]?.line).toBe(line)
          line += 1 + `${one}${other}`.split('\n').length - 1
        }
      }),
    )
  })

  it('tsv, semicolons and tables in Markdown are tables too, with the lines of their rows', () => {
    expect(source('a.tsv', 'k\tv\nx\t1\n').tables[0]?.rows).toEqual([{ line: 2, cells: { k: 'x', v: '1' } }])
    expect(source('a.csv', 'k;v\nx;1,5\n').tables[0]?.rows).toEqual([{ line: 2, cells: { k: 'x', v: '1,5' } }])
    expect(source('a.md', '# t\n\n| k | v |\n|---|--:|\n| x | 1 |\n').tables[0]?.rows).toEqual([
      { line: 5, cells: { k: 'x', v: '1' } },
    ])
  })

  it('a first row with a number in it is no head', () => {
    expect(source('a.csv', 'x,1\ny,2\n').tables[0]?.rows.map((row) => row.line)).toEqual([1, 2])
  })

  it('json keeps the line of each object, and returns null for other text', () => {
    const rows = source('a.json', '[\n  {"k": "x", "v": 1},\n  {"k": "y",\n   "v": 2}\n]').tables[0]?.rows
    expect(rows).toEqual([
      { line: 2, cells: { k: 'x', v: '1' } },
      { line: 3, cells: { k: 'y', v: '2' } },
    ])
    expect(source('a.json', '{"a": {"b": "c"}}').pairs).toEqual([{ key: 'a.b', value: 'c', line: 1 }])
    expect(source('a.json', '{oops').pairs).toEqual([])
  })

  it('any JSON has a tree', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseJsonLines(JSON.stringify(value, null, 2))).not.toBeNull()
      }),
    )
  })

  it('text: `key: value` and `name 3.20` are pairs, sentences and addresses are not', () => {
    const text =
      'apple: 3.20\n- pear 2.10\n苹果：4.5\nThis is a sentence that goes on for long: see below\nhttps://a.example/x: y\n# head: no\n'
    expect(source('a.txt', text).pairs).toEqual([
      { key: 'apple', value: '3.20', line: 1 },
      { key: 'pear', value: '2.10', line: 2 },
      { key: '苹果', value: '4.5', line: 3 },
    ])
  })

  it('lines are counted as editors do', () => {
    expect(
      [
        editorLinesOf(''),
        editorLinesOf('a'),
        editorLinesOf('a\n'),
        editorLinesOf('a\n\n'),
        editorLinesOf('a\r\nb'),
      ].map((lines) => lines.length),
    ).toEqual([0, 1, 1, 2, 2])
  })

  it('pictures and the like cannot be read', () => {
    expect(['a.png', 'b.pdf', 'c.xlsx', 'd.md', 'e.csv', 'README'].map(isReadable)).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ])
  })
})

describe('facts, comparing, totals', () => {
  const lists = (one: string, other: string) => [source('one.csv', one), source('two.csv', other)]

  it('the same key with another value contradicts, whatever its case; equal numbers written differently do not', () => {
    const facts = factsOf(lists('item,price\nApple,3.20\npear,2.0\n', 'item,price\n apple ,3.50\npear,2.00\n'), all)
    expect(contradictions(facts).map((group) => [group.key, group.values])).toEqual([['Apple', ['3.20', '3.50']]])
  })

  it('exactly the keys that were changed contradict', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.stringMatching(/^[a-z]{3,8}$/), { minLength: 1, maxLength: 12 }),
        fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        fc.nat(9_999),
        (keys, changes, base) => {
          const text = (change: boolean) =>
            `item,price\n${keys.map((key, at) => `${key},${base + at + (change && changes[at] ? 1 : 0)}`).join('\n')}\n`
          const changed = keys.filter((_, at) => changes[at])
          expect(contradictions(factsOf(lists(text(false), text(true)), all)).map((group) => group.key)).toEqual(
            changed,
          )
        },
      ),
    )
  })

  it('what only one list has is named with its place', () => {
    const facts = factsOf(lists('k,v\na,1\nb,2\n', 'k,v\na,1\n'), all)
    expect(onlyInOne(facts)).toEqual([{ key: 'b', file: 'one.csv', line: 3 }])
    expect(compareFacts(facts).map((group) => group.facts.length)).toEqual([2, 1])
  })

  it('an index that names the files is no list', () => {
    const facts = factsOf(
      [...lists('k,v\na,1\n', 'k,v\nb,2\n'), source('index.md', '- one.csv: the first\n- note: hello\n')],
      all,
    )
    expect(facts.map((fact) => fact.file)).toEqual(['one.csv', 'two.csv'])
  })

  it('columns of numbers are added, whole and by group', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom('north', 'south'), amount), { minLength: 1, maxLength: 20 }),
        (rows) => {
          const facts = factsOf(
            [
              source(
                's.csv',
                `region,amount\n${rows.map(([region, cents]) => `${region},${money(cents)}`).join('\n')}\n`,
              ),
            ],
            { columns: [], group: 'region', numbersOnly: true },
          )
          expect(totals(facts)).toEqual({ amount: money(rows.reduce((sum, [, cents]) => sum + cents, 0)) })
          for (const { group, sums } of totalsByKey(facts)) {
            expect(sums.amount).toBe(
              money(rows.filter(([region]) => region === group).reduce((sum, [, cents]) => sum + cents, 0)),
            )
          }
        },
      ),
    )
  })
})

describe('counting, finding, extracting, inventory', () => {
  it('words: letters and digits together, each Chinese character one', () => {
    expect(['one two', "don't stop", '三个 apples', ''].map(countWords)).toEqual([2, 2, 3, 0])
  })

  it('lines, rows, characters and matches of one text', () => {
    const text = 'k,v\na,1\nb,aa\n'
    const parsed = source('x.csv', text)
    expect(
      (['lines', 'rows', 'characters', 'matches', 'files'] as const).map((unit) => countIn(parsed, unit, 'a')),
    ).toEqual([3, 2, 13, 3, 1])
  })

  it('a phrase is found wherever it was put', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-y ]{0,10}$/), { maxLength: 10 }), fc.nat(9), (lines, at) => {
        const place = Math.min(at, lines.length)
        expect(
          findPhrase([...lines.slice(0, place), 'some ZZZ here', ...lines.slice(place)], 'zzz').map((hit) => hit.line),
        ).toEqual([place + 1])
      }),
    )
  })

  it('addresses, dates, amounts, headings and things to do come with their lines', () => {
    const text =
      '# Plan\nWrite to ana@x.example by 2026-11-21\nTODO: pay €12.50\nsee https://x.example/a, or not\n2026年1月2日'
    expect(
      extractFrom(
        source('a.txt', text),
        EXTRACTS.filter((kind) => kind !== 'pairs' && kind !== 'rows'),
      ).map((one) => [one.key, one.value, one.line]),
    ).toEqual([
      ['emails', 'ana@x.example', 2],
      ['urls', 'https://x.example/a', 4],
      ['dates', '2026-11-21', 2],
      ['dates', '2026年1月2日', 5],
      ['amounts', '€12.50', 3],
      ['headings', 'Plan', 1],
      ['todos', 'TODO: pay €12.50', 3],
    ])
  })

  it('long lines of anything take no long time', () => {
    const lines = ['a', '-', ' ', '价', 'a ', 'a-', 'a.', '1', '1 ', '@', ':', '/'].map((piece) =>
      piece.repeat(Math.ceil(200_000 / piece.length)),
    )
    const parsed = source('long.txt', lines.join('\n'))
    expect(parsed.lines).toHaveLength(12)
    expect(filesNamedIn(lines)).toEqual([])
    expect(extractFrom(parsed, EXTRACTS).filter((one) => one.key === 'emails')).toEqual([])
    expect(countWords(lines.join('\n'))).toBeGreaterThan(200_000)
  })

  it('kinds are counted, names of files found, addresses of the web left alone', () => {
    expect(countKinds(['a.csv', 'b.csv', 'c.png'])).toEqual([
      { kind: 'csv', count: 2, readable: true },
      { kind: 'png', count: 1, readable: false },
    ])
    expect(
      filesNamedIn(['see west.csv and lists/east.csv.', 'https://x.example/far.csv', 'the ending .csv, mail a@b.md']),
    ).toEqual([
      { name: 'west.csv', line: 1 },
      { name: 'lists/east.csv', line: 1 },
    ])
  })
})
