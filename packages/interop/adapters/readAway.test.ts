/** A refusal reaches its sender, however large the body is that it refuses. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDouble } from '@/server/gateway/test/gatewayDouble'
import { piecesOf, readAway } from '@/server/shared/readAway'
import { readBody } from './http'

const MIB = 1024 * 1024
/** Larger than what the buffers of a connection hold. */
const LARGE = `{"text":"${'x'.repeat(12 * MIB)}"}`
const TRIES = 1

/** The body in pieces, without its length being announced. */
const streamed = (text: string): ReadableStream<Uint8Array> => {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(bytes.subarray(at, at + 256 * 1024))
      at += 256 * 1024
    },
  })
}

const bodies: [string, () => RequestInit][] = [
  ['whose length is announced', () => ({ body: LARGE })],
  ['that comes in pieces', () => ({ body: streamed(LARGE), duplex: 'half' }) as RequestInit],
]

describe.each(bodies)('a body of 12 MiB %s', (_, body) => {
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
      for (let n = 0; n < TRIES; n++) {
        const answer = await fetch(url + path, {
          method: 'POST',
          headers: { cookie, 'content-type': type, origin: url },
          ...body(),
        })
        expect([answer.status, ((await answer.json()) as { status_code: number }).status_code]).toEqual([
          wanted,
          wanted,
        ])
      }
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
    for (let n = 0; n < TRIES; n++) {
      const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', ...body() })
      expect([answer.status, await answer.text()]).toEqual([413, 'too large'])
    }
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
