/** The monitor: keeps what every browser looks at true. */

import type { Entry } from '@/lib/mas/events'
import { type AgentId, makeIds } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { REDUCER_VERSION } from '@/lib/mas/reduce'
import {
  type Beat,
  CATCH_UP,
  CLOSED_GEN,
  type ClosedReason,
  isLogView,
  type ParsedView,
  parseView,
  type Reset,
  type ServerEvent,
  type ServerMessage,
  type SubId,
  type Subscribe,
  type View,
  type ViewFrame,
  WIRE_VERSION,
} from '@/lib/wire/views'
import { type RestoredTask, type RestoredTasks, withRestoredTask } from '../engine/restoredTasks'
import { parseCursor, writeCursor } from './cursor'
import { findRestored, restoredStream } from './restoredStream'
import { rowSourceOf } from './rows'
import { type ScopeAnswer, scopeOfView } from './scopes'
import { type FrameBody, logStream, rowStream, type Stream } from './streams'
import { createTail } from './tail'
import { createTimes } from './times'

/** One page of one person. Sending never throws and never waits. */
export type MonitorConnection = {
  readonly person: AgentId
  /** view: the kind of view that the message belongs to; for counting only. */
  send: <Event extends ServerEvent>(event: Event, message: ServerMessage<Event>, view?: ParsedView['kind']) => void
}

export type MonitorParts = {
  /** The engine, as far as the monitor reads it. */
  engine: {
    readonly node: string
    world: () => World
    onDecision: (listener: (entries: Entry[], world: World) => void) => () => void
  }
  /** The journal: its id, and entries with after < seq, at most `limit`, in order. */
  journal: { readonly id: string; read: (after: number, limit: number) => Promise<Entry[]> }
  /** What left the world: views of it are shown as it was, whole and once. Without it they are closed. */
  past?: RestoredTasks
  /** Names this run of this process: row streams of two runs are never taken for one another. */
  run: string
  /** Epoch ms by the store's clock. */
  now: () => number
  /** In a bench: monotonic ms. Frames then say when their entries were confirmed, beats when they were sent. */
  mono?: () => number
  /** Call once after that many ms. out: stop it. */
  schedule: (run: () => void, ms: number) => () => void
}

export type Monitor = {
  /** A page is there: it hears beats from now on. attach() does it too. */
  join: (connection: MonitorConnection) => void
  /** This page wants that view in that place; a place that shows another view is left first. */
  attach: (connection: MonitorConnection, ask: Subscribe) => void
  detach: (connection: MonitorConnection, sub: SubId) => void
  /** The page is gone. */
  leave: (connection: MonitorConnection) => void
  /** Send what changed, now. */
  tick: () => void
  /** Tell every page what there is. */
  beat: () => void
  /** May this person see this view now? For what goes beside the streams. */
  mayView: (person: AgentId, view: View) => boolean
  world: () => World
  /** Numbers for the metrics. */
  counts: () => { connections: number; subscriptions: number; streams: number }
  close: () => void
}

/** Changes that follow each other are sent together; one that comes after quiet goes at once. */
const TICK_MS = 50
/** A tick that took long is followed by a pause so many times as long, so that views leave most of the time to the engine. */
const PAUSE_PER_TICK = 2
/** Whatever the clock does meanwhile. */
const LONGEST_PAUSE_MS = 1_000
/** Places that one page may hold. */
export const SUBS_PER_CONNECTION = 100

type Sub = {
  connection: MonitorConnection
  id: SubId
  asked: number
  view: View
  parsed: ParsedView | null
  stream: Stream | null
  closed: ClosedReason | null
  /** What left the world and is shown here; `looking` while nobody knows yet whether there is such a thing. */
  past: RestoredTask | 'unknown' | 'looking' | 'none'
}
type Page = { subs: Map<SubId, Sub>; n: number }
type Shared = { stream: Stream; subs: Set<Sub> }

/** The same for the same journal, view and class, on every node and after every restart. */
const logGen = (journal: string, key: string): string =>
  makeIds(`${journal} ${WIRE_VERSION} ${REDUCER_VERSION} ${key}`)<string>()

/**
 * Open the monitor over an engine that runs.
 *
 * out     it follows every decision from now on, and knows the newest entries before
 * source  docs/rules.md, docs/socket.md; used by server/main, server/gateway/sockets
 */
