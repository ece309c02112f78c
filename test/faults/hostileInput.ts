/**
 * Input that no program of ours would send, over HTTP, the socket and the protocol adapters, from strangers, a participant and a peer.
 * What models and tool servers send is tried in server/skills/corpusFuzz.test.ts and server/tools/fuzz.test.ts.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { io } from 'socket.io-client'
import { startServer, type TestServer } from '../../e2e/fixtures/server'
import { demand, pick, randomOf, type Scenario, until } from './scenario'

/** Inputs of each way, with limits on and once more with limits off. */
const COUNTS = {
  short: { http: 3_000, adapters: 1_000, socket: 1_000 },
  all: { http: 300_000, adapters: 60_000, socket: 40_000 },
}
const LINES = 16
const PIPELINED = 20
const LONGEST_BLOCK_MS = 200
const ANSWER_WITHIN_MS = 60_000
const PEER_KEY = 'south-key-0123456789abcdef'
const PEERS = `  - uri: agent://south.example/*
    base_url: http://127.0.0.1:9
    key_env: SOUTH_KEY
    may: [mamp, a2a, harmony, map]
    agents: [manager]
    allow_private: true
`

type Random = () => number

export const hostileInput: Scenario = {
  name: 'hostile-input',
  holds:
    'No input from outside ends the server or gets a 500; none blocks the event loop for more than 200 ms of its own CPU time (judged in the long form).',
  async run(size, seed) {
    const figures: Record<string, number | string> = {}
    for (const limits of ['on', 'off'] as const) {
      const blocks = join(tmpdir(), `convene-blocks-${process.pid}-${limits}`)
      rmSync(blocks, { force: true })
      const server = await startServer({
        peers: PEERS,
        env: {
          SOUTH_KEY: PEER_KEY,
          NODE_OPTIONS: `--require ${resolve('test/faults/loopBlocks.cjs')}`,
          CONVENE_LOOP_BLOCKS: blocks,
          ...(limits === 'off' ? { CONVENE_BENCH: '1' } : {}),
        },
      })
      try {
        const random = randomOf(seed + (limits === 'off' ? 1 : 0))
        const cookie = await server.signIn('ben')
        const paths = await pathsOf(server, await server.signIn('ana'))
        await forgetBlocks(server, blocks)
        const { http, adapters, socket } = COUNTS[size]
        const answers = new Map<number, number>()
        await overHttp(server, http, answers, () => apiRequest(random, paths, cookie))
        await overHttp(server, adapters, answers, () => adapterRequest(random))
        await overSocket(server, socket, random, cookie)
        demand(server.exitCode() === null, `the server ended with ${server.exitCode()}, limits ${limits}, seed ${seed}`)
        const health = await fetch(`${server.url}/api/health`)
        demand(health.status === 200, `health answers ${health.status}`)
        const faults = [...answers].filter(([status]) => status >= 500 && status !== 503)
        demand(faults.length === 0, `answers of 5xx: ${JSON.stringify(faults)}, limits ${limits}, seed ${seed}`)
        const log = readFileSync(join(server.dataFolder, 'convene.log'), 'utf8')
        const broken = log.split('\n').filter((line) => /uncaught|unhandled/i.test(line))
        demand(broken.length === 0, `in the log: ${broken[0]}`)
        const blockMs = existsSync(blocks) ? Number(readFileSync(blocks, 'utf8')) : 0
        // The short form is a part of `npm test`, where nothing is judged by time.
        demand(
          size === 'short' || blockMs <= LONGEST_BLOCK_MS,
          `the loop was blocked for ${blockMs} ms of CPU time, limits ${limits}, seed ${seed}`,
        )
        figures[`inputs, limits ${limits}`] = http + adapters + socket
        figures[`answers by status, limits ${limits}`] = [...answers]
          .sort(([a], [b]) => a - b)
          .map(([status, count]) => `${status}: ${count}`)
          .join(', ')
        figures[`longest block, ms of CPU, limits ${limits}`] = blockMs
      } finally {
        await server.stop()
        rmSync(blocks, { force: true })
      }
    }
    return figures
  },
}

/** What starting took does not count. */
async function forgetBlocks(server: TestServer, file: string): Promise<void> {
  const pid = server.pid()
  if (pid === null) throw new Error('no process')
  process.kill(pid, 'SIGUSR2')
  await until(
    'the start is forgotten',
    () => existsSync(file) && Number(readFileSync(file, 'utf8')) < LONGEST_BLOCK_MS,
    5_000,
  )
}

