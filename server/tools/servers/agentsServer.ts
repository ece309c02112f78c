/** The built-in server `agents`: messages between our team and agents of other systems. Runs in this process. */
import { type CallToolResult, InMemoryTransport, Server, type Tool, type Transport } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { asJson, fieldsIn } from '@/lib/json'
import { MOST_SENT_FILES } from '@/lib/mas/files/fileTypes'
import { AGENTS_SERVER } from '@/lib/mas/outside/records'
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

const PARTS = z.array(z.looseObject({ type: z.enum(['text', 'image', 'code', 'file']) })).min(1)
/** An object with any fields. */
const ANYTHING = z.record(z.string(), z.unknown())
const CONVERSATION = z.string().min(1).optional().describe('The conversation to go on with; left out: a new one')
/** The step's id makes repeats idempotent. */
const REPEATABLE = { readOnlyHint: false, destructiveHint: false, idempotentHint: true }

type Call = { peers: PeerAgents; caller: ToolCaller | undefined; signal: AbortSignal }

/** A tool: as it is offered, and how it is called. shape: of its arguments */
function tool<Shape extends z.ZodObject>(
  offer: Omit<Tool, 'inputSchema'>,
  shape: Shape,
  run: (args: z.infer<Shape>, call: Call) => Promise<CallToolResult>,
) {
  const { $schema: _, ...inputSchema } = z.toJSONSchema(shape, { io: 'input' })
  return {
    offer: { ...offer, inputSchema: { ...fieldsIn(asJson(inputSchema)), type: 'object' as const } },
    async call(args: unknown, call: Call): Promise<CallToolResult> {
      const read = shape.safeParse(args ?? {})
      return read.success ? run(read.data, call) : notDone(`${offer.name} cannot be called like this`)
    },
  }
}

const TOOLS = [
  tool(
    {
      name: 'send_to_agent',
      title: 'Send to an agent of another system',
      description:
        'Sends a message to an agent of another system. Its answer comes later, as a message. To go on in a conversation, give its conversation_id.',
      annotations: { ...REPEATABLE, openWorldHint: true },
    },
    z.object({
      target_agent: z.string().min(1).describe('Whom to write to: agent://domain/agent-id'),
      message: z
        .union([z.string().min(1), PARTS, z.looseObject({ content: PARTS })])
        .describe('A text, or a list of parts: text, image, code, file'),
      files: z
        .array(z.string().min(1))
        .max(MOST_SENT_FILES)
        .optional()
        .describe('Paths of files of the workspace to send along: the other system cannot read them there'),
      conversation_id: CONVERSATION,
    }),
    ({ target_agent: target, message, files, conversation_id: conversation = null }, call) =>
      send(call, { target, message, conversation, ...(files === undefined ? {} : { files }) }),
  ),
  tool(
    {
      name: 'ask_for_action',
      title: 'Ask an agent of another system for an action',
      description:
        'Asks an agent of another system for an action by its name, with parameters, such as get_status. Only systems that speak the envelope take actions. The result comes later, as a message.',
      annotations: { ...REPEATABLE, openWorldHint: true },
    },
    z.object({
      target_agent: z.string().min(1).describe('Whom to ask: agent://domain/agent-id'),
      action: z.string().min(1).max(512).describe('The name of the action'),
      parameters: ANYTHING.optional().describe('As that action wants them; left out: none'),
      conversation_id: CONVERSATION,
    }),
    ({ target_agent: target, action: name, parameters = {}, conversation_id: conversation = null }, call) =>
      send(call, {
        target,
        message: null,
        conversation,
        action: { name, parameters: { ...fieldsIn(asJson(parameters)) } },
      }),
  ),
  tool(
    {
      name: 'report_milestone',
      title: 'Report a milestone',
      description:
        'Records that something worth knowing was reached in your own work. Other systems that may read your checkpoints see it, with the tokens, cost and files so far.',
      annotations: { ...REPEATABLE, openWorldHint: false },
    },
    z.object({
      label: z.string().min(1).max(200).describe('What was reached, in one line'),
      metadata: ANYTHING.optional().describe('Anything that belongs to it: branch, figures, links'),
    }),
    async ({ label, metadata = {} }, { peers, caller }) =>
      caller === undefined ? NOBODY : resultOf(await peers.report(caller, { label, metadata })),
  ),
  tool(
    {
      name: 'list_agents',
      title: 'Agents of other systems',
      description: 'Lists the agents of other systems, and the patterns of those, to whom a message can be sent.',
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    z.object({}),
    async (_, { peers }) => said({ agents: peers.known() }),
  ),
]

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
  server.setRequestHandler('tools/list', () => ({ tools: TOOLS.map(({ offer }) => offer) }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq: { signal } }): Promise<CallToolResult> => {
    const caller = Caller.safeParse(params._meta?.[CALLER_KEY]).data
    const called = TOOLS.find(({ offer }) => offer.name === params.name)
    return called?.call(params.arguments, { peers, caller, signal }) ?? notDone(`there is no ${params.name}`)
  })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await server.connect(theirs)
  return ours
}

const send = async (
  { peers, caller, signal }: Call,
  wish: Parameters<PeerAgents['send']>[1],
): Promise<CallToolResult> => (caller === undefined ? NOBODY : resultOf(await peers.send(caller, wish, signal)))

function resultOf(answer: OutsideAnswer | MilestoneAnswer): CallToolResult {
  if (!answer.ok) return notDone(answer.why)
  const { ok: _, ...value } = answer
  return said(value)
}

const said = (value: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
})
const notDone = (why: string): CallToolResult => ({ isError: true, content: [{ type: 'text', text: why }] })
const NOBODY = notDone('nobody is known to make this call')
