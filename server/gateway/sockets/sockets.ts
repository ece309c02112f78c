/** The sockets: who may open one, which messages of a page are accepted, when a page is signed out. */
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import { Server, type Socket } from 'socket.io'
import * as z from 'zod'
import { type AgentId, asId, type TaskId } from '@/lib/mas/ids'
import {
  type ClientEvent,
  type ClientToServer,
  type Quiet,
  type ServerToClient,
  type SignedOut,
  UUID,
  type View,
} from '@/lib/wire/views'
import type { Engine } from '../../engine/port'
import type { Monitor } from '../../monitor'
import { showedWhoItIs } from '../../net'
import type { Nodes } from '../../nodes'
import { refuseUpgrade } from '../../shared/http'
import { LIMITS, type LimitRule, openRateLimit, PERSON_LIMITS } from '../../shared/limits'
import type { SocketMeter } from '../ports'
import type { Credentials, SocketSession } from '../sessions/visitors'
import { createPresence, type PresenceBook } from './presence'
import { openNotes, presenceNote } from './socketNotes'
import { openPage, type SocketPage } from './socketPage'

export type SessionEnd = { person: AgentId; session: string | null; reason: SignedOut['reason'] }

type SocketLimits = {
  messageBytes: number
  /** Messages from one page. */
  messages: LimitRule
  /** Steps that one page may follow. */
  follows: number
  /** Pages of one person, in all of their sessions, and of each of their tokens; one more ends the oldest. */
  pages: number
  /** Messages queued for a page that does not read; past it the page is disconnected, and resumes by cursor. */
  backlog: number
  /** From the upgrade until a session is shown, ms; then the connection is closed. */
  joinMs: number
}
export const SOCKET_LIMITS: SocketLimits = {
  messageBytes: 1_048_576,
  messages: LIMITS.pageMessages,
  // The rows of the tree that a screen shows.
  follows: 60,
  pages: PERSON_LIMITS.socketsPerPerson,
  backlog: 2_000,
  joinMs: 10_000,
}

export type SocketsParts = {
  engine: Pick<Engine, 'caughtUp' | 'onEphemeral' | 'sendEphemeral' | 'textOf' | 'doingOf'>
  monitor: Monitor
  /** Other nodes, whose pages belong to the same people. Absent: there are none. */
  nodes?: Pick<Nodes, 'tell' | 'onNote' | 'onJoined' | 'onLeft'>
  /** null: not signed in. */
  sessionOf: (credentials: Credentials) => Promise<SocketSession | null> | SocketSession | null
  /** Was the handshake sent by a page of ours, to an address of ours? */
  isOurs: (request: IncomingMessage) => boolean
  onSessionEnded?: (listener: (ended: SessionEnd) => void) => () => void
  limits?: Partial<SocketLimits>
  /** Do not disturb by a person's settings: read at the start, for people without a page. */
  quietOf?: (person: AgentId) => Promise<Quiet | null>
  /** Counts what is sent; absent: nothing is counted. */
  meter?: SocketMeter
  /** Epoch ms. */
  now?: () => number
  beatMs?: number
  /** How often sessions are checked for expiry, ms. */
  sessionsMs?: number
}

const text = (length: number) => z.string().max(length)
const SHAPES = {
  subscribe: z.object({
    sub: text(60).min(1),
    asked: z.number().int().min(0),
    view: text(250),
    cursor: text(200).optional(),
    at: z
      .object({
        task: z
          .string()
          .regex(UUID)
          .transform(asId<TaskId>),
        seq: z.number().int().min(1),
      })
      .optional(),
  }),
  unsubscribe: z.object({ sub: text(60) }),
  drafting: z.object({ request: text(60), on: z.boolean() }),
  follow: z.object({ steps: z.array(text(60)).max(100) }),
  presence: z.object({
    isActive: z.boolean(),
    quiet: z.object({ until: z.number().nullable() }).nullable(),
  }),
} satisfies Record<ClientEvent, z.ZodType>

