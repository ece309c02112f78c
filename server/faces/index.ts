/**
 * How other systems reach us: the faces, one per protocol, behind one door. See README.md for how to add one.
 *
 * Owns: which face answers which path, sending what is due, stopping. Not here: any protocol (the folders).
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { CheckpointRecord } from '@/lib/mas/checkpointRecords'
import { showedWhoItIs } from '../net'
import { requestIdOf } from '../shared/requestId'
import type { AgentsDesk } from '../tools'
import { openA2aFace } from './a2a'
import { openExchange } from './exchange'
import type { Face, FaceBench, FaceParts } from './face'
import { openHarmonyFace } from './harmony'
import { openKeys } from './keys'
import { openMampFace } from './mamp'
import { openAgentsDesk } from './mamp/sendToAgent'
import { openMapFace } from './map'
import { type Artifacts, artifactsOf } from './map/checkpoints'
import { openOutbox } from './outbox'
import { openStreams } from './streams'

export interface Faces {
  owns(path: string): boolean
  answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>
  /** out: whether one of the faces took it */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, path: string): boolean
  /** Send what a stop had left, and what comes from now on. */
  start(): void
  /** What the built-in server `agents` does. */
  agents: AgentsDesk
  /** Refused before anybody knew whose it was, since the start. */
  refused: FaceBench['exchange']['refused']
  /** Is the variable set that an operator named for a peer? */
  isSet(variable: string): boolean
  /** What can be read of a checkpoint, by name. */
  artifacts(checkpoint: CheckpointRecord): Artifacts
  stop(): Promise<void>
}

export function openFaces(parts: FaceParts): Faces {
  const bench: FaceBench = {
    ...parts,
    keys: openKeys(parts.secrets, parts.now, {
      all: () => Object.values(parts.engine.world().peers),
      secret: (name) => parts.secret?.(name) ?? null,
    }),
    exchange: openExchange(parts),
    streams: openStreams(),
  }
  const faces: Face[] = [
    openMampFace(bench),
    openA2aFace(bench),
    openHarmonyFace(bench),
    openMapFace(bench, { isEnabled: () => parts.ourselves().trajectory }),
  ]
  const outbox = openOutbox(parts, (protocol) => faces.find((face) => face.protocol === protocol))
  const faceAt = (path: string): Face | undefined =>
    faces.find((face) => face.paths.some((own) => path === own || (own.endsWith('/') && path.startsWith(own))))
  const isPeer = ({ headers }: IncomingMessage): boolean => bench.keys.holder(headers.authorization) !== null

  return {
    owns: (path) => faceAt(path) !== undefined,
    async answer(request, response, path) {
      try {
        if (isPeer(request)) showedWhoItIs(request)
        await faceAt(path)?.answer(request, response, path)
      } catch (error) {
        parts.log.error(
          { err: error, path, request: requestIdOf(request) },
          'a face failed for a reason nobody foresaw',
        )
        if (!response.headersSent) response.writeHead(500)
        response.end()
      }
    },
    upgrade(request, socket, head, path) {
      const face = faceAt(path)
      if (isPeer(request)) showedWhoItIs(request)
      face?.upgrade?.(request, socket, head)
      return face?.upgrade !== undefined
    },
    start: outbox.look,
    agents: openAgentsDesk(parts),
    refused: bench.exchange.refused,
    isSet: (variable) => (parts.secret?.(variable) ?? null) !== null,
    artifacts: (checkpoint) => artifactsOf(parts, checkpoint),
    async stop() {
      await outbox.stop()
      await Promise.all(faces.map((face) => face.close?.()))
    },
  }
}

export type { Face, FaceParts, Ourselves, PeerSecrets } from './face'
