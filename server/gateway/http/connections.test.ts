/** Limits of connections: upgrades without a handler, stalled requests, too many connections, stopping. */
import { readdirSync } from 'node:fs'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Clients, openClients } from '../../net'
import { openEarlyServer } from '..'
import { openDouble } from '../test/gatewayDouble'
import { CONNECTION_LIMITS, type ConnectionLimits } from './connections'
import { MOST_EARLY_REQUESTS } from './earlyServer'

const MANY = process.env.CONVENE_ALL ? 10_000 : 500
/** Connections that a test opens at the same time. */
const AT_ONCE = 250
const QUICK: ConnectionLimits = {
  headersMs: 200,
  requestMs: 100_000,
  idleMs: 200,
  checkMs: 50,
  most: 100_000,
  mostOfStranger: 100_000,
}
const ABOUT = { node: 'test', version: '0.0.0-test', rehearsal: true }

const upgradeOf = (path: string, more = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: ours\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
  `Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`
const HALF_HEADERS = 'GET /api/health HTTP/1.1\r\nHost: ours\r\nX-Half'
const HALF_BODY =
  'POST /api/bind_human_agent HTTP/1.1\r\nHost: ours\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"hu'

type Client = { socket: Socket; heard: () => string; ended: Promise<void> }

/** A client that sends one text, then nothing, and never closes its own side. */
function client(port: number, text: string, localAddress = '127.0.0.1'): Client {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  let heard = ''
  socket.on('data', (piece) => {
    heard += String(piece)
  })
  const ended = new Promise<void>((resolve) => {
    socket.on('end', resolve)
    socket.on('close', () => resolve())
  })
  socket.on('error', () => undefined)
  socket.write(text)
  onTestFinished(() => void socket.destroy())
  return { socket, heard: () => heard, ended }
}

/** As a handler of an upgrade does. */
const closesWithItsClient = (socket: Duplex): void => void socket.on('end', () => socket.end()).resume()

const openFiles = (): number => readdirSync('/proc/self/fd').length
const countOf = (http: Server): Promise<number> =>
  new Promise((resolve, reject) => http.getConnections((error, count) => (error ? reject(error) : resolve(count))))
const portOf = (url: string): number => Number(new URL(url).port)

async function quickGateway(change: Parameters<typeof openDouble>[0] = {}) {
  const early = await openEarlyServer('127.0.0.1', 0, ABOUT, QUICK)
  const double = await openDouble({ early, ...change })
  return { ...double, early, url: `http://127.0.0.1:${early.port}`, port: early.port }
}

/** Send a text on so many connections; the server must close each while its client stays. */
async function flood(port: number, text: string): Promise<void> {
  for (let sent = 0; sent < MANY; sent += AT_ONCE) {
    const clients = Array.from({ length: Math.min(AT_ONCE, MANY - sent) }, () => client(port, text))
    await Promise.all(clients.map(({ ended }) => ended))
    for (const { socket } of clients) socket.destroy()
  }
}

describe('an upgrade', () => {
  it('[R65] an upgrade without a handler is answered 404 and closed, also when its client stays', async () => {
    const { gateway, url } = await openDouble()
    for (const path of ['/nothing', '/', '/api/health', '/socket.io', '/socket.io/', '/_next/hmr', '/map']) {
      const one = client(portOf(url), upgradeOf(path))
      await one.ended
      expect([path, one.heard().split('\r\n')[0]]).toEqual([path, 'HTTP/1.1 404 Not Found'])
    }
    await expect.poll(() => countOf(gateway.http)).toBe(0)
  })

  it('[R65] upgrades go to Socket.IO, to an adapter, and in development to Next', async () => {
    const seen: string[] = []
    const { url } = await openDouble({
      pages: {
        folder: '/nowhere',
        dev: true,
        failed: () => {},
        next: async (http) => {
          http.on('upgrade', ({ url: path }, socket) => {
            if (path !== '/_next/hmr') return
            seen.push('next')
            socket.destroy()
          })
          return { handle: async () => {}, close: async () => {} }
        },
      },
      sockets: (http) => {
        http.on('upgrade', ({ url: path }, socket) => {
          if (!path?.startsWith('/socket.io/')) return
          seen.push('sockets')
          socket.destroy()
        })
        return { close: async () => {} }
      },
      adapters: {
        owns: (path) => path === '/map' || path === '/mamp/v1/messages',
        answer: async () => {},
        upgrade: (_request, socket, _head, path) => {
          if (path !== '/map') return false
          seen.push('adapters')
          socket.destroy()
          return true
        },
      },
    })
    const port = portOf(url)
    for (const path of ['/socket.io/?EIO=4', '/map', '/_next/hmr']) {
      const one = client(port, upgradeOf(path))
      await one.ended
      expect(one.heard()).toBe('')
    }
    expect(seen).toEqual(['sockets', 'adapters', 'next'])
    const none = client(port, upgradeOf('/mamp/v1/messages'))
    await none.ended
    expect(none.heard()).toContain('404')
  })

  it('[R65] an upgrade before the gateway is ready is answered 503 and closed', async () => {
    const early = await openEarlyServer('127.0.0.1', 0, ABOUT)
    onTestFinished(() => void early.http.close())
    for (const path of ['/nothing', '/socket.io/?EIO=4', '/map']) {
      const one = client(early.port, upgradeOf(path))
      await one.ended
      expect(one.heard().split('\r\n')[0]).toBe('HTTP/1.1 503 Service Unavailable')
    }
    await expect.poll(() => countOf(early.http)).toBe(0)
  })
})

describe('a stalled request', () => {
  it('[R65] a request is closed when its headers or its body stop arriving, and not before', async () => {
    const { port, early } = await quickGateway()
    const moving = client(port, HALF_BODY)
    const timer = setInterval(() => moving.socket.write('x'), 40)
    onTestFinished(() => clearInterval(timer))
    const still = [client(port, HALF_HEADERS), client(port, HALF_BODY), client(port, '')]
    await Promise.all(still.map(({ ended }) => ended))
    // Three times the limit without progress.
    for (let time = 0; time < 3; time++) await client(port, HALF_BODY).ended
    expect(await countOf(early.http)).toBe(1)
    clearInterval(timer)
    await moving.ended
  })

  it('[R65] a request is closed at its total time limit although a byte arrives now and then', async () => {
    const early = await openEarlyServer('127.0.0.1', 0, ABOUT, { ...QUICK, headersMs: 100, requestMs: 400 })
    await openDouble({ early })
    const slow = client(early.port, HALF_BODY)
    const timer = setInterval(() => slow.socket.write('x'), 40)
    onTestFinished(() => clearInterval(timer))
    await slow.ended
    expect(slow.heard()).toContain('408')
  })

  it('[R65] a connection is closed when its answer is not read, and kept while a slow answer is made', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const { port, url, early } = await quickGateway({
      adapters: {
        owns: (path) => path === '/large' || path === '/slow',
        answer: async (_request, response, path) => {
          if (path === '/slow') await released
          response.end(path === '/slow' ? 'late' : Buffer.alloc(64 * 1024 * 1024))
        },
        upgrade: () => false,
      },
    })
    const slow = fetch(`${url}/slow`).then((answer) => answer.text())
    const unread = client(port, 'GET /large HTTP/1.1\r\nHost: ours\r\n\r\n')
    unread.socket.pause()
    await expect.poll(() => countOf(early.http)).toBe(2)
    await expect.poll(() => countOf(early.http), { timeout: 10_000 }).toBe(1)
    release()
    expect(await slow).toBe('late')
  })

  it('[R65] a stalled request is not logged as a defect', async () => {
    const { port, logged, early } = await quickGateway()
    const one = client(port, HALF_BODY)
    await expect.poll(() => countOf(early.http)).toBe(1)
    one.socket.destroy()
    await client(port, HALF_BODY).ended
    await expect.poll(() => countOf(early.http)).toBe(0)
    expect(logged).toEqual([])
  })
})

