/** The built-in server `agents`: messages between our team and agents of other systems. Runs in this process. */
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
import { MOST_SENT_FILES } from '@/lib/mas/fileTypes'
import { AGENTS_SERVER } from '@/lib/mas/outsideRecords'
import type { AskedAction } from '@/lib/mas/records'
import type { ToolCaller, ToolServerConfig } from '../types'

/** Metadata key of the caller; sent only to servers in this process. */
export const CALLER_KEY = 'convene/caller'

export type OutsideAnswer =
  | { ok: true; conversation_id: string; message_id: string; status: 'delivered' | 'queued' }
  | { ok: false; why: string }

type MilestoneAnswer = { ok: true; checkpoint_id: string } | { ok: false; why: string }

export type PeerAgents = {
  /**
   * in  message: a text, or MAMP parts; action: a named action instead. conversation null: that of the caller's task, or a new one.
   *     files: paths of the workspace
   */
  send(
    caller: ToolCaller,
    wish: { target: string; message: unknown; conversation: string | null; files?: string[]; action?: AskedAction },
    signal: AbortSignal,
  ): Promise<OutsideAnswer>
  /** Set a checkpoint within the caller's work. */
  report(caller: ToolCaller, wish: { label: string; metadata: Record<string, unknown> }): Promise<MilestoneAnswer>
  /** Agents that can be written to. */
  known(): { uri: string; name: string }[]
}

const PARTS = {
  type: 'array',
  minItems: 1,
  items: { type: 'object', properties: { type: { enum: ['text', 'image', 'code', 'file'] } }, required: ['type'] },
}

const FILES = {
  type: 'array',
  maxItems: MOST_SENT_FILES,
  items: { type: 'string', minLength: 1 },
  description: 'Paths of files of the workspace to send along: the other system cannot read them there',
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
        files: FILES,
        conversation_id: { type: 'string', description: 'The conversation to go on with; left out: a new one' },
      },
      required: ['target_agent', 'message'],
    },
    // The step's id makes repeats idempotent.
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  },
  {
    name: 'ask_for_action',
    title: 'Ask an agent of another system for an action',
    description:
      'Asks an agent of another system for an action by its name, with parameters, such as get_status. Only systems that speak the A2A envelope take actions. The result comes later, as a message.',
    inputSchema: {
      type: 'object',
      properties: {
        target_agent: { type: 'string', description: 'Whom to ask: agent://domain/agent-id' },
        action: { type: 'string', minLength: 1, maxLength: 512, description: 'The name of the action' },
        parameters: { type: 'object', description: 'As that action wants them; left out: none' },
        conversation_id: { type: 'string', description: 'The conversation to go on with; left out: a new one' },
      },
      required: ['target_agent', 'action'],
    },
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  },
  {
    name: 'report_milestone',
    title: 'Report a milestone',
    description:
      'Records that something worth knowing was reached in your own work. Other systems that may read your checkpoints see it, with the tokens, cost and files so far.',
    inputSchema: {
      type: 'object',
      properties: {
        label: { type: 'string', minLength: 1, maxLength: 200, description: 'What was reached, in one line' },
        metadata: { type: 'object', description: 'Anything that belongs to it: branch, figures, links' },
      },
      required: ['label'],
    },
    // The step's id makes repeats idempotent.
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
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
  files: z.array(z.string()).max(MOST_SENT_FILES).optional(),
  conversation_id: z.string().min(1).nullish(),
})
const Asking = z.object({
  target_agent: z.string().min(1),
  action: z.string().min(1).max(512),
  parameters: z.record(z.string(), z.json()).default({}),
  conversation_id: z.string().min(1).nullish(),
})
const Milestone = z.object({
  label: z.string().min(1).max(200),
  metadata: z.record(z.string(), z.unknown()).nullish(),
})
const Caller = z.object({ agent: z.string(), task: z.string(), stage: z.string().nullable(), step: z.string() })

/** The server for the pool: each connection is an in-memory pair of transports. */
export function agentsServer(peers: PeerAgents): ToolServerConfig {
  return {
    name: AGENTS_SERVER,
    guide:
      'Speaks with agents of other systems by their address, agent://domain/agent-id. list_agents says which there are; send_to_agent writes to one, ask_for_action asks for an action by name. The answer comes as a message. report_milestone records what was reached in your own work.',
    confirm: 'risky',
    repeat: [],
    tools: {},
    inside: () => connect(peers),
  }
}

async function connect(peers: PeerAgents): Promise<Transport> {
  const server = new Server({ name: AGENTS_SERVER, version: '1' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }): Promise<CallToolResult> => {
    if (params.name === 'list_agents') return said({ agents: peers.known() })
    const caller = Caller.safeParse(params._meta?.[CALLER_KEY])
    if (params.name === 'report_milestone') return reported(peers, caller.data, params.arguments)
    const wish = wishOf(params.name, params.arguments)
    if (wish === null) return notDone(`${params.name} cannot be called like this`)
    if (!caller.success) return notDone('nobody is known to make this call')
    const answer = await peers.send(caller.data, wish, signal)
    if (!answer.ok) return notDone(answer.why)
    const { conversation_id, message_id, status } = answer
    return said({ conversation_id, message_id, status })
  })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await server.connect(theirs)
  return ours
}

async function reported(peers: PeerAgents, caller: ToolCaller | undefined, args: unknown): Promise<CallToolResult> {
  const wish = Milestone.safeParse(args)
  if (!wish.success) return notDone('report_milestone cannot be called like this')
  if (caller === undefined) return notDone('nobody is known to make this call')
  const answer = await peers.report(caller, { label: wish.data.label, metadata: wish.data.metadata ?? {} })
  return answer.ok ? said({ checkpoint_id: answer.checkpoint_id }) : notDone(answer.why)
}

/** null: unknown tool, or invalid arguments. */
function wishOf(tool: string, args: unknown): Parameters<PeerAgents['send']>[1] | null {
  if (tool === 'ask_for_action') {
    const asking = Asking.safeParse(args)
    if (!asking.success) return null
    const { target_agent: target, action: name, parameters, conversation_id: conversation = null } = asking.data
    return { target, message: null, conversation, action: { name, parameters } }
  }
  const sending = tool === 'send_to_agent' ? Sending.safeParse(args) : null
  if (!sending?.success) return null
  const { target_agent: target, message, files, conversation_id: conversation = null } = sending.data
  return { target, message, conversation, ...(files === undefined ? {} : { files }) }
}

const said = (value: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
})
const notDone = (why: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text: why }] })
