/**
 * Several tabs of one member: one leads, and it knows what the others show.
 *
 * Owns: the election (a lock that the browser gives to one tab; without locks, the tab that was opened first), and each
 * tab's word of whether it is being looked at, and which cards are on its screen.
 * Not here: what the leader does (components/notify).
 */

/** What one tab says of itself. isActive: focused, and somebody moved in it within a minute. */
export type TabLook = { isActive: boolean; onScreen: readonly string[] }
type Word = { tab: string; openedAt: number; at: number; look: TabLook }

export type TabsParts = {
  tab: string
  channel: { post: (word: unknown) => void; onWord: (hear: (word: unknown) => void) => void; close: () => void } | null
  /** Hold a lock until the promise given back settles; null: this browser has none. */
  lead: ((held: () => Promise<void>) => void) | null
  now: () => number
}

export type Tabs = {
  isLeader: () => boolean
  /** Say how this tab is being looked at; call it often. */
  say: (look: TabLook) => void
  /** All tabs that spoke lately, this one too. */
  looks: () => TabLook[]
  close: () => void
}

/** A tab that did not speak for so long is gone. */
const SILENT_MS = 5_000

export function createTabs({ tab, channel, lead, now }: TabsParts): Tabs {
  const openedAt = now()
  const others = new Map<string, Word>()
  let mine: TabLook = { isActive: false, onScreen: [] }
  let holdsLock = false
  let letGo = (): void => undefined

  lead?.(() => {
    holdsLock = true
    return new Promise<void>((resolve) => {
      letGo = resolve
    })
  })
  channel?.onWord((word) => {
    if (isWord(word) && word.tab !== tab) others.set(word.tab, { ...word, at: now() })
  })

  const present = (): Word[] => {
    for (const [id, word] of others) if (now() - word.at > SILENT_MS) others.delete(id)
    return [...others.values()]
  }
  const isFirst = (): boolean =>
    present().every((word) => word.openedAt > openedAt || (word.openedAt === openedAt && word.tab > tab))

  return {
    isLeader: () => (lead === null ? isFirst() : holdsLock),
    say: (look) => {
      mine = look
      channel?.post({ tab, openedAt, at: 0, look })
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
    typeof look === 'object' &&
    look !== null &&
    'isActive' in look &&
    typeof look.isActive === 'boolean' &&
    'onScreen' in look &&
    Array.isArray(look.onScreen)
  )
}
