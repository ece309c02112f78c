import { describe, expect, expectTypeOf, it } from 'vitest'
import type { ActionId, PlaceOf } from './actionTable'
import { chordOf, isSingle } from './chords'
import { actionOfPress, type BoundAction, gridKey, isOurs, type useAction } from './keyboard'
import type { OwnKeys } from './ownKeys'

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

describe('the action of a press', () => {
  const boundTo = (id: ActionId): BoundAction => ({ id, at: 'page', run: () => undefined })
  const [go, older, newer] = [boundTo('go.tools'), boundTo('compose'), boundTo('compose')]
  const bound = [go, older, newer]

  it('the newest binding of a key gets the press', () => {
    expect(actionOfPress({ bound }, 'c', null, {})).toBe(newer)
    expect(actionOfPress({ bound }, 'o', null, {})).toBeNull()
  })

  it('a key of one’s own replaces the key that everybody has', () => {
    expect(actionOfPress({ bound }, 'm', null, { compose: 'm' })).toBe(newer)
    expect(actionOfPress({ bound }, 'c', null, { compose: 'm' })).toBeNull()
    expect(actionOfPress({ bound }, 'c', null, { compose: '' })).toBeNull()
  })

  it('a key without a row does not compile, nor does one at a place that is not in its row', () => {
    expectTypeOf<Parameters<typeof useAction>[0]>().toEqualTypeOf<ActionId>()
    expectTypeOf<string>().not.toExtend<ActionId>()
    expectTypeOf<PlaceOf<'nextError'>>().toEqualTypeOf<'tree'>()
  })

  it('two presses make a sequence where the first begins one', () => {
    expect(actionOfPress({ bound }, 'g', null, {})).toBe('begins')
    expect(actionOfPress({ bound }, 'o', 'g', {})).toBe(go)
    expect(actionOfPress({ bound }, 'c', 'g', {})).toBe(newer)
  })
})

describe('a key of the rows in a grid', () => {
  const inGrid = (key: string, keys: OwnKeys, singleKeys = true) =>
    gridKey({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }, { keys, singleKeys })

  it('the keys of the next and previous row are arrows in a grid, also where they are one’s own', () => {
    expect(['j', 'k', 'm'].map((key) => inGrid(key, {}))).toEqual(['ArrowDown', 'ArrowUp', 'm'])
    expect(['j', 'k', 'm'].map((key) => inGrid(key, { nextRow: 'm', previousRow: '' }))).toEqual([
      'j',
      'k',
      'ArrowDown',
    ])
    expect(['Home', 'Shift'].map((key) => inGrid(key, { nextRow: '' }))).toEqual(['Home', 'Shift'])
  })

  it('in a grid letters are letters while single keys are switched off', () => {
    expect(inGrid('j', {}, false)).toBe('j')
  })
})
