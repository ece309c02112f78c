/** Remote servers: Streamable HTTP, the older SSE transport as the fallback, and the ways in which a network fails. */
import { createServer, type Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip } from 'node:zlib'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { afterEach, describe, expect, test } from 'vitest'
import { faultOf, resultText, testPools, tool, until } from '@/test/toolPools'
import { makeServer, text } from '@/test/toolServers/serve.mjs'
import type { ToolServerConfig } from '../types'

type Handler = (request: IncomingMessage, response: ServerResponse) => void
type Remote = { url: string; port: number; stop: () => Promise<void> }

const pools = testPools()
const remotes: Remote[] = []
afterEach(async () => {
  await pools.closeAll()
  await Promise.all(remotes.splice(0).map((remote) => remote.stop()))
})

async function listen(handler: Handler, port = 0): Promise<Remote> {
  const server: HttpServer = createServer(handler)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: taken } = server.address() as AddressInfo
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const remote = { url: `http://127.0.0.1:${taken}/mcp`, port: taken, stop }
  remotes.push(remote)
  return remote
}

let begun = 0
const TOOLS = {
  large: { annotations: { readOnlyHint: true }, run: () => text('z'.repeat(20 * 1024 * 1024)) },
  hang: {
    run: () => {
      begun += 1
      return new Promise(() => {})
    },
  },
}

/** Streamable HTTP with sessions: one transport for each session id, 404 for an unknown one. */
function streamable(options: { isJson?: boolean } = {}): Handler {
  const sessions = new Map<string, StreamableHTTPServerTransport>()
  return async (request, response) => {
    const id = request.headers['mcp-session-id']
    if (typeof id === 'string') {
      const known = sessions.get(id)
      if (known) await known.handleRequest(request, response)
      else response.writeHead(404).end()
      return
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => `session-${sessions.size}-${process.hrtime.bigint()}`,
      enableJsonResponse: options.isJson === true,
      onsessioninitialized: (made) => void sessions.set(made, transport),
    })
    await makeServer(TOOLS).connect(transport)
    await transport.handleRequest(request, response)
  }
}

/** The older transport: GET opens the stream, POST goes to the address that it names; a POST to the stream is 404. */
function older(): Handler {
  const sessions = new Map<string, SSEServerTransport>()
  return async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost')
    if (request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response)
      sessions.set(transport.sessionId, transport)
      await makeServer(TOOLS).connect(transport)
      return
    }
    const known = sessions.get(url.searchParams.get('sessionId') ?? '')
    if (known && url.pathname === '/messages') await known.handlePostMessage(request, response)
    else response.writeHead(404).end()
  }
}

function remote(baseurl: string): ToolServerConfig {
  return { name: 'far', baseurl, guide: '', confirm: 'risky', repeat: [], tools: {} }
}

const echo = tool('echo', { text: 'over the network' })

describe.each([
  ['Streamable HTTP', streamable],
  ['Streamable HTTP with plain JSON answers', () => streamable({ isJson: true })],
  ['the older SSE transport', older],
])('%s', (_name, makeHandler) => {
  test('describes and calls, many at once', async () => {
    const pool = pools.open([remote((await listen(makeHandler())).url)])
    expect((await pool.describe('far')).ok).toBe(true)
    const answers = await Promise.all(Array.from({ length: 10 }, () => pool.call('far', echo, {})))
    expect(answers.map(resultText)).toEqual(Array.from({ length: 10 }, () => 'over the network'))
  })

  test('an oversized answer is refused, and the connection stays open', async () => {
    const pool = pools.open([remote((await listen(makeHandler())).url)])
    expect(faultOf(await pool.call('far', tool('large'), {}))).toMatchObject({
      code: 'TOOL_TOO_LARGE',
      message: 'far answered with more than 8 MiB to large; ask for a smaller part',
    })
    expect(resultText(await pool.call('far', echo, {}))).toBe('over the network')
  })

  test('a server that goes away during a call is a fault at once; when it is back the next call reaches it', async () => {
    const first = await listen(makeHandler())
    const pool = pools.open([remote(first.url)])
    await pool.call('far', echo, {})
    const before = begun
    const hanging = pool.call('far', tool('hang'), {})
    await until(() => begun > before)
    await first.stop()
    expect(faultOf(await hanging).code).toBe('TOOL_TRANSPORT')
    expect(faultOf(await pool.call('far', echo, {})).code).toBe('TOOL_TRANSPORT')
    await listen(makeHandler(), first.port)
    await until(async () => (await pool.call('far', echo, {})).ok)
  })
})

test('a server that forgot our session gets the call again, once, on a new one', async () => {
  let handler = streamable()
  const place = await listen((request, response) => handler(request, response))
  const pool = pools.open([remote(place.url)])
  expect(resultText(await pool.call('far', echo, {}))).toBe('over the network')
  handler = streamable()
  expect(resultText(await pool.call('far', echo, {}))).toBe('over the network')
})

