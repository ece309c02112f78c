/** Several tabs of one member: one leads, and it knows what the others show. */

/** What one tab says of itself. isActive: focused, and somebody moved in it within a minute. */
export type TabLook = { isActive: boolean; onScreen: readonly string[] }
/** canSound: the browser lets this tab be heard; heard: what it sounded for lately. */
export type TabSound = { canSound: boolean; heard: readonly string[] }
type Word = { tab: string; openedAt: number; at: number; look: TabLook; isLeader: boolean; sound: TabSound }

export type TabsParts = {
  tab: string
  channel: { post: (word: unknown) => void; onWord: (hear: (word: unknown) => void) => void; close: () => void } | null
  /** Hold a lock until the promise given back settles; null: this browser has none. */
  lead: ((held: () => Promise<void>) => void) | null
  now: () => number
}

export type TabCoordinator = {
  isLeader: () => boolean
  /** Say how this tab is being looked at, and heard; call it often. */
  say: (look: TabLook, sound?: TabSound) => void
  /** All tabs that spoke lately, this one too. */
  looks: () => TabLook[]
  /** Of the tabs that can be heard the leader sounds, else the one that was opened first. */
  isMyTurn: () => boolean
  /** What other tabs sounded for lately, those that closed meanwhile too. */
  heard: () => string[]
  close: () => void
}

/** A tab that did not speak for so long is gone. */
const SILENT_MS = 5_000
/** A tab in the background looks but once a minute. */
const HEARD_MS = 5 * 60_000
const MUTE: TabSound = { canSound: false, heard: [] }

export function createTabs({ tab, channel, lead, now }: TabsParts): TabCoordinator {
  const openedAt = now()
  const others = new Map<string, Word>()
  const heard = new Map<string, number>()
  let mine: TabLook = { isActive: false, onScreen: [] }
  let mySound = MUTE
  let holdsLock = false
  let letGo = (): void => undefined

  lead?.(() => {
    holdsLock = true
    return new Promise<void>((resolve) => {
      letGo = resolve
    })
  })
  channel?.onWord((word) => {
    if (!isWord(word) || word.tab === tab) return
    others.set(word.tab, { ...word, at: now() })
    for (const call of word.sound.heard) heard.set(call, now())
  })

  const present = (): Word[] => {
    for (const [id, word] of others) if (now() - word.at > SILENT_MS) others.delete(id)
    return [...others.values()]
  }
  const isAfterMe = (word: Word): boolean => word.openedAt > openedAt || (word.openedAt === openedAt && word.tab > tab)
  const isLeader = (): boolean => (lead === null ? present().every(isAfterMe) : holdsLock)

  return {
    isLeader,
    say: (look, sound = MUTE) => {
      mine = look
      mySound = sound
      channel?.post({ tab, openedAt, at: 0, look, isLeader: isLeader(), sound } satisfies Word)
    },
    isMyTurn: () => {
      if (!mySound.canSound) return false
      const able = present().filter(({ sound }) => sound.canSound)
      return isLeader() || able.every((word) => !word.isLeader && isAfterMe(word))
    },
    heard: () => {
      for (const [call, at] of heard) if (now() - at > HEARD_MS) heard.delete(call)
      return [...heard.keys()]
    },
    looks: () => [mine, ...present().map(({ look }) => look)],
    close: () => {
      holdsLock = false
      letGo()
      channel?.close()
    },
  }
}

/** Another version of the page may speak otherwise. */
function isWord(value: unknown): value is Word {
  if (typeof value !== 'object' || value === null || !('look' in value) || !('tab' in value)) return false
  const { look } = value
  return (
    typeof value.tab === 'string' &&
    'openedAt' in value &&
    typeof value.openedAt === 'number' &&
    'isLeader' in value &&
    typeof value.isLeader === 'boolean' &&
    typeof look === 'object' &&
    look !== null &&
    'isActive' in look &&
    typeof look.isActive === 'boolean' &&
    'onScreen' in look &&
    Array.isArray(look.onScreen) &&
    'sound' in value &&
    isSound(value.sound)
  )
}

function isSound(value: unknown): value is TabSound {
  return (
    typeof value === 'object' &&
    value !== null &&
    'canSound' in value &&
    typeof value.canSound === 'boolean' &&
    'heard' in value &&
    Array.isArray(value.heard)
  )
}
