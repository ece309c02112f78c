/** The monitor: keeps what every browser looks at true. */
import type { Entry } from '@/lib/mas/events'
import type { AgentId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { type Beat, CLOSED_GEN, parseView, type SubId, type Subscribe, type View, WIRE_VERSION } from '@/lib/wire/views'
import type { Moments } from '../engine/moments/moments'
import type { RestoredTasks } from '../engine/snapshots/restoredTasks'
import type { Schedule } from '../shared/later'
import { openPlacing } from './placing'
import { scopeOfView } from './scopes'
import { openSharedStreams } from './sharedStreams'
import { type MonitorConnection, newSub, type Page, type Sub } from './subs'

type MonitorParts = {
  /** The engine, as far as the monitor reads it. */
  engine: {
    readonly node: string
    world: () => World
    onDecision: (listener: (entries: Entry[], world: World) => void) => () => void
  }
  /** The journal's id. */
  journal: string
  /** What left the world: views of it are shown as it was, whole and once. Without it they are closed. */
  past?: RestoredTasks
  /** Tasks as they were: without it views at a moment are closed. */
  moments?: Pick<Moments, 'worldAt'>
  /** Names this run of this process: row streams of two runs are never taken for one another. */
  run: string
  /** Epoch ms by the store's clock. */
  now: () => number
  schedule: Schedule
}

export type Monitor = {
  /** A page connected: it gets beats from now on. attach() does it too. */
  join: (connection: MonitorConnection) => void
  /** The page subscribes to a view; the same subscription id with another view is ended first. */
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
/** Subscriptions that one page may hold. */
export const SUBS_PER_CONNECTION = 100

/** Opens the monitor over a running engine; it follows every decision from now on (docs/socket.md). */
export function openMonitor(parts: MonitorParts): Monitor {
  let world = parts.engine.world()
  const pages = new Map<MonitorConnection, Page>()
  const streams = openSharedStreams({ journal: parts.journal, run: parts.run })
  const { scopeNow, place, deliver } = openPlacing({
    world: () => world,
    journal: parts.journal,
    past: parts.past,
    moments: parts.moments,
    streams,
    isThere: (connection) => pages.has(connection),
  })
  /** Epoch ms. */
  let nextTickAt = Number.NEGATIVE_INFINITY
  let stopTimer: (() => void) | null = null

  const stopListening = parts.engine.onDecision((_, next) => {
    world = next
    if (stopTimer) return
    stopTimer = parts.schedule(tick, Math.min(LONGEST_PAUSE_MS, Math.max(0, nextTickAt - parts.now())))
  })

  function tick(): void {
    stopTimer?.()
    stopTimer = null
    const began = parts.now()
    for (const page of pages.values()) {
      for (const sub of page.subs.values()) {
        const answer = scopeNow(sub)
        const isSame = answer.scopeKey === (sub.stream?.scopeKey ?? null) && answer.closed === sub.closed
        if (!isSame) place(sub, page, answer, null)
      }
    }
    deliver([...streams.all()])
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
      if (old) streams.leave(old)
      const sub = newSub(connection, ask)
      page.subs.set(ask.sub, sub)
      place(sub, page, scopeNow(sub), ask.cursor ?? null)
    },
    detach: (connection, id) => {
      const page = pages.get(connection)
      const sub = page?.subs.get(id)
      if (sub) streams.leave(sub)
      page?.subs.delete(id)
    },
    leave: (connection) => {
      for (const sub of pages.get(connection)?.subs.values() ?? []) streams.leave(sub)
      pages.delete(connection)
    },
    tick,
    beat: () => {
      // The journal's time: after a clock that went ahead and back, commands stamped by the clock would all be too late.
      const at = Math.max(parts.now(), world.at)
      const head = { at, head: world.seq, node: parts.engine.node, wire: WIRE_VERSION }
      for (const [connection, page] of pages) connection.send('beat', { ...head, subs: subsOf(page) })
    },
    mayView: (person, view) => {
      const parsed = parseView(view)
      return parsed !== null && scopeOfView(world, person, parsed).scopeKey !== null
    },
    world: () => world,
    counts: () => ({ connections: pages.size, subscriptions: subscriptionsOf(pages), streams: streams.size() }),
    close: () => {
      stopListening()
      stopTimer?.()
      stopTimer = null
      pages.clear()
      streams.clear()
    },
  }
}

/** What a beat says of each subscription: its last `asked`, its stream, and how far that is. */
function subsOf({ subs }: Page): Beat['subs'] {
  const told: Beat['subs'] = {}
  for (const { id, asked, stream } of subs.values())
    told[id] = stream ? [asked, stream.gen, stream.from()] : [asked, CLOSED_GEN, 0]
  return told
}

const subscriptionsOf = (pages: ReadonlyMap<MonitorConnection, Page>): number =>
  [...pages.values()].reduce((sum, page) => sum + page.subs.size, 0)
