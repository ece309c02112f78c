/** The protocols by which other systems reach this team, with what the configuration says of it and of them. */
import { randomUUID } from 'node:crypto'
import { type Config, peerId } from './config'
import type { Sessions } from './gateway'
import { saveDropped, savedAside } from './gateway/files/workspace'
import { visitorOf } from './gateway/sessions/visitors'
import type { Abilities } from './openAbilities'
import type { Base } from './openBase'
import type { Core } from './openCore'
import { type AdapterParts, ensureProtocols, noOtherSystems, OTHER_SYSTEMS, type OtherSystems } from './otherSystems'
import { isHere } from './shared/packages'
import { schedule } from './timers'

/** in: sessions: of the gateway, once it is open */
export function openPeers(
  { config, clients, limits, store, address, log, nodes }: Base,
  { engine, past }: Core,
  { files, outgoing }: Pick<Abilities, 'files' | 'outgoing'>,
  sessions: () => Sessions,
): OtherSystems {
  ensureProtocols(engine.world())
  const domain = (): string => config.team.domain ?? new URL(address.url).host
  if (!isHere('interop')) return noOtherSystems(domain)
  const parts: AdapterParts = {
    clients,
    limits,
    engine,
    ...(nodes ? { nodes } : {}),
    bodies: store.bodies,
    rows: store.people,
    envelopes: store.envelopes,
    past,
    saveFiles: (received) => {
      const day = new Date(store.now()).toISOString().slice(0, 10)
      return savedAside({ files }, () => saveDropped(config.workspaceFolder, day, received))
    },
    outgoing,
    visitorOf: (request) => visitorOf(sessions(), config.publicUrl, request),
    ourselves: () => ({
      domain: domain(),
      address: address.url.replace(/\/$/, ''),
      name: config.team.name,
      owner: config.team.owner,
      device: config.team.device,
      allowedAgents: config.team.allowedAgents,
      public: config.team.public,
      requireAuth: config.team.requireAuth,
      trajectory: config.team.trajectory,
      actions: config.actions,
    }),
    secrets: config.peers.map((peer) => ({
      id: peerId(peer.uri),
      key: secretOf(config, peer.keyEnv),
      sendKey: secretOf(config, peer.sendKeyEnv),
      signingKey: secretOf(config, peer.signingKeyEnv),
    })),
    secret: (name) => secretOf(config, name),
    now: store.now,
    outside: store.clock.outside,
    newId: randomUUID,
    schedule,
    log,
  }
  return OTHER_SYSTEMS.get('This team')(parts)
}

const secretOf = (config: Config, name: string | null): string | null =>
  name === null ? null : (config.secret(name) ?? null)
