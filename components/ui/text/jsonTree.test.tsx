/** A JSON value as a tree: what is open, what a search leaves, what is held back. */
import { renderToStaticMarkup } from 'react-dom/server'
import { IntlProvider } from 'use-intl'
import { describe, expect, it } from 'vitest'
import words from '@/messages/en.json'
import JsonView, { pathsWith } from './JsonView'

const SHOWN_ENTRIES = 200

const html = (value: unknown): string =>
  renderToStaticMarkup(
    <IntlProvider locale="en" messages={words} timeZone="UTC">
      <JsonView value={value} name="step" />
    </IntlProvider>,
  )
/** The level of each row, whether it is open, and its text. */
const rows = (value: unknown): string[] =>
  html(value)
    .split('<div role="treeitem" ')
    .slice(1)
    .map((row) => {
      const [, level, isOpen = '-'] = /aria-level="(\d)"(?: aria-expanded="(\w+)")?/.exec(row) ?? []
      return `${level} ${isOpen} ${row
        .slice(row.indexOf('>') + 1)
        .replace(/<button.*/s, '')
        .replace(/<[^>]*>/g, '')}`
    })

describe('the rows of a JSON tree', () => {
  it('is searched in names and values; what a hit stands in stays in sight', () => {
    const value = { team: [{ name: 'Coder' }, { name: 'Tester' }], note: 'none' }
    expect([...(pathsWith(value, 'coder') ?? [])].sort()).toEqual(['', '/team', '/team/0', '/team/0/name'])
    expect([...(pathsWith(value, 'NOTE') ?? [])].sort()).toEqual(['', '/note'])
    expect(pathsWith(value, 'zebra')?.size).toBe(0)
    expect(pathsWith(value, ' ')).toBeNull()
  })

  it('show what is open, with a pointer to each', () => {
    const value = { a: { 'b/c': [1, null] }, d: 'x' }
    expect(rows(value)).toEqual([
      '1 true { } 2 entries',
      '2 true a: { } 1 entry',
      '3 false b/c: [ ] 2 entries',
      '2 - d: &quot;x&quot;',
    ])
    expect([...(pathsWith(value, '1') ?? [])]).toContain('/a/b~1c/0')
  })

  it('hold back the rest of a long list until it is asked for', () => {
    const list = Array.from({ length: SHOWN_ENTRIES + 50 }, (_, at) => at)
    expect(rows(list)).toHaveLength(SHOWN_ENTRIES + 1)
    expect(html(list).replace(/<[^>]*>/g, '')).toContain('Show all 50 entries')
  })
})