type ApiPath = { method: string; path: string }

async function pathsOf(server: TestServer, cookie: string): Promise<ApiPath[]> {
  const answer = await fetch(`${server.url}/api/openapi.json`, { headers: { cookie } })
  const document: { paths: Record<string, object> } = await answer.json()
  return (
    Object.entries(document.paths)
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })))
      // The session of this run must outlive it.
      .filter(({ path }) => !/\/api\/(me\/session|sessions|bench)/.test(path))
  )
}

const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  '\ud800',
  '../../etc/passwd',
  '%00',
  '%E0%A4%A',
  '__proto__',
  'constructor',
  'toString',
  '<script>alert(1)</script>',
  "' or 1=1 --",
  '"'.repeat(50),
  'x'.repeat(5_000),
  '(a+)+$',
  '𝕬🏳️‍🌈',
  'NaN',
  '-1',
  '1e309',
  'timer:00000000-0000-0000-0000-000000000000',
  '00000000-0000-0000-0000-000000000000',
]
const KEYS = [
  'id',
  'until',
  'task',
  'receivers',
  'text',
  'type',
  'replyTo',
  'answers',
  'stage',
  'content',
  'message_id',
  'sender',
  'receiver',
  'messages',
  'role',
  'jsonrpc',
  'method',
  'params',
  '__proto__',
  'constructor',
]

function oddValue(random: Random, depth = 3): unknown {
  const kind = Math.floor(random() * (depth > 0 ? 10 : 7))
  switch (kind) {
    case 0:
      return null
    case 1:
      return random() < 0.5
    case 2:
      return pick(random, [0, -1, 1e308, -0.5, Number.MAX_SAFE_INTEGER, 2 ** 31])
    case 7:
      return Array.from({ length: Math.floor(random() * 6) }, () => oddValue(random, depth - 1))
    case 8:
    case 9:
      return Object.fromEntries(
        Array.from({ length: Math.floor(random() * 8) }, () => [pick(random, KEYS), oddValue(random, depth - 1)]),
      )
    default:
      return pick(random, ODD_TEXTS)
  }
}

function oddBody(random: Random): string {
  const dice = random()
  if (dice < 0.02) return `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  if (dice < 0.04) return `{"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`
  const text = JSON.stringify(oddValue(random)) ?? 'null'
  if (dice < 0.1) return text.slice(0, Math.floor(random() * text.length))
  if (dice < 0.13) return text.replace(/[a-z]/g, () => String.fromCharCode(Math.floor(random() * 0x250)))
  return text
}

const oddSegment = (random: Random): string =>
  encodeURIComponent(pick(random, ODD_TEXTS).replaceAll('\ud800', '')).slice(0, 2_000)

function apiRequest(random: Random, paths: readonly ApiPath[], cookie: string): string {
  const { method, path } = pick(random, paths)
  const target =
    random() < 0.05
      ? `/${oddSegment(random)}/${oddSegment(random)}`
      : path.replace(/\{[^}]*\}/g, () => oddSegment(random) || 'x')
  const query = random() < 0.3 ? `?${pick(random, KEYS)}=${oddSegment(random)}&limit=${oddSegment(random)}` : ''
  const used = random() < 0.05 ? pick(random, ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'POST']) : method
  const headers = [
    random() < 0.7 ? `Cookie: ${cookie}` : `Cookie: convene_session=${oddSegment(random)}`,
    random() < 0.1 ? `Origin: http://${oddSegment(random)}` : '',
    random() < 0.1 ? `X-Forwarded-For: ${oddSegment(random)}` : '',
  ]
  return requestText(used, `${target}${query}`, headers, used === 'GET' ? null : oddBody(random), random)
}

const ADAPTER_PATHS = [
  '/mamp/messages',
  '/mamp/nothing',
  '/a2a/v1/messages',
  '/a2a',
  '/api/harmony/import',
  '/api/harmony/handoff',
  '/api/harmony/export',
  '/map',
  '/.well-known/agent-card.json',
  '/mcp',
]

