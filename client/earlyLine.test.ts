import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket as RealWebSocket } from 'ws'
import { earlyScript } from './earlyScript'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** A server, and a page of it whose script has run. */
async function open() {
  const http = createServer()
  const server = new Server(http, { transports: ['websocket'] })
  const cameIn: string[] = []
  server.on('connection', (socket) => {
    cameIn.push(socket.id)
    socket.emit('hello', 'from the server')
    socket.on('ask', (value) => socket.emit('answer', value))
  })
  http.listen(0)
  await once(http, 'listening')
  ends.push(() => server.close())
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const page: Pick<Window, 'conveneLine'> = {}
  vi.stubGlobal('window', page)
  vi.stubGlobal('location', { origin })
  vi.stubGlobal('WebSocket', RealWebSocket)
  const run = new Function('fetch', `var conveneEarly,conveneLine;${earlyScript};return conveneLine`)
  page.conveneLine = run(async () => null) as NonNullable<Window['conveneLine']>
  const line = page.conveneLine
  /** What the files of the page do, once they are there. */
  const join = async () => {
    const [{ io }, { EarlyLine }] = await Promise.all([import('socket.io-client'), import('./earlyLine')])
    const socket = io(origin, { transports: [EarlyLine], reconnectionDelay: 10 })
    ends.push(() => socket.disconnect())
    const heard: unknown[] = []
    for (const name of ['hello', 'answer']) socket.on(name, (value) => heard.push(value))
    return { socket, heard }
  }
  return { line, join, cameIn, server }
}

test('the line that the page opened is taken over, with what came on it, and nobody comes in twice', async () => {
  const { line, join, cameIn } = await open()
  await expect.poll(() => line.heard.length).toBe(1)
  const { socket, heard } = await join()
  socket.emit('ask', 1)
  await expect.poll(() => heard).toEqual(['from the server', 1])
  expect(cameIn).toEqual([socket.id])
})

test('a line that is still on its way is taken over too', async () => {
  const { join, cameIn } = await open()
  const { socket, heard } = await join()
  socket.emit('ask', 2)
  await expect.poll(() => heard).toEqual(['from the server', 2])
  expect(cameIn).toEqual([socket.id])
})

test('a line that broke before is not waited for, and a later one is opened as usual', async () => {
  const { line, join, cameIn, server } = await open()
  await expect.poll(() => line.heard.length).toBe(1)
  line.socket.close()
  await expect.poll(() => line.socket.readyState).toBe(RealWebSocket.CLOSED)
  const { socket, heard } = await join()
  await expect.poll(() => heard).toEqual(['from the server'])
  socket.once('disconnect', () => socket.connect())
  server.disconnectSockets(true)
  await expect.poll(() => heard).toEqual(['from the server', 'from the server'])
  expect(new Set(cameIn).size).toBe(2)
})
