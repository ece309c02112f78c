/**
 * A monitor, a few pages, and the bad lines between them, moved by hand: for tests that no page ever shows what is not
 * so.
 */
import { isDeepStrictEqual } from 'node:util'
import { createViews, type Views } from '@/client/views'
import type { ViewState } from '@/client/views/viewState'
import { readBeat, readClosed, readFrame, readReset } from '@/client/views/wireShapes'
import { isJsonObject } from '@/lib/json'
import type { Entry } from '@/lib/mas/events'
import type { AgentId } from '@/lib/mas/ids'
import { emptyWorld, type World } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { withRecords } from '@/lib/wire/records'
import type { AnyRow } from '@/lib/wire/rows'
import {
  type Beat,
  type ClientEvent,
  type ClientMessage,
  isRecordView,
  type ParsedView,
  parseView,
  type Reset,
  type View,
  type ViewFrame,
} from '@/lib/wire/views'
import { type Monitor, type MonitorConnection, openMonitor } from '@/server/monitor'
import { recordSource } from '@/server/monitor/records/changes'
import { rowSourceOf } from '@/server/monitor/rows'
import { scopeOfView } from '@/server/monitor/scopes'
import { type Action, AGENTS, apply, beginning, entriesOf, eventsOf, PEOPLE, TASKS } from './histories'

export type Move = readonly [move: number, a: number, b: number, c: number]

/** The parts under test; a test that takes a rule away brings a broken one. */
export type Parts = {
  createViews: typeof createViews
  openMonitor: typeof openMonitor
  bendBeat: (beat: Beat, page: Page) => Beat
}
export const PARTS: Parts = { createViews, openMonitor, bendBeat: (beat) => beat }

type Up = { event: ClientEvent; message: unknown }
type Down = { event: string; message: unknown }
export type Page = {
  person: AgentId
  views: Views
  /** View → let go of it. */
  open: Map<View, () => void>
  connection: MonitorConnection | null
  up: Up[]
  down: Down[]
  subViews: Map<string, View>
}

