import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { chordOf, holdKeys, isOurs, listenerOf } from './keyboard'
import { isSingle, KEY_LIST, type OwnKeys, ownChord, pressableChord, whyNot } from './keyList'

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {}) =>
  chordOf({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held })

describe('a key press', () => {
  it('a key press is the same chord on every keyboard', () => {
    expect(press('n')).toBe('n')
    expect(press('N', { shiftKey: true })).toBe('Shift+n')
    expect(press('?', { shiftKey: true })).toBe('?')
    expect(press('?')).toBe('?')
    expect(press('F6', { shiftKey: true })).toBe('Shift+F6')
    expect(press('Enter', { metaKey: true })).toBe('Mod+Enter')
    expect(press('k', { ctrlKey: true })).toBe('Mod+k')
  })

  it('a modifier alone, a press with Alt and one inside an input method are no chord', () => {
    expect([press('Shift', { shiftKey: true }), press('t', { altKey: true }), press('Process')]).toEqual([
      null,
      null,
      null,
    ])
  })

  it('a chord is a single key unless Ctrl or ⌘ is held, or it is F6 or Escape', () => {
    expect(['n', 'Shift+n', '?', 'ArrowDown', ' '].every(isSingle)).toBe(true)
    expect(['Mod+k', 'F6', 'Shift+F6', 'Escape'].some(isSingle)).toBe(false)
  })

  it('single keys do nothing when the reader switched them off', () => {
    expect(isOurs('n', null, true)).toBe(true)
    expect(isOurs('n', null, false)).toBe(false)
    expect(isOurs('F6', null, false)).toBe(true)
  })

  it('a text field or a dialog with the focus keeps single keys from the page', () => {
    const inside = (what: string) => ({ closest: (selectors: string) => (selectors.includes(what) ? {} : null) })
    expect(isOurs('n', inside('textarea'), true)).toBe(false)
    expect(isOurs('n', inside('[role=dialog]'), true)).toBe(false)
    expect(isOurs('Escape', inside('textarea'), true)).toBe(true)
    expect(isOurs('Mod+Enter', inside('textarea'), true)).toBe(true)
    expect(isOurs('n', inside('nothing'), true)).toBe(true)
  })

  it('[R639] Space belongs to what it presses, elsewhere to the page', () => {
    const on = (what: string) => ({
      closest: (selectors: string) => (selectors.split(', ').includes(what) ? {} : null),
    })
    expect(['button', 'a[href]', '[role=tab]', 'input'].map((what) => isOurs(' ', on(what), true))).toEqual(
      Array.from({ length: 4 }, () => false),
    )
    expect([isOurs(' ', on('main'), true), isOurs(' ', null, true), isOurs('n', on('button'), true)]).toEqual([
      true,
      true,
      true,
    ])
  })
})

describe('the binding of a press', () => {
  const binding = (chord: string) => ({ chord, name: chord, handler: () => undefined })
  const [go, older, newer] = [binding('g o'), binding('c'), binding('c')]
  const bindings = [go, older, newer]

  it('the newest binding of a chord gets the press', () => {
    expect(listenerOf({ bindings }, 'c', null, {})).toBe(newer)
    expect(listenerOf({ bindings }, 'o', null, {})).toBeNull()
  })

  it('a key of one’s own replaces the usual chord', () => {
    expect(listenerOf({ bindings }, 'm', null, { c: 'm' })).toBe(newer)
    expect(listenerOf({ bindings }, 'c', null, { c: 'm' })).toBeNull()
  })

  it('two presses make a sequence where the first begins one', () => {
    expect(listenerOf({ bindings }, 'g', null, {})).toBe('begins')
    expect(listenerOf({ bindings }, 'o', 'g', {})).toBe(go)
    expect(listenerOf({ bindings }, 'c', 'g', {})).toBe(newer)
  })
})

describe('a key of one’s own', () => {
  it('a key of one’s own may be any single letter, digit or sign that nothing else has', () => {
    expect(whyNot('q', 'n', {})).toBeNull()
    expect(whyNot('Shift+q', 'n', {})).toBeNull()
    expect(whyNot('n', 'n', {})).toBeNull()
    expect(['Enter', 'ArrowDown', ' ', 'g', 'Mod+q', 'F6'].map((chord) => whyNot(chord, 'n', {}))).toEqual(
      Array.from({ length: 6 }, () => 'unfit'),
    )
    expect(whyNot('r', 'n', {})).toBe('reply')
  })

  it('a changed key frees the chord it had, also when it is switched off', () => {
    expect(whyNot('r', 'n', { r: 'q' })).toBeNull()
    expect(whyNot('q', 'n', { r: 'q' })).toBe('reply')
    expect(whyNot('r', 'n', { r: '' })).toBeNull()
    expect([ownChord('r', { r: 'q' }), ownChord('n', { r: 'q' }), ownChord('r', { r: '' })]).toEqual(['q', 'n', ''])
  })

  it.each<{ own: OwnKeys; singleKeys: boolean; shown: string[] }>([
    { own: {}, singleKeys: true, shown: ['y', 'Mod+k', 'F6'] },
    { own: { y: 'm' }, singleKeys: true, shown: ['m', 'Mod+k', 'F6'] },
    { own: { y: '' }, singleKeys: true, shown: ['', 'Mod+k', 'F6'] },
    { own: { y: 'm' }, singleKeys: false, shown: ['', 'Mod+k', 'F6'] },
  ])(
    '[R427] a key is named as its reader can press it: $own, single keys $singleKeys',
    ({ own, singleKeys, shown }) => {
      expect(['y', 'Mod+k', 'F6'].map((chord) => pressableChord(chord, { keys: own, singleKeys }))).toEqual(shown)
    },
  )

  it('each key of the table has a name and a chord of its own', () => {
    expect(new Set(KEY_LIST.map(({ chord }) => chord)).size).toBe(KEY_LIST.length)
    expect(new Set(KEY_LIST.map(({ name }) => name)).size).toBe(KEY_LIST.length)
    expect(KEY_LIST.every(({ chord }) => whyNot(chord, chord, {}) === null)).toBe(true)
  })
})

describe('keys collected for a part that is loading', () => {
  let page = new EventTarget()
  const type = (key: string): boolean =>
    page.dispatchEvent(Object.assign(new Event('keydown', { cancelable: true }), { key, shiftKey: false }))
  beforeEach(() => {
    page = new EventTarget()
    vi.stubGlobal('window', page)
  })
  afterEach(() => vi.unstubAllGlobals())

  it('keys typed while a part loads are given to it, and do nothing in the page', () => {
    const taken = holdKeys(() => undefined)
    for (const key of ['a', 'b', 'Backspace', 'c']) expect(type(key)).toBe(false)
    expect(taken()).toBe('ac')
  })

  it('Escape stops collecting keys', () => {
    const onEscape = vi.fn()
    const taken = holdKeys(onEscape)
    type('a')
    expect([type('Escape'), onEscape.mock.calls.length, taken()]).toEqual([false, 1, 'a'])
  })
})
