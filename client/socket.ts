/** The page's socket: opened once however many ask for it, watched for silence, closed with the last. */

import { createStore, type StoreApi } from 'zustand/vanilla'
import { type SendToServer, WIRE_VERSION } from '@/lib/wire/views'
import type { BenchMarks } from './benchMarks'
import { type ConnectionState, connectionOf, deadLink, type LinkState, OFFLINE_AFTER_MS } from './connection'
import type { Live } from './live'
import type { Views } from './views'
import { readBeat, readClosed, readEphemeral, readFrame, readReset } from './wireShapes'

/** As much of a Socket.IO client as is used. */
export type RawSocket = {
  connect: () => unknown
  disconnect: () => unknown
  emit: (event: string, message: unknown) => unknown
  on: (event: string, hear: (message: unknown) => void) => unknown
}

export type SocketParts = {
  open: () => RawSocket
  views: Views
  live: Live
  marks?: Pick<BenchMarks, 'arrived' | 'heard'>
  /** The server said its time, epoch ms. */
  hearServer: (at: number) => void
  /** The line stands: what waited may go. */
  onOpen: () => void
  /** The server does not know this session any more. */
  onSignedOut: () => void
  now: () => number
  every: (run: () => void, ms: number) => () => void
  /** Run soon, not now. */
  later: (run: () => void) => void
  onNetwork: (changed: () => void) => () => void
  isNetworkUp: () => boolean
}

export type PageSocket = {
  connection: StoreApi<ConnectionState>
  /** Join until the returned function is called. Any number of calls is one socket. */
  connect: () => () => void
  /** After signing in again, or by "Try again". */
  reconnect: () => void
  send: SendToServer
  /** What is shown is from then, and the server was last heard then: before this page was opened. */
  recall: (asOf: { at: number; seq: number }) => void
}

/** How often the line is listened to for silence. */
const LISTEN_EVERY_MS = 500
const ENDED_BY_SERVER = 'io server disconnect'

export function createSocket(parts: SocketParts): PageSocket {
  const connection = createStore<ConnectionState>()(() => ({
    word: 'offline',
    seq: 0,
    lastBeatAt: null,
    node: null,
    since: parts.now(),
    liveTo: 0,
    missed: null,
  }))
  let line: LinkState = deadLink
  let raw: RawSocket | null = null
  let joined = 0
  let stops: (() => void)[] = []

  const look = (change: Partial<LinkState> = {}): void => {
    line = { ...line, ...change }
    const shown = parts.isNetworkUp() ? line : { ...line, isOpen: false }
    const next = connectionOf(connection.getState(), shown, parts.now())
    if (next !== connection.getState()) connection.setState(next, true)
  }

  function wire(socket: RawSocket): void {
    const heard = (): void => look({ heardAt: parts.now() })
    socket.on('connect', () => {
      look({ isOpen: true, isSignedOut: false, heardAt: parts.now(), heldTo: 0, beat: null })
      parts.views.connected()
      parts.live.connected()
      parts.onOpen()
    })
    socket.on('disconnect', (reason) => {
      parts.views.disconnected()
      look({ isOpen: false, heardAt: null, beat: null })
      // The client comes back by itself from all ends but this one.
      if (reason === ENDED_BY_SERVER) socket.connect()
    })
    socket.on('connect_error', (error) => {
      const isRefused = error instanceof Error && error.message === 'NOT_SIGNED_IN'
      look({ isOpen: false, isSignedOut: line.isSignedOut || isRefused })
      if (isRefused) parts.onSignedOut()
    })
    socket.on('reset', (value) => {
      heard()
      const message = readReset(value)
      if (message) parts.views.receive({ event: 'reset', message })
    })
    socket.on('frame', (value) => {
      heard()
      const message = readFrame(value)
      if (!message) return
      parts.marks?.arrived(message)
      parts.views.receive({ event: 'frame', message })
    })
    socket.on('closed', (value) => {
      heard()
      const message = readClosed(value)
      if (message) parts.views.receive({ event: 'closed', message })
    })
    socket.on('beat', (value) => {
      const beat = readBeat(value)
      if (!beat) return heard()
      parts.hearServer(beat.at)
      parts.marks?.heard(beat)
      parts.views.receive({ event: 'beat', message: beat })
      const now = parts.now()
      look({
        heardAt: now,
        beat,
        beatAt: now,
        heldTo: parts.views.heldTo(),
        isOtherVersion: beat.wire !== WIRE_VERSION,
      })
    })
    socket.on('ephemeral', (value) => {
      heard()
      const note = readEphemeral(value)
      if (note) parts.live.receive(note)
    })
    // Said before the server ends the connection. The session may have been renewed since this socket opened: the
    // handshake that follows tells whether we are still known.
    socket.on('signedOut', () => heard())
  }

  function listen(): void {
    look()
    const isDead = line.isOpen && line.heardAt !== null && parts.now() - line.heardAt >= OFFLINE_AFTER_MS
    // A line that died without a word would be waited for in vain: open another.
    if (isDead) reopen()
  }

  function reopen(): void {
    raw?.disconnect()
    raw?.connect()
  }

  function start(): void {
    raw = parts.open()
    wire(raw)
    stops = [parts.every(listen, LISTEN_EVERY_MS), parts.onNetwork(() => look())]
    raw.connect()
  }

  function stop(): void {
    for (const end of stops) end()
    stops = []
    raw?.disconnect()
    raw = null
    parts.views.disconnected()
    look({ ...deadLink, isSignedOut: line.isSignedOut })
  }

  return {
    connection,
    connect: () => {
      joined += 1
      if (raw === null) start()
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        joined -= 1
        // Not at once: a screen that is mounted twice in development lets go in between.
        parts.later(() => {
          if (joined === 0 && raw !== null) stop()
        })
      }
    },
    reconnect: () => {
      look({ isSignedOut: false })
      reopen()
    },
    recall: ({ at, seq }) => {
      const state = connection.getState()
      if (state.lastBeatAt === null) connection.setState({ ...state, lastBeatAt: at, since: at, seq, liveTo: seq })
    },
    send: (event, message) => {
      if (line.isOpen) raw?.emit(event, message)
    },
  }
}
