/**
 * The built-in server `agents`: how our agents, and people by hand, speak with agents of other systems. It runs in this
 * process.
 */
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'
import * as z from 'zod'
import type { ToolCaller, ToolServerConfig } from './types'

export const AGENTS_SERVER = 'agents'
/** Where a call says on whose behalf it is made; only servers in this process are told. */
export const CALLER_KEY = 'convene/caller'

export type OutsideAnswer =
  | { ok: true; conversation_id: string; message_id: string; status: 'delivered' | 'queued' }
  | { ok: false; why: string }

export type PeerAgents = {
  /** `message`: a text, or parts as MAMP writes them. conversation null: a new one, or the one of the caller's task. */
  send(
    caller: ToolCaller,
    wish: { target: string; message: unknown; conversation: string | null },
    signal: AbortSignal,
  ): Promise<OutsideAnswer>
  /** Whom it is possible to write to. */
  known(): { uri: string; name: string }[]
}

const PARTS = {
  type: 'array',
  minItems: 1,
  items: { type: 'object', properties: { type: { enum: ['text', 'image', 'code', 'file'] } }, required: ['type'] },
}

const TOOLS: Tool[] = [
  {
    name: 'send_to_agent',
    title: 'Send to an agent of another system',
    description:
      'Sends a message to an agent of another system. Its answer comes later, as a message. To go on in a conversation, give its conversation_id.',
    inputSchema: {
      type: 'object',
      properties: {
        target_agent: { type: 'string', description: 'Whom to write to: agent://domain/agent-id' },
        message: {
          description: 'A text, or a list of parts: text, image, code, file',
          anyOf: [
            { type: 'string', minLength: 1 },
            PARTS,
            { type: 'object', properties: { content: PARTS }, required: ['content'] },
          ],
        },
        conversation_id: { type: 'string', description: 'The conversation to go on with; left out: a new one' },
      },
      required: ['target_agent', 'message'],
    },
    // The step's own id makes a repeat without effect.
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  },
  {
    name: 'list_agents',
    title: 'Agents of other systems',
    description: 'Lists the agents of other systems, and the patterns of those, to whom a message can be sent.',
    inputSchema: { type: 'object', properties: {} },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
]

const Sending = z.object({
  target_agent: z.string().min(1),
  message: z.unknown(),
  conversation_id: z.string().min(1).nullish(),
})
const Caller = z.object({ agent: z.string(), task: z.string(), stage: z.string().nullable(), step: z.string() })

/** The server as the pool takes it: nothing is started, each connection is a pair of ends in this process. */
export function agentsServer(desk: PeerAgents): ToolServerConfig {
  return {
    name: AGENTS_SERVER,
    guide:
      'Speaks with agents of other systems by their address, agent://domain/agent-id. list_agents says which there are; send_to_agent writes to one. Its answer comes as a message.',
    confirm: 'risky',
    repeat: [],
    tools: {},
    inside: () => connect(desk),
  }
}

async function connect(desk: PeerAgents): Promise<Transport> {
  const server = new Server({ name: AGENTS_SERVER, version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }): Promise<CallToolResult> => {
    if (params.name === 'list_agents') return said({ agents: desk.known() })
    const wish = Sending.safeParse(params.arguments)
    const caller = Caller.safeParse(params._meta?.[CALLER_KEY])
    if (params.name !== 'send_to_agent' || !wish.success) return notDone(`${params.name} cannot be called like this`)
    if (!caller.success) return notDone('nobody is known to make this call')
    const { target_agent: target, message, conversation_id: conversation = null } = wish.data
    const answer = await desk.send(caller.data, { target, message, conversation }, signal)
    if (!answer.ok) return notDone(answer.why)
    const { conversation_id, message_id, status } = answer
    return said({ conversation_id, message_id, status })
  })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await server.connect(theirs)
  return ours
}

const said = (value: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
})
const notDone = (why: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text: why }] })