test('a server that asks for authorization is said to, and nothing else is tried', async () => {
  const methods: (string | undefined)[] = []
  const place = await listen((request, response) => {
    methods.push(request.method)
    response.writeHead(401).end()
  })
  const fault = faultOf(await pools.open([remote(place.url)]).describe('far'))
  expect(fault).toMatchObject({
    code: 'TOOL_TRANSPORT',
    message: 'far could not be reached: the server asks for authorization (401), which is not configured',
  })
  expect(methods).toEqual(['POST'])
})

test('nobody at the address, and an address that is none', async () => {
  const place = await listen(() => {})
  await place.stop()
  expect(faultOf(await pools.open([remote(place.url)]).describe('far')).message).toContain('ECONNREFUSED')
  expect(faultOf(await pools.open([remote('nowhere')]).describe('far')).message).toBe(
    'far could not be reached: the baseurl "nowhere" is no address',
  )
})

/** A server written by hand, with sessions: `odd` may answer a request in a way of its own (true: it has answered). */
function byHand(odd: (asked: Asked, response: ServerResponse) => boolean): Handler {
  let sessions = 0
  return async (request, response) => {
    const asked = await bodyOf(request)
    if (asked.method === 'initialize') sessions += 1
    if (odd(asked, response)) return
    const results: Record<string, unknown> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'hand', version: '1' },
      },
      'tools/list': { tools: [{ name: 'say', inputSchema: { type: 'object' } }] },
      'tools/call': { content: [{ type: 'text', text: `session ${sessions}` }] },
    }
    const result = results[asked.method ?? '']
    const headers = { 'content-type': 'application/json', 'mcp-session-id': `s${sessions}` }
    if (result) response.writeHead(200, headers).end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, result }))
    else response.writeHead(asked.method ? 202 : 405).end()
  }
}

type Asked = { id?: number; method?: string }

async function bodyOf(request: IncomingMessage): Promise<Asked> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body === '' ? {} : JSON.parse(body)
}

const unknownSession = (message: string, code = -32_000, id: unknown = null) =>
  JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id })

test.each<[number, string]>([
  [404, ''],
  [404, unknownSession('Session not found', -32_001)],
  [400, unknownSession('Bad Request: No valid session ID provided')],
  [400, unknownSession('Bad Request: Server not initialized')],
  [400, unknownSession('Invalid or expired session ID', -32_600)],
  [400, 'Missing session ID'],
  [400, 'The session has expired.'],
  [400, '{"error":"Could not find session s1"}'],
  [400, 'No transport found for sessionId'],
  [400, '{"error":{"message":"SessionNotFound"}}'],
  [400, '{"code":"SESSION_EXPIRED"}'],
  [401, 'Session expired'],
  [403, 'invalid session'],
  [410, 'session was terminated'],
])(
  '[R402] a session that is unknown by %i %s is opened again, and the call is sent once more',
  async (status, said) => {
    let isKnown = true
    const place = await listen(
      byHand((asked, response) => {
        if (asked.method === 'initialize') isKnown = true
        if (isKnown) return false
        response.writeHead(status, { 'content-type': 'application/json' }).end(said)
        return true
      }),
    )
    const pool = pools.open([remote(place.url)])
    expect(resultText(await pool.call('far', tool('say'), {}))).toBe('session 1')
    isKnown = false
    expect(resultText(await pool.call('far', tool('say'), {}))).toBe('session 2')
  },
)

test('[R402] a session that is unknown by an error in place of the result is opened again', async () => {
  let isKnown = true
  const place = await listen(
    byHand((asked, response) => {
      if (asked.method === 'initialize') isKnown = true
      if (isKnown || asked.method !== 'tools/call') return false
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(unknownSession('Session not found', -32_001, asked.id))
      return true
    }),
  )
  const pool = pools.open([remote(place.url)])
  expect(resultText(await pool.call('far', tool('say'), {}))).toBe('session 1')
  isKnown = false
  expect(resultText(await pool.call('far', tool('say'), {}))).toBe('session 2')
})

test('[R402] any other 400, and an error of the tool about sessions of its own, is no lost session', async () => {
  let calls = 0
  const place = await listen(
    byHand((asked, response) => {
      if (asked.method !== 'tools/call') return false
      calls += 1
      if (calls === 1) response.writeHead(400).end('the day lies in the future')
      else
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(unknownSession('the browser session is closed', 1, asked.id))
      return true
    }),
  )
  const pool = pools.open([remote(place.url)])
  expect(faultOf(await pool.call('far', tool('say'), {})).message).toContain('the day lies in the future')
  expect(resultText(await pool.call('far', tool('say'), {}))).toBe('the browser session is closed')
  expect(calls).toBe(2)
})