describe('many connections', () => {
  it.each([
    ['upgrades', upgradeOf('/nothing')],
    ['half sent headers', HALF_HEADERS],
    ['half sent bodies', HALF_BODY],
  ])(
    `[R65] ${MANY} %s leave open files and connections where they were, and other clients are served`,
    async (_, text) => {
      const { call, early, port } = await quickGateway()
      await call('GET', '/api/health')
      await expect.poll(() => countOf(early.http)).toBeLessThan(2)
      const before = openFiles()
      await flood(port, text)
      await expect.poll(() => countOf(early.http)).toBeLessThan(2)
      await expect.poll(openFiles).toBeLessThan(before + 5)
      expect((await call('GET', '/api/health')).status).toBe(200)
    },
  )

  it('[R65] connections beyond the limit are closed at once, and new ones are served when some have ended', async () => {
    const early = await openEarlyServer('127.0.0.1', 0, ABOUT, { ...CONNECTION_LIMITS, most: 5 })
    const { gateway, call } = await openDouble({ early })
    const held = Array.from({ length: 5 }, () => client(early.port, HALF_BODY))
    await expect.poll(() => countOf(gateway.http)).toBe(5)
    const past = client(early.port, 'GET /api/health HTTP/1.1\r\nHost: ours\r\n\r\n')
    await past.ended
    expect(past.heard()).toBe('')
    for (const { socket } of held) socket.destroy()
    await expect.poll(() => countOf(gateway.http)).toBe(0)
    expect((await call('GET', '/api/health')).status).toBe(200)
  })

  it('[R65] requests that wait for the start are bounded, and forgotten when their client disconnects', async () => {
    const early = await openEarlyServer('127.0.0.1', 0, ABOUT, { ...CONNECTION_LIMITS, mostOfStranger: 100_000 })
    onTestFinished(() => void early.http.close())
    const asks = () => client(early.port, 'GET /inbox HTTP/1.1\r\nHost: ours\r\n\r\n')
    const waiting = Array.from({ length: MOST_EARLY_REQUESTS }, asks)
    await expect.poll(() => countOf(early.http), { timeout: 10_000 }).toBe(MOST_EARLY_REQUESTS)
    const past = asks()
    await expect.poll(past.heard, { timeout: 10_000 }).toContain('503')
    for (const { socket } of [...waiting, past]) socket.destroy()
    await expect.poll(() => countOf(early.http)).toBe(0)
    let answered = 0
    early.handOver((_request, response) => {
      answered += 1
      response.end()
    })
    expect(answered).toBe(0)
  })
})