export async function openMonitor(parts: MonitorParts): Promise<Monitor> {
  let world = parts.engine.world()
  const pages = new Map<MonitorConnection, Page>()
  const streams = new Map<string, Shared>()
  const tail = createTail(world.seq, CATCH_UP.scan)
  const times = parts.mono ? createTimes(parts.mono) : null
  let rowGens = 0
  /** Epoch ms. */
  let nextTickAt = Number.NEGATIVE_INFINITY
  let stopTimer: (() => void) | null = null

  const stopListening = parts.engine.onDecision((entries, next) => {
    world = next
    tail.add(entries)
    times?.confirmed(entries)
    for (const { stream } of streams.values()) stream.push(entries, world)
    if (stopTimer) return
    stopTimer = parts.schedule(tick, Math.min(LONGEST_PAUSE_MS, Math.max(0, nextTickAt - parts.now())))
  })
  const start = Math.max(0, world.seq - CATCH_UP.scan)
  tail.addBefore(await parts.journal.read(start, CATCH_UP.scan))

  const classNow = (sub: Sub): ScopeAnswer => {
    if (sub.parsed === null) return { cls: null, closed: 'bad-view' }
    const seen = typeof sub.past === 'string' ? world : withRestoredTask(world, sub.past)
    return scopeOfView(seen, sub.connection.person, sub.parsed)
  }

  /** It is not in the world: it may have left it. Answers later; until then the place waits. */
  function lookBack(sub: Sub, page: Page, past: RestoredTasks, parsed: ParsedView): void {
    sub.past = 'looking'
    const settle = (found: RestoredTask | null): void => {
      if (page.subs.get(sub.id) !== sub || !pages.has(sub.connection)) return
      sub.past = found ?? 'none'
      place(sub, page, classNow(sub), null)
    }
    findRestored(past, parsed, () => world).then(settle, () => settle(null))
  }

  function streamFor(view: View, parsed: ParsedView, cls: string): Shared {
    const key = `${view} ${cls}`
    const known = streams.get(key)
    if (known) return known
    let stream: Stream
    if (isLogView(parsed)) {
      stream = logStream(parsed, cls, logGen(parts.journal.id, key), tail, world.seq)
    } else {
      rowGens += 1
      stream = rowStream(rowSourceOf(parsed, cls), cls, `${parts.run}.${rowGens}`, world)
    }
    const made = { stream, subs: new Set<Sub>() }
    streams.set(key, made)
    return made
  }

  const keyOf = (sub: Sub, stream: Stream): string => `${sub.view} ${stream.cls}`

  function leaveStream(sub: Sub): void {
    if (sub.stream === null) return
    const key = keyOf(sub, sub.stream)
    const shared = streams.get(key)
    shared?.subs.delete(sub)
    if (shared?.subs.size === 0) streams.delete(key)
    sub.stream = null
  }

  function sendFrame(sub: Sub, stream: Stream, body: FrameBody): void {
    const cursor = writeCursor({ gen: stream.gen, seq: body.to })
    const frame: ViewFrame = {
      sub: sub.id,
      asked: sub.asked,
      gen: stream.gen,
      cursor,
      ...body,
      ...times?.marksOf(body),
    }
    sub.connection.send('frame', frame, sub.parsed?.kind)
  }

  /** Whoever's class is another one since gets nothing but a reset or a close, at the tick. */
  function deliver({ stream, subs }: Shared): void {
    const body = stream.flush(world)
    if (body === null) return
    for (const sub of subs) if (classNow(sub).cls === stream.cls) sendFrame(sub, stream, body)
  }

  function place(sub: Sub, page: Page, answer: ScopeAnswer, cursor: string | null): void {
    leaveStream(sub)
    if (sub.past === 'looking') return
    if (answer.closed === 'not-found' && sub.past === 'unknown' && parts.past && sub.parsed) {
      lookBack(sub, page, parts.past, sub.parsed)
      return
    }
    sub.closed = answer.closed
    if (answer.cls === null || sub.parsed === null) {
      page.n += 1
      const reason = answer.closed ?? 'bad-view'
      sub.connection.send('closed', { sub: sub.id, asked: sub.asked, n: page.n, reason }, sub.parsed?.kind)
      return
    }
    if (typeof sub.past !== 'string') {
      const gen = logGen(parts.journal.id, `past ${sub.past.seq} ${sub.view} ${answer.cls}`)
      sub.stream = restoredStream(sub.parsed, answer.cls, gen, world, sub.past)
      reset(sub, page, sub.stream, sub.past.seq)
      return
    }
    const shared = streamFor(sub.view, sub.parsed, answer.cls)
    // First what is under way, then the whole: a snapshot between two edges would hold what the next frame leaves out.
    deliver(shared)
    const { stream } = shared
    shared.subs.add(sub)
    sub.stream = stream
    const stood = cursor === null ? null : parseCursor(cursor)
    const missing = stood?.gen === stream.gen ? stream.missing(stood.seq, world) : null
    if (missing) {
      sendFrame(sub, stream, missing)
      return
    }
    reset(sub, page, stream, world.seq)
  }

  /** Send the whole, as of that entry. */
  function reset(sub: Sub, page: Page, stream: Stream, to: number): void {
    page.n += 1
    const head = { sub: sub.id, asked: sub.asked, gen: stream.gen, to, n: page.n }
    const message: Reset = { ...head, cursor: writeCursor({ gen: stream.gen, seq: to }), ...stream.snapshot(world) }
    sub.connection.send('reset', message, sub.parsed?.kind)
  }

  function tick(): void {
    stopTimer?.()
    stopTimer = null
    const began = parts.now()
    for (const page of pages.values()) {
      for (const sub of page.subs.values()) {
        const answer = classNow(sub)
        const isSame = answer.cls === (sub.stream?.cls ?? null) && answer.closed === sub.closed
        if (!isSame) place(sub, page, answer, null)
      }
    }
    for (const shared of [...streams.values()]) deliver(shared)
    const ended = parts.now()
    nextTickAt = Math.max(began + TICK_MS, ended + PAUSE_PER_TICK * (ended - began))
  }

  function join(connection: MonitorConnection): Page {
    const page = pages.get(connection) ?? { subs: new Map<SubId, Sub>(), n: 0 }
    pages.set(connection, page)
    return page
  }

  return {
    join: (connection) => {
      join(connection)
    },
    attach: (connection, ask) => {
      const page = join(connection)
      const old = page.subs.get(ask.sub)
      // Asks may arrive doubled and late; only a newer one counts.
      if (old && ask.asked < old.asked) return
      if (!old && page.subs.size >= SUBS_PER_CONNECTION) return
      if (old) leaveStream(old)
      const sub: Sub = {
        connection,
        id: ask.sub,
        asked: ask.asked,
        view: ask.view,
        parsed: parseView(ask.view),
        stream: null,
        closed: null,
        past: 'unknown',
      }
      page.subs.set(ask.sub, sub)
      place(sub, page, classNow(sub), ask.cursor ?? null)
    },
    detach: (connection, id) => {
      const page = pages.get(connection)
      const sub = page?.subs.get(id)
      if (sub) leaveStream(sub)
      page?.subs.delete(id)
    },
    leave: (connection) => {
      for (const sub of pages.get(connection)?.subs.values() ?? []) leaveStream(sub)
      pages.delete(connection)
    },
    tick,
    beat: () => {
      // The journal's time: after a clock that went ahead and back, commands stamped by the clock would all be too late.
      const at = Math.max(parts.now(), world.at)
      const mono = parts.mono ? { mono: parts.mono() } : {}
      for (const [connection, page] of pages) {
        const subs: Beat['subs'] = {}
        for (const sub of page.subs.values()) {
          subs[sub.id] = sub.stream ? [sub.asked, sub.stream.gen, sub.stream.from()] : [sub.asked, CLOSED_GEN, 0]
        }
        connection.send('beat', { at, head: world.seq, node: parts.engine.node, wire: WIRE_VERSION, subs, ...mono })
      }
    },
    mayView: (person, view) => {
      const parsed = parseView(view)
      return parsed !== null && scopeOfView(world, person, parsed).cls !== null
    },
    world: () => world,
    counts: () => ({
      connections: pages.size,
      subscriptions: [...pages.values()].reduce((sum, page) => sum + page.subs.size, 0),
      streams: streams.size,
    }),
    close: () => {
      stopListening()
      stopTimer?.()
      stopTimer = null
      pages.clear()
      streams.clear()
    },
  }
}
