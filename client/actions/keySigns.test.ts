import { afterEach, describe, expect, it, vi } from 'vitest'
import { ariaShortcuts, menuSigns, signsOf } from './keySigns'

describe('a chord as it is drawn', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('a chord is drawn as the signs on its keys, one press after the other', () => {
    vi.stubGlobal('navigator', { userAgent: 'X11; Linux' })
    expect(['Mod+k', 'g i', ' ', 'Escape', 'Shift+F6'].map(signsOf)).toEqual([
      [['Ctrl', 'k']],
      [['g'], ['i']],
      [['Space']],
      [['Esc']],
      [['Shift', 'F6']],
    ])
    expect(menuSigns('Mod+k')).toBe('Ctrl K')
  })

  it('on a Mac it is written with ⌘', () => {
    vi.stubGlobal('navigator', { userAgent: 'Macintosh; Intel Mac OS X' })
    expect([signsOf('Mod+k'), menuSigns('Mod+k')]).toEqual([[['⌘', 'k']], '⌘K'])
  })

  it('assistive software is told a chord with either modifier, and no sequence', () => {
    expect(['Mod+k', 'e', 'Shift+e', ' ', '/', 'g i', ''].map(ariaShortcuts)).toEqual([
      'Control+K Meta+K',
      'E',
      'Shift+E',
      'Space',
      '/',
      undefined,
      undefined,
    ])
  })
})
