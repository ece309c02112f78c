/** Connections of strangers that say half of something and leave, or stay. */
import { connect, type Socket } from 'node:net'
import { startServer } from '../../e2e/fixtures/server'
import { openFiles, residentMib } from './processFigures'
import { demand, pick, randomOf, type Scenario, until } from './scenario'

const COUNT = { short: 600, all: 10_000 }
const AT_ONCE = 200
const STAYING = 200
/** Open files that come and go by themselves. */
const FILES_TOLERANCE = 5
const SETTLE_WITHIN_MS = 60_000
const STOP_WITHIN_MS = 10_000
/** Pages that the allocator keeps. */
const MEMORY_TOLERANCE_MIB = 64

const HALVES = [
  'GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  'GET /map HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  'POST /api/bind_human_agent HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"human_agent_id":',
  'POST /mamp/v1/messages HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{',
  'GET /api/states HTTP/1.1\r\nHost: x\r\nX-Half: ',
] as const

export const openSockets: Scenario = {
  name: 'open-sockets',
  holds:
    'Upgrades and half-sent requests of strangers leave open files and memory where they were, and SIGTERM ends within 10 s meanwhile.',
  async run(size, seed) {
    const random = randomOf(seed)
    const server = await startServer()
    try {
      const { port } = new URL(server.url)
      const pid = server.pid()
      if (pid === null) throw new Error('no process')
      // The first of each kind loads code.
      await wave(Number(port), AT_ONCE, random)
      await until('the first ones are closed', () => openFiles(pid) < AT_ONCE, SETTLE_WITHIN_MS)
      const before = { files: openFiles(pid), mib: residentMib(pid) }
      for (let sent = 0; sent < COUNT[size]; sent += AT_ONCE) await wave(Number(port), AT_ONCE, random)
      await until(
        'open files are where they were',
        () => openFiles(pid) <= before.files + FILES_TOLERANCE,
        SETTLE_WITHIN_MS,
      )
      const after = { files: openFiles(pid), mib: residentMib(pid) }
      demand(after.mib <= before.mib + MEMORY_TOLERANCE_MIB, `memory grew from ${before.mib} to ${after.mib} MiB`)
      const staying = await Promise.all(Array.from({ length: STAYING }, () => half(Number(port), random)))
      const from = performance.now()
      const stopped = await Promise.race([
        server.stop().then(() => true),
        new Promise<boolean>((resolve) => setTimeout(() => resolve(false), STOP_WITHIN_MS)),
      ])
      const stopMs = Math.round(performance.now() - from)
      for (const socket of staying) socket.destroy()
      demand(stopped, `SIGTERM did not end it within ${STOP_WITHIN_MS} ms while ${STAYING} connections stayed open`)
      return {
        connections: COUNT[size],
        'open files before, after': `${before.files}, ${after.files}`,
        'memory before, after, MiB': `${before.mib}, ${after.mib}`,
        'SIGTERM with 200 open connections, ms': stopMs,
      }
    } finally {
      await server.kill()
      await server.stop()
    }
  },
}

/** So many at once; each says half of something and leaves. */
async function wave(port: number, count: number, random: () => number): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: count }, () => half(port, random)))
  for (const socket of sockets) socket.destroy()
}

async function half(port: number, random: () => number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  // A server that closes it is right.
  socket.on('error', () => {})
  socket.resume()
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.once('connect', () => socket.write(pick(random, HALVES), () => resolve()))
  })
  return socket
}
