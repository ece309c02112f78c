/** The sockets: who may open one, what they may say, what goes beside the views. Wiring only. */
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import { Server } from 'socket.io'
import * as z from 'zod'
import { type AgentId, asId, type StepId, type TaskId } from '@/lib/mas/ids'
import type {
  ClientEvent,
  ClientToServer,
  Ephemeral,
  PresenceState,
  Quiet,
  ServerToClient,
  SignedOut,
  View,
} from '@/lib/wire/views'
import type { Engine } from '../engine/port'
import { locateStep, type Monitor, type MonitorConnection, requestFor } from '../monitor'
import { showedWhoItIs } from '../net'
import { refuseUpgrade } from '../shared/http'
import { LIMITS, type LimitRule, openRateLimit } from '../shared/limits'
import type { SocketMeter } from './ports'
import { createPresence } from './presence'

export type SocketSession = { person: AgentId; sessionId: string }
export type SessionEnd = { person: AgentId; session: string | null; reason: SignedOut['reason'] }

export type SocketLimits = {
  /** Bytes of one message from a page. */
  messageBytes: number
  /** Messages from one page. */
  messages: LimitRule
  /** Steps whose text one page may follow. */
  follows: number
  /** Messages that may wait for a page that does not read; past it the page is cut off, and comes back by cursor. */
  backlog: number
  /** From the upgrade until a session is shown, ms; then the connection is closed. */
  joinMs: number
}
export const SOCKET_LIMITS: SocketLimits = {
  messageBytes: 1_048_576,
  messages: LIMITS.pageMessages,
  // As many rows of a tree as a screen shows.
  follows: 60,
  backlog: 2_000,
  joinMs: 10_000,
}

export type SocketsParts = {
  engine: Pick<Engine, 'onEphemeral' | 'sendEphemeral' | 'textOf'>
  monitor: Monitor
  /** The session of a Cookie header; null: not signed in. */
  sessionOf: (cookie: string | undefined) => Promise<SocketSession | null> | SocketSession | null
  originAllowed: (origin: string | undefined, host: string | undefined) => boolean
  /** Tells of sessions that end. */
  onSessionEnded?: (listener: (ended: SessionEnd) => void) => () => void
  limits?: Partial<SocketLimits>
  /** Do not disturb as a person's settings have it: asked at the start, for those who have no page yet. */
  quietOf?: (person: AgentId) => Promise<Quiet | null>
  /** Counts what is sent; left out: nothing is counted. */
  meter?: SocketMeter
  /** Epoch ms. */
  now?: () => number
  beatMs?: number
  /** How often sessions are looked at for their end. */
  sessionsMs?: number
}

export type Sockets = {
  /** Sign out the pages of one session, or with session null all pages of the person. */
  endSession: (ended: SessionEnd) => Promise<void>
  count: () => number
  /** Bytes that wait to be sent to pages. */
  bufferedBytes: () => number
  close: () => Promise<void>
}

const text = (length: number) => z.string().max(length)
const SHAPES = {
  subscribe: z.object({
    sub: text(60).min(1),
    asked: z.number().int().min(0),
    view: text(250),
    cursor: text(200).optional(),
  }),
  unsubscribe: z.object({ sub: text(60) }),
  drafting: z.object({ request: text(60), on: z.boolean() }),
  follow: z.object({ steps: z.array(text(60)).max(100) }),
  presence: z.object({
    isActive: z.boolean(),
    quiet: z.object({ until: z.number().nullable() }).nullable(),
  }),
} satisfies Record<ClientEvent, z.ZodType>

type Page = MonitorConnection & {
  readonly session: string
  readonly cookie: string | undefined
  follows: ReadonlySet<string>
  bufferedBytes: () => number
  signOut: (reason: SignedOut['reason']) => void
}
type Data = { session: SocketSession }

/**
 * Put the sockets on a server.
 *
 * out     running; the caller closes it before the engine
 * faults  a handshake is refused with the message NOT_SIGNED_IN, or with status 403 for a foreign Origin
 */
