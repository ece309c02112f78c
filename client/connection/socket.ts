/** The page's socket: one however many parts use it, watched for silence, closed after the last has left. */
import { createStore } from 'zustand/vanilla'
import type { BenchMarks } from '@/client/benchMarks'
import type { Views } from '@/client/views'
import type { Live } from '@/client/views/live'
import { readBeat, readClosed, readEphemeral, readFrame, readReset } from '@/client/views/wireShapes'
import { type SendToServer, WIRE_VERSION } from '@/lib/wire/views'
import { CLOSED_SOCKET, type ConnectionState, connectionOf, DISCONNECTED, OFFLINE_AFTER_MS, type SocketState } from '.'

/** The part of a Socket.IO client that is used. */
type RawSocket = {
  connect: () => unknown
  disconnect: () => unknown
  emit: (event: string, message: unknown) => unknown
  on: (event: string, hear: (message: unknown) => void) => unknown
}

type SocketParts = {
  open: () => RawSocket
  views: Views
  live: Live
  marks?: Pick<BenchMarks, 'arrived' | 'beat'>
  syncServerTime: (at: number) => void
  /** Connected: queued messages and drafts may be sent. */
  onOpen: () => void
  onSignedOut: () => void
  onNetwork: (changed: () => void) => () => void
  isNetworkUp: () => boolean
}

/** How often the connection is checked for silence. */
const CHECK_EVERY_MS = 500
const SERVER_DISCONNECT = 'io server disconnect'

type SocketHandlers = {
  parts: SocketParts
  isCrowded: () => boolean
  isSignedOut: () => boolean
  update: (change: Partial<SocketState>) => void
}

function addListeners(socket: RawSocket, { parts, isCrowded, isSignedOut, update }: SocketHandlers): void {
  const noteMessage = (): void => update({ lastMessageAt: Date.now() })
  socket.on('connect', () => {
    update({ isOpen: true, isSignedOut: false, isCrowded: false, lastMessageAt: Date.now(), caughtUpTo: 0, beat: null })
    parts.views.connected()
    parts.live.connected()
    parts.onOpen()
  })
  socket.on('disconnect', (reason) => {
    parts.views.disconnected()
    update({ isOpen: false, lastMessageAt: null, beat: null })
    // socket.io-client reconnects by itself after every other reason.
    if (reason === SERVER_DISCONNECT && !isCrowded()) socket.connect()
  })
  socket.on('connect_error', (error) => {
    const isRefused = error instanceof Error && error.message === 'NOT_SIGNED_IN'
    update({ isOpen: false, isSignedOut: isSignedOut() || isRefused })
    if (isRefused) parts.onSignedOut()
  })
  socket.on('reset', (value) => {
    noteMessage()
    const message = readReset(value)
    if (message) parts.views.receive({ event: 'reset', message })
  })
  socket.on('frame', (value) => {
    noteMessage()
    const message = readFrame(value)
    if (!message) return
    parts.marks?.arrived(message)
    parts.views.receive({ event: 'frame', message })
  })
  socket.on('closed', (value) => {
    noteMessage()
    const message = readClosed(value)
    if (message) parts.views.receive({ event: 'closed', message })
  })
  socket.on('beat', (value) => {
    const beat = readBeat(value)
    if (!beat) return noteMessage()
    parts.syncServerTime(beat.at)
    parts.marks?.beat(beat)
    parts.views.receive({ event: 'beat', message: beat })
    const now = Date.now()
    const isOtherVersion = beat.wire !== WIRE_VERSION
    update({ lastMessageAt: now, beat, beatAt: now, caughtUpTo: parts.views.caughtUpTo(), isOtherVersion })
  })
  socket.on('ephemeral', (value) => {
    noteMessage()
    const note = readEphemeral(value)
    if (note) parts.live.receive(note)
  })
  // Sent before the server ends the connection. Somebody may have signed in again since this socket opened, so the next
  // handshake decides whether the page is signed out.
  socket.on('signedOut', noteMessage)
  // Reconnecting by itself it would end another page of this person, and that one this one.
  socket.on('crowded', () => update({ isCrowded: true }))
}

export function createSocket(parts: SocketParts) {
  const connection = createStore<ConnectionState>()(() => ({ ...DISCONNECTED, since: Date.now() }))
  let state: SocketState = CLOSED_SOCKET
  let raw: RawSocket | null = null
  let users = 0
  let timer: ReturnType<typeof setInterval> | undefined
  let leaveNetwork = (): void => undefined

  const update = (change: Partial<SocketState> = {}): void => {
    state = { ...state, ...change }
    const shown = parts.isNetworkUp() ? state : { ...state, isOpen: false }
    const next = connectionOf(connection.getState(), shown, Date.now())
    if (next !== connection.getState()) connection.setState(next, true)
  }

  function reopen(): void {
    raw?.disconnect()
    raw?.connect()
  }

  function checkSilence(): void {
    update()
    const { isOpen, lastMessageAt } = state
    // A connection that died without closing would never report it.
    if (isOpen && lastMessageAt !== null && Date.now() - lastMessageAt >= OFFLINE_AFTER_MS) reopen()
  }

  function start(): void {
    raw = parts.open()
    addListeners(raw, {
      parts,
      isCrowded: () => state.isCrowded,
      isSignedOut: () => state.isSignedOut,
      update,
    })
    timer = setInterval(checkSilence, CHECK_EVERY_MS)
    leaveNetwork = parts.onNetwork(() => update())
    raw.connect()
  }

  function stop(): void {
    clearInterval(timer)
    leaveNetwork()
    raw?.disconnect()
    raw = null
    parts.views.disconnected()
    update({ ...CLOSED_SOCKET, isSignedOut: state.isSignedOut })
  }

  const send: SendToServer = (event, message) => {
    if (state.isOpen) raw?.emit(event, message)
  }

  return {
    connection,
    /** Use the socket until the returned function is called; counted. */
    connect: (): (() => void) => {
      users += 1
      if (raw === null) start()
      let isUsing = true
      return () => {
        if (!isUsing) return
        isUsing = false
        users -= 1
        // Later, since React mounts a screen twice in development and leaves in between.
        setTimeout(() => {
          if (users === 0 && raw !== null) stop()
        })
      }
    },
    reconnect: (): void => {
      update({ isSignedOut: false, isCrowded: false })
      reopen()
    },
    /** Cached views are shown: the last contact with the server was at this time, before the page was opened. */
    showCached: ({ at, seq }: { at: number; seq: number }): void => {
      const shown = connection.getState()
      if (shown.lastBeatAt === null) connection.setState({ ...shown, lastBeatAt: at, since: at, seq, liveTo: seq })
    },
    send,
  }
}

export type PageSocket = ReturnType<typeof createSocket>
