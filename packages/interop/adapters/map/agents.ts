/** The agents connected through one socket, as other MAP clients see them; kept as long as the socket. */
import type * as z from 'zod/mini'
import type { PeerRecord } from '@/lib/mas/outside/records'
import type { World } from '@/lib/mas/records'
import { RPC } from '../../protocols/map/jsonRpc'
import type { AgentParams, RegisterParams } from '../../protocols/map/participants'
import { refuseRpc } from './refusal'

export type MapAgent = { id: string; name: string; role: string | null; state: 'registered' | 'stopped' }

/** in: own: the agent named at the connection; null: none. */
export function openConnectedAgents(own: string | null, newId: () => string) {
  const agents = new Map<string, MapAgent>()
  let self = own
  const mustHave = (id: string | undefined): MapAgent => {
    const agent = agents.get(id ?? self ?? '')
    if (agent === undefined) throw refuseRpc(RPC.invalidParams, 'That agent is not registered on this connection.')
    return agent
  }
  return {
    register({ agentId, name, role }: z.infer<typeof RegisterParams>): MapAgent {
      const id = agentId ?? self ?? name ?? newId()
      const agent: MapAgent = { id, name: name ?? id, role: role ?? null, state: 'registered' }
      agents.set(id, agent)
      self ??= id
      return agent
    },
    update({ agentId, name, role }: z.infer<typeof RegisterParams>): MapAgent {
      const old = mustHave(agentId)
      const agent = { ...old, name: name ?? old.name, role: role ?? old.role }
      agents.set(agent.id, agent)
      return agent
    },
    unregister({ agentId }: z.infer<typeof AgentParams>): MapAgent {
      const agent = mustHave(agentId)
      agents.delete(agent.id)
      return { ...agent, state: 'stopped' }
    },
    all: (): MapAgent[] => [...agents.values()],
    /** May this connection report for that agent? A connection without a named agent names it by its first report. */
    speaksFor: (id: string): boolean => agents.has(id) || id === (self ?? id),
    /** It has reported for that agent. */
    spoke(id: string): void {
      self ??= id
    },
  }
}

export type ConnectedAgents = ReturnType<typeof openConnectedAgents>

/** Agents visible to a peer: its own connected ones, and ours that it may reach. */
export function agentsSeen(world: World, peer: PeerRecord, connected: readonly MapAgent[]): MapAgent[] {
  const ours = peer.agents.flatMap((id) => world.agents[id] ?? [])
  return [
    ...connected,
    ...ours.map(({ id, configId, name, role }) => ({ id: configId ?? id, name, role, state: 'registered' as const })),
  ]
}
