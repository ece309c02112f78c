import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTabs, type TabCoordinator } from './tabs'

/** A browser with tabs that hear each other, with or without locks. */
function browser(hasLocks: boolean) {
  const hearers = new Map<string, (message: unknown) => void>()
  const queue: (() => Promise<void>)[] = []
  let isHeld = false
  const next = (): void => {
    const held = isHeld ? undefined : queue.shift()
    if (!held) return
    isHeld = true
    void held().then(() => {
      isHeld = false
      next()
    })
  }
  const open = (tab: string): TabCoordinator =>
    createTabs({
      tab,
      channel: {
        post: (message) => {
          for (const [other, hear] of hearers) if (other !== tab) hear(JSON.parse(JSON.stringify(message)))
        },
        onMessage: (hear) => hearers.set(tab, hear),
        close: () => hearers.delete(tab),
      },
      requestLock: hasLocks
        ? (held) => {
            queue.push(held)
            next()
          }
        : null,
    })
  const say = (message: unknown): void => {
    for (const hear of hearers.values()) hear(message)
  }
  return { open, say }
}
const state = (isActive: boolean, ...onScreen: string[]) => ({ isActive, onScreen })

describe('the tabs of one member', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  for (const hasLocks of [true, false]) {
    it(`tabs have one leader, and another when it closes, ${hasLocks ? 'by lock' : 'without locks'}`, async () => {
      const { open } = browser(hasLocks)
      const first = open('b')
      vi.advanceTimersByTime(10)
      const second = open('a')
      for (const tab of [first, second]) tab.announce(state(true))
      for (const tab of [first, second]) tab.announce(state(true))
      expect([first.isLeader(), second.isLeader()]).toEqual([true, false])
      first.close()
      vi.advanceTimersByTime(6_000)
      await Promise.resolve()
      await Promise.resolve()
      expect(second.isLeader()).toBe(true)
    })
  }

  it('a tab knows what the others show, until they stop posting', () => {
    const { open } = browser(true)
    const first = open('a')
    const second = open('b')
    second.announce(state(true, 'card'))
    expect(first.states()).toContainEqual(state(true, 'card'))
    vi.advanceTimersByTime(6_000)
    expect(first.states()).toEqual([state(false)])
  })

  it('a sound is played by the leader, else by the oldest tab that may, and all tabs know what was played', () => {
    const { open } = browser(true)
    const tabs = ['a', 'b', 'c'].map((name) => {
      vi.advanceTimersByTime(10)
      return open(name)
    })
    const say = (...canSound: boolean[]): boolean[] => {
      tabs.forEach((tab, nth) => {
        tab.announce(state(true), { canSound: canSound[nth] ?? false, played: [`0 of ${nth}`] })
      })
      return tabs.map((tab) => tab.isMyTurn())
    }
    expect(say(true, true, true)).toEqual([true, false, false])
    expect(say(false, true, true)).toEqual([false, true, false])
    expect(say(false, false, true)).toEqual([false, false, true])
    expect(say(false, false, false)).toEqual([false, false, false])
    expect(tabs[0]?.soundsPlayed()).toEqual(['0 of 1', '0 of 2'])
    vi.advanceTimersByTime(6_000)
    expect(tabs[0]?.soundsPlayed()).toEqual(['0 of 1', '0 of 2'])
  })

  it('a tab ignores messages of an unknown shape', () => {
    const { open, say } = browser(true)
    const tab = open('a')
    for (const message of [null, 7, {}, { tab: 'x', state: null }, { tab: 'x', openedAt: 1, state: { isActive: 1 } }])
      say(message)
    expect(tab.states()).toHaveLength(1)
  })
})
