/** A refusal reaches its sender, however large the body is that it refuses. */
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDouble } from '@/server/gateway/test/gatewayDouble'
import { piecesOf, readAway } from '@/server/shared/readAway'
import { readBody } from './http'

const MIB = 1024 * 1024
/** Larger than what the buffers of a connection hold. */
const LARGE = `{"text":"${'x'.repeat(12 * MIB)}"}`

/**
 * Sends a body as a plain client does: it reads nothing until all is written, so a connection that was reset shows it nothing.
 *
 * in      isAnnounced: with its length; else in pieces
 * out     the answer as it came. faults: those of the connection
 */
async function sendWhole(url: string, headers: Record<string, string>, isAnnounced: boolean): Promise<string> {
  const { hostname, port, pathname } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  const size: Record<string, string> = isAnnounced
    ? { 'content-length': String(LARGE.length) }
    : { 'transfer-encoding': 'chunked' }
  const all = { host: `${hostname}:${port}`, connection: 'close', ...headers, ...size }
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const body = isAnnounced ? LARGE : `${LARGE.length.toString(16)}\r\n${LARGE}\r\n0\r\n\r\n`
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.write(`POST ${pathname} HTTP/1.1\r\n${head.join('')}\r\n${body}`, () => resolve())
  })
  const pieces: Buffer[] = []
  for await (const piece of socket) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

describe.each([
  ['whose length is announced', true],
  ['that comes in pieces', false],
])('a body of 12 MiB %s', (_, isAnnounced) => {
  it.each([
    ['too large', '/api/messages', 'application/json', true, 413],
    ['of another type', '/api/messages', 'text/plain', true, 415],
    ['to nowhere', '/api/nowhere', 'application/json', true, 404],
    ['of a stranger', '/api/messages', 'application/json', false, 401],
  ] as const)(
    '[R450] is refused in words when it is %s',
    { timeout: 60_000 },
    async (_, path, type, isKnown, wanted) => {
      const { url, signIn } = await openDouble()
      const cookie = isKnown ? await signIn('ana') : ''
      const answer = await sendWhole(url + path, { cookie, 'content-type': type, origin: url }, isAnnounced)
      expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${wanted} [\\s\\S]*"status_code":${wanted}`))
    },
  )

  it('[R450] is refused in words by an adapter', { timeout: 60_000 }, async () => {
    const server = createServer(async (request, response) => {
      const read = await readBody(request, MIB)
      response.writeHead(read.ok ? 200 : 413, { Connection: 'close' }).end(read.ok ? 'read' : 'too large')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    expect(await sendWhole(`http://127.0.0.1:${port}/`, {}, isAnnounced)).toMatch(/^HTTP\/1.1 413 [\s\S]*too large/)
  })
})

describe('reading away', () => {
  const piece = (bytes: number) => ({ done: false, value: { byteLength: bytes } })

  it('[R450] ends with the body, at its limit, and after its time', async () => {
    const read: number[] = []
    const pieces = [3, 4, 5]
    await readAway(async () => {
      const bytes = pieces.shift()
      if (bytes === undefined) return { done: true }
      read.push(bytes)
      return piece(bytes)
    })
    expect(read).toEqual([3, 4, 5])
    let count = 0
    await readAway(
      async () => {
        count += 1
        return piece(10)
      },
      { bytes: 20, ms: 60_000 },
    )
    expect(count).toBe(3)
    await readAway(() => new Promise(() => {}), { bytes: 20, ms: 1 })
  })

  it('[R450] a sender that has gone is no fault', async () => {
    await expect(readAway(() => Promise.reject(new Error('aborted')))).resolves.toBeUndefined()
  })

  it('[R450] a body that is left keeps its connection', async () => {
    const server = createServer(async (request: IncomingMessage, response) => {
      for await (const _ of piecesOf(request)) break
      response.end(request.destroyed ? 'gone' : 'there')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'x'.repeat(MIB) })
    expect(await answer.text()).toBe('there')
  })
})
