/** A sound that is still to be made: a tab may come to lead, or be let be heard, a moment after something called. */
import { itemOfCall } from './escalation'
import type { TabCoordinator } from './tabs'

/** Later than this a sound would make one look for something new. */
export const MAKE_UP_MS = 10_000
const MOST_HEARD = 50

export type SoundKind = 'tick' | 'knock'
export type PendingSound = {
  /** Something called for a sound; with it goes whatever is still owed. */
  owe: (kind: SoundKind, calls: readonly string[]) => void
  /** Call it at every look. isOpen: does this item still call for the member? */
  settle: (isOpen: (item: string) => boolean) => void
  /** What this tab sounded for lately, for the others to know. */
  heard: () => readonly string[]
}

export function createPendingSound(parts: {
  tabs: Pick<TabCoordinator, 'isMyTurn' | 'heard'>
  /** out: was it heard? */
  play: (kind: SoundKind) => boolean
  now: () => number
}): PendingSound {
  const { tabs, play, now } = parts
  let owed: { kind: SoundKind; calls: readonly string[]; at: number }[] = []
  let sounded: readonly string[] = []
  return {
    owe: (kind, calls) => {
      owed = [...owed, { kind, calls, at: now() }]
    },
    settle: (isOpen) => {
      const heard = new Set([...sounded, ...tabs.heard()])
      owed = owed.filter(
        ({ calls, at }) =>
          now() - at <= MAKE_UP_MS && calls.some((call) => isOpen(itemOfCall(call)) && !heard.has(call)),
      )
      if (owed.length === 0 || !tabs.isMyTurn()) return
      if (!play(owed.some(({ kind }) => kind === 'knock') ? 'knock' : 'tick')) return
      sounded = [...sounded, ...owed.flatMap(({ calls }) => calls)].slice(-MOST_HEARD)
      owed = []
    },
    heard: () => sounded,
  }
}
