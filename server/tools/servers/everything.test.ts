/** A server by other hands, over each way of reaching it: every kind of content, progress, and what it asks on the way. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faultOf, resultText, testPools, tool, toolResultOf, until } from '@/test/toolPools'
import { packageProgram } from '../../config/placeholders'
import type {
  QuestionAnswer,
  SamplingRequest,
  ServerQuestion,
  ToolCallOptions,
  ToolPool,
  ToolServerConfig,
} from '../types'

const PROGRAM = packageProgram('@modelcontextprotocol/server-everything', import.meta.url)
/** All three with CONVENE_ALL=1; else the one that tells the calls apart, as the other two have tests of their own. */
const WAYS = process.env.CONVENE_ALL === '1' ? ['stdio', 'Streamable HTTP', 'SSE'] : ['Streamable HTTP']
/** Three servers of a foreign package start at once on a machine that may be busy. */
const START_MS = 60_000

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function startRemote(
  kind: 'streamableHttp' | 'sse',
  path: string,
): Promise<{ url: string; child: ChildProcess }> {
  const port = await freePort()
  const child = spawn(process.execPath, [PROGRAM, kind], {
    env: { ...process.env, PORT: String(port) },
    stdio: 'ignore',
  })
  const url = `http://127.0.0.1:${port}${path}`
  await until(async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => null)) !== null)
  return { url, child }
}

const pools = testPools()
const children: ChildProcess[] = []
const reached: Record<string, Pick<ToolServerConfig, 'command' | 'args' | 'baseurl'>> = {}
beforeAll(async () => {
  reached.stdio = { command: 'node', args: [PROGRAM, 'stdio'] }
  const remotes = { 'Streamable HTTP': ['streamableHttp', '/mcp'], SSE: ['sse', '/sse'] } as const
  await Promise.all(
    Object.entries(remotes).map(async ([way, [kind, path]]) => {
      if (!WAYS.includes(way)) return
      const { url, child } = await startRemote(kind, path)
      children.push(child)
      reached[way] = { baseurl: url }
    }),
  )
}, START_MS)
afterAll(async () => {
  await pools.closeAll()
  for (const child of children) child.kill()
})

const shared = new Map<string, ToolPool>()
/** One connection for all tests of a way, but for those that configure it otherwise. */
function openPool(way: string, over?: Partial<ToolServerConfig>): ToolPool {
  const known = over === undefined ? shared.get(way) : undefined
  if (known) return known
  const config = { name: 'every', guide: '', confirm: 'risky' as const, repeat: [], tools: {} }
  const pool = pools.open([{ ...config, ...reached[way], ...over }])
  if (over === undefined) shared.set(way, pool)
  return pool
}

function answering(answer: QuestionAnswer) {
  const questions: ServerQuestion[] = []
  const wishes: SamplingRequest[] = []
  const asks: ToolCallOptions['asks'] = {
    async question(question) {
      questions.push(question)
      return answer
    },
    async sample(wish) {
      wishes.push(wish)
      return { ok: true, text: 'a poem', model: 'model-7', stop: 'endTurn' }
    },
  }
  return { asks, questions, wishes }
}

