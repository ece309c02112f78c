/** Tells connected peers which of our agents they can reach, once for each change. */
import type { MasEvent } from '@/lib/mas/events'
import { eventEnvelope } from '../../protocols/envelope/envelope'
import { EVENT_NAMES } from '../../protocols/envelope/events'
import type { PeerConnection } from '../connections'
import { ourLines, type RegistryLine } from './callers'
import { type EnvelopeContext, stampOf } from './handle'

/** Events that may change the agents a peer reaches; without a list of agents it reaches the manager of the base task. */
const CHANGES: ReadonlySet<MasEvent['type']> = new Set([
  ...(['agent.paused', 'agent.resumed', 'agent.removed', 'agent.created', 'agent.changed'] as const),
  'task.managerChanged',
])

export function openPresence(context: EnvelopeContext) {
  const { engine } = context
  /** What each connection was sent, by URI. */
  const told = new Map<PeerConnection, ReadonlyMap<string, RegistryLine>>()

  function tell(connection: PeerConnection, lines: readonly RegistryLine[]): void {
    const before = told.get(connection) ?? new Map<string, RegistryLine>()
    const now = new Map(lines.filter(({ presence }) => presence === 'online').map((line) => [line.uri, line]))
    told.set(connection, now)
    for (const [uri, line] of before) if (!now.has(uri)) say(connection, { ...line, presence: 'offline' })
    for (const [uri, line] of now) if (!before.has(uri)) say(connection, line)
  }

  function say(connection: PeerConnection, line: RegistryLine): void {
    const event = line.presence === 'online' ? 'agent_online' : 'agent_offline'
    connection.send(JSON.stringify(eventEnvelope(stampOf(context, line.uri), EVENT_NAMES[event], { event, ...line })))
  }

  function linesFor({ peer: id }: PeerConnection): RegistryLine[] {
    const peer = engine.world().peers[id]
    return peer === undefined || peer.removed ? [] : ourLines(context, peer)
  }

  const stopListening = engine.onDecision((entries) => {
    if (!entries.some(({ event }) => CHANGES.has(event.type))) return
    for (const connection of told.keys()) tell(connection, linesFor(connection))
  })

  return {
    /** Tell a new connection the present state, then each change. out: call it when the connection has closed */
    greet(connection: PeerConnection): () => void {
      tell(connection, linesFor(connection))
      return () => told.delete(connection)
    },
    /** Tell all that no agent is present any more. */
    stop(): void {
      stopListening()
      for (const connection of told.keys()) tell(connection, [])
      told.clear()
    },
  }
}
