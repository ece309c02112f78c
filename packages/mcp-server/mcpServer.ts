/** The team as an MCP server: one per request, so that any node answers any of them. */
import {
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  createRequestStateCodec,
  type RequestStateCodec,
  McpServer as SdkServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import type { McpCaller, McpServer, McpServerParts } from '@/server/mcpServer'
import { getTask, type HeldState, heldState, MOST_WAIT_S } from './getTask'
import { addMcpResources } from './resources'
import { addMcpTools, refusal } from './tools'

/** A person may answer a question that was put to them a day ago. */
const STATE_S = 24 * 60 * 60
const INSTRUCTIONS =
  'A team of agents and people. ask_for_work starts work and answers with a task; call get_task with wait_s until its state is finished. What the person of this token is asked is in its questions.'

export function openMcpServer(parts: McpServerParts): McpServer {
  let codec: Promise<RequestStateCodec<HeldState>> | null = null
  /** A key that could not be read is read again. */
  async function codecOf(): Promise<RequestStateCodec<HeldState>> {
    codec ??= parts.stateKey().then((key) =>
      createRequestStateCodec<HeldState>({
        key,
        ttlSeconds: STATE_S,
        bind: (context) => context.http?.authInfo?.clientId ?? '',
      }),
    )
    try {
      return await codec
    } catch (error) {
      codec = null
      throw error
    }
  }

  return {
    async answer(request, caller) {
      const states = await codecOf()
      const handler = createMcpHandler(() => serverFor(parts, caller, states), {
        onerror: (error) => parts.log.warn({ err: error, session: caller.id }, 'An MCP request was refused'),
      })
      return handler.fetch(request, { authInfo: { token: '', clientId: caller.id, scopes: [] } })
    },
  }
}

function serverFor(parts: McpServerParts, caller: McpCaller, states: RequestStateCodec<HeldState>): SdkServer {
  const about = { name: 'convene', title: parts.name(), version: parts.version, websiteUrl: parts.address() }
  const server = new SdkServer(about, { instructions: INSTRUCTIONS, requestState: { verify: states.verify } })
  addMcpTools(server, caller, parts)
  addMcpResources(server, caller)
  server.registerTool(
    'get_task',
    {
      title: 'Get a task',
      description:
        'What became of work: its state, messages, open questions to the person of this token, and at its end the result with its files. Waits until something is open or it has ended. A question is put to the client once, where it takes questions.',
      inputSchema: z.object({
        task: z.string().min(1).max(200).describe('as ask_for_work answered, or the id of a task'),
        wait_s: z.number().min(0).max(MOST_WAIT_S).default(0),
      }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ task, wait_s: waitS }, context) => {
      const { signal, inputResponses: responses } = context.mcpReq
      const held = heldState.safeParse(context.mcpReq.requestState()).data ?? null
      const rounds = takesQuestions(context)
        ? { held, responses, sign: (state: HeldState) => states.mint(state, context) }
        : null
      try {
        return await getTask({ caller, parts, task, waitS, rounds, signal })
      } catch (error) {
        return refusal(error)
      }
    },
  )
  return server
}

const declared = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({
    elicitation: z.looseObject({ form: z.unknown().optional(), url: z.unknown().optional() }),
  }),
})

/** Does the client show forms? Clients of the older revision have no way to get one without a session. */
function takesQuestions({ mcpReq: { envelope } }: ServerContext): boolean {
  const elicitation = declared.safeParse(envelope).data?.[CLIENT_CAPABILITIES_META_KEY].elicitation
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined)
}