describe.each(WAYS)('over %s', (way) => {
  test('tools, resources and prompts are described', async () => {
    const pool = openPool(way)
    const described = await pool.describe('every')
    if (!described.ok) throw new Error(described.message)
    const { tools, resources, prompts, instructions } = described.description
    expect(instructions).toContain('Everything')
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'get-tiny-image', 'get-sum']))
    expect(resources.map(({ uri }) => uri)).toContain('demo://resource/dynamic/text/{resourceId}')
    expect(prompts.find(({ name }) => name === 'args-prompt')?.arguments[0]).toMatchObject({
      name: 'city',
      required: true,
    })
  })

  test('pictures, annotations, structure, resources and links are kept as what they are', async () => {
    const pool = openPool(way)
    const call = async (name: string, args: Record<string, unknown> = {}) =>
      toolResultOf(await pool.call('every', tool(name, args), {}))
    expect((await call('get-tiny-image')).content[1]).toMatchObject({ type: 'image', mimeType: 'image/png' })
    expect((await call('get-annotated-message', { messageType: 'error' })).content[0]).toMatchObject({
      type: 'text',
      annotations: { priority: 1, audience: ['user', 'assistant'] },
    })
    expect((await call('get-structured-content', { location: 'Chicago' })).structured).toMatchObject({
      temperature: expect.any(Number),
    })
    expect((await call('get-resource-links', { count: 2 })).content.slice(1)).toMatchObject([
      { type: 'resource_link', uri: 'demo://resource/dynamic/blob/1' },
      { type: 'resource_link', uri: 'demo://resource/dynamic/text/2' },
    ])
    const reference = await call('get-resource-reference', { resourceType: 'Blob', resourceId: 1 })
    expect(reference.content[1]).toMatchObject({ type: 'resource', blob: expect.any(String) })
  })

  test('a resource is read by its uri, a prompt is got with its arguments', async () => {
    const pool = openPool(way)
    const uri = 'demo://resource/dynamic/text/7'
    const read = await pool.call('every', { kind: 'resource', name: 'any', arguments: { uri } }, {})
    expect(toolResultOf(read).content[0]).toMatchObject({
      type: 'resource',
      uri,
      text: expect.stringContaining('Resource 7'),
    })
    const prompt = await pool.call('every', { kind: 'prompt', name: 'args-prompt', arguments: { city: 'Bern' } }, {})
    expect(resultText(prompt)).toContain('Bern')
    expect(toolResultOf(prompt).structured).toMatchObject({ roles: ['user'] })
  })

  test('progress is heard, kept with the result, and gives the call more time', async () => {
    const pool = openPool(way)
    const heard: number[] = []
    const outcome = await pool.call('every', tool('trigger-long-running-operation', { duration: 1, steps: 5 }), {
      timeLimitMs: 700,
      onProgress: ({ progress }) => heard.push(progress),
    })
    expect(resultText(outcome)).toContain('completed')
    expect(heard.slice(0, 4)).toEqual([1, 2, 3, 4])
    expect(toolResultOf(outcome).progress?.map(({ progress }) => progress)).toEqual(heard)
  })

  test('progress gives no more time than the bound in all', async () => {
    const pool = openPool(way, { longestMs: 500 })
    const outcome = await pool.call('every', tool('trigger-long-running-operation', { duration: 60, steps: 200 }), {
      timeLimitMs: 450,
    })
    expect(faultOf(outcome).code).toBe('TOOL_TIME_LIMIT')
  })

  test('a question of the server is put to the one who called, and the fields go back with their defaults', async () => {
    const { asks, questions } = answering({ action: 'accept', content: { name: 'Ana', check: true } })
    const outcome = await openPool(way).call('every', tool('trigger-elicitation-request'), { asks })
    expect(questions).toMatchObject([{ mode: 'form', schema: { type: 'object' } }])
    expect(resultText(outcome)).toContain('- Name: Ana')
    expect(resultText(outcome)).toContain('"integer": 42')
  })

  test('a page to open is shown as its address, and not opened by us', async () => {
    const { asks, questions } = answering({ action: 'decline' })
    const url = 'https://example.org/consent'
    const outcome = await openPool(way).call('every', tool('trigger-url-elicitation', { url }), { asks })
    expect(questions).toMatchObject([{ mode: 'url', url }])
    expect(resultText(outcome)).toMatch(/declined/i)
  })

  test.each([
    ['decline', /declined/i],
    ['cancel', /cancel/i],
  ] as const)('a person who says %s is heard as that', async (action, words) => {
    const { asks } = answering({ action })
    expect(resultText(await openPool(way).call('every', tool('trigger-elicitation-request'), { asks }))).toMatch(words)
  })

  test('without a person behind the call, questions are cancelled and sampling is refused at once', async () => {
    const pool = openPool(way)
    expect(resultText(await pool.call('every', tool('trigger-elicitation-request'), {}))).toMatch(/cancel/i)
    const sampled = await pool.call('every', tool('trigger-sampling-request', { prompt: 'x' }), {})
    expect(toolResultOf(sampled).isError).toBe(true)
  })

  test("sampling is put to the caller's model", async () => {
    const { asks, wishes } = answering({ action: 'cancel' })
    const call = tool('trigger-sampling-request', { prompt: 'a poem please', maxTokens: 12 })
    expect(resultText(await openPool(way).call('every', call, { asks }))).toContain('a poem')
    expect(wishes).toMatchObject([
      { messages: [{ role: 'user', text: expect.stringContaining('a poem please') }], maxTokens: 12, asksFirst: true },
    ])
  })

  test('a server that may not sample does not learn that anybody could', async () => {
    const described = await openPool(way, { sampling: 'never' }).describe('every')
    const names = described.ok ? described.description.tools.map(({ name }) => name) : []
    expect(names).toContain('trigger-elicitation-request')
    expect(names).not.toContain('trigger-sampling-request')
  })

  test('[R29] each of two calls at once hears its own question, where the transport tells them apart', async () => {
    const pool = openPool(way)
    await pool.describe('every')
    const ana = answering({ action: 'accept', content: { name: 'Ana' } })
    const ben = answering({ action: 'accept', content: { name: 'Ben' } })
    const [first, second] = await Promise.all([
      pool.call('every', tool('trigger-elicitation-request'), { asks: ana.asks, group: 'a' }),
      pool.call('every', tool('trigger-elicitation-request'), { asks: ben.asks, group: 'b' }),
    ])
    if (way === 'Streamable HTTP') {
      expect(resultText(first)).toContain('- Name: Ana')
      expect(resultText(second)).toContain('- Name: Ben')
    } else {
      // One pipe for all: rather nobody is asked than the wrong one.
      for (const outcome of [first, second]) expect(resultText(outcome)).not.toMatch(/Name: (Ana|Ben)/)
      expect([...ana.questions, ...ben.questions]).toEqual([])
    }
  })

  test('folders are told only to a server that was started on one', async () => {
    const pool = openPool(way, { root: '/srv/work' })
    expect(resultText(await pool.call('every', tool('get-roots-list'), {}))).toContain('file:///srv/work')
    const described = await openPool(way).describe('every')
    const names = described.ok ? described.description.tools.map(({ name }) => name) : []
    expect(names).not.toContain('get-roots-list')
  })

  test('a tool that must run as a task says so, as its own error', async () => {
    const outcome = await openPool(way).call('every', tool('simulate-research-query', { topic: 'x' }), {})
    expect(toolResultOf(outcome)).toMatchObject({ isError: true })
    expect(resultText(outcome)).toContain('task')
  })
})

test('over one pipe the calls of one task share their people, so each question finds them', async () => {
  const pool = openPool('stdio')
  await pool.describe('every')
  const ana = answering({ action: 'accept', content: { name: 'Ana' } })
  const outcomes = await Promise.all(
    [1, 2].map(() => pool.call('every', tool('trigger-elicitation-request'), { asks: ana.asks, group: 'one' })),
  )
  for (const outcome of outcomes) expect(resultText(outcome)).toContain('- Name: Ana')
})