function adapterRequest(random: Random): string {
  const headers = [
    random() < 0.8 ? `Authorization: Bearer ${PEER_KEY}` : `Authorization: Bearer ${oddSegment(random)}`,
    random() < 0.2 ? `X-A2A-Signature: t=${oddSegment(random)},sha256=${oddSegment(random)}` : '',
    random() < 0.2 ? `X-MAMP-Signature: ${oddSegment(random)}` : '',
  ]
  const path = pick(random, ADAPTER_PATHS)
  const method = random() < 0.8 ? 'POST' : 'GET'
  return requestText(method, path, headers, method === 'GET' ? null : oddBody(random), random)
}

function requestText(
  method: string,
  path: string,
  headers: readonly string[],
  body: string | null,
  random: Random,
): string {
  const bytes = Buffer.byteLength(body ?? '')
  const type =
    random() < 0.9
      ? 'application/json'
      : pick(random, ['text/plain', 'multipart/form-data', 'application/json; charset=utf-16'])
  const lines = [
    `${method} ${path || '/'} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...headers.filter((line) => line !== ''),
    ...(body === null ? [] : [`Content-Type: ${type}`, `Content-Length: ${bytes}`]),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** Several connections at once, requests written ahead of their answers. What a closed connection left unanswered is not counted. */
async function overHttp(
  server: TestServer,
  count: number,
  answers: Map<number, number>,
  make: () => string,
): Promise<void> {
  let left = count
  const line = async (): Promise<void> => {
    while (left > 0 && server.exitCode() === null) {
      const batch = Math.min(PIPELINED, left)
      left -= batch
      const answered = await exchange(Number(new URL(server.url).port), Array.from({ length: batch }, make), answers)
      left += batch - answered
    }
  }
  await Promise.all(Array.from({ length: LINES }, line))
}

/** Resolves when each request was answered or the server closed the connection. out: how many were answered, at least one */
async function exchange(port: number, requests: readonly string[], answers: Map<number, number>): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  socket.setEncoding('latin1')
  let seen = 0
  let rest = ''
  await new Promise<void>((resolveDone, reject) => {
    const timer = setTimeout(() => {
      socket.destroy()
      reject(
        new Error(
          `no answer within ${ANSWER_WITHIN_MS} ms, ${seen} of ${requests.length} came, among: ${requests.join('\n').slice(0, 3_000)}`,
        ),
      )
    }, ANSWER_WITHIN_MS)
    const done = (): void => {
      clearTimeout(timer)
      socket.destroy()
      resolveDone()
    }
    socket.on('error', done)
    socket.on('close', done)
    socket.on('data', (piece: string) => {
      const text = rest + piece
      const found = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
      for (const [, status] of found) answers.set(Number(status), (answers.get(Number(status)) ?? 0) + 1)
      seen += found.length
      // An answer's first line may lie in two pieces.
      rest = text.slice(Math.max((found.at(-1)?.index ?? -12) + 12, text.length - 12))
      if (seen >= requests.length) done()
    })
    socket.on('connect', () => {
      for (const request of requests) socket.write(request)
    })
  })
  return Math.max(1, seen)
}

const EVENTS = ['subscribe', 'unsubscribe', 'typing', 'presence', 'beat', 'draft', '__proto__', 'error', 'nothing']

async function overSocket(server: TestServer, count: number, random: Random, cookie: string): Promise<void> {
  for (let left = count; left > 0; ) {
    const socket = io(server.url, {
      transports: ['websocket'],
      extraHeaders: { cookie },
      forceNew: true,
      reconnection: false,
    })
    await new Promise<void>((resolveDone) => {
      socket.on('connect_error', () => resolveDone())
      socket.on('disconnect', () => resolveDone())
      socket.on('connect', () => {
        for (let n = 0; n < 500 && left > 0; n++, left--) {
          const event = pick(random, EVENTS)
          if (random() < 0.3)
            socket.emit(event, {
              sub: oddValue(random, 1),
              asked: oddValue(random, 1),
              view: `${pick(random, ['me', 'task:', 'agent:', 'step:', 'tree:', 'overview'])}${pick(random, ODD_TEXTS)}`,
            })
          else socket.emit(event === 'error' ? 'errors' : event, oddValue(random), oddValue(random, 1))
        }
        // The server answers a ping of ours only behind all that.
        socket.timeout(ANSWER_WITHIN_MS).emit('subscribe', { sub: 'last', asked: 1, view: 'me' }, () => {})
        setTimeout(() => {
          socket.close()
          resolveDone()
        }, 100)
      })
    })
    if (server.exitCode() !== null) return
    // A connection that was refused counts: it was tried.
    left -= socket.connected ? 0 : 1
  }
}
