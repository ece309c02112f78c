/** Web sockets of adapters: pings, limits and the end of a connection are the same for all. */

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { PeerId } from '@/lib/mas/ids'
import type { Protocol } from '@/lib/mas/outsideRecords'
import { refuseUpgrade } from '../shared/http'
import type { AdapterContext } from './adapter'

/** Unanswered texts of one socket; with more the socket is closed. */
const MOST_WAITING = 100
const PING_MS = 30_000
/** A socket whose peer is not known after this time is closed. */
export const KNOWN_WITHIN_MS = 10_000

/** take: handle one text, and answer it. onClose: called once. peer: null until the peer is known. */
type Served = { take: (text: string) => Promise<void>; onClose: () => void; peer: () => PeerId | null }

/** Refuse a socket that shows an unknown key. */
export async function refuseUnknownKey(
  { exchange }: Pick<AdapterContext, 'exchange'>,
  protocol: Protocol,
  request: IncomingMessage,
  socket: Duplex,
): Promise<void> {
  exchange.countRefused(protocol, 'unauthenticated')
  const seconds = await exchange.tooManyRefused(request)
  if (seconds > 0) refuseUpgrade(socket, '429 Too Many Requests', seconds)
  else refuseUpgrade(socket, '401 Unauthorized')
}

/** Serve a socket until it ends. */
export function serveSocket(
  { engine, schedule, log }: Pick<AdapterContext, 'engine' | 'schedule' | 'log'>,
  socket: WebSocket,
  { take, onClose, peer }: Served,
): void {
  let isAlive = true
  let waiting = 0
  let stopPings = schedule(ping, PING_MS)
  const stopDeadline = schedule(() => {
    if (peer() === null) socket.terminate()
  }, KNOWN_WITHIN_MS)

  function ping(): void {
    if (isAlive) {
      isAlive = false
      socket.ping()
      stopPings = schedule(ping, PING_MS)
    } else socket.terminate()
  }

  // Its key or its rights have changed: a peer that still may connects again.
  const stopListening = engine.onDecision((entries) => {
    for (const { event } of entries) {
      const isOfPeer = event.type === 'peer.added' || event.type === 'peer.removed'
      if (isOfPeer && event.peer === peer()) socket.close(1008, 'access changed')
    }
  })

  socket.on('pong', () => {
    isAlive = true
  })
  socket.on('message', (data, isBinary) => {
    isAlive = true
    if (isBinary) socket.close(1003, 'text only')
    else if (waiting >= MOST_WAITING) socket.close(1008, 'too many at once')
    else {
      waiting += 1
      take(data.toString())
        .catch((error: unknown) => log.error({ err: error }, 'a text on a socket failed for a reason nobody foresaw'))
        .finally(() => {
          waiting -= 1
        })
    }
  })
  // The library closes the socket with the right code after a frame that is too large or broken.
  socket.on('error', (error) => log.info({ err: error }, 'a socket of another system ended'))
  socket.on('close', () => {
    stopPings()
    stopDeadline()
    stopListening()
    onClose()
  })
}
