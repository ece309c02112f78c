/** Calls to addresses that others named go to the public network only, in time, and nowhere else. */
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { brotliCompressSync, createGzip, deflateSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { isPrivateHost, PrivateAddressError } from './addresses'
import { openCall, openOutbound } from './outbound'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const PRIVATE = [
  'http://127.0.0.1/',
  'http://[::1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://169.254.169.254/latest',
  // Services of a cloud's host, in public and in private ranges.
  'http://168.63.129.16/',
  'http://0xa83f8110/',
  'http://[::ffff:168.63.129.16]/',
  'http://192.0.0.192/',
  'http://100.100.100.200/',
  'http://[fd00:ec2::254]/',
  'http://[fd20:ce::254]/',
  'http://192.168.1.1/',
  'http://[fd00::1]/',
  'http://localhost/',
  'http://hook.localhost/',
  'http://localhost./',
  'http://hook.localhost./',
  'http://[::127.0.0.1]/',
  'http://[::7f00:1]/',
  'http://[::5db8:d70e]/',
]

describe('[R401] an answer that is compressed although nobody asked for it', () => {
  const words = 'die Größe 价格 '.repeat(20)
  const ways: [string, (text: string) => Uint8Array][] = [
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['GZIP', gzipSync],
    ['deflate, gzip', (text) => gzipSync(deflateSync(text))],
  ]
  it.each(ways)('by %s is read as it was meant', async (encoding, packed) => {
    for (const status of [200, 429]) {
      const address = await serve((_, response) =>
        response.writeHead(status, { 'Content-Encoding': encoding }).end(packed(words)),
      )
      const answer = await openOutbound({ allowPrivate: true })(address, {})
      expect([answer.status, answer.text]).toEqual([status, words])
      expect(answer.headers).not.toHaveProperty('content-encoding')
    }
  })

  it('is read piece by piece, as its server sends it', async () => {
    let pack = createGzip()
    const address = await serve((_, response) => {
      pack = createGzip()
      pack.pipe(response.writeHead(200, { 'Content-Encoding': 'gzip' }))
      pack.write('first ')
      pack.flush()
    })
    const { signal } = new AbortController()
    const { body } = await openCall(address, { allowPrivate: true, signal })
    const pieces = body[Symbol.asyncIterator]()
    expect(String((await pieces.next()).value)).toBe('first ')
    pack.end('last')
    expect(String((await pieces.next()).value)).toBe('last')
    expect((await pieces.next()).done).toBe(true)
  })

  it('is no larger than any other may be, and cut off it is an error', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024))
    const large = await serve((_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb))
    const answer = await openOutbound({ allowPrivate: true })(large, { answerBytes: 50_000 })
    expect(answer.bytes.length).toBe(50_000)
    const cut = await serve((_, response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(words).subarray(0, 40)),
    )
    await expect(openOutbound({ allowPrivate: true })(cut, {})).rejects.toThrow('unexpected end of file')
  })
})

describe('a call to the outside', () => {
  it('[R38] may go to the neighbours of such an address', async () => {
    for (const host of ['168.63.129.15', '168.63.129.17', '192.1.0.192']) expect(await isPrivateHost(host)).toBe(false)
  })

  it.each(PRIVATE)('[R38] does not go to %s', async (address) => {
    await expect(openOutbound({ allowPrivate: false })(address, {})).rejects.toThrow(PrivateAddressError)
    expect(await isPrivateHost(new URL(address).hostname)).toBe(true)
  })

  it('[R38] goes to a private address where the configuration means it, with what it carries', async () => {
    const address = await serve((request, response) => {
      let text = ''
      request.on('data', (piece) => {
        text += piece
      })
      request.on('end', () => response.writeHead(201).end(`${request.method} ${request.headers['x-key']} ${text}`))
    })
    const answer = await openOutbound({ allowPrivate: true })(address, { headers: { 'X-Key': 'k' }, body: 'grüße' })
    expect(answer).toMatchObject({ status: 201, text: 'POST k grüße' })
  })

  it('[R38] follows no redirect, reads no endless answer, and waits no longer than it may', async () => {
    const call = openOutbound({ allowPrivate: true })
    const moved = await serve((_, response) => response.writeHead(302, { Location: 'http://10.0.0.1/' }).end())
    expect((await call(moved, {})).status).toBe(302)
    const endless = await serve((_, response) => {
      response.writeHead(200)
      const more = (): boolean => response.destroyed || (response.write('x'.repeat(4_096)) && more())
      response.on('drain', more)
      more()
    })
    expect((await call(endless, {})).text).toHaveLength(16 * 1024)
    const silent = await serve(() => undefined)
    await expect(call(silent, { limitMs: 50 })).rejects.toThrow('no answer within 0.05 s')
  })

  it('says plainly when nothing is there', async () => {
    const gone = await serve((_, response) => response.end())
    servers[0]?.close()
    servers[0]?.closeAllConnections()
    await expect(openOutbound({ allowPrivate: true })(gone, {})).rejects.toThrow('ECONNREFUSED')
  })

  it('keeps a connection for the next call, and repeats on a new one what met a connection that had ended', async () => {
    const call = openOutbound({ allowPrivate: true })
    const ports: (number | undefined)[] = []
    let isClosing = false
    const address = await serve((request, response) => {
      ports.push(request.socket.remotePort)
      if (isClosing) {
        isClosing = false
        request.socket.destroy()
      } else response.end('here')
    })
    await call(address, { body: 'one' })
    // A connection can be used again one turn of the loop after its answer.
    await nextTurn()
    await call(address, { body: 'two' })
    expect(ports[1]).toBe(ports[0])
    await nextTurn()
    isClosing = true
    expect((await call(address, { body: 'three' })).text).toBe('here')
    expect(new Set(ports).size).toBe(2)
  })

  it('is not repeated where a new connection ends without an answer', async () => {
    let calls = 0
    const address = await serve((request) => {
      calls += 1
      request.socket.destroy()
    })
    await expect(openOutbound({ allowPrivate: true })(address, { body: 'text' })).rejects.toThrow()
    expect(calls).toBe(1)
  })

  it('tells when it has its connection: once, and not before', async () => {
    const stop = new AbortController()
    const here = await serve((_, response) => response.end('here'))
    const mute = createTcpServer(() => stop.abort(new Error('stopped')))
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    const told: string[] = []
    const call = (address: string) =>
      openCall(address, { allowPrivate: true, signal: stop.signal, onConnected: () => told.push(address) })
    ;(await call(here)).body.resume()
    // It accepts, and never answers the TLS handshake.
    await expect(call(`https://127.0.0.1:${(mute.address() as AddressInfo).port}/`)).rejects.toThrow('stopped')
    mute.close()
    expect(told).toEqual([here])
  })

  it('waits no longer than it may for a host that takes no connection', async () => {
    // It accepts, and never answers the TLS handshake.
    const mute = createTcpServer()
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    const { port } = mute.address() as AddressInfo
    const call = openOutbound({ allowPrivate: true })
    await expect(call(`https://127.0.0.1:${port}/`, { limitMs: 50 })).rejects.toThrow('no answer within 0.05 s')
    await expect(
      call(`https://127.0.0.1:${port}/`, { signal: AbortSignal.abort(new Error('stopped')) }),
    ).rejects.toThrow('stopped')
    mute.close()
  })
})