describe('the connections of one client address', () => {
  const MOST = 3
  const LIMITED: ConnectionLimits = { ...CONNECTION_LIMITS, mostOfStranger: MOST }
  const HEALTH = 'GET /api/health HTTP/1.1\r\nHost: ours\r\n'
  const open = async (clients?: Clients, change: Parameters<typeof openDouble>[0] = {}) => {
    const early = await openEarlyServer('127.0.0.1', 0, ABOUT, LIMITED, clients)
    return { ...(await openDouble({ early, ...(clients === undefined ? {} : { clients }), ...change })), early }
  }

  it('[R93] a connection beyond the limit of its address is closed, other addresses are served, and a closed one makes room', async () => {
    const { early } = await open()
    const held = Array.from({ length: MOST }, () => client(early.port, HALF_BODY))
    await expect.poll(early.strangers).toBe(MOST)
    const past = client(early.port, 'GET /api/me HTTP/1.1\r\nHost: ours\r\n\r\n')
    await past.ended
    expect(past.heard()).toBe('')
    const other = client(early.port, `${HEALTH}\r\n`, '127.0.0.2')
    await expect.poll(other.heard).toContain('200 OK')
    held[0]?.socket.destroy()
    other.socket.destroy()
    await expect.poll(early.strangers).toBe(MOST - 1)
    const next = client(early.port, `${HEALTH}\r\n`)
    await expect.poll(next.heard).toContain('200 OK')
  })

  it('[R458] an address that holds all of its connections may still ask whether the server is alive, and nothing else', async () => {
    const { early } = await open()
    // As many again as may wait for a probe, and more.
    for (const _ of Array.from({ length: MOST + 10 })) client(early.port, HALF_HEADERS)
    await expect.poll(early.strangers).toBe(MOST)
    for (const path of ['/api/health', '/api/ready', '/api/health?from=probe']) {
      const probe = client(early.port, `GET ${path} HTTP/1.1\r\nHost: ours\r\n\r\n`)
      await probe.ended
      expect(probe.heard()).toContain('200 OK')
    }
    for (const text of [
      'GET /api/me HTTP/1.1\r\nHost: ours\r\n\r\n',
      'GET /login HTTP/1.1\r\nHost: ours\r\n\r\n',
      'POST /api/health HTTP/1.1\r\nHost: ours\r\nContent-Length: 9\r\n\r\n',
      upgradeOf('/socket.io/?EIO=4'),
    ]) {
      const other = client(early.port, text)
      await other.ended
      expect(other.heard()).toBe('')
    }
    await expect.poll(() => countOf(early.http), { timeout: 10_000 }).toBe(MOST)
    const elsewhere = client(early.port, `${HEALTH}\r\n`, '127.0.0.2')
    await expect.poll(elsewhere.heard).toContain('200 OK')
  })

  it('[R93] upgrades count towards the limit of an address, connections with a session do not', async () => {
    const { early, signIn } = await open(undefined, {
      sockets: (http) => {
        http.on('upgrade', (_request, socket) => {
          closesWithItsClient(socket)
          socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
        })
        return { close: async () => {} }
      },
    })
    const cookie = await signIn('ana')
    const me = () => client(early.port, `GET /api/me HTTP/1.1\r\nHost: ours\r\nCookie: ${cookie}\r\n\r\n`)
    for (let n = 0; n < 2 * MOST; n += 1) {
      const one = me()
      await expect.poll(one.heard).toContain('200 OK')
    }
    await expect.poll(() => countOf(early.http)).toBeGreaterThanOrEqual(2 * MOST)
    const before = early.strangers()
    const upgrades = Array.from({ length: MOST - before }, () => client(early.port, upgradeOf('/socket.io/?EIO=4')))
    for (const one of upgrades) await expect.poll(one.heard).toContain('101')
    const past = me()
    await past.ended
    expect(past.heard()).toBe('')
    upgrades[0]?.socket.destroy()
    await expect.poll(early.strangers).toBe(MOST - 1)
    const next = me()
    await expect.poll(next.heard).toContain('200 OK')
  })

  it('[R93] behind a trusted proxy the limit holds for the client that it names: 429 for it, nothing for others', async () => {
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const { early } = await open(openClients(['127.0.0.1']), {
      adapters: {
        owns: (path) => path === '/slow' || path === '/map',
        answer: async (_request, response) => {
          await released
          response.end('late')
        },
        upgrade: (_request, socket) => {
          closesWithItsClient(socket)
          return true
        },
      },
    })
    const of = (address: string) => `X-Forwarded-For: ${address}\r\n`
    const slow = `GET /slow HTTP/1.1\r\nHost: ours\r\n${of('203.0.113.1')}\r\n`
    const held = Array.from({ length: MOST - 1 }, () => client(early.port, slow))
    const socket = client(early.port, upgradeOf('/map', of('203.0.113.1')))
    await expect.poll(early.strangers).toBe(MOST)
    const probe = client(early.port, `${HEALTH}${of('203.0.113.1')}\r\n`)
    await expect.poll(probe.heard).toContain('200 OK')
    const past = client(early.port, `GET /api/me HTTP/1.1\r\nHost: ours\r\n${of('203.0.113.1')}\r\n`)
    await expect.poll(past.heard).toContain('429')
    expect(past.heard()).toContain('"TOO_MANY"')
    expect(past.heard()).toMatch(/retry-after: \d/i)
    const upgrade = client(early.port, upgradeOf('/map', of('203.0.113.1')))
    await upgrade.ended
    expect(upgrade.heard()).toContain('429')
    const other = client(early.port, `${HEALTH}${of('203.0.113.2')}\r\n`)
    await expect.poll(other.heard).toContain('200 OK')
    release()
    for (const one of held) await expect.poll(one.heard).toContain('late')
    await expect.poll(early.strangers).toBe(1)
    socket.socket.destroy()
    await expect.poll(early.strangers).toBe(0)
    const next = client(early.port, `${HEALTH}${of('203.0.113.1')}\r\n`)
    await expect.poll(next.heard).toContain('200 OK')
  })
})

