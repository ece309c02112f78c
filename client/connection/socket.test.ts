/** The page's line to the server: one socket, an honest word, back by itself. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createViews } from '@/client/views'
import { createLive } from '@/client/views/live'
import { WIRE_VERSION } from '@/lib/wire/views'
import { createSocket } from './socket'

function setUp() {
  let isUp = true
  const networkListeners: (() => void)[] = []
  const calls: string[] = []
  const said: [string, unknown][] = []
  const hear = new Map<string, (message: unknown) => void>()
  const serverTimes: number[] = []
  let opened = 0
  const views = createViews({
    send: (event, message) => socket.send(event, message),
    schedule: (flush) => flush(),
    later: (release) => release(),
  })
  const live = createLive({ send: () => {}, schedule: (show) => show() })
  const socket = createSocket({
    open: () => {
      opened += 1
      return {
        connect: () => calls.push('connect'),
        disconnect: () => {
          calls.push('disconnect')
          hear.get('disconnect')?.('io client disconnect')
        },
        emit: (event, message) => said.push([event, message]),
        on: (event, listener) => hear.set(event, listener),
      }
    },
    views,
    live,
    syncServerTime: (at) => serverTimes.push(at),
    onOpen: () => calls.push('open'),
    onSignedOut: () => calls.push('signed out'),
    onNetwork: (changed) => {
      networkListeners.push(changed)
      return () => networkListeners.splice(0)
    },
    isNetworkUp: () => isUp,
  })
  const beat = (change: object = {}): void =>
    hear.get('beat')?.({ at: Date.now() + 7, head: 42, node: 'n1', wire: WIRE_VERSION, subs: {}, ...change })
  return {
    socket,
    views,
    calls,
    said,
    serverTimes,
    beat,
    hear: (event: string, message?: unknown) => hear.get(event)?.(message),
    opened: () => opened,
    network: (up: boolean) => {
      isUp = up
      for (const run of networkListeners) run()
    },
    word: () => socket.connection.getState().word,
  }
}

describe('the line', () => {
  beforeEach(() => vi.useFakeTimers({ now: 100_000 }))
  afterEach(() => void vi.useRealTimers())

  it('[C1] the connection is one socket for all its users, and closes after the last has left', () => {
    const page = setUp()
    const leave = page.socket.connect()
    leave()
    const again = page.socket.connect()
    const third = page.socket.connect()
    vi.advanceTimersByTime(0)
    expect(page.opened()).toBe(1)
    again()
    again()
    vi.advanceTimersByTime(0)
    expect(page.calls).toEqual(['connect'])
    third()
    vi.advanceTimersByTime(0)
    expect(page.calls).toEqual(['connect', 'disconnect'])
    expect(page.word()).toBe('offline')
  })

  it('[C1] the connection is live after the first beat, slow after 3 s of silence, offline after 5 s, and is reopened', () => {
    const page = setUp()
    page.socket.connect()
    expect(page.word()).toBe('offline')
    page.hear('connect')
    expect(page.word()).toBe('catching-up')
    page.beat()
    expect(page.socket.connection.getState()).toMatchObject({ word: 'live', seq: 42, node: 'n1' })
    vi.advanceTimersByTime(2_900)
    expect(page.word()).toBe('live')
    vi.advanceTimersByTime(100)
    expect(page.word()).toBe('slow')
    page.beat()
    expect(page.word()).toBe('live')
    vi.advanceTimersByTime(5_000)
    expect(page.word()).toBe('offline')
    expect(page.calls.slice(-2)).toEqual(['disconnect', 'connect'])
  })

  it('[C1] a reconnected page says how many changes it missed, and how many of them have arrived', () => {
    const page = setUp()
    const missed = () => page.socket.connection.getState().missed
    page.socket.connect()
    page.hear('connect')
    page.beat()
    expect(missed()).toBeNull()
    page.hear('disconnect', 'transport close')
    // Something is looked at, which the new connection has to bring first.
    page.views.open('me')
    page.hear('connect')
    expect([page.word(), missed()]).toEqual(['catching-up', null])
    page.beat({ head: 3_422 })
    expect([page.word(), missed()]).toEqual(['catching-up', { done: 0, of: 3_380 }])
    page.views.clear()
    page.hear('disconnect', 'transport close')
    expect(missed()).toBeNull()
  })

  it('[C1] the connection is offline at once when the socket closes or the network is gone', () => {
    const page = setUp()
    page.socket.connect()
    page.hear('connect')
    page.beat()
    page.network(false)
    expect(page.word()).toBe('offline')
    page.network(true)
    expect(page.word()).toBe('live')
    page.hear('disconnect', 'transport close')
    expect(page.word()).toBe('offline')
    expect(page.calls).toEqual(['connect', 'open'])
  })

  it('[C1] a connection that the server ended is reopened; when that is refused, the page is signed out', () => {
    const page = setUp()
    page.socket.connect()
    page.hear('connect')
    page.hear('signedOut', { reason: 'ended' })
    page.hear('disconnect', 'io server disconnect')
    expect(page.calls).toEqual(['connect', 'open', 'connect'])
    page.hear('connect_error', new Error('NOT_SIGNED_IN'))
    expect(page.word()).toBe('signed-out')
    expect(page.calls.at(-1)).toBe('signed out')
    page.socket.reconnect()
    page.hear('connect')
    page.beat()
    expect(page.word()).toBe('live')
  })

  it('[R455] a page that ended because of too many pages says so, and connects again only when asked to', () => {
    const page = setUp()
    page.socket.connect()
    page.hear('connect')
    page.beat()
    page.hear('crowded', { most: 20 })
    expect(page.word()).toBe('live')
    page.hear('disconnect', 'io server disconnect')
    expect(page.word()).toBe('crowded')
    page.network(false)
    page.network(true)
    expect(page.calls).toEqual(['connect', 'open'])
    page.socket.reconnect()
    expect(page.calls).toEqual(['connect', 'open', 'disconnect', 'connect'])
    page.hear('connect')
    page.beat()
    expect(page.word()).toBe('live')
  })

  it('[C1] a server with another wire version is reported', () => {
    const page = setUp()
    page.socket.connect()
    page.hear('connect')
    page.beat({ wire: WIRE_VERSION + 1 })
    expect(page.word()).toBe('new-version')
  })

  it('[C1] the clock follows the beat, and malformed messages are ignored', () => {
    const page = setUp()
    page.socket.connect()
    page.hear('connect')
    for (const rubbish of [null, 7, 'x', [], {}, { at: 'x' }, { sub: 1 }]) {
      for (const event of ['reset', 'frame', 'closed', 'beat', 'ephemeral', 'signedOut']) page.hear(event, rubbish)
    }
    expect(page.serverTimes).toEqual([])
    page.beat()
    expect(page.serverTimes).toEqual([100_007])
  })

  it('[C1] a new connection requests the watched views, a reconnected one with their cursors', () => {
    const page = setUp()
    page.socket.connect()
    page.views.open('me')
    expect(page.said).toEqual([])
    page.hear('connect')
    expect(page.said).toEqual([['subscribe', { sub: 'p1', asked: 1, view: 'me' }]])
    const totals = { id: '$', sort: '', kind: 'totals' }
    page.hear('reset', { sub: 'p1', asked: 1, n: 1, gen: 'g', to: 5, cursor: 'g@5', kind: 'rows', rows: [totals] })
    page.hear('disconnect', 'transport close')
    page.hear('connect')
    expect(page.said.at(-1)).toEqual(['subscribe', { sub: 'p1', asked: 2, view: 'me', cursor: 'g@5' }])
  })
})
