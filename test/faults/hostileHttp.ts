/** Hostile requests: to the routes of the OpenAPI document, and to the endpoints of the adapters. */
import { connect } from 'node:net'
import { adapterCalls, addressOf, type Speaker } from '@/packages/interop/test/adapterCalls'
import type { TestServer } from '../../e2e/fixtures/server'
import { broken, KEYS, ODD_TEXTS, oddBody, oddSegment, overwritten, type Random } from './hostileValues'
import { pick } from './scenario'

const LINES = 16
const PIPELINED = 20
const ANSWER_WITHIN_MS = 60_000
export const PEER_KEY = 'south-key-0123456789abcdef'
/** Message ids of the peer: most inputs name one that was used, so that not each of them begins work. */
const MESSAGE_IDS = 400

export type ApiPath = { method: string; path: string }

export async function pathsOf(server: TestServer, cookie: string): Promise<ApiPath[]> {
  const answer = await fetch(`${server.url}/api/openapi.json`, { headers: { cookie } })
  const document: { paths: Record<string, object> } = await answer.json()
  return (
    Object.entries(document.paths)
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })))
      // The session of this run must outlive it.
      .filter(({ path }) => !/\/api\/(me\/session|sessions|bench)/.test(path))
  )
}

export function apiRequest(random: Random, paths: readonly ApiPath[], cookie: string): string {
  const { method, path } = pick(random, paths)
  const target =
    random() < 0.05
      ? `/${oddSegment(random)}/${oddSegment(random)}`
      : path.replace(/\{[^}]*\}/g, () => oddSegment(random) || 'x')
  const query = random() < 0.3 ? `?${pick(random, KEYS)}=${oddSegment(random)}&limit=${oddSegment(random)}` : ''
  const used = random() < 0.05 ? pick(random, ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'POST']) : method
  const headers = [
    random() < 0.7 ? `Cookie: ${cookie}` : `Cookie: ${cookie.split('=')[0]}=${oddSegment(random)}`,
    random() < 0.1 ? `Origin: http://${oddSegment(random)}` : '',
    random() < 0.1 ? `X-Forwarded-For: ${oddSegment(random)}` : '',
  ]
  return requestText(used, `${target}${query}`, headers, used === 'GET' ? null : oddBody(random), random)
}

/** The peer, in valid words; its message ids come again. */
export const speakerOf = (random: Random, domain: string): Speaker => ({
  from: 'agent://south.example/seller',
  other: 'agent://west.example/buyer',
  domain,
  agent: pick(random, ['manager', 'coder']),
  newId: () => `hostile-${Math.floor(random() * MESSAGE_IDS)}`,
})

/** Ids in a call: odd ones, and such as the peer itself used or was given. */
export const hostileId = (random: Random): string =>
  random() < 0.5 ? pick(random, ODD_TEXTS).replaceAll('\ud800', '') : `hostile-${Math.floor(random() * MESSAGE_IDS)}`

const NO_ENDPOINTS = [
  '/mamp/v1/nothing',
  '/mamp/messages',
  '/envelope',
  '/envelope/v1/ws',
  '/api/harmony/nothing',
  '/map/',
  '/mcp',
]

/** A valid call of an adapter with some fields overwritten; sometimes an odd body, or a path that is none. isLast: of its connection */
export function adapterRequest(random: Random, domain: string, isLast: boolean): string {
  const keys = [
    random() < 0.9 ? `Authorization: Bearer ${PEER_KEY}` : `Authorization: Bearer ${oddSegment(random)}`,
    random() < 0.1 ? `X-Envelope-Signature: t=${oddSegment(random)},sha256=${oddSegment(random)}` : '',
    random() < 0.1 ? `X-MAMP-Signature: ${oddSegment(random)}` : '',
  ]
  const {
    method,
    path,
    query = {},
    headers = {},
    body,
  } = pick(random, adapterCalls(speakerOf(random, domain), hostileId(random)))
  const dice = random()
  if (dice < 0.05) return requestText('POST', pick(random, NO_ENDPOINTS), keys, oddBody(random), random)
  if (dice < 0.1)
    return requestText(pick(random, ['POST', 'PUT', 'DELETE', 'HEAD']), path, keys, oddBody(random), random)
  const odd = Object.entries(query).map(([name, value]) => [name, random() < 0.7 ? value : pick(random, ODD_TEXTS)])
  const address = addressOf({ path, ...(odd.length > 0 ? { query: Object.fromEntries(odd) } : {}) })
  // A stream of answers stays open, and what is asked behind it on the connection waits for its end.
  const own = isLast ? Object.entries(headers).map(([name, value]) => `${name}: ${value}`) : []
  const text = body === undefined ? null : broken(random, JSON.stringify(overwritten(random, body)))
  return requestText(method, address, [...keys, ...own], text, random)
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
export async function overHttp(
  server: TestServer,
  count: number,
  answers: Map<number, number>,
  make: (isLast: boolean) => string,
): Promise<void> {
  let left = count
  const line = async (): Promise<void> => {
    while (left > 0 && server.exitCode() === null) {
      const batch = Math.min(PIPELINED, left)
      left -= batch
      const requests = Array.from({ length: batch }, (_, at) => make(at === batch - 1))
      const answered = await exchange(Number(new URL(server.url).port), requests, answers)
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
