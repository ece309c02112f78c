import { describe, expect, it } from 'vitest'
import { type AlertingItem, chooseUrgent, MAX_DELAY_MS, SETTLE_MS, TYPING_MS, UNNOTICED_MS } from './urgentChoice'

const NOW = 1_000_000
const ring = (id: string, change: Partial<AlertingItem> = {}): AlertingItem => ({
  id,
  since: NOW - 1_000,
  onScreenSince: null,
  offScreenSince: NOW - SETTLE_MS,
  isBeingAnswered: false,
  seenAt: NOW - 1_000,
  ...change,
})
const NONE: ReadonlySet<string> = new Set()

describe('an Urgent that nobody acknowledged', () => {
  it('comes as a dialog when its card is not on screen, the oldest first', () => {
    const two = [ring('new'), ring('old', { since: NOW - 9_000 })]
    expect(chooseUrgent(two, NONE, null, 0, NOW)).toEqual({ dialog: 'old', hasBar: false })
  })

  it('does not come over a page that is about to show its card, unless that page never does', () => {
    const going = ring('a', { offScreenSince: NOW - SETTLE_MS + 1 })
    expect(chooseUrgent([going], NONE, null, 0, NOW)).toEqual({ dialog: null, hasBar: false })
    expect(chooseUrgent([going], NONE, null, 0, NOW + 1).dialog).toBe('a')
    expect(
      chooseUrgent([{ ...going, seenAt: NOW - MAX_DELAY_MS, offScreenSince: NOW }], NONE, null, 0, NOW).dialog,
    ).toBe('a')
  })

  it('never opens over typing: it is the bar until three seconds of rest, fifteen at most', () => {
    const typing = NOW - TYPING_MS + 1
    expect(chooseUrgent([ring('a')], NONE, null, typing, NOW)).toEqual({ dialog: null, hasBar: true })
    expect(chooseUrgent([ring('a')], NONE, null, NOW - TYPING_MS, NOW).dialog).toBe('a')
    expect(chooseUrgent([ring('a', { seenAt: NOW - MAX_DELAY_MS })], NONE, null, typing, NOW).dialog).toBe('a')
  })

  it('leaves its own card alone for twenty seconds, and as long as it is being answered', () => {
    const looked = ring('a', { onScreenSince: NOW - UNNOTICED_MS + 1 })
    expect(chooseUrgent([looked], NONE, null, 0, NOW)).toEqual({ dialog: null, hasBar: false })
    expect(chooseUrgent([looked], NONE, null, 0, NOW + 1).dialog).toBe('a')
    expect(chooseUrgent([{ ...looked, isBeingAnswered: true }], NONE, null, 0, NOW + 1).dialog).toBeNull()
  })

  it('stays a bar on every page once it was put away, and makes way for another', () => {
    const folded = new Set(['a'])
    expect(chooseUrgent([ring('a')], folded, null, 0, NOW)).toEqual({ dialog: null, hasBar: true })
    expect(chooseUrgent([ring('a'), ring('b')], folded, null, 0, NOW)).toEqual({ dialog: 'b', hasBar: false })
  })

  it('keeps the dialog that is up when an older one arrives or somebody types in it', () => {
    const two = [ring('a'), ring('older', { since: 1 })]
    expect(chooseUrgent(two, NONE, 'a', NOW, NOW)).toEqual({ dialog: 'a', hasBar: false })
    expect(chooseUrgent([ring('b')], NONE, 'a', 0, NOW).dialog).toBe('b')
  })

  it('is gone when nothing rings', () => {
    expect(chooseUrgent([], new Set(['a']), 'a', 0, NOW)).toEqual({ dialog: null, hasBar: false })
  })
})