export function attachSockets(http: HttpServer, parts: SocketsParts): Sockets {
  const limits = { ...SOCKET_LIMITS, ...parts.limits }
  const now = parts.now ?? Date.now
  const { monitor, engine } = parts
  const messages = openRateLimit(limits.messages, now)
  const pages = new Set<Page>()
  // It comes back by onEphemeral, here as at other nodes.
  const presence = createPresence({
    changed: (person, so) => engine.sendEphemeral(presenceNote(person, so)),
    later: (run, ms) => setTimeout(run, ms).unref(),
  })
  const io = new Server<ClientToServer, ServerToClient, Record<string, never>, Data>(http, {
    path: '/socket.io',
    serveClient: false,
    transports: ['websocket'],
    maxHttpBufferSize: limits.messageBytes,
    pingInterval: 10_000,
    pingTimeout: 10_000,
    // Other upgrades on this server are not ours to end.
    destroyUpgrade: false,
    allowRequest: (request, answer) => {
      if (parts.originAllowed(request.headers.origin, request.headers.host)) answer(null, true)
      // The library would answer 400.
      else refuseUpgrade(request.socket, '403 Forbidden')
    },
  })

  /** Deadlines of connections that have not shown a session. */
  const joining = new WeakMap<object, NodeJS.Timeout>()
  io.engine.on(
    'connection',
    (connection: { request: IncomingMessage; once(event: 'close', run: () => void): void }) => {
      const timer = setTimeout(() => connection.request.socket.destroy(), limits.joinMs)
      joining.set(connection, timer)
      connection.once('close', () => clearTimeout(timer))
    },
  )

  io.use((socket, next) => {
    const refuse = (): void => next(new Error('NOT_SIGNED_IN'))
    Promise.resolve(parts.sessionOf(socket.handshake.headers.cookie)).then((session) => {
      if (session === null) return refuse()
      socket.data.session = session
      next()
    }, refuse)
  })

  io.on('connection', (socket) => {
    const { person, sessionId } = socket.data.session
    clearTimeout(joining.get(socket.conn))
    showedWhoItIs(socket.request)
    let unread = 0
    let unreadBytes = 0
    let createdBytes = 0
    socket.conn.on('packetCreate', ({ data }: { data?: unknown }) => {
      const size = sizeOf(data)
      unread += 1
      unreadBytes += size
      createdBytes += size
    })
    socket.conn.on('drain', () => {
      unread = 0
      unreadBytes = 0
    })
    const page: Page = {
      person,
      session: sessionId,
      cookie: socket.handshake.headers.cookie,
      follows: new Set(),
      bufferedBytes: () => unreadBytes + socket.conn.request.socket.writableLength,
      send: (event, message, view) => {
        if (unread > limits.backlog) {
          socket.disconnect(true)
          return
        }
        const before = createdBytes
        // Its packets are made before this returns.
        socket.emit(event, ...([message] as Parameters<ServerToClient[typeof event]>))
        parts.meter?.sent(event, view ?? null, createdBytes - before)
      },
      signOut: (reason) => {
        socket.emit('signedOut', { reason })
        socket.disconnect(true)
      },
    }
    /** What does not fit, or comes too often, is passed over: the page asks again at the next beat. */
    const read =
      <T>(shape: z.ZodType<T>, hear: (message: T) => void) =>
      (value: unknown): void => {
        void messages.take(socket.id).then((seconds) => {
          const parsed = seconds === 0 && socket.connected ? shape.safeParse(value) : null
          if (parsed?.success) hear(parsed.data)
        })
      }
    pages.add(page)
    monitor.join(page)
    for (const [known, so] of presence.all()) page.send('ephemeral', presenceNote(known, so))
    const subscribe = read(SHAPES.subscribe, (ask) => monitor.attach(page, { ...ask, view: ask.view as View }))
    socket.on('subscribe', subscribe)
    const unsubscribe = read(SHAPES.unsubscribe, ({ sub }) => monitor.detach(page, sub))
    socket.on('unsubscribe', unsubscribe)
    const followed = read(SHAPES.follow, ({ steps }) => follow(page, steps.slice(0, limits.follows)))
    socket.on('follow', followed)
    const drafts = read(SHAPES.drafting, ({ request, on }) => drafting(page, request, on))
    socket.on('drafting', drafts)
    const isThere = read(SHAPES.presence, (said) => presence.says(page, person, said))
    socket.on('presence', isThere)
    socket.on('disconnect', () => {
      pages.delete(page)
      monitor.leave(page)
      presence.gone(page, person)
    })
  })

  const maySee = (page: Page, step: string): boolean => monitor.mayView(page.person, `step:${step}`)

  function follow(page: Page, steps: string[]): void {
    page.follows = new Set(steps)
    for (const step of steps) {
      const so = engine.textOf(step)
      const place = so === null ? null : locateStep(monitor.world(), asId<StepId>(step))
      if (so === null || place === null || !maySee(page, step)) continue
      page.send('ephemeral', {
        kind: 'text',
        ...place,
        step: asId<StepId>(step),
        attempt: so.attempt,
        at: 0,
        text: so.text,
      })
    }
  }

  function drafting(page: Page, request: string, on: boolean): void {
    if (!mayWrite(page.person, request)) return
    const name = monitor.world().agents[page.person]?.name ?? ''
    // It comes back by onEphemeral, here as at other nodes.
    engine.sendEphemeral({ kind: 'drafting', request, person: page.person, name, on })
  }

  function tell(note: Ephemeral): void {
    for (const page of pages) {
      const mine = forPage(page, note)
      if (mine) page.send('ephemeral', mine)
    }
  }

  function forPage(page: Page, note: Ephemeral): Ephemeral | null {
    switch (note.kind) {
      case 'text':
        return page.follows.has(note.step) && maySee(page, note.step) ? note : null
      case 'drafting':
        return draftingFor(page, note)
      case 'presence':
        // All share the base task, so each may know of each.
        return note
      case 'read':
      case 'draft':
        return page.person === note.person ? note : null
    }
  }

  /** An answer, a message in a task's chat, or one in a private conversation. */
  function mayWrite(person: AgentId, place: string): boolean {
    const [kind, id = ''] = place.split(':')
    if (kind === 'task') {
      const task = monitor.world().tasks[asId<TaskId>(id)]
      // In the base task each sees their own threads: who writes there is nobody else's business.
      return task !== undefined && !task.base && task.group.includes(person)
    }
    if (kind === 'direct') return monitor.mayView(person, `direct:${id}`)
    return requestFor(monitor.world(), person, place) !== null
  }

  /** The note of somebody who writes, as this page names the place; null: not for it. */
  function draftingFor(page: Page, note: Extract<Ephemeral, { kind: 'drafting' }>): Ephemeral | null {
    const [kind, id = ''] = note.request.split(':')
    if (page.person === note.person) return null
    if (kind === 'task') return monitor.mayView(page.person, `task:${id}`) ? note : null
    if (kind === 'direct') return page.person === id ? { ...note, request: `direct:${note.person}` } : null
    return requestFor(monitor.world(), page.person, note.request) === null ? null : note
  }

  async function endSession({ person, session, reason }: SessionEnd): Promise<void> {
    for (const page of [...pages]) {
      if (page.person !== person) continue
      // A session may have been renewed since this page's handshake: whoever's cookie no longer counts goes too.
      const isOver = session === null || page.session === session || (await parts.sessionOf(page.cookie)) === null
      if (isOver) page.signOut(reason)
    }
  }

  /** Nobody says when a session ends by its age: a page that only looks on would stay for ever. */
  async function endExpired(): Promise<void> {
    for (const cookie of new Set([...pages].map((page) => page.cookie))) {
      // A store that cannot say ends nobody's session.
      const isOver = await Promise.resolve(parts.sessionOf(cookie)).then(
        (session) => session === null,
        () => false,
      )
      if (isOver) for (const page of [...pages]) if (page.cookie === cookie) page.signOut('expired')
    }
  }

  // Whoever rests when the program starts is not to be thought of as awake.
  for (const { id, kind, removed } of Object.values(monitor.world().agents)) {
    if (kind !== 'human' || removed) continue
    parts.quietOf?.(id).then(
      (quiet) => presence.restOf(id, quiet),
      () => undefined,
    )
  }

  const stopHearing = [
    engine.onEphemeral(tell),
    parts.onSessionEnded?.((ended) => {
      endSession(ended).catch(() => {
        // The store cannot say whose sessions are over: better signed out once too often.
        for (const page of [...pages]) if (page.person === ended.person) page.signOut(ended.reason)
      })
    }),
  ]
  const timers = [
    setInterval(() => monitor.beat(), parts.beatMs ?? 1_000),
    setInterval(() => void endExpired(), parts.sessionsMs ?? 60_000),
  ]
  for (const timer of timers) timer.unref()

  return {
    endSession,
    count: () => pages.size,
    bufferedBytes: () => [...pages].reduce((sum, page) => sum + page.bufferedBytes(), 0),
    close: async () => {
      for (const timer of timers) clearInterval(timer)
      for (const stop of stopHearing) stop?.()
      io.disconnectSockets(true)
      // The http server is closed by whoever opened it.
      io.engine.close()
    },
  }
}

const sizeOf = (data: unknown): number =>
  typeof data === 'string' || data instanceof Uint8Array ? Buffer.byteLength(data) : 0

const presenceNote = (person: AgentId, presence: PresenceState): Ephemeral => ({ kind: 'presence', person, presence })
