/** Results of tool servers with one place changed, each read as the runtime reads one. */
import assert from 'node:assert/strict'
import { Client, type Transport } from '@modelcontextprotocol/client'
import fc from 'fast-check'
import type { Json } from '@/lib/mas/records'
import { readToolResult } from '@/server/skills/prompt/toolResult'
import { RunningCalls } from '@/server/tools/calls/openCalls'
import type { Prepared } from '@/server/tools/calls/prepareCall'
import { runCall } from '@/server/tools/calls/runCall'
import { openOffer, toolInfo } from '@/server/tools/servers/describeServer'
import type { ServerConnection } from '@/server/tools/servers/serverLink'
import { answerServer, capabilitiesFor } from '@/server/tools/servers/serverRequests'
import { brokenAnswer, readMessages } from '@/server/tools/transports/messages'
import type { ToolOutcome, ToolServerConfig } from '@/server/tools/types'
import { mangled } from './mangled'
import { threadCpuMs } from './threadCpu.cjs'
import { memoryLog } from './toolPools'

const CODES = ['TOOL_TRANSPORT', 'TOOL_TIME_LIMIT', 'TOOL_ARGUMENTS', 'TOOL_ABORTED', 'TOOL_TOO_LARGE']

const RESULTS: Json[] = [
  { content: [{ type: 'text', text: 'a text', annotations: { audience: ['user'], priority: 0.5 } }] },
  { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }], isError: true },
  { content: [{ type: 'resource', resource: { uri: 'notes://1', text: 'a note' } }], structuredContent: { total: 7 } },
  { content: [{ type: 'resource_link', uri: 'notes://3', name: 'third', size: 12 }], _meta: {} },
  { contents: [{ uri: 'notes://1', blob: 'AAAA', mimeType: 'audio/wav' }] },
  { messages: [{ role: 'user', content: { type: 'text', text: 'x' } }], description: 'a prompt' },
  { tools: [{ name: 'a', inputSchema: { type: 'object', properties: { b: { type: ['string', 'null'] } } } }] },
  { resources: [{ uri: 'notes://1', name: 'first' }], nextCursor: '2' },
  { prompts: [{ name: 'p', arguments: [{ name: 'x', required: true }] }] },
]

const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>(null, true, -1, 1e308, '', 'text', '__proto__', '\u0000\ud800', [], {}, [[[[]]]], {
    type: 7,
  }),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
)

export const mangling = fc.record({
  result: fc.nat(RESULTS.length - 1),
  path: fc.array(fc.nat(9), { maxLength: 6 }),
  how: fc.nat(8),
  by: odd,
  envelope: fc.nat(9),
  kind: fc.nat(2),
})
type Mangling = { result: number; path: number[]; how: number; by: Json; envelope: number; kind: number }

/** The lines that a server writes in answer to the request with this id. */
function linesFor(id: number, { result, path, how, by, envelope }: Mangling): string[] {
  const inner = mangled(RESULTS[result] ?? null, path, how, by)
  const head = { jsonrpc: '2.0', id }
  const line = JSON.stringify({ ...head, result: inner })
  switch (envelope) {
    case 0:
      return [JSON.stringify({ ...head, error: inner })]
    case 1:
      return [JSON.stringify({ ...head, error: { code: by, message: by, data: inner } })]
    case 2:
      return [JSON.stringify({ id, result: inner })]
    case 3:
      return [line.slice(0, Math.floor(line.length / 2)), line]
    case 4:
      return [line, line, JSON.stringify({ jsonrpc: '2.0', id: by, result: inner })]
    case 5:
      return [
        JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: inner }),
        JSON.stringify({
          jsonrpc: '2.0',
          method: 'notifications/progress',
          params: { progressToken: id, progress: by, message: by },
        }),
        line,
      ]
    case 6:
      return [JSON.stringify({ jsonrpc: '2.0', id: 'ask', method: 'elicitation/create', params: inner }), line]
    case 7:
      return [JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'sampling/createMessage', params: inner }), line]
    default:
      return [line]
  }
}