const EVENTS = (id: unknown, end: string): string =>
  [
    '\uFEFFevent: message',
    `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: '价格' }] }, error: null })}`,
    '',
    '',
  ].join(end)

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])(
  'an event stream with a byte order mark and lines that end in %s is read, in whatever pieces it comes',
  async (_name, end) => {
    const place = await listen(
      byHand((asked, response) => {
        if (asked.method !== 'tools/call') return false
        response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
        const pack = createGzip()
        pack.pipe(response)
        for (const byte of Buffer.from(EVENTS(asked.id, end))) {
          pack.write(Buffer.of(byte))
          pack.flush()
        }
        pack.end()
        return true
      }),
    )
    expect(resultText(await pools.open([remote(place.url)]).call('far', tool('say'), {}))).toBe('价格')
  },
)

test('a stream that ends without the answer is a fault at once', async () => {
  const place = await listen(
    byHand((asked, response) => {
      if (asked.method !== 'tools/call') return false
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n')
      return true
    }),
  )
  const fault = faultOf(await pools.open([remote(place.url)]).call('far', tool('say'), {}))
  expect(fault).toMatchObject({
    code: 'TOOL_TRANSPORT',
    message: 'far did not answer say: its answer broke off (it may have taken effect)',
  })
})

test.each([
  [404, 'at once', true],
  [500, 'by the next call', false],
])('a description that fails with %i is asked for on a new connection %s', async (status, _when, isAtOnce) => {
  let failures = 1
  const place = await listen(
    byHand((asked, response) => {
      if (asked.method !== 'tools/list' || failures === 0) return false
      failures -= 1
      response.writeHead(status).end()
      return true
    }),
  )
  const pool = pools.open([remote(place.url)])
  expect((await pool.describe('far')).ok).toBe(isAtOnce)
  expect(resultText(await pool.call('far', tool('say'), {}))).toBe('session 2')
})

test('[R395] an answer in JSON is read leniently: a tool without a usable name is left out, and said', async () => {
  const place = await listen(
    byHand((asked, response) => {
      if (asked.method !== 'tools/list') return false
      const good = { name: 'good', inputSchema: {} }
      const answer = {
        jsonrpc: '2.0',
        id: asked.id,
        result: { tools: [{ name: 7, inputSchema: {} }, good] },
        error: null,
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
      return true
    }),
  )
  expect(await pools.open([remote(place.url)]).describe('far')).toMatchObject({
    ok: true,
    description: { tools: [{ name: 'good' }], unread: [{ why: 'noName', at: 'tools[0]', found: 'number' }] },
  })
})

test.each([
  ['of many lines within 8 MiB', 7, 'ok'],
  [
    'of many lines above 8 MiB',
    9,
    'far answered with more than 8 MiB to say; ask for a smaller part (it may have taken effect)',
  ],
])('[R75] an event %s', async (_, mib, outcome) => {
  const line = `data:"${'z'.repeat(64 * 1024 - 10)}",\n`
  let odd = true
  const place = await listen(
    byHand((asked, response) => {
      if (asked.method !== 'tools/call' || !odd) return false
      odd = false
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`: a comment\ndata:{"jsonrpc":"2.0","result":{"content":[],"structuredContent":{"all":[\n`)
      response.write(line.repeat(mib * 16 - 1))
      response.end(`data:0]}},"id":${asked.id}}\n\n`)
      return true
    }),
  )
  const pool = pools.open([remote(place.url)])
  const answer = await pool.call('far', tool('say'), {})
  if (outcome === 'ok') expect(answer).toMatchObject({ ok: true })
  else expect(faultOf(answer)).toMatchObject({ code: 'TOOL_TOO_LARGE', message: outcome })
  expect(resultText(await pool.call('far', tool('say'), {}))).toBe('session 1')
})

test('[R75] an event without an end closes its stream, and the next call is answered', async () => {
  let odd = true
  let isClosed = false
  const line = `data:"${'z'.repeat(1024 * 1024)}",\n`
  const place = await listen(
    byHand((asked, response) => {
      if (asked.method !== 'tools/call' || !odd) return false
      odd = false
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.on('close', () => {
        isClosed = true
      })
      const more = (): void => {
        if (isClosed) return
        if (response.write(line)) setImmediate(more)
        else response.once('drain', more)
      }
      more()
      return true
    }),
  )
  const pool = pools.open([remote(place.url)])
  expect(faultOf(await pool.call('far', tool('say'), {}))).toMatchObject({ code: 'TOOL_TRANSPORT' })
  await until(() => isClosed)
  expect(resultText(await pool.call('far', tool('say'), {}))).toMatch('session')
})
