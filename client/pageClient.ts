/** The one set of wires of this page: connection, views, streaming text, drafting notes. Made when first used. */

import { io } from 'socket.io-client'
import type { AgentId } from '@/lib/mas/ids'
import type { View } from '@/lib/wire/views'
import { sessionEnded } from './account/session'
import { createBenchMarks } from './benchMarks'
import { getClientSession, resumeQueues, setClientSession } from './clientSession'
import { pageClock } from './clock'
import { isUp } from './connection'
import { createLive, type Live } from './live'
import { createSocket, type PageSocket } from './socket'
import { createViews, type Views } from './views'

export type PageClient = {
  socket: PageSocket
  views: Views
  live: Live
  /** This member is signed in; nothing of another one stays on the page. */
  become: (person: AgentId) => void
}

/** How long what was opened before the first screen was drawn is held for it. */
const EARLY_MS = 10_000

/** How long a view that nobody looks at stays subscribed: going back shows it as it is. */
const LINGER_MS = 10_000
/** A hidden tab gets no animation frames; it still follows. */
const HIDDEN_FLUSH_MS = 250

const schedule = (flush: () => void): void => {
  if (document.visibilityState === 'visible') requestAnimationFrame(flush)
  else setTimeout(flush, HIDDEN_FLUSH_MS)
}

/** Views are moved on in an animation frame and drawn before it is painted: the next task comes after the paint. */
const afterPaint = (run: () => void): void => {
  if (document.visibilityState === 'visible') setTimeout(run, 0)
}

let page: PageClient | null = null

export function getPageClient(): PageClient {
  if (page) return page
  const marks = createBenchMarks((name, detail) => performance.mark(name, { detail }), afterPaint)
  const views = createViews({
    send: (event, message) => socket.send(event, message),
    schedule,
    later: (release) => setTimeout(release, LINGER_MS),
    onTaken: marks.taken,
    onTrouble: (view, trouble) => console.error('view could not be read, asking again', view, trouble),
  })
  const live = createLive({
    send: (event, message) => socket.send(event, message),
    now: pageClock.now,
    later: (run, ms) => setTimeout(run, ms),
    onDraft: (note) => getClientSession()?.drafts.heard(note),
  })
  const socket = createSocket({
    views,
    live,
    marks,
    hearServer: pageClock.hearServer,
    onOpen: resumeQueues,
    onSignedOut: sessionEnded,
    now: () => Date.now(),
    every: (run, ms) => {
      const timer = setInterval(run, ms)
      return () => clearInterval(timer)
    },
    later: (run) => setTimeout(run, 0),
    // WebSocket alone: a node that is not the one of the handshake could not go on with a long poll.
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
  page = {
    socket,
    views,
    live,
    become: (person) => {
      const isLineUp = (): boolean => isUp(socket.connection.getState().word)
      switch (setClientSession(person, isLineUp)) {
        case 'other':
          views.clear()
          socket.reconnect()
          break
        case 'first':
          // The line may have come before it was known who looks: what waited has not gone with it.
          if (isLineUp()) setTimeout(resumeQueues, 0)
          break
        case 'same':
          break
      }
    },
  }
  return page
}

/** Open the line and these views before anything is drawn: by then they are there. */
export function openEarly(early: readonly View[]): void {
  const { socket, views } = getPageClient()
  const leave = [socket.connect(), ...early.map((view) => views.open(view))]
  setTimeout(() => {
    for (const one of leave) one()
  }, EARLY_MS)
}
