/** Web sockets of all adapters: keys, signatures, pings, limits, closing. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { PeerId } from '@/lib/mas/ids'
import { selectPeers } from '@/lib/mas/outside/outside'
import type { Protocol } from '@/lib/mas/outside/peerProtocols'
import type { PeerRecord } from '@/lib/mas/outside/records'
import { refuseUpgrade } from '@/server/shared/http'
import type { Adapter, AdapterContext } from './adapter'
import { signatureIn } from './http'

/** Unanswered texts of one socket; beyond it the socket is closed. */
const MOST_WAITING = 100
/** The same in characters of those texts together. */
const MOST_WAITING_CHARACTERS = 64 * 1024 * 1024
/** Beyond this the other side has stopped reading. */
export const MAX_UNSENT_BYTES = 16 * 1024 * 1024
export const MOST_SOCKETS = 200
const PING_MS = 30_000
/** A socket whose peer is still unknown then is closed. */
export const KNOWN_WITHIN_MS = 10_000
/** A peer that does not confirm the close by then is disconnected. */
const CLOSE_WITHIN_MS = 1_000
const NO_BODY = Buffer.alloc(0)

/** take: handle one text and answer it. onClose: called once. peer: null while unknown. pings: left out: its own. */
type Served = {
  take: (text: string) => Promise<void>
  onClose: () => void
  peer: () => PeerId | null
  pings?: NumberedPings
}

/** A socket whose peer showed its key at the handshake. */
export type PeerSocket = {
  peer: PeerId
  /** URIs of the agents that have spoken on it. */
  agents: Set<string>
  /** Its handshake was signed. */
  isSigned: boolean
  /** The peer's present record; undefined: it may no longer use the protocol. */
  record(): PeerRecord | undefined
  isOpen(): boolean
  /** Signed if the peer signs. out: could it be sent? */
  send(text: string): boolean
  /** The same. signal: stop waiting. out: has the other side read it? false also when that is unknown */
  deliver(text: string, signal: AbortSignal): Promise<boolean>
}

/** A received text without its signature line; signature null: it had none. */
export type SignedText = { text: string; signature: string | null }

type PeerSocketRules = {
  protocol: Exclude<Protocol, 'map'>
  path: string
  /** Limit of one text. A larger one closes the socket. */
  maxBytes: number
  /** Serve a socket. take: handle one text and answer it; onClose: called once */
  hold(socket: PeerSocket): { take(said: SignedText): Promise<void>; onClose(): void }
}

/** Texts have no headers: a peer that signs puts its signature on a line before each text, and receives ours in the same form. */
const SIGNED = /^((?:t=\d{1,15},)?sha256=[0-9a-f]{64})\n/

function signedText(frame: string): SignedText {
  const signature = SIGNED.exec(frame)?.[1] ?? null
  return { signature, text: signature === null ? frame : frame.slice(signature.length + 1) }
}

