/** Coordinates the tabs of one person: one is the leader, and each knows what the others show. */
import * as z from 'zod/mini'
import { newId } from '../api'

const ids = z.readonly(z.array(z.string()))
/** Checked, since another version of the page may post other messages. */
const tabMessage = z.object({
  tab: z.string(),
  openedAt: z.number(),
  isLeader: z.boolean(),
  /** isActive: focused, and somebody moved in it within a minute. onScreen: items whose cards are visible. */
  state: z.object({ isActive: z.boolean(), onScreen: ids }),
  /** canSound: the browser allows it; played: ids of recent sounds. */
  sound: z.object({ canSound: z.boolean(), played: ids }),
})
type TabMessage = z.infer<typeof tabMessage>
export type TabState = TabMessage['state']
type TabSound = TabMessage['sound']

type TabsParts = {
  tab: string
  channel: {
    post: (message: unknown) => void
    onMessage: (receive: (message: unknown) => void) => void
    close: () => void
  } | null
  /** Calls back with the lock, held until the returned promise settles; null: this browser has no locks. */
  requestLock: ((held: () => Promise<void>) => void) | null
}

/** A tab that posted nothing for so long is gone. */
const TAB_GONE_MS = 5_000
/** Timers of background tabs run once a minute. */
const PLAYED_TTL_MS = 5 * 60_000
const MUTE: TabSound = { canSound: false, played: [] }

export function createTabs({ tab, channel, requestLock }: TabsParts) {
  const openedAt = Date.now()
  const others = new Map<string, TabMessage & { at: number }>()
  const playedAt = new Map<string, number>()
  let ownState: TabState = { isActive: false, onScreen: [] }
  let ownSound = MUTE
  let holdsLock = false
  let releaseLock = (): void => undefined

  requestLock?.(() => {
    holdsLock = true
    return new Promise<void>((resolve) => {
      releaseLock = resolve
    })
  })
  channel?.onMessage((message) => {
    const { data } = tabMessage.safeParse(message)
    if (data === undefined || data.tab === tab) return
    others.set(data.tab, { ...data, at: Date.now() })
    for (const id of data.sound.played) playedAt.set(id, Date.now())
  })

  const activeTabs = () => {
    for (const [id, message] of others) if (Date.now() - message.at > TAB_GONE_MS) others.delete(id)
    return [...others.values()]
  }
  const isAfterMe = (message: TabMessage): boolean =>
    message.openedAt > openedAt || (message.openedAt === openedAt && message.tab > tab)
  const isLeader = (): boolean => (requestLock === null ? activeTabs().every(isAfterMe) : holdsLock)

  return {
    isLeader,
    /** Post this tab's state to the others; called regularly. */
    announce: (state: TabState, sound: TabSound = MUTE): void => {
      ownState = state
      ownSound = sound
      channel?.post({ tab, openedAt, state, isLeader: isLeader(), sound } satisfies TabMessage)
    },
    /** Does this tab play sounds? The leader does if it may, else the oldest tab that may. */
    isMyTurn: (): boolean => {
      if (!ownSound.canSound) return false
      const able = activeTabs().filter(({ sound }) => sound.canSound)
      return isLeader() || able.every((message) => !message.isLeader && isAfterMe(message))
    },
    /** Ids that other tabs played lately, also tabs that closed since. */
    soundsPlayed: (): string[] => {
      for (const [id, at] of playedAt) if (Date.now() - at > PLAYED_TTL_MS) playedAt.delete(id)
      return [...playedAt.keys()]
    },
    /** Of all tabs that posted lately, with this one. */
    states: (): TabState[] => [ownState, ...activeTabs().map(({ state }) => state)],
    close: (): void => {
      holdsLock = false
      releaseLock()
      channel?.close()
    },
  }
}

export type TabCoordinator = ReturnType<typeof createTabs>

/** Joins the other tabs of this member in this browser. */
export function openTabs(member: string): TabCoordinator {
  const name = `convene.tabs.${member}`
  const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(name)
  return createTabs({
    tab: newId(),
    channel: channel && {
      post: (message) => channel.postMessage(message),
      onMessage: (receive) => {
        channel.onmessage = ({ data }) => receive(data)
      },
      close: () => channel.close(),
    },
    requestLock:
      'locks' in navigator ? (held) => void navigator.locks.request(name, held).catch(() => undefined) : null,
  })
}
