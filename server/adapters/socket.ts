/** Web sockets of faces: who is let in is each face's matter, how one lives is the same for all. */

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { PeerId } from '@/lib/mas/ids'
import { refuseUpgrade } from '../shared/http'
import type { AdapterContext } from './adapter'
import type { Exchange } from './exchange'

/** Texts of one socket whose answers are still to come: whoever asks faster than it can be answered is cut off. */
const MOST_WAITING = 100
const PING_MS = 30_000
/** A socket whose peer is not known after this time is closed. */
export const KNOWN_WITHIN_MS = 10_000

/** take: one text; it answers by itself. onClose: once, when the socket is gone. peer: whose it is now; null: nobody's yet. */
export type Served = { take: (text: string) => Promise<void>; onClose: () => void; peer: () => PeerId | null }

/** Refuse a socket that shows a key which is nobody's. */
export async function refuseUnknownKey(exchange: Exchange, request: IncomingMessage, socket: Duplex): Promise<void> {
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

  // Its key or its rights are others now: whoever still may comes again.
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
  // A frame that is too large or broken ends the socket with its own code; there is nothing more to say.
  socket.on('error', (error) => log.info({ err: error }, 'a socket of another system ended'))
  socket.on('close', () => {
    stopPings()
    stopDeadline()
    stopListening()
    onClose()
  })
}
