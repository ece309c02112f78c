/** Answers that no server should give: whatever comes, every call ends as a result or as a fault in words, and nothing is thrown past it. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '@/lib/mas/records'
import { readToolResult } from '../skills/prompt/toolResult'
import { abilitiesList } from './abilitiesList'
import { describeServer } from './describeServer'
import { brokenAnswer, readMessage } from './messages'
import { RunningCalls } from './openCalls'
import type { Prepared } from './prepareCall'
import { runCall } from './runCall'
import type { ServerConnection } from './serverLink'
import { answerServer, capabilitiesFor } from './serverRequests'
import { memoryLog, paintTool, testServer } from './testing'
import type { ToolOutcome } from './types'

const RUNS = process.env.CONVENE_ALL === '1' ? 100_000 : 2_000
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

/** One place in a value replaced, taken out or doubled; the place is picked by walking down at random. */
function mangled(value: Json, path: readonly number[], how: number, by: Json): Json {
  const [at, ...deeper] = path
  if (at === undefined || typeof value !== 'object' || value === null) return by
  if (Array.isArray(value)) {
    const index = at % Math.max(1, value.length)
    if (how % 3 === 1) return value.filter((_, place) => place !== index)
    if (how % 3 === 2) return [...value, ...value.slice(index), by]
    return value.map((one, place) => (place === index ? mangled(one, deeper, how, by) : one))
  }
  const keys = Object.keys(value)
  const key = keys[at % Math.max(1, keys.length)]
  if (key === undefined) return by
  if (how % 3 === 1) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))
  if (how % 3 === 2) return { ...value, [`${key} `]: by, ['__proto__']: by }
  return { ...value, [key]: mangled(value[key] ?? null, deeper, how, by) }
}

const mangling = fc.record({
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

/** A connection whose server answers `initialize` and writes the given lines to everything else. */
async function connect() {
  let next: Mangling | null = null
  const config = testServer('rich')
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
        const read = readMessage(line)
        if (read.kind === 'message') transport.onmessage?.(read.message)
        else if (read.kind === 'broken') transport.onmessage?.(brokenAnswer(read.id, read.why))
      }
    },
  }
  const calls = new RunningCalls()
  const client = new Client({ name: 'test', version: '1' }, { capabilities: capabilitiesFor(config) })
  answerServer(client, config, calls, memoryLog().log)
  await client.connect(transport)
  const describe = () => describeServer(client, config, { log: memoryLog().log, timeLimitMs: 5_000 })
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
  { kind: 'tool', info: paintTool({}), arguments: {} },
  { kind: 'resource', uri: 'notes://1' },
  { kind: 'prompt', name: 'p', arguments: {} },
]

/** Everything that reads a result later. */
function readEverywhere(outcome: ToolOutcome): void {
  if (!outcome.ok) {
    expect(CODES).toContain(outcome.code)
    expect(outcome.message).not.toBe('')
    return
  }
  const whole = JSON.stringify({ mcp_server_result: outcome.result })
  expect(typeof readToolResult(whole)).toBe('string')
}

test(`${RUNS} mangled answers end as a result or a fault in words, and are read everywhere`, {
  timeout: 600_000,
}, async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown): void => void unhandled.push(error)
  process.on('unhandledRejection', note)
  const { connection, answerWith } = await connect()
  const asks = {
    question: async () => ({ action: 'accept' as const, content: {} }),
    sample: async () => ({ ok: true as const, text: 'yes', model: 'none', stop: 'endTurn' as const }),
  }
  const shared = { server: 'fuzz', timeLimitMs: 5_000, longestMs: undefined, signal: undefined, asks }
  try {
    await fc.assert(
      fc.asyncProperty(mangling, async (mangling) => {
        answerWith(mangling)
        const prepared = PREPARED[mangling.kind]
        if (!prepared) throw new Error('no such call')
        const { outcome } = await runCall(connection, prepared, { ...shared, show: (text) => text })
        readEverywhere(outcome)
        expect(unhandled).toEqual([])
      }),
      { numRuns: RUNS },
    )
  } finally {
    process.off('unhandledRejection', note)
  }
})

test('mangled descriptions are refused in words, or are a description that prompts can show', {
  timeout: 600_000,
}, async () => {
  const { connection, answerWith } = await connect()
  await fc.assert(
    fc.asyncProperty(mangling, async (mangling) => {
      answerWith(mangling)
      const described = await connection.describe().catch((error: unknown) => error)
      if (described instanceof Error) expect(described.message).not.toBe('')
      else expect(typeof abilitiesList(described as Awaited<ReturnType<ServerConnection['describe']>>)).toBe('string')
    }),
    { numRuns: Math.floor(RUNS / 4) },
  )
})

test('lines that are no answer at all are noise or broken, never thrown', { timeout: 600_000 }, () => {
  const kinds = new Set<string>()
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (line) => {
      kinds.add(readMessage(line).kind)
    }),
    { numRuns: Math.floor(RUNS / 4) },
  )
  expect([...kinds]).toEqual(['noise'])
})
