import { describe, expect, it } from 'vitest'
import en from '@/messages/en.json'
import { LATER } from '@/messages/forPages.mjs'
import zh from '@/messages/zh.json'
import { ACTION_IDS, actionRow, canMeet, defineActions, isBeside, wordsOf } from './actionTable'
import { CHANGEABLE, type OwnKeys, ownKey, pressableKey, whyNot } from './ownKeys'

const textAt = (catalogue: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], catalogue)
const pairs = ACTION_IDS.flatMap((one) => ACTION_IDS.map((other) => [one, other] as const)).filter(
  ([one, other]) => one !== other,
)

describe('the table of actions', () => {
  it('each action is called something in both languages, at each of its places and in the palette', () => {
    const words = ACTION_IDS.flatMap((id) => {
      const { at, palette } = actionRow(id)
      return [wordsOf(id, null), ...at.map((place) => wordsOf(id, place)), ...(palette ? [palette.words] : [])]
    })
    expect(words.length).toBeGreaterThan(ACTION_IDS.length)
    for (const path of words) {
      for (const catalogue of [en, zh]) expect(textAt(catalogue, path), path).toEqual(expect.stringMatching(/^[^{}]+$/))
      // The frame draws them: they come with the first texts.
      expect(LATER, path).not.toContain(path.split('.')[0])
    }
  })

  it('an action has words for places where it holds, and for no others', () => {
    for (const id of ACTION_IDS) {
      const { at, wordsAt = {} } = actionRow(id)
      expect(at, id).toEqual(expect.arrayContaining(Object.keys(wordsAt)))
    }
  })

  it('no two actions that can be on one screen have one key', () => {
    const shared = pairs.filter(([one, other]) => actionRow(one).key === actionRow(other).key && canMeet(one, other))
    expect(shared).toEqual([])
  })

  it('no key begins a sequence of another action', () => {
    const begun = pairs.filter(([one, other]) => actionRow(other).key.startsWith(`${actionRow(one).key} `))
    expect(begun).toEqual([])
  })

  it('two places are beside each other where one screen can have both', () => {
    expect(isBeside('cards', 'tree')).toBe(true)
    expect(isBeside('page', 'agent')).toBe(true)
    expect(isBeside('search', 'table')).toBe(true)
    expect(isBeside('tree', 'agent')).toBe(false)
    expect(isBeside('timeline', 'tree')).toBe(false)
    // One of several places is enough.
    expect(canMeet('pause', 'nextError')).toBe(true)
  })

  it('two actions with one key in one place do not compile, nor do two in places of one screen', () => {
    const words = 'keys.play'
    // @ts-expect-error: both are in the tree
    defineActions({ one: { key: 'e', at: ['tree'], words }, two: { key: 'e', at: ['tree'], words } })
    // @ts-expect-error: the frame is around every tree
    defineActions({ one: { key: 'e', at: ['tree'], words }, two: { key: 'e', at: ['page'], words } })
    // @ts-expect-error: one of the places is enough
    defineActions({ one: { key: 'e', at: ['agent', 'tree'], words }, two: { key: 'e', at: ['cards'], words } })
    // A tree is on no agent's page.
    defineActions({ one: { key: 'e', at: ['tree'], words }, two: { key: 'e', at: ['agent'], words } })
    // @ts-expect-error: no text
    defineActions({ one: { key: 'e', at: ['tree'], words: 'keys.nothing' } })
  })
})

describe('a key of one’s own', () => {
  it('a key of one’s own may be any single letter, digit or sign that nothing else has', () => {
    expect(whyNot('q', 'next', {})).toBeNull()
    expect(whyNot('Shift+q', 'next', {})).toBeNull()
    expect(whyNot('n', 'next', {})).toBeNull()
    expect(['Enter', 'ArrowDown', ' ', 'g', 'Mod+q', 'F6'].map((chord) => whyNot(chord, 'next', {}))).toEqual(
      Array.from({ length: 6 }, () => 'unfit'),
    )
    expect(whyNot('r', 'next', {})).toBe('reply')
  })

  it('a changed key frees the key that everybody has, also when it is switched off', () => {
    expect(whyNot('r', 'next', { reply: 'q' })).toBeNull()
    expect(whyNot('q', 'next', { reply: 'q' })).toBe('reply')
    expect(whyNot('r', 'next', { reply: '' })).toBeNull()
    expect([ownKey('reply', { reply: 'q' }), ownKey('next', { reply: 'q' }), ownKey('reply', { reply: '' })]).toEqual([
      'q',
      'n',
      '',
    ])
  })

  it('a key is taken by the actions that can be on a screen together with this one, and by no others', () => {
    for (const [one, other] of pairs.filter((pair) => pair.every((id) => CHANGEABLE.includes(id)))) {
      const { key } = actionRow(other)
      // On different screens two actions may have this key.
      const taken = CHANGEABLE.filter((id) => id !== one && actionRow(id).key === key && canMeet(one, id))
      expect(whyNot(key, one, {}) ?? undefined, `${one}, ${other}`).toBe(taken[0])
    }
  })

  it.each<{ own: OwnKeys; singleKeys: boolean; shown: string[] }>([
    { own: {}, singleKeys: true, shown: ['y', 'Mod+k', 'F6'] },
    { own: { copyLink: 'm' }, singleKeys: true, shown: ['m', 'Mod+k', 'F6'] },
    { own: { copyLink: '' }, singleKeys: true, shown: ['', 'Mod+k', 'F6'] },
    { own: { copyLink: 'm' }, singleKeys: false, shown: ['', 'Mod+k', 'F6'] },
  ])(
    '[R427] a key is named as its reader can press it: $own, single keys $singleKeys',
    ({ own, singleKeys, shown }) => {
      const display = { keys: own, singleKeys }
      expect((['copyLink', 'palette', 'nextPane'] as const).map((id) => pressableKey(id, display))).toEqual(shown)
    },
  )

  it('each key of one letter or sign can be changed, and no other', () => {
    expect(CHANGEABLE).toContain('copyLink')
    expect(CHANGEABLE).not.toEqual(expect.arrayContaining(['play']))
    for (const id of ACTION_IDS) {
      const { key } = actionRow(id)
      expect(CHANGEABLE.includes(id), id).toBe(/^(Shift\+)?\S$/.test(key))
    }
  })
})
