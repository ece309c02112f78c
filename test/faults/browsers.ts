/** Browsers of the console without a screen: sockets that look at what the console looks at, change pages and are loaded anew. */
import { io, type Socket } from 'socket.io-client'
import type { PersonName, TestServer } from '../../e2e/fixtures/server'
import { pause, pick } from './scenario'

/** How long a browser stays on a page, in ms: at least, and at most so much longer. */
export type Stay = { least: number; more: number }
const STAY_MS: Stay = { least: 1_000, more: 4_000 }
/** Part of the changes of page at which the whole browser page is loaded anew. */
const RELOADS = 0.2
/** A browser tries again by itself: on a busy machine a connection may come late. */
const CONNECT_WITHIN_MS = 120_000

export type Browsers = {
  /** Messages that came, by event. */
  readonly received: ReadonlyMap<string, number>
  /** Connections that were opened. */
  opened(): number
  /** Connections that the server or the network ended. */
  lost(): number
  /** Close every page. */
  stop(): Promise<void>
}

type Cursors = Map<string, string>
type Parts = {
  stay?: Stay
  /** What comes by itself: not the first answer to what a page has just asked for. */
  onMessage?: (event: string, message: unknown) => void
}

/**
 * Open browsers that read on until stop().
 *
 * in      server: where they are; cookies: a session for each browser; tasks: ids to look at; random: decides where each goes
 * faults  stop() throws when a browser could not connect
 */
export function openBrowsers(
  server: Pick<TestServer, 'url'>,
  cookies: readonly string[],
  tasks: readonly string[],
  random: () => number,
  { stay = STAY_MS, onMessage = () => {} }: Parts = {},
): Browsers {
  const received = new Map<string, number>()
  let isOver = false
  let [opened, lost] = [0, 0]
  const count = (event: string): void => void received.set(event, (received.get(event) ?? 0) + 1)

  async function connected(cookie: string, cursors: Cursors, asking: Set<string>): Promise<Socket> {
    const socket = io(server.url, { transports: ['websocket'], extraHeaders: { cookie }, forceNew: true })
    for (const event of ['beat', 'closed', 'ephemeral', 'signedOut'])
      socket.on(event, (message: unknown) => {
        count(event)
        onMessage(event, message)
      })
    for (const event of ['reset', 'frame'])
      socket.on(event, (message: { sub: string; cursor: string }) => {
        count(event)
        cursors.set(message.sub, message.cursor)
        if (!asking.delete(message.sub)) onMessage(event, message)
      })
    socket.on('disconnect', (reason) => {
      if (reason !== 'io client disconnect') lost += 1
    })
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      setTimeout(() => reject(new Error(`no connection within ${CONNECT_WITHIN_MS} ms`)), CONNECT_WITHIN_MS).unref()
    })
    opened += 1
    return socket
  }

  async function browse(cookie: string): Promise<void> {
    // A place of the page is named by its view, as in the console: a page that comes back goes on by its cursor.
    const cursors: Cursors = new Map()
    const asking = new Set<string>()
    let asked = 0
    let socket = await connected(cookie, cursors, asking)
    const look = (view: string): void => {
      asked += 1
      asking.add(view)
      const cursor = cursors.get(view)
      socket.emit('subscribe', { sub: view, asked, view, ...(cursor === undefined ? {} : { cursor }) })
    }
    try {
      while (!isOver) {
        const task = pick(random, tasks)
        const page = pick(random, [[], ['agents'], ['waits'], [`task:${task}`, `tree:${task}`]] as const)
        for (const view of ['me', 'overview', ...page]) look(view)
        const end = Date.now() + stay.least + random() * stay.more
        while (!isOver && Date.now() < end) await pause(250)
        for (const view of page) socket.emit('unsubscribe', { sub: view })
        if (!isOver && random() < RELOADS) {
          socket.close()
          socket = await connected(cookie, cursors, asking)
        }
      }
    } finally {
      socket.close()
    }
  }

  const all = Promise.all(cookies.map(browse))
  // stop() throws it.
  all.catch(() => {})
  return {
    received,
    opened: () => opened,
    lost: () => lost,
    async stop() {
      isOver = true
      await all
    },
  }
}

const WHO: readonly PersonName[] = ['ana', 'olga', 'ana', 'olga', 'ben']

/** Sessions for so many browsers, of operators mostly: they see the tasks of the load. */
export const signInBrowsers = async (server: TestServer, count: number): Promise<string[]> => {
  const cookies: string[] = []
  for (let n = 0; n < count; n++) cookies.push(await server.signIn(WHO[n % WHO.length] ?? 'ana'))
  return cookies
}
