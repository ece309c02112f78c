/** The MAP adapter: trajectories over the web socket /map. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { PeerId } from '@/lib/mas/ids'
import { findCheckpoint } from '@/lib/mas/outside/outside'
import { showedWhoItIs } from '@/server/net'
import { refuseUpgrade } from '@/server/shared/http'
import { VERSION } from '@/server/shared/version'
import type { Adapter, AdapterContext } from '../adapter'
import { sendJson } from '../http'
import { MAX_UNSENT_BYTES, MOST_SOCKETS, refuseUnknownKey, serveSocket } from '../socket'
import { CONTENT_PATH, openContent } from './serveContent'
import { type MapSession, openMapSession } from './session'
import { openTrajectory } from './trajectory'

const PATH = '/map'
/** Limit of a frame on the socket: beyond it the socket is closed; beyond MAX_TEXT_BYTES a text is refused with an answer. */
const MAX_FRAME_BYTES = 4 * 1024 * 1024
/** Limit of what a socket may send before it shows a key. */
const MAX_UNKNOWN_BYTES = 512 * 1024

/** in: isEnabled: does the configuration offer trajectories? */
export function openMapAdapter(context: AdapterContext, isEnabled: () => boolean): Adapter {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES, clientTracking: true })
  const sessions = new Set<MapSession>()
  const trajectory = openTrajectory(context, isEnabled)
  const content = openContent(context, isEnabled)
  const stopListening = context.engine.onDecision((entries, world) => {
    for (const { event } of entries) {
      if (event.type !== 'checkpoint.reported') continue
      const record = findCheckpoint(world, event.checkpoint)
      if (record !== null) for (const session of sessions) void session.tell(record)
    }
  })

  function open(socket: WebSocket, peer: PeerId | null, request: IncomingMessage): void {
    const session = openMapSession({
      context,
      trajectory,
      isEnabled,
      peer,
      systemInfo: { name: context.ourselves().name, version: VERSION },
      agentsOf: (of) => [...sessions].flatMap((one) => (one.peer() === of ? one.agents() : [])),
      wire: {
        send: (text) =>
          new Promise((resolve, reject) => {
            if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate()
            socket.send(text, (error) => (error ? reject(error) : resolve()))
          }),
        close: () => socket.close(1000),
      },
    })
    sessions.add(session)
    limitUnknown(request.socket, () => session.peer() !== null)
    const take = async (text: string): Promise<void> => {
      await session.take(text)
      if (session.peer() !== null) showedWhoItIs(request)
    }
    serveSocket(context, socket, { take, onClose: () => sessions.delete(session), peer: session.peer })
  }

  return {
    protocol: 'map',
    paths: [PATH, CONTENT_PATH],
    endpoints: [{ method: 'GET', path: PATH }, ...content.endpoints],
    async answer(request, response, path) {
      if (path === CONTENT_PATH) return content.answer(request, response, path)
      sendJson(
        response,
        426,
        { error: 'upgrade_required', message: 'MAP is spoken over a web socket.', status_code: 426 },
        { Upgrade: 'websocket' },
      )
    },
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
      if ((request.url ?? '').split('?')[0] !== PATH) return refuseUpgrade(socket, '404 Not Found')
      const { authorization } = request.headers
      const peer = context.keys.holder(authorization)
      // An unknown key is refused here; a missing one may follow in map/connect.
      if (authorization !== undefined && peer === null) return void refuseUnknownKey(context, 'map', request, socket)
      if (sessions.size >= MOST_SOCKETS) return refuseUpgrade(socket, '503 Service Unavailable')
      server.handleUpgrade(request, socket, head, (webSocket) => open(webSocket, peer, request))
    },
    async close() {
      stopListening()
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}

/** End a connection that sends much without a key: large texts are read from known peers only. */
function limitUnknown(socket: Duplex, isKnown: () => boolean): void {
  let bytes = 0
  const count = (piece: Buffer): void => {
    bytes += piece.length
    if (isKnown()) socket.off('data', count)
    else if (bytes > MAX_UNKNOWN_BYTES) socket.destroy()
  }
  socket.on('data', count)
}