export type Stage = {
  move: (move: Move) => Promise<void>
  /** Deliver everything, mend the lines, and let beats pass; then all must be as it is. */
  settle: () => Promise<void>
  commit: (entries: Entry[]) => void
  world: () => World
  pages: Page[]
  monitor: () => Monitor
  sent: () => number
  look: (page: Page, view: View) => void
  cutOff: (page: Page) => void
  join: (page: Page) => void
  /** One message of this page reaches the server. */
  deliverUp: (page: Page) => void
  deliverAll: () => void
  /** The monitor ends and begins anew; all lines are cut. */
  restart: () => Promise<void>
  tick: () => void
  beat: () => void
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T
const MENDING_ROUNDS = 8
/** Kinds of moves; deciding is the commonest. */
export const MOVES = 17

export async function openStage(parts: Parts = PARTS): Promise<Stage> {
  const start = beginning()
  let world = start.world
  const worlds = new Map<number, World>([[world.seq, world]])
  const classOfGen = new Map<string, string>()
  let listeners: ((entries: Entry[], world: World) => void)[] = []
  let timers: { at: number; run: () => void }[] = []
  let now = 1_000
  let runs = 0
  let sent = 0
  let monitor = open()

  function open(): Monitor {
    runs += 1
    return parts.openMonitor({
      engine: {
        node: 'n1',
        world: () => world,
        onDecision: (listener) => {
          listeners.push(listener)
          return () => {
            listeners = listeners.filter((one) => one !== listener)
          }
        },
      },
      journal: 'journal',
      run: `run${runs}`,
      now: () => now,
      schedule: (run, ms) => {
        const timer = { at: now + ms, run }
        timers.push(timer)
        return () => {
          timers = timers.filter((one) => one !== timer)
        }
      },
    })
  }

  const pages = [PEOPLE.ana, PEOPLE.ben, PEOPLE.cyn, PEOPLE.ben].map((person): Page => {
    const page: Page = {
      person,
      open: new Map(),
      connection: null,
      up: [],
      down: [],
      subViews: new Map(),
      views: parts.createViews({
        send: (event, message) => {
          if (page.connection) page.up.push({ event, message: copy(message) })
        },
        schedule: (flush) => flush(),
        later: (release) => release(),
        onFailure: (view, trouble) => {
          throw new Error(`${view} could not be applied`, { cause: trouble })
        },
      }),
    }
    return page
  })

  /** Nothing but a close may go to a reader without a right now, and a frame only to the class that it was made for. */
  function checkSent(page: Page, event: string, message: Reset | ViewFrame): void {
    const view = page.subViews.get(message.sub)
    const parsed = view === undefined ? null : parseView(view)
    if (parsed === null) throw new Error(`${event} for a place that nobody asked for`)
    const { scopeKey } = scopeOfView(world, page.person, parsed)
    if (scopeKey === null) throw new Error(`${event} of ${view} to ${page.person}, who may not see it`)
    const known = classOfGen.get(message.gen)
    if (known !== undefined && known !== scopeKey) throw new Error(`${event} of ${view} made for another class`)
    classOfGen.set(message.gen, scopeKey)
  }

  function join(page: Page): void {
    if (page.connection) return
    page.subViews.clear()
    const connection: MonitorConnection = {
      person: page.person,
      send: (event, message) => {
        sent += 1
        if (event === 'reset' || event === 'frame') checkSent(page, event, message as Reset | ViewFrame)
        const bent = event === 'beat' ? parts.bendBeat(message as Beat, page) : message
        page.down.push({ event, message: copy(bent) })
      },
    }
    page.connection = connection
    monitor.join(connection)
    page.views.connected()
  }

  function cutOff(page: Page): void {
    if (page.connection) monitor.leave(page.connection)
    page.connection = null
    page.up = []
    page.down = []
    page.views.disconnected()
  }

  function deliverUp(page: Page): void {
    const next = page.up.shift()
    if (!next || !page.connection) return
    if (next.event === 'subscribe') {
      const ask = next.message as ClientMessage<'subscribe'>
      page.subViews.set(ask.sub, ask.view)
      monitor.attach(page.connection, ask)
    }
    if (next.event === 'unsubscribe')
      monitor.detach(page.connection, (next.message as ClientMessage<'unsubscribe'>).sub)
  }

  function deliverDown(page: Page): void {
    const next = page.down.shift()
    if (!next) return
    const reset = next.event === 'reset' ? readReset(next.message) : null
    const frame = next.event === 'frame' ? readFrame(next.message) : null
    const closed = next.event === 'closed' ? readClosed(next.message) : null
    const beat = next.event === 'beat' ? readBeat(next.message) : null
    if (reset) page.views.receive({ event: 'reset', message: reset })
    else if (frame) page.views.receive({ event: 'frame', message: frame })
    else if (closed) page.views.receive({ event: 'closed', message: closed })
    else if (beat) page.views.receive({ event: 'beat', message: beat })
    else throw new Error(`a ${next.event} that the page cannot read`)
    for (const view of page.open.keys()) checkState(page.views.store(view).getState())
  }

  /** What the page holds is what the view is in the world that it says it has. */
  function checkState(state: ViewState): void {
    if (state.status !== 'open') return
    const then = worlds.get(state.have)
    const scopeKey = classOfGen.get(state.gen ?? '')
    if (then === undefined) throw new Error(`${state.view} says it has ${state.have}, which is inside a decision`)
    if (scopeKey === undefined) throw new Error(`${state.view} is of a stream that nobody sent`)
    checkContent(state, then, scopeKey)
  }

  function checkContent(state: ViewState, then: World, scopeKey: string): void {
    const parsed = parseView(state.view)
    if (parsed === null || state.content === null) throw new Error(`${state.view} is open and holds nothing`)
    const got = state.content
    const fresh = new Map(freshRows(then, parsed, scopeKey).map((row) => [row.id, copy(row)]))
    if (!isDeepStrictEqual(new Map([...got.rows].map(([id, row]) => [id, copy(row)])), fresh)) {
      throw new Error(`${state.view} is not as it was at ${state.have}: ${difference(fresh, got.rows)}`)
    }
    const records = [...got.rows.values()].filter((row) => row.kind === 'record')
    if (!isDeepStrictEqual(filled(got.world), filled(withRecords(emptyWorld, records, [])))) {
      throw new Error(`${state.view} holds another world than its records make at ${state.have}`)
    }
    const order = [...got.list].sort((a, b) => (a.sort < b.sort ? -1 : a.sort > b.sort ? 1 : a.id < b.id ? -1 : 1))
    if (!isDeepStrictEqual(order, [...got.list])) throw new Error(`${state.view} is out of order`)
  }

  function commit(entries: Entry[]): void {
    if (entries.length === 0) return
    world = apply(world, entries)
    worlds.set(world.seq, world)
    for (const listener of [...listeners]) listener(entries, world)
  }

  function tick(): void {
    now += 50
    const due = timers.filter((timer) => timer.at <= now)
    timers = timers.filter((timer) => timer.at > now)
    for (const { run } of due) run()
  }

  function viewAt(pick: number, other: number): View {
    const steps = Object.values(world.steps).flatMap((byAgent) => Object.values(byAgent).flatMap((own) => stepsIn(own)))
    const step = steps[other % Math.max(1, steps.length)]
    const views: View[] = [
      'me',
      'overview',
      'agents',
      'waits',
      'direct',
      `tree:${TASKS.base}`,
      `tree:${TASKS.build}`,
      `tree:${TASKS.docs}`,
      `timeline:${TASKS.base}`,
      `timeline:${TASKS.build}`,
      `task:${TASKS.base}`,
      `task:${TASKS.build}`,
      `task:${TASKS.docs}`,
      `agent:${AGENTS.coder}`,
      `agent:${AGENTS.manager}`,
      `agent:${PEOPLE.ben}`,
      `tree:${TASKS.build}/-/${AGENTS.coder}@5`,
      `timeline:${TASKS.build}/${AGENTS.coder}@5`,
      `step:${step?.id ?? TASKS.base}`,
    ]
    return views[pick % views.length] ?? 'me'
  }

  function look(page: Page, view: View): void {
    if (!page.open.has(view)) page.open.set(view, page.views.open(view))
  }

  async function move([kind, a, b, c]: Move): Promise<void> {
    const page = pages[a % pages.length]
    if (!page) return
    switch (kind % MOVES) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
        commit(entriesOf(world, eventsOf(world, [b, c, a] satisfies Action)))
        return
      case 5:
      case 6:
        tick()
        return
      case 7:
        look(page, viewAt(b, c))
        return
      case 8: {
        const [view, release] = [...page.open][b % Math.max(1, page.open.size)] ?? []
        if (view !== undefined) page.open.delete(view)
        release?.()
        return
      }
      case 9:
        while (page.up.length > 0) deliverUp(page)
        return
      case 10:
      case 11:
        for (let count = b % 12; count >= 0; count--) deliverDown(page)
        return
      case 12:
      case 13:
        spoil(c % 5 === 0 ? page.up : page.down, b)
        return
      case 14:
        monitor.beat()
        return
      case 15:
        if (page.connection) cutOff(page)
        else join(page)
        return
      case 16:
        if (c % 4 === 0) await restart()
        return
    }
  }

  /** The next message is lost, comes twice, or after the one behind it. */
  function spoil(queue: (Up & Down)[] | Up[] | Down[], how: number): void {
    const [first, second] = queue as (Up & Down)[]
    if (how % 3 === 0) queue.shift()
    else if (how % 3 === 1 && first) (queue as (Up & Down)[]).push(copy(first))
    else if (first && second) (queue as (Up & Down)[]).splice(0, 2, second, first)
  }

  async function restart(): Promise<void> {
    for (const one of pages) cutOff(one)
    monitor.close()
    monitor = open()
  }

  function deliverAll(): void {
    for (const page of pages) {
      while (page.up.length > 0) deliverUp(page)
      while (page.down.length > 0) deliverDown(page)
    }
  }

  async function settle(): Promise<void> {
    for (const page of pages) join(page)
    for (let round = 0; round < MENDING_ROUNDS; round++) {
      deliverAll()
      tick()
      deliverAll()
      monitor.beat()
      deliverAll()
    }
    for (const page of pages) {
      for (const view of page.open.keys()) {
        const parsed = parseView(view)
        const state = page.views.store(view).getState()
        const answer = parsed === null ? null : scopeOfView(world, page.person, parsed)
        if (answer?.scopeKey == null) {
          if (state.status !== 'closed') throw new Error(`${view} should be closed and is ${state.status}`)
          continue
        }
        if (state.status !== 'open') throw new Error(`${view} should be open and is ${state.status}`)
        checkContent(state, world, answer.scopeKey)
      }
    }
  }

  return {
    move,
    settle,
    commit,
    world: () => world,
    pages,
    monitor: () => monitor,
    sent: () => sent,
    look,
    cutOff,
    join,
    deliverUp,
    deliverAll,
    restart,
    tick,
    beat: () => monitor.beat(),
  }
}

/** The rows as they are. */
export const freshRows = (world: World, view: ParsedView, scopeKey: string): AnyRow[] =>
  isRecordView(view) ? recordSource(view, scopeKey).all(world) : rowSourceOf(view, scopeKey).rows(world).flat()

const isEmpty = (value: unknown): boolean => isJsonObject(value) && Object.keys(value).length === 0
/** Without maps that records have left. */
const filled = (world: World): unknown =>
  JSON.parse(JSON.stringify(world), (_, value: unknown) =>
    isEmpty(value) || (Array.isArray(value) && value.length === 0) ? undefined : value,
  )

/** The ids of rows that are in one of the two, or other in each. */
function difference(wanted: ReadonlyMap<string, AnyRow>, got: ReadonlyMap<string, AnyRow>): string {
  const ids = new Set([...wanted.keys(), ...got.keys()])
  return [...ids].filter((id) => !isDeepStrictEqual(wanted.get(id), copy(got.get(id) ?? null))).join(' ')
}
