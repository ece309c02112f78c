/** Sounds that are not played yet: a tab may become the leader, or be allowed to play, a moment after an alert. */
import { itemOfSoundId } from './escalation'
import type { TabCoordinator } from './tabs'

/** A later sound would suggest a new alert. */
const SOUND_TTL_MS = 10_000
const MOST_PLAYED = 50

export type SoundKind = 'chime' | 'alarm'
export function createPendingSound(parts: {
  tabs: Pick<TabCoordinator, 'isMyTurn' | 'soundsPlayed'>
  /** out: was it played? */
  play: (kind: SoundKind) => boolean
}) {
  const { tabs, play } = parts
  let pending: { kind: SoundKind; ids: readonly string[]; at: number }[] = []
  let playedIds: readonly string[] = []
  return {
    /** Ask for a sound; pending ones are played with it. ids: its alerts, the same in every tab. */
    request: (kind: SoundKind, ids: readonly string[]): void => {
      pending = [...pending, { kind, ids, at: Date.now() }]
    },
    /** Play what is pending, if it is this tab's turn. isOpen: is this item still waiting? */
    playDue: (isOpen: (item: string) => boolean): void => {
      const known = new Set([...playedIds, ...tabs.soundsPlayed()])
      pending = pending.filter(
        ({ ids, at }) =>
          Date.now() - at <= SOUND_TTL_MS && ids.some((id) => isOpen(itemOfSoundId(id)) && !known.has(id)),
      )
      if (pending.length === 0 || !tabs.isMyTurn()) return
      if (!play(pending.some(({ kind }) => kind === 'alarm') ? 'alarm' : 'chime')) return
      playedIds = [...playedIds, ...pending.flatMap(({ ids }) => ids)].slice(-MOST_PLAYED)
      pending = []
    },
    /** Ids that this tab played lately, for the other tabs. */
    played: (): readonly string[] => playedIds,
  }
}

export type PendingSound = ReturnType<typeof createPendingSound>