type Data = { session: SocketSession }
type SocketServer = Server<ClientToServer, ServerToClient, Record<string, never>, Data>
type PageSocket = Socket<ClientToServer, ServerToClient, Record<string, never>, Data>

/** Attaches the sockets. Handshakes are refused with NOT_SIGNED_IN, or 403 for a foreign Origin. Close before the engine. */
export function attachSockets(http: HttpServer, parts: SocketsParts) {
  const limits = { ...SOCKET_LIMITS, ...parts.limits }
  const { monitor, engine } = parts
  const messages = openRateLimit(limits.messages, parts.now ?? Date.now)
  const pages = new Set<SocketPage>()
  const notes = openNotes(parts, pages)
  const presence = createPresence({
    // The note returns by onEphemeral.
    changed: (person, state) => engine.sendEphemeral(presenceNote(person, state)),
    changedHere: (person, said) => parts.nodes?.tell({ is: 'present', person, said }),
    later: (run, ms) => setTimeout(run, ms).unref(),
  })
  const io = openServer(http, parts, limits)
  const joined = closeUnlessJoined(io, limits.joinMs)

  io.on('connection', (socket) => {
    const { person, scopes } = socket.data.session
    joined(socket)
    showedWhoItIs(socket.request)
    const page = openPage(socket, socket.data.session, limits.backlog, parts.meter)
    /** A message that does not fit its schema, or comes too often, is dropped: the page asks again at the next beat. */
    const read =
      <T>(shape: z.ZodType<T>, accept: (message: T) => void) =>
      async (value: unknown): Promise<void> => {
        if ((await messages.take(socket.id)) > 0) return
        await engine.caughtUp()
        const parsed = socket.connected ? shape.safeParse(value) : null
        if (parsed?.success) accept(parsed.data)
      }
    endOldest(pages, page, limits.pages)
    pages.add(page)
    monitor.join(page)
    for (const [known, state] of presence.all()) page.send('ephemeral', presenceNote(known, state))
    const subscribe = read(SHAPES.subscribe, (ask) => monitor.attach(page, { ...ask, view: ask.view as View }))
    socket.on('subscribe', subscribe)
    const unsubscribe = read(SHAPES.unsubscribe, ({ sub }) => monitor.detach(page, sub))
    socket.on('unsubscribe', unsubscribe)
    const follow = read(SHAPES.follow, ({ steps }) => notes.follow(page, steps.slice(0, limits.follows)))
    socket.on('follow', follow)
    // A program that only reads is not its person at the keyboard.
    if (scopes === undefined || scopes.includes('answer')) {
      const drafting = read(SHAPES.drafting, ({ request, on }) => notes.drafting(page, request, on))
      socket.on('drafting', drafting)
      const present = read(SHAPES.presence, (state) => presence.says(page, person, state))
      socket.on('presence', present)
    }
    socket.on('disconnect', () => {
      pages.delete(page)
      monitor.leave(page)
      presence.gone(page, person)
    })
  })

  // Do-not-disturb of people without a page applies from the start.
  for (const { id, kind, removed } of Object.values(monitor.world().agents)) {
    if (kind !== 'human' || removed) continue
    parts.quietOf?.(id).then(
      (quiet) => presence.restOf(id, quiet),
      () => undefined,
    )
  }

  const { endSession, endExpired } = openSessionEnds(parts.sessionOf, pages)
  const unsubscribes = [
    ...(parts.nodes ? hearPresence(parts.nodes, presence) : []),
    engine.onEphemeral(notes.tell),
    parts.onSessionEnded?.((ended) => {
      endSession(ended).catch(() => {
        // The store cannot tell which sessions have ended: all pages of the person are signed out.
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
    /** Sign out the pages of one session, or with session null all pages of the person. */
    endSession,
    count: (): number => pages.size,
    /** Bytes queued for pages. */
    bufferedBytes: (): number => [...pages].reduce((sum, page) => sum + page.bufferedBytes(), 0),
    close: async (): Promise<void> => {
      for (const timer of timers) clearInterval(timer)
      for (const unsubscribe of unsubscribes) unsubscribe?.()
      io.disconnectSockets(true)
      // The http server is closed by its owner.
      io.engine.close()
    },
  }
}

export type Sockets = ReturnType<typeof attachSockets>

/** Socket.IO with our limits, for sessions and Origins that are accepted. */
function openServer(http: HttpServer, parts: SocketsParts, limits: SocketLimits): SocketServer {
  const io: SocketServer = new Server(http, {
    path: '/socket.io',
    serveClient: false,
    transports: ['websocket'],
    maxHttpBufferSize: limits.messageBytes,
    pingInterval: 10_000,
    pingTimeout: 10_000,
    // Other upgrades on this server are not ours to end.
    destroyUpgrade: false,
    allowRequest: (request, answer) => {
      if (parts.isOurs(request)) answer(null, true)
      // The library would answer 400.
      else refuseUpgrade(request.socket, '403 Forbidden')
    },
  })
  io.use((socket, next) => {
    const known = parts.engine.caughtUp().then(() => parts.sessionOf(socket.handshake.headers))
    known.then(
      (session) => {
        if (session === null) return next(new Error('NOT_SIGNED_IN'))
        socket.data.session = session
        next()
      },
      // The store cannot identify the session. A refusal would sign the page out; a closed connection is retried.
      () => socket.conn.close(),
    )
  })
  return io
}

/** Closes connections that do not join in time. out: call it with each socket that has joined */
function closeUnlessJoined(io: SocketServer, joinMs: number): (socket: PageSocket) => void {
  const deadlines = new WeakMap<object, NodeJS.Timeout>()
  io.engine.on(
    'connection',
    (connection: { request: IncomingMessage; once(event: 'close', run: () => void): void }) => {
      const timer = setTimeout(() => connection.request.socket.destroy(), joinMs)
      deadlines.set(connection, timer)
      connection.once('close', () => clearTimeout(timer))
    },
  )
  return (socket) => clearTimeout(deadlines.get(socket.conn))
}

/** Presence of people with pages at other nodes. */
function hearPresence(nodes: NonNullable<SocketsParts['nodes']>, presence: PresenceBook): (() => void)[] {
  return [
    nodes.onNote((note, from) => {
      if (note.is === 'present') presence.saysNode(from, note.person, note.said)
    }),
    nodes.onJoined(() => {
      for (const [person, said] of presence.here()) nodes.tell({ is: 'present', person, said })
    }),
    nodes.onLeft(presence.nodeGone),
  ]
}

/**
 * Room for one more page of the person. The oldest may be of a device that has gone, and the newest is what they look at. Those of a
 * token are counted alone: a program closes nobody's page.
 */
function endOldest(pages: ReadonlySet<SocketPage>, { person, program }: SocketPage, most: number): void {
  const own = [...pages].filter((page) => page.person === person && page.program === program)
  for (const page of own.slice(0, Math.max(0, own.length + 1 - most))) page.crowdOut(most)
}

function openSessionEnds(sessionOf: SocketsParts['sessionOf'], pages: ReadonlySet<SocketPage>) {
  async function endSession({ person, session, reason }: SessionEnd): Promise<void> {
    for (const page of [...pages]) {
      if (page.person !== person) continue
      // The session may have been renewed since the handshake, so the credentials are checked too.
      const isOver = session === null || page.session === session || (await sessionOf(page.credentials)) === null
      if (isOver) page.signOut(reason)
    }
  }

  /** No event marks the expiry of a session: a silent page would otherwise stay connected. */
  async function endExpired(): Promise<void> {
    for (const [session, { credentials }] of new Map([...pages].map((page) => [page.session, page]))) {
      // A store that fails ends no session.
      const isOver = await Promise.resolve(sessionOf(credentials)).then(
        (found) => found === null,
        () => false,
      )
      if (isOver) for (const page of [...pages]) if (page.session === session) page.signOut('expired')
    }
  }

  return { endSession, endExpired }
}
