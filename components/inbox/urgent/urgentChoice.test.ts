import { describe, expect, it } from 'vitest'
import { type AlertingItem, chooseUrgent, IN_USE_MS, NO_URGENT, type PageUse, type UrgentChoice } from './urgentChoice'

const MAX_DELAY_MS = 15_000
const SETTLE_MS = 600
const UNNOTICED_MS = 20_000

const NOW = 1_000_000
const ring = (id: string, change: Partial<AlertingItem> = {}): AlertingItem => ({
  id,
  since: NOW - 1_000,
  isFolded: false,
  isQuiet: false,
  lookedAt: null,
  offScreenSince: NOW - SETTLE_MS,
  isBeingRead: false,
  seenAt: NOW - 1_000,
  ...change,
})
const UNUSED: PageUse = { lastInputAt: 0, lastMenuAt: 0 }
const came = (dialog: string): UrgentChoice => ({ dialog, isPressed: false, hasBar: false })
const pressed = (dialog: string): UrgentChoice => ({ dialog, isPressed: true, hasBar: false })
const BAR: UrgentChoice = { ...NO_URGENT, hasBar: true }

describe('an Urgent that nobody acknowledged', () => {
  it('an Urgent comes as a dialog when its card is not in view, the oldest first', () => {
    const two = [ring('new'), ring('old', { since: NOW - 9_000 })]
    expect(chooseUrgent(two, NO_URGENT, UNUSED, NOW)).toEqual(came('old'))
  })

  it('no dialog comes over a page that is about to show the card, unless that page never does', () => {
    const going = ring('a', { offScreenSince: NOW - SETTLE_MS + 1 })
    expect(chooseUrgent([going], NO_URGENT, UNUSED, NOW)).toEqual(NO_URGENT)
    expect(chooseUrgent([going], NO_URGENT, UNUSED, NOW + 1).dialog).toBe('a')
    const never = { ...going, seenAt: NOW - MAX_DELAY_MS, offScreenSince: NOW }
    expect(chooseUrgent([never], NO_URGENT, UNUSED, NOW).dialog).toBe('a')
  })

  it.each(['lastInputAt', 'lastMenuAt'] as const)(
    '[R222] no dialog opens over typing or an open menu: the bar shows until three seconds of pause, fifteen at most (%s)',
    (what) => {
      const used = (at: number): PageUse => ({ ...UNUSED, [what]: at })
      const lately = NOW - IN_USE_MS + 1
      expect(chooseUrgent([ring('a')], NO_URGENT, used(lately), NOW)).toEqual(BAR)
      expect(chooseUrgent([ring('a')], NO_URGENT, used(NOW - IN_USE_MS), NOW).dialog).toBe('a')
      const late = ring('a', { seenAt: NOW - MAX_DELAY_MS })
      expect(chooseUrgent([late], NO_URGENT, used(lately), NOW).dialog).toBe('a')
    },
  )

  it('[R426] no dialog ever covers the card that is open in the page, however long its reader sits still', () => {
    const read = ring('a', { isBeingRead: true, lookedAt: NOW - UNNOTICED_MS * 100, seenAt: 0 })
    expect(chooseUrgent([read], NO_URGENT, UNUSED, NOW)).toEqual(NO_URGENT)
    expect(chooseUrgent([read, ring('b')], NO_URGENT, UNUSED, NOW).dialog).toBe('b')
  })

  it('[R426] where a line or strip only names it, the dialog comes after twenty seconds without a move', () => {
    const looked = ring('a', { lookedAt: NOW - UNNOTICED_MS + 1 })
    expect(chooseUrgent([looked], NO_URGENT, UNUSED, NOW)).toEqual(NO_URGENT)
    expect(chooseUrgent([looked], NO_URGENT, UNUSED, NOW + 1).dialog).toBe('a')
  })

  // Everything that can keep a dialog away, with and without a press on Show.
  const YES_NO = [false, true]
  const CASES = YES_NO.flatMap((isMuted) =>
    YES_NO.flatMap((isSnoozed) =>
      YES_NO.flatMap((isFolded) =>
        YES_NO.map((isPressed) => ({
          isMuted,
          isSnoozed,
          isFolded,
          isPressed,
          shown: isFolded ? BAR : isPressed ? pressed('a') : isMuted || isSnoozed ? BAR : came('a'),
        })),
      ),
    ),
  )
  it.each(CASES)(
    '[R425] Show shows it, muted or snoozed; only folding puts it away (muted $isMuted, snoozed $isSnoozed, folded $isFolded, pressed $isPressed)',
    ({ isMuted, isSnoozed, isFolded, isPressed, shown }) => {
      const item = ring('a', { isQuiet: isMuted || isSnoozed, isFolded })
      const before = isPressed ? pressed('a') : NO_URGENT
      const first = chooseUrgent([item], before, UNUSED, NOW)
      expect(first).toEqual(shown)
      // The same at each later look, also while somebody types or the card is in view.
      const later = chooseUrgent([{ ...item, isBeingRead: true }], first, { ...UNUSED, lastInputAt: NOW }, NOW)
      expect(later).toEqual(shown)
    },
  )

  it('a dialog that came by itself goes to the bar when do not disturb begins, and one that was asked for stays', () => {
    const quiet = [ring('a', { isQuiet: true })]
    expect(chooseUrgent(quiet, came('a'), UNUSED, NOW)).toEqual(BAR)
    expect(chooseUrgent(quiet, pressed('a'), UNUSED, NOW)).toEqual(pressed('a'))
  })

  it('a folded Urgent stays a bar on every page, and another one still gets its dialog', () => {
    const folded = ring('a', { isFolded: true })
    expect(chooseUrgent([folded], NO_URGENT, UNUSED, NOW)).toEqual(BAR)
    expect(chooseUrgent([folded, ring('b')], NO_URGENT, UNUSED, NOW)).toEqual(came('b'))
  })

  it('an open dialog stays when an older Urgent arrives or somebody types in it', () => {
    const two = [ring('a'), ring('older', { since: 1 })]
    expect(chooseUrgent(two, came('a'), { ...UNUSED, lastInputAt: NOW }, NOW)).toEqual(came('a'))
    expect(chooseUrgent([ring('b')], pressed('a'), UNUSED, NOW)).toEqual(came('b'))
  })

  it('dialog and bar are gone when nothing alerts', () => {
    expect(chooseUrgent([], pressed('a'), UNUSED, NOW)).toEqual(NO_URGENT)
  })
})