/** out: accepts the sockets of one protocol, whose peers show their key at the handshake */
export function openPeerSockets(
  context: AdapterContext,
  { protocol, path, maxBytes, hold }: PeerSocketRules,
): Required<Pick<Adapter, 'upgrade' | 'close'>> {
  const { engine, keys } = context
  const server = new WebSocketServer({ noServer: true, maxPayload: maxBytes })
  const known = (peer: PeerId): PeerRecord | undefined =>
    selectPeers(engine.world()).find(({ id, may }) => id === peer && may.includes(protocol))

  function serve(socket: WebSocket, peer: PeerId, isSigned: boolean): void {
    const pings = numberedPings(socket)
    function send(text: string): boolean {
      if (socket.readyState !== socket.OPEN) return false
      if (socket.bufferedAmount > MAX_UNSENT_BYTES) {
        socket.terminate()
        return false
      }
      const signature = keys.sign(peer, text)
      socket.send(signature === null ? text : `${signature}\n${text}`)
      return true
    }
    const { take, onClose } = hold({
      peer,
      agents: new Set(),
      isSigned,
      record: () => known(peer),
      isOpen: () => socket.readyState === socket.OPEN,
      send,
      deliver: async (text, signal) => send(text) && pings.answered(signal),
    })
    serveSocket(context, socket, { take: (frame) => take(signedText(frame)), onClose, peer: () => peer, pings })
  }

  return {
    upgrade(request, socket, head) {
      const peer = keys.holder(request.headers.authorization)
      if (peer === null) void refuseUnknownKey(context, protocol, request, socket)
      else if (known(peer) === undefined) refuseUpgrade(socket, '403 Forbidden')
      else if ((request.url ?? '').split('?')[0] !== path) refuseUpgrade(socket, '404 Not Found')
      else if (server.clients.size >= MOST_SOCKETS) refuseUpgrade(socket, '503 Service Unavailable')
      else {
        const isSigned = keys.signatureProblem(peer, NO_BODY, signatureIn(request, protocol)) === null
        server.handleUpgrade(request, socket, head, (webSocket) => serve(webSocket, peer, isSigned))
      }
    },
    /** Texts received before are still answered. */
    async close() {
      const clients = [...server.clients]
      const closed = clients.map((client) => new Promise<void>((resolve) => client.once('close', () => resolve())))
      for (const client of clients) client.close(1001, 'stopping')
      await new Promise<void>((resolve) => {
        const stop = context.schedule(resolve, CLOSE_WITHIN_MS)
        void Promise.all(closed).then(() => {
          stop()
          resolve()
        })
      })
      for (const client of clients) client.terminate()
      server.close()
    },
  }
}

/** Refuse a socket with an unknown key. */
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

interface NumberedPings {
  send(): void
  /** Send a ping. out: was it or a later one answered? false when the socket ends or `signal` aborts before */
  answered(signal: AbortSignal): Promise<boolean>
}

/** Texts are read in order, so a pong confirms all before its ping; a peer may answer only the newest ping (RFC 6455 5.5.3). */
function numberedPings(socket: WebSocket): NumberedPings {
  let sent = 0
  function send(): void {
    sent += 1
    socket.ping(String(sent))
  }
  return {
    send,
    answered(signal) {
      send()
      const own = sent
      return new Promise((resolve) => {
        const end = (isAnswered: boolean): void => {
          socket.off('pong', take).off('close', fail)
          signal.removeEventListener('abort', fail)
          resolve(isAnswered)
        }
        const take = (data: Buffer): void => {
          if (Number(data.toString()) >= own) end(true)
        }
        const fail = (): void => end(false)
        socket.on('pong', take).on('close', fail)
        signal.addEventListener('abort', fail)
        if (signal.aborted) fail()
      })
    },
  }
}

/** Serve a socket until it ends. */
export function serveSocket(
  { engine, schedule, log }: Pick<AdapterContext, 'engine' | 'schedule' | 'log'>,
  socket: WebSocket,
  { take, onClose, peer, pings = numberedPings(socket) }: Served,
): void {
  let isAlive = true
  let waiting = 0
  let characters = 0
  let stopPings = schedule(ping, PING_MS)
  const stopDeadline = schedule(() => {
    if (peer() === null) socket.terminate()
  }, KNOWN_WITHIN_MS)

  function ping(): void {
    if (isAlive) {
      isAlive = false
      pings.send()
      stopPings = schedule(ping, PING_MS)
    } else socket.terminate()
  }

  // Its key or rights have changed: a peer that is still allowed connects again.
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
    if (isBinary) return socket.close(1003, 'text only')
    const text = data.toString()
    if (waiting >= MOST_WAITING || characters + text.length > MOST_WAITING_CHARACTERS) {
      return socket.close(1008, 'too many at once')
    }
    waiting += 1
    characters += text.length
    engine
      .caughtUp()
      .then(() => take(text))
      .catch((error: unknown) => log.error({ err: error }, 'unexpected error in a socket message of another system'))
      .finally(() => {
        waiting -= 1
        characters -= text.length
      })
  })
  // The library closes the socket with the right code after a frame that is too large or malformed.
  socket.on('error', (error) => log.info({ err: error }, 'a socket of another system ended'))
  socket.on('close', () => {
    stopPings()
    stopDeadline()
    stopListening()
    onClose()
  })
}