const CONFIG: ToolServerConfig = {
  name: 'fuzz',
  command: 'node',
  args: [],
  guide: 'use fuzz',
  confirm: 'risky',
  repeat: [],
  tools: {},
}

/** A connection whose server answers `initialize` and writes the given lines to everything else. */
export async function connectMangled() {
  let next: Mangling | null = null
  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    async send(message) {
      if (!('method' in message) || !('id' in message) || typeof message.id !== 'number') return
      const { id, method } = message
      const lines =
        method === 'initialize' || next === null
          ? [JSON.stringify({ jsonrpc: '2.0', id, result: welcome })]
          : // A line that is no answer leaves the call waiting, as it should; the last one ends it.
            [...linesFor(id, next), JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } })]
      for (const line of lines) {
        for (const read of readMessages(line)) {
          if (read.kind === 'message') transport.onmessage?.(read.message)
          else if (read.kind === 'broken') transport.onmessage?.(brokenAnswer(read.id, read.why))
        }
      }
    },
  }
  const calls = new RunningCalls()
  const client = new Client({ name: 'test', version: '1' }, { capabilities: capabilitiesFor(CONFIG) })
  answerServer(client, CONFIG, calls, memoryLog().log)
  await client.connect(transport)
  const describe = () =>
    openOffer(client, CONFIG, { log: memoryLog().log, timeLimitMs: 5_000, faultInWords: String }).describe()
  const connection: ServerConnection = { client, child: null, isInside: false, calls, describe }
  return {
    connection,
    answerWith(mangling: Mangling) {
      next = mangling
    },
  }
}

const welcome = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {}, resources: {}, prompts: {} },
  serverInfo: { name: 'fuzz', version: '1' },
}

const PREPARED: Prepared[] = [
  { kind: 'tool', info: toolInfo({ name: 'paint', inputSchema: { type: 'object' } }, CONFIG), arguments: {} },
  { kind: 'resource', uri: 'notes://1' },
  { kind: 'prompt', name: 'p', arguments: {} },
]

/** Everything that reads a result later. */
function readEverywhere(outcome: ToolOutcome): void {
  if (!outcome.ok) {
    assert(CODES.includes(outcome.code), outcome.code)
    assert.notEqual(outcome.message, '')
    return
  }
  assert.equal(typeof readToolResult(JSON.stringify({ mcp_server_result: outcome.result })), 'string')
}

const ASKS = {
  question: async () => ({ action: 'accept' as const, content: {} }),
  sample: async () => ({ ok: true as const, text: 'yes', model: 'none', stop: 'endTurn' as const }),
}

/**
 * Call a server that answers with mangled results.
 *
 * in      seed: of the results; left out: another one each time
 * out     the longest that a call took, in ms of this thread's CPU time: the loop stands no longer than that
 * faults  throws with the seed and the smallest result that was not read as a result or as a fault in words, or left a rejection
 */
export async function callMangled(count: number, seed?: number): Promise<{ longestMs: number }> {
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', note)
  const { connection, answerWith } = await connectMangled()
  const shared = { server: 'fuzz', timeLimitMs: 5_000, longestMs: undefined, signal: undefined, asks: ASKS }
  let longestMs = 0
  try {
    await fc.assert(
      fc.asyncProperty(mangling, async (mangling) => {
        const from = threadCpuMs()
        answerWith(mangling)
        const prepared = PREPARED[mangling.kind]
        if (!prepared) throw new Error('no such call')
        const { outcome } = await runCall(connection, prepared, { ...shared, show: (text) => text })
        readEverywhere(outcome)
        longestMs = Math.max(longestMs, threadCpuMs() - from)
        assert.deepEqual(unhandled, [])
      }),
      { numRuns: count, ...(seed === undefined ? {} : { seed }) },
    )
  } finally {
    process.off('unhandledRejection', note)
  }
  return { longestMs }
}
