import { describe, expect, it } from 'vitest'
import { hueOf, initials, roleIconOf } from './marks/identity'
import { safeHref } from './text/safeHref'

describe('identity', () => {
  it('gives people copper and agents a cool hue, the same for an id for ever', () => {
    for (const id of ['ana', 'ben', '018f-aa', 'coder', '']) {
      const person = hueOf({ id, kind: 'human' })
      const agent = hueOf({ id, kind: 'llm' })
      expect(person >= 20 && person <= 80 && agent >= 190 && agent <= 260).toBe(true)
      expect(hueOf({ id, kind: 'human' })).toBe(person)
    }
    expect(new Set(['ana', 'ben', 'lee', 'mia', 'tom'].map((id) => hueOf({ id, kind: 'human' }))).size).toBeGreaterThan(
      3,
    )
  })

  it('takes initials from names of one word, two words and Chinese', () => {
    expect([initials('Ana'), initials('ben lee'), initials('王小明'), initials(' '), initials('É')]).toEqual([
      'An',
      'BL',
      '小明',
      '?',
      'É',
    ])
  })

  it('reads the icon from the role in both languages; the manager’s always wins', () => {
    expect([
      roleIconOf({ role: 'Coder' }),
      roleIconOf({ role: '测试' }),
      roleIconOf({ role: 'Coder', manager: true }),
      roleIconOf({}),
    ]).toEqual(['code', 'test', 'manager', 'bot'])
  })
})

describe('links in written text', () => {
  it('are followed only to the web, a mailbox or this console', () => {
    expect(safeHref('https://example.org/a b')).toBe('https://example.org/a%20b')
    expect(safeHref('mailto:a@example.org')).toBe('mailto:a@example.org')
    expect(safeHref('/tasks/t1')).toBe('/tasks/t1')
  })

  it('never run a script or leave by a hidden host', () => {
    for (const href of [
      'javascript:alert(1)',
      ' JaVaScRiPt:alert(1)',
      'data:text/html,x',
      '//evil.example',
      '/\\evil.example',
      'vbscript:x',
      'relative',
      '',
    ]) {
      expect(safeHref(href), href).toBeNull()
    }
  })
})
