/** Agent cards: who answers, at which addresses, with which key. */
import { A2A_PROTOCOL_VERSION, AgentCard } from '@a2a-js/sdk'
import type { AgentRecord } from '@/lib/mas/records'
import type { Ourselves } from '@/server/otherSystems'
import { sha256 } from '@/server/shared/sha256'
import { INPUT_MODES, OUTPUT_MODES } from './parts'

/** The path of the agent that is addressed where none is named: its JSON-JSON_RPC address; `/v1` below it is HTTP+JSON. */
export const ROOT = '/a2a'
/** The path of one of our agents. */
export const AGENT_ROOT = '/a2a/agents/{agent}'

/** in: agent: isNamed: with the addresses of that agent, else with those of the installation */
export function agentCardOf(
  { address, name, owner }: Pick<Ourselves, 'address' | 'name' | 'owner'>,
  agent: AgentRecord,
  isNamed: boolean,
): AgentCard {
  const path = isNamed ? AGENT_ROOT.replace('{agent}', encodeURIComponent(agent.configId ?? agent.id)) : ROOT
  const at = { tenant: '', protocolVersion: A2A_PROTOCOL_VERSION }
  return {
    name: agent.name,
    description: agent.profile === '' ? agent.name : agent.profile,
    supportedInterfaces: [
      { ...at, url: `${address}${path}`, protocolBinding: 'JSONRPC' },
      { ...at, url: `${address}${path}/v1`, protocolBinding: 'HTTP+JSON' },
    ],
    provider: { organization: owner.organization ?? name, url: address },
    version: '1.0.0',
    capabilities: { streaming: true, pushNotifications: true, extendedAgentCard: false, extensions: [] },
    securitySchemes: {
      key: {
        scheme: {
          $case: 'httpAuthSecurityScheme',
          value: { scheme: 'Bearer', description: 'The key of a peer of this team.', bearerFormat: '' },
        },
      },
    },
    securityRequirements: [{ schemes: { key: { list: [] } } }],
    defaultInputModes: [...INPUT_MODES],
    defaultOutputModes: [...OUTPUT_MODES],
    skills: [
      {
        id: 'work',
        name: agent.role === '' ? agent.name : agent.role,
        description: agent.profile === '' ? agent.name : agent.profile,
        tags: agent.tools.length > 0 ? [...agent.tools] : ['work'],
        examples: [],
        inputModes: [],
        outputModes: [],
        securityRequirements: [],
      },
    ],
    signatures: [],
  }
}

/** A card as sent, with what lets a client keep it. */
export function servedCard(card: AgentCard): { body: unknown; headers: Record<string, string> } {
  const body = AgentCard.toJSON(card)
  const etag = `"${sha256(Buffer.from(JSON.stringify(body)))}"`
  return { body, headers: { 'Cache-Control': 'public, max-age=300', ETag: etag } }
}
