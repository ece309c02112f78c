/** The whole way: a command, the journal, the monitor, a true socket, and the page's own stores. */
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { io } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSocket, type PageSocket } from '@/client/connection/socket'
import { createViews, type Views } from '@/client/views'
import { createLive } from '@/client/views/live'
import type { AgentId } from '@/lib/mas/ids'
import type { View } from '@/lib/wire/views'
import { attachSockets, type Sockets } from '@/server/gateway/sockets/sockets'
import { type Monitor, openMonitor } from '@/server/monitor'
import { openTestEngine, type TestEngine } from './testEngine'
import { BASE_TASK, send, TEAM } from './worldHistories'

type Screen = { views: Views; socket: PageSocket; leave: () => void }

let bench: TestEngine
let http: Server
let monitor: Monitor
let sockets: Sockets
let screens: Screen[]

async function serve(port = 0): Promise<number> {
  monitor = openMonitor({
    engine: bench.engine,
    journal: bench.store.journal.id,
    run: randomUUID(),
    now: Date.now,
    schedule: (run, ms) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
  })
  http = createServer()
  sockets = attachSockets(http, {
    engine: bench.engine,
    monitor,
    sessionOf: ({ cookie }) => (cookie ? { person: cookie as AgentId, sessionId: cookie } : null),
    isOurs: () => true,
    beatMs: 50,
  })
  await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve))
  return (http.address() as AddressInfo).port
}
async function stopServing(): Promise<void> {
  await sockets.close()
  monitor.close()
  await new Promise((resolve) => http.close(resolve))
}

function openScreen(port: number, person: AgentId): Screen {
  const views = createViews({
    send: (event, message) => socket.send(event, message),
    schedule: (flush) => setImmediate(flush),
    later: (release) => release(),
  })
  const live = createLive({
    send: (event, note) => socket.send(event, note),
    schedule: (show) => setImmediate(show),
  })
  const socket = createSocket({
    views,
    live,
    syncServerTime: () => {},
    onOpen: () => {},
    onSignedOut: () => {},
    onNetwork: () => () => {},
    isNetworkUp: () => true,
    open: () =>
      io(`http://127.0.0.1:${port}`, {
        path: '/socket.io',
        transports: ['websocket'],
        autoConnect: false,
        forceNew: true,
        reconnectionDelay: 20,
        reconnectionDelayMax: 50,
        extraHeaders: { cookie: person },
      }),
  })
  const screen = { views, socket, leave: socket.connect() }
  screens.push(screen)
  return screen
}

const met = (what: () => boolean): Promise<void> => expect.poll(what, { timeout: 8_000, interval: 5 }).toBe(true)
const worldOf = ({ views }: Screen, view: View) => {
  const { content } = views.store(view).getState()
  return content?.world ?? null
}
const textsOf = (screen: Screen): string[] =>
  Object.values(worldOf(screen, `task:${BASE_TASK}`)?.messages[BASE_TASK] ?? {}).map(({ text }) => text)

beforeEach(async () => {
  screens = []
  bench = await openTestEngine()
})
afterEach(async () => {
  for (const { leave } of screens) leave()
  await stopServing()
  await bench.engine.stop()
  await bench.store.close()
})

describe('what one person sends', () => {
  const view: View = `task:${BASE_TASK}`
  const say = (text: string) =>
    bench.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.ben.id], { text, task: BASE_TASK, kind: 'action' }))

  it('[V7] is on the other screen, in the chat and in the inbox, and not on a third', async () => {
    const port = await serve()
    const [ben, lee] = [openScreen(port, TEAM.ben.id), openScreen(port, TEAM.lee.id)]
    for (const screen of [ben, lee]) {
      screen.views.open(view)
      screen.views.open('me')
    }
    const isOpen = (screen: Screen): boolean => screen.views.store(view).getState().status === 'open'
    await met(() => isOpen(ben) && isOpen(lee))
    const came = await say('for Ben')
    expect(came.ok).toBe(true)
    await met(() => textsOf(ben).includes('for Ben'))
    const inbox = ben.views.store('me').getState().content
    await met(() => {
      const { content } = ben.views.store('me').getState()
      return content !== null && content.list.some((row) => 'group' in row && row.group === 'action')
    })
    expect(inbox).not.toBeNull()
    await met(() => ben.socket.connection.getState().word === 'live')
    const seq = bench.world().seq
    await met(() => lee.socket.connection.getState().seq >= seq)
    expect(textsOf(lee)).toEqual([])
  })

  it('[V7] while the server is away comes when it is back, by the cursor', async () => {
    const port = await serve()
    const ben = openScreen(port, TEAM.ben.id)
    ben.views.open(view)
    await say('before')
    await met(() => textsOf(ben).includes('before') && ben.socket.connection.getState().word === 'live')
    await stopServing()
    await met(() => ben.socket.connection.getState().word === 'offline')
    expect(textsOf(ben)).toEqual(['before'])
    await say('meanwhile')
    await serve(port)
    await met(() => textsOf(ben).includes('meanwhile') && ben.socket.connection.getState().word === 'live')
    expect(textsOf(ben)).toEqual(['before', 'meanwhile'])
  })
})