describe('stopping', () => {
  it('[R65] stopping ends within its grace time whatever keeps a connection open', async () => {
    const early = await openEarlyServer('127.0.0.1', 0, ABOUT)
    const held: string[] = []
    const hold = (socket: { write(text: string): void }, name: string): true => {
      held.push(name)
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
      return true
    }
    const { gateway } = await openDouble({
      early,
      sockets: (http) => {
        http.on('upgrade', (request, socket) => {
          if (request.url?.startsWith('/socket.io/')) hold(socket, 'sockets')
        })
        return { close: async () => {} }
      },
      adapters: {
        owns: (path) => path === '/map',
        answer: async () => {},
        upgrade: (_request, socket) => hold(socket, 'adapters'),
      },
    })
    const texts = [upgradeOf('/socket.io/?EIO=4'), upgradeOf('/map'), HALF_BODY, HALF_HEADERS, '']
    const clients = texts.map((text) => client(early.port, text))
    await expect.poll(() => held.length).toBe(2)
    await expect.poll(() => countOf(early.http)).toBe(texts.length)
    const before = performance.now()
    await gateway.stop()
    expect(performance.now() - before).toBeLessThan(3_000)
    expect(await countOf(early.http)).toBe(0)
    await Promise.all(clients.map(({ ended }) => ended))
  })
})
