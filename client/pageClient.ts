/** The page's connection to the server: socket, views, streaming text, drafting notes. Created at first use. */
import { io } from 'socket.io-client'
import type { AgentId } from '@/lib/mas/ids'
import type { View } from '@/lib/wire/views'
import { beforeSignOut, endSession, refreshSettings } from './account/session'
import { onCall } from './api'
import { createBenchMarks } from './benchMarks'
import { getClientSession, resumeQueues, setClientSession } from './clientSession'
import { pageClock } from './clock'
import { canSend } from './connection'
import { createSocket, type PageSocket } from './connection/socket'
import { noteCall, noteView, queryClient, retryUnanswered } from './queries/cache'
import { createViews, type Views } from './views'
import { createLive, type Live } from './views/live'

type PageClient = {
  socket: PageSocket
  views: Views
  live: Live
  /** Set the signed-in person; views of another person are dropped. */
  setPerson: (person: AgentId) => void
}

/** How long preloaded views are kept for the first screen. */
const PRELOAD_HOLD_MS = 10_000

/** How long an unwatched view stays subscribed. */
const UNSUBSCRIBE_AFTER_MS = 10_000
/** A hidden tab gets no animation frames. */
const HIDDEN_FLUSH_MS = 250

/** The frames of several views come together: the next animation frame is asked for when all of them are read. */
const schedule = (flush: () => void): void => {
  if (document.visibilityState === 'visible') setTimeout(() => requestAnimationFrame(flush), 0)
  else setTimeout(flush, HIDDEN_FLUSH_MS)
}

const inNextFrame = (show: () => void): void => {
  if (document.visibilityState === 'visible') requestAnimationFrame(show)
  else setTimeout(show, HIDDEN_FLUSH_MS)
}

/** Frames are applied in an animation frame and rendered before it is painted, so the next task comes after the paint. */
const afterPaint = (run: () => void): void => {
  if (document.visibilityState === 'visible') setTimeout(run, 0)
}

let pageClient: PageClient | null = null

export function getPageClient(): PageClient {
  if (pageClient) return pageClient
  const marks = createBenchMarks((name, detail) => performance.mark(name, { detail }), afterPaint)
  const views = createViews({
    send: (event, message) => socket.send(event, message),
    schedule,
    later: (release) => setTimeout(release, UNSUBSCRIBE_AFTER_MS),
    onApplied: marks.applied,
    onChanged: noteView,
    onFailure: (view, trouble) => console.error('view could not be read, asking again', view, trouble),
  })
  let wasOpen = false
  const live = createLive({
    send: (event, message) => socket.send(event, message),
    schedule: inNextFrame,
    onDraft: (note) => getClientSession()?.drafts.receiveNote(note),
    onSettings: () => void refreshSettings(),
  })
  const socket = createSocket({
    views,
    live,
    marks,
    syncServerTime: pageClock.syncServerTime,
    onOpen: () => {
      resumeQueues()
      retryUnanswered()
      // A note that they changed may have been missed.
      if (wasOpen) void refreshSettings()
      wasOpen = true
    },
    onSignedOut: endSession,
    // WebSocket alone: behind a load balancer a long poll may reach another node than its handshake.
    open: () =>
      io({
        path: '/socket.io',
        transports: ['websocket'],
        reconnectionDelay: 250,
        reconnectionDelayMax: 2_000,
        timeout: 5_000,
        autoConnect: false,
      }),
    onNetwork: (changed) => {
      window.addEventListener('online', changed)
      window.addEventListener('offline', changed)
      return () => {
        window.removeEventListener('online', changed)
        window.removeEventListener('offline', changed)
      }
    },
    isNetworkUp: () => navigator.onLine,
  })
  onCall(noteCall)
  beforeSignOut(async () => queryClient.clear())
  pageClient = {
    socket,
    views,
    live,
    setPerson: (person) => {
      const isConnected = (): boolean => canSend(socket.connection.getState().word)
      switch (setClientSession(person, isConnected)) {
        case 'other':
          views.clear()
          queryClient.clear()
          socket.reconnect()
          break
        case 'first':
          // The connection may have opened before the person was known: nothing was sent then.
          if (isConnected()) setTimeout(resumeQueues, 0)
          break
        case 'same':
          break
      }
    },
  }
  return pageClient
}

/** Connect and subscribe to these views before the first screen is rendered. */
export function preloadViews(names: readonly View[]): void {
  const { socket, views } = getPageClient()
  const leave = [socket.connect(), ...names.map((view) => views.open(view))]
  setTimeout(() => {
    for (const one of leave) one()
  }, PRELOAD_HOLD_MS)
}
