import { describe, expect, it } from 'vitest'
import { type AlertingItem, chooseUrgent, IN_USE_MS, type PageUse } from './useUrgent'

const MAX_DELAY_MS = 15_000
const SETTLE_MS = 600
const UNNOTICED_MS = 20_000

const NOW = 1_000_000
const ring = (id: string, change: Partial<AlertingItem> = {}): AlertingItem => ({
  id,
  since: NOW - 1_000,
  lookedAt: null,
  offScreenSince: NOW - SETTLE_MS,
  isBeingAnswered: false,
  seenAt: NOW - 1_000,
  ...change,
})
const NONE: ReadonlySet<string> = new Set()
const UNUSED: PageUse = { lastInputAt: 0, lastMenuAt: 0 }

describe('an Urgent that nobody acknowledged', () => {
  it('an Urgent comes as a dialog when its card is not in view, the oldest first', () => {
    const two = [ring('new'), ring('old', { since: NOW - 9_000 })]
    expect(chooseUrgent(two, NONE, null, UNUSED, NOW)).toEqual({ dialog: 'old', hasBar: false })
  })

  it('no dialog comes over a page that is about to show the card, unless that page never does', () => {
    const going = ring('a', { offScreenSince: NOW - SETTLE_MS + 1 })
    expect(chooseUrgent([going], NONE, null, UNUSED, NOW)).toEqual({ dialog: null, hasBar: false })
    expect(chooseUrgent([going], NONE, null, UNUSED, NOW + 1).dialog).toBe('a')
    expect(
      chooseUrgent([{ ...going, seenAt: NOW - MAX_DELAY_MS, offScreenSince: NOW }], NONE, null, UNUSED, NOW).dialog,
    ).toBe('a')
  })

  it.each(['lastInputAt', 'lastMenuAt'] as const)(
    '[R222] no dialog opens over typing or an open menu: the bar shows until three seconds of pause, fifteen at most (%s)',
    (what) => {
      const used = (at: number): PageUse => ({ ...UNUSED, [what]: at })
      const lately = NOW - IN_USE_MS + 1
      expect(chooseUrgent([ring('a')], NONE, null, used(lately), NOW)).toEqual({ dialog: null, hasBar: true })
      expect(chooseUrgent([ring('a')], NONE, null, used(NOW - IN_USE_MS), NOW).dialog).toBe('a')
      expect(chooseUrgent([ring('a', { seenAt: NOW - MAX_DELAY_MS })], NONE, null, used(lately), NOW).dialog).toBe('a')
    },
  )

  it('no dialog comes for a card that somebody looked at within twenty seconds, and while it is being answered', () => {
    const looked = ring('a', { lookedAt: NOW - UNNOTICED_MS + 1 })
    expect(chooseUrgent([looked], NONE, null, UNUSED, NOW)).toEqual({ dialog: null, hasBar: false })
    expect(chooseUrgent([looked], NONE, null, UNUSED, NOW + 1).dialog).toBe('a')
    expect(chooseUrgent([{ ...looked, isBeingAnswered: true }], NONE, null, UNUSED, NOW + 1).dialog).toBeNull()
  })

  it('a folded Urgent stays a bar on every page, and another one still gets its dialog', () => {
    const folded = new Set(['a'])
    expect(chooseUrgent([ring('a')], folded, null, UNUSED, NOW)).toEqual({ dialog: null, hasBar: true })
    expect(chooseUrgent([ring('a'), ring('b')], folded, null, UNUSED, NOW)).toEqual({ dialog: 'b', hasBar: false })
  })

  it('an open dialog stays when an older Urgent arrives or somebody types in it', () => {
    const two = [ring('a'), ring('older', { since: 1 })]
    expect(chooseUrgent(two, NONE, 'a', { ...UNUSED, lastInputAt: NOW }, NOW)).toEqual({ dialog: 'a', hasBar: false })
    expect(chooseUrgent([ring('b')], NONE, 'a', UNUSED, NOW).dialog).toBe('b')
  })

  it('dialog and bar are gone when nothing alerts', () => {
    expect(chooseUrgent([], new Set(['a']), 'a', UNUSED, NOW)).toEqual({ dialog: null, hasBar: false })
  })
})
