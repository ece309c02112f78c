/** The configuration as one command, applied at each start. */
import type { CommandOf } from '@/lib/mas/commands/command'
import { type AgentId, asId, type PeerId, type TaskId } from '@/lib/mas/ids'
import { PEER_LIMITS } from '@/lib/mas/outside/peerLimits'
import { AGENTS_SERVER, type PeerConfig } from '@/lib/mas/outside/records'
import type { TeamRecord } from '@/lib/mas/records'
import { sayInLanguage } from '@/lib/mas/words'
import type { Config } from './Config'
import { uuidOf } from './identity'

/** Does the rehearsal play all agents? */
export const isRehearsal = ({ models }: Config): boolean =>
  Object.values(models).every(({ provider }) => provider === 'rehearsal')

/** May a member write to outside agents, or they to us? */
const usesAgents = ({ agents, humans, peers }: Config): boolean =>
  peers.length > 0 || [...agents, ...humans].some(({ agent }) => agent.tools.includes(AGENTS_SERVER))

/** The configured team. Agents with `start: false` are only offered to agent_manager. skillGuides: for the prompts. */
export function configCommand(config: Config, skillGuides: TeamRecord['skillGuides'] = {}): CommandOf<'applyConfig'> {
  const { language, name } = config.team
  return {
    type: 'applyConfig',
    team: {
      name,
      language,
      limits: config.limits,
      startable: config.agents.filter(({ start }) => !start).map(({ agent }) => agent),
      toolGuides: {
        ...Object.fromEntries(config.tools.map((server) => [server.name, server.guide])),
        ...(usesAgents(config) ? { [AGENTS_SERVER]: sayInLanguage(language, 'agentsGuide') } : {}),
      },
      skillGuides,
      models: Object.keys(config.models),
      model: config.team.model,
      toolsAllowed: config.toolsAllowed,
      ...(config.team.reviewPlans ? { reviewPlans: true as const } : {}),
      rehearsal: isRehearsal(config),
    },
    agents: [
      ...config.agents.filter(({ start }) => start).map(({ agent }) => agent),
      ...config.humans.map(({ agent }) => agent),
    ],
    baseTask: {
      id: asId<TaskId>(uuidOf('task', 'base')),
      name: sayInLanguage(language, 'baseTask'),
      intention: sayInLanguage(language, 'baseStage'),
    },
    models: config.setup.model,
    tools: config.setup.tool,
    peers: peersOf(config),
  }
}

/** A public team has a peer for all unnamed systems. */
function peersOf({ peers, team }: Config): PeerConfig[] {
  const named = peers.map(
    (peer): PeerConfig => ({
      id: peerId(peer.uri),
      uri: peer.uri,
      baseUrl: peer.baseUrl,
      may: peer.may,
      actions: peer.actions,
      agents: peer.agents.map((id) => asId<AgentId>(uuidOf('agent', id))),
      allowPrivate: peer.allowPrivate,
      ...(peer.limits === null ? {} : { limits: peer.limits }),
    }),
  )
  if (!team.public) return named
  return [
    ...named,
    {
      id: peerId(EVERYBODY),
      uri: EVERYBODY,
      baseUrl: null,
      may: ['mamp'],
      actions: [],
      agents: [],
      allowPrivate: false,
      limits: { ...PEER_LIMITS, tasks: 1 },
    },
  ]
}

const EVERYBODY = 'agent://*'
/** The id of the peer with this URI, the same at each start. */
export const peerId = (uri: string): PeerId => asId<PeerId>(uuidOf('peer', uri))
