/** The adapters by which other systems reach us, one per protocol. README.md says how to add one. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { CheckpointRecord } from '@/lib/mas/outside/checkpointRecords'
import type { Protocol } from '@/lib/mas/outside/peerProtocols'
import { showedWhoItIs } from '@/server/net'
import type { AdapterParts, OtherSystems } from '@/server/otherSystems'
import { requestIdOf } from '@/server/shared/requestId'
import { openA2aAdapter } from './a2a'
import type { Adapter, AdapterContext } from './adapter'
import { openEnvelopeAdapter } from './envelope'
import { openExchange } from './exchange'
import { openHarmonyAdapter } from './harmony'
import { openMampAdapter } from './mamp'
import { openPeerAgents } from './mamp/sendToAgent'
import { openMapAdapter } from './map'
import { type Artifacts, artifactsOf } from './map/checkpoints'
import { openMilestones } from './map/milestones'
import { openDeliveryQueue } from './outbox'
import { openPeerKeys } from './peerKeys'
import { openStreams } from './streams'
import { openWays } from './ways'

/** Open all protocols. out: what the gateway and the engine use of them */
export function openAdapters(parts: AdapterParts): OtherSystems {
  const ways = openWays({ ...(parts.nodes ? { nodes: parts.nodes } : {}), node: parts.engine.node })
  const context: AdapterContext = {
    ...parts,
    ways,
    keys: openPeerKeys(parts.secrets, parts.outside, {
      all: () => Object.values(parts.engine.world().peers),
      secret: parts.secret,
    }),
    exchange: openExchange(parts),
    streams: openStreams(ways),
    reached: (fits) => outbox.reached(fits),
  }
  const adapterOf: Readonly<Record<Protocol, Adapter>> = {
    mamp: openMampAdapter(context),
    envelope: openEnvelopeAdapter(context),
    harmony: openHarmonyAdapter(context),
    map: openMapAdapter(context, () => parts.ourselves().trajectory),
    a2a: openA2aAdapter(context),
  }
  const adapters = Object.values(adapterOf)
  const outbox = openDeliveryQueue({ ...parts, ways }, (protocol) => adapterOf[protocol])
  const adapterAt = (path: string): Adapter | undefined =>
    adapters.find((adapter) => adapter.paths.some((own) => path === own || (own.endsWith('/') && path.startsWith(own))))
  const isPeer = ({ headers }: IncomingMessage): boolean => context.keys.holder(headers.authorization) !== null

  return {
    endpoints: adapters.flatMap(({ endpoints }) => endpoints),
    owns: (path: string): boolean => adapterAt(path) !== undefined,
    async answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
      try {
        if (isPeer(request)) showedWhoItIs(request)
        await adapterAt(path)?.answer(request, response, path)
      } catch (error) {
        parts.log.error(
          { err: error, path, request: requestIdOf(request) },
          'unexpected error in a request of another system',
        )
        if (!response.headersSent) response.writeHead(500)
        response.end()
      }
    },
    /** out: whether an adapter took it */
    upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, path: string): boolean {
      const adapter = adapterAt(path)
      if (isPeer(request)) showedWhoItIs(request)
      adapter?.upgrade?.(request, socket, head)
      return adapter?.upgrade !== undefined
    },
    /** Start delivering, what was left of the last run included. */
    start: outbox.look,
    /** Handlers of the built-in server `agents`. */
    agents: { ...openPeerAgents(parts), report: openMilestones(parts) },
    /** Refusals of unknown senders since the start. */
    refused: context.exchange.refused,
    /** Is a variable set that an operator named for a peer? */
    isSet: (variable: string): boolean => parts.secret(variable) !== null,
    /** The domain of our agents' URIs. */
    domain: (): string => parts.ourselves().domain,
    /** The readable artifacts of a checkpoint by name. */
    artifacts: (checkpoint: CheckpointRecord): Artifacts => artifactsOf(parts, checkpoint),
    async stop(): Promise<void> {
      await outbox.stop()
      await Promise.all(adapters.map((adapter) => adapter.close?.()))
    },
  }
}
