/**
 * The MAP face: trajectories over the web socket /map.
 *
 * Owns: sockets, their sizes and their end, telling all sessions of what was written. Not here: what is said (session.ts).
 */

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { PeerId } from '@/lib/mas/ids'
import { findCheckpoint } from '@/lib/mas/selectors/checkpoints'
import type { Face, FaceBench } from '../face'
import { addressOf, sendJson } from '../http'
import { openSession, type Session } from './session'
import { openTrajectory } from './trajectory'

const PATH = '/map'
/** Of one text on the socket; metadata of a checkpoint is the largest thing that is ever said. */
export const MAX_TEXT_BYTES = 512 * 1024
/** More than this waiting to leave: the other side reads no more. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024
const MOST_SOCKETS = 200
/** Calls of one socket that wait for their answer. */
const MOST_WAITING_CALLS = 100
const PING_MS = 30_000

export type MapFaceOptions = { isEnabled?: () => boolean; version?: string }

export function openMapFace(bench: FaceBench, { isEnabled = () => true, version = '1' }: MapFaceOptions = {}): Face {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_TEXT_BYTES, clientTracking: true })
  const sessions = new Set<Session>()
  const trajectory = openTrajectory(bench, isEnabled)
  const stopListening = bench.engine.onDecision((entries, world) => {
    for (const { event } of entries) {
      if (event.type !== 'checkpoint.reported') continue
      const record = findCheckpoint(world, event.checkpoint)
      if (record !== null) for (const session of sessions) void session.tell(record)
    }
  })

  function open(socket: WebSocket, peer: PeerId | null): void {
    let isAlive = true
    let waiting = 0
    const session = openSession({
      bench,
      trajectory,
      isEnabled,
      peer,
      systemInfo: { name: bench.ourselves().name, version },
      agentsOf: (of) => [...sessions].flatMap((one) => (one.peer() === of ? one.agents() : [])),
      wire: {
        send: (text) =>
          new Promise((resolve, reject) => {
            if (socket.bufferedAmount > MAX_WAITING_BYTES) socket.terminate()
            socket.send(text, (error) => (error ? reject(error) : resolve()))
          }),
        close: () => socket.close(1000),
      },
    })
    sessions.add(session)
    let stopPings = bench.schedule(ping, PING_MS)
    function ping(): void {
      if (isAlive) {
        isAlive = false
        socket.ping()
        stopPings = bench.schedule(ping, PING_MS)
      } else socket.terminate()
    }
    socket.on('pong', () => {
      isAlive = true
    })
    socket.on('message', (data, isBinary) => {
      isAlive = true
      if (isBinary) return socket.close(1003, 'text only')
      waiting += 1
      // Whoever asks faster than it can be answered is cut off.
      if (waiting > MOST_WAITING_CALLS) return socket.close(1008, 'too many calls at once')
      void session.take(data.toString()).finally(() => {
        waiting -= 1
      })
    })
    // A frame that is too large or broken ends the socket with its own code; there is nothing more to say.
    socket.on('error', (error) => bench.log.info({ err: error }, 'a MAP socket ended'))
    socket.on('close', () => {
      stopPings()
      sessions.delete(session)
    })
  }

  return {
    protocol: 'map',
    paths: [PATH],
    async answer(_, response) {
      sendJson(
        response,
        426,
        { error: 'upgrade_required', message: 'MAP is spoken over a web socket.', status_code: 426 },
        { Upgrade: 'websocket' },
      )
    },
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      const { authorization } = request.headers
      const peer = bench.keys.holder(authorization)
      // A key that is shown and is nobody's is refused at the door; none at all may still come with map/connect.
      if (authorization !== undefined && peer === null) {
        bench.exchange.countRefused('map', 'unauthenticated')
        const seconds = bench.exchange.tooManyRefused(addressOf(request))
        return end(socket, seconds > 0 ? '429 Too Many Requests' : '401 Unauthorized')
      }
      if (sessions.size >= MOST_SOCKETS) return end(socket, '503 Service Unavailable')
      server.handleUpgrade(request, socket, head, (webSocket) => open(webSocket, peer))
    },
    async close() {
      stopListening()
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}

const end = (socket: Duplex, status: string): void => {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
