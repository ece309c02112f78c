/** The tools but `get_task`. Each is a call of the HTTP API as the token's person. */
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import * as z from 'zod'
import { MESSAGE_TYPES } from '@/lib/mas/messages/records'
import { commandAnswer, requestsAnswer, workAnswer } from '@/lib/wire/http'
import type { McpCaller, McpServerParts } from '@/server/mcpServer'
import { ApiRefused, answered, ask, headNow } from './api'
import { questionOf } from './questions'

type Parts = Pick<McpServerParts, 'newId' | 'deadline' | 'address'>

const DECISIONS = ['answer', 'done', 'cannot', 'approve', 'refuse'] as const
/** Of the records of GET /api/states, what these tools show. */
const agentStates = z.record(
  z.string(),
  z.looseObject({
    ...{ agent_id: z.string(), name: z.string(), role: z.string() },
    ...{ human_config: z.unknown().optional(), outside_config: z.unknown().optional() },
  }),
)
const work = z.looseObject({ messages: z.array(z.string()).min(1) })
/** What a model reads at a time. */
const MOST_READ = 256 * 1024

export function addMcpTools(server: McpServer, caller: McpCaller, parts: Parts): void {
  addAskingTools(server, caller, parts)
  addAnsweringTools(server, caller, parts)
  addReadingTools(server, caller)
}

function addAskingTools(server: McpServer, caller: McpCaller, parts: Parts): void {
  server.registerTool(
    'ask_for_work',
    {
      title: 'Ask for work',
      description:
        'Ask the team for new work, with files if it needs them. Answers at once with the id of the task; follow it with get_task.',
      inputSchema: z.object({
        goal: z.string().min(1).describe('what is wanted, in full sentences'),
        files: z
          .array(z.object({ name: z.string().min(1).max(200), text: z.string() }))
          .max(20)
          .optional(),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    ({ goal, files = [] }) =>
      told(async () => {
        const body = { ...headNow(parts), wish: goal, pasted: '', files }
        const { reply, saved } = await ask(caller, { method: 'POST', path: '/api/work', body }, workAnswer)
        const [task] = work.parse(reply).messages
        return { task, state: 'asked', page: parts.address(), files: saved }
      }),
  )

  server.registerTool(
    'send_message',
    {
      title: 'Send a message',
      description:
        'Write to members of a task, by their ids or names, or to all of them. `action` asks for a reply, `fyi` does not, `urgent` alerts at once.',
      inputSchema: z.object({
        task: z.string().min(1).max(200),
        to: z.union([z.literal('all'), z.array(z.string().max(200)).min(1).max(100)]),
        text: z.string().min(1),
        kind: z.enum(MESSAGE_TYPES).default('action'),
      }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    },
    ({ task, to, text, kind }) =>
      told(async () => {
        const fields = { stage: null, answers: null, replyTo: null, mention: false }
        const body = { ...headNow(parts), ...fields, task, receivers: to, text, type: kind }
        const { seq, reply } = await ask(caller, { method: 'POST', path: '/api/messages', body }, commandAnswer)
        return { seq, messages: work.parse(reply).messages }
      }),
  )
}

function addAnsweringTools(server: McpServer, caller: McpCaller, parts: Parts): void {
  server.registerTool(
    'list_waiting',
    {
      title: 'List what waits for me',
      description:
        'The open requests to the person of this token, oldest first: questions, confirmations, parts of work.',
      inputSchema: z.object({ after: z.number().int().min(0).optional().describe('`next` of the page before') }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ after }) =>
      told(async () => {
        const query = new URLSearchParams({
          for: 'me',
          limit: '50',
          ...(after === undefined ? {} : { after: `${after}` }),
        })
        const { requests, next } = await ask(caller, { method: 'GET', path: `/api/requests?${query}` }, requestsAnswer)
        return { requests: await Promise.all(requests.map((row) => questionOf(caller, row))), next }
      }),
  )

  server.registerTool(
    'answer',
    {
      title: 'Answer a request',
      description:
        'Answer what list_waiting or get_task shows: `answer` to a question (one of its choices, where it has any), `done` or `cannot` for a part, `approve` or `refuse` for a confirmation, with the digest of the arguments that were shown.',
      inputSchema: z.object({
        request: z.string().min(1).max(200),
        decision: z.enum(DECISIONS).default('answer'),
        text: z.string().default(''),
        digest: z.string().max(200).nullable().default(null),
      }),
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ request, decision, text, digest }) =>
      told(async () => {
        const body = { ...headNow(parts), decision, text, digest, arguments: null }
        const path = `/api/requests/${encodeURIComponent(request)}/answer`
        const { seq } = await ask(caller, { method: 'POST', path, body }, commandAnswer)
        return { answered: request, seq }
      }),
  )
}

function addReadingTools(server: McpServer, caller: McpCaller): void {
  server.registerTool(
    'read_file',
    {
      title: 'Read a file',
      description: 'The text of a file of the workspace, by the path that get_task names.',
      inputSchema: z.object({ path: z.string().min(1).max(1000) }),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ path }) =>
      told(async () => {
        const { content } = await readFile(caller, path)
        const text = new TextDecoder().decode(content.subarray(0, MOST_READ))
        return { path, text, bytes: content.length, isWhole: content.length <= MOST_READ }
      }),
  )

  server.registerTool(
    'list_agents',
    {
      title: 'List the members',
      description: 'The agents and people of the team: ids, names, roles.',
      inputSchema: z.object({}),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    () =>
      told(async () => {
        const found = await ask(caller, { method: 'GET', path: '/api/states?type=agent' }, agentStates)
        return {
          agents: Object.values(found).map(
            ({ agent_id: id, name, role, human_config: human, outside_config: outside }) => ({
              ...{ id, name, role },
              kind: human !== undefined ? 'person' : outside !== undefined ? 'outside' : 'agent',
            }),
          ),
        }
      }),
  )
}

/** The bytes of a file of the workspace. Throws ApiRefused. */
export const readFile = (caller: McpCaller, path: string) =>
  answered(caller, { method: 'GET', path: `/api/files/content?${new URLSearchParams({ path })}` })

/** What a tool answers, as text and as data; a refusal is an error of the tool, which a model can read. */
async function told(work: () => Promise<Record<string, unknown>>): Promise<CallToolResult> {
  try {
    const about = await work()
    return { content: [{ type: 'text', text: JSON.stringify(about, null, 2) }], structuredContent: about }
  } catch (error) {
    return refusal(error)
  }
}

/** Throws what is no refusal of the API. */
export function refusal(error: unknown): CallToolResult {
  if (!(error instanceof ApiRefused)) throw error
  return { isError: true, content: [{ type: 'text', text: `${error.code}: ${error.message}` }] }
}
