/** The sockets on a port of their own, over an engine that only stores what it is given, and pages that connect to them. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { io, type Socket } from 'socket.io-client'
import { expect } from 'vitest'
import type { Entry } from '@/lib/mas/events'
import type { World } from '@/lib/mas/records'
import type { Beat, Closed, Crowded, DoingNow, Ephemeral, Reset, SignedOut, ViewFrame } from '@/lib/wire/views'
import { apply, beginning, entriesOf, eventsOf, MAKER_NAMES, PEOPLE } from '@/test/histories'
import { type Monitor, openMonitor } from '../../monitor'
import type { SocketSession } from '../sessions/visitors'
import { attachSockets, type SessionEnd, type Sockets, type SocketsParts } from '../sockets/sockets'

/** An engine that only stores what it is given. */
function engineDouble() {
  const start = beginning()
  let world: World = start.world
  const journal: Entry[] = [...start.entries]
  const onEntries = new Set<(entries: Entry[], world: World) => void>()
  const onNotes = new Set<(note: Ephemeral) => void>()
  const texts = new Map<string, { attempt: number; text: string }>()
  const doings = new Map<string, DoingNow & { attempt: number }>()
  let reading = Promise.resolve()
  return {
    node: 'n1',
    caughtUp: () => reading,
    /** It has not read what other nodes acknowledged until then. */
    readsUntil: (end: Promise<void>) => {
      reading = end
    },
    world: () => world,
    onDecision: (listener: (entries: Entry[], world: World) => void) => {
      onEntries.add(listener)
      return () => onEntries.delete(listener)
    },
    onEphemeral: (listener: (note: Ephemeral) => void) => {
      onNotes.add(listener)
      return () => onNotes.delete(listener)
    },
    sendEphemeral: (note: Ephemeral) => {
      for (const listener of onNotes) listener(note)
    },
    textOf: (step: string) => texts.get(step) ?? null,
    doingOf: (step: string) => doings.get(step) ?? null,
    read: async (after: number, limit: number) => journal.filter(({ seq }) => seq > after).slice(0, limit),
    texts,
    doings,
    note: (note: Ephemeral) => {
      for (const listener of onNotes) listener(note)
    },
    act: (maker: string, pick: number, other: number) => {
      const entries = entriesOf(world, eventsOf(world, [MAKER_NAMES.indexOf(maker), pick, other]))
      world = apply(world, entries)
      journal.push(...entries)
      for (const listener of onEntries) listener(entries, world)
      return entries
    },
  }
}

type Heard = {
  reset: Reset[]
  frame: ViewFrame[]
  closed: Closed[]
  beat: Beat[]
  ephemeral: Ephemeral[]
  signedOut: SignedOut[]
  crowded: Crowded[]
}

/** Cookie → session; removed when the session ends. */
type Cookies = Map<string, SocketSession>

export type SocketBench = {
  engine: ReturnType<typeof engineDouble>
  monitor: Monitor
  http: Server
  sockets: Sockets
  cookies: Cookies
  /** End a session, as the gateway does. */
  end: (ended: SessionEnd) => void
  /** A page that connects with this cookie, and all that it is sent. */
  page: (cookie: string, origin?: string) => { socket: Socket; heard: Heard }
  url: string
  close: () => Promise<void>
}

/** Ana, Ben and Cyn are signed in by `c=ana`, `c=ben` and `c=cyn`. */
export async function openSocketBench(change: Partial<SocketsParts> = {}): Promise<SocketBench> {
  const engine = engineDouble()
  const clients: Socket[] = []
  const endings = new Set<(ended: SessionEnd) => void>()
  const cookies: Cookies = new Map([
    ['c=ana', { person: PEOPLE.ana, sessionId: 's-ana' }],
    ['c=ben', { person: PEOPLE.ben, sessionId: 's-ben' }],
    ['c=cyn', { person: PEOPLE.cyn, sessionId: 's-cyn' }],
  ])
  const monitor = openMonitor({
    engine,
    journal: 'j',
    run: 'r',
    now: Date.now,
    schedule: (run, ms) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  })
  const http = createServer()
  const sockets = attachSockets(http, {
    engine,
    monitor,
    sessionOf: async ({ cookie }) => cookies.get(cookie ?? '') ?? null,
    isOurs: ({ headers: { origin } }) => origin === undefined || origin === 'http://ours',
    onSessionEnded: (listener) => {
      endings.add(listener)
      return () => endings.delete(listener)
    },
    beatMs: 30,
    ...change,
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`

  function page(cookie: string, origin?: string): { socket: Socket; heard: Heard } {
    const extraHeaders = { cookie, ...(origin === undefined ? {} : { origin }) }
    const socket = io(url, {
      path: '/socket.io',
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      extraHeaders,
    })
    const heard: Heard = { reset: [], frame: [], closed: [], beat: [], ephemeral: [], signedOut: [], crowded: [] }
    for (const [event, list] of Object.entries(heard)) {
      const kept: unknown[] = list
      socket.on(event, (message: unknown) => kept.push(message))
    }
    clients.push(socket)
    return { socket, heard }
  }

  return {
    engine,
    monitor,
    http,
    sockets,
    cookies,
    end: (ended) => {
      for (const listener of endings) listener(ended)
    },
    page,
    url,
    async close() {
      for (const socket of clients) socket.disconnect()
      await sockets.close()
      monitor.close()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

export const met = (what: () => void): Promise<void> =>
  expect
    .poll(
      () => {
        what()
        return true
      },
      { timeout: 5_000, interval: 10 },
    )
    .toBe(true)
