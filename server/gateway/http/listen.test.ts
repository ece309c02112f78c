/** Opening the port: what the person who starts the program is told when that fails. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { listen } from './listen'

afterEach(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

/** A server that holds a port until the end of the test. null: the port is taken. */
async function holding(port: number, host = '127.0.0.1', body = '{}'): Promise<number | null> {
  const server = createServer((_request, response) => void response.end(body))
  onTestFinished(() => void server.close().closeAllConnections())
  const opened = await new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, host, () => resolve(true))
  })
  return opened === true ? (server.address() as AddressInfo).port : null
}

async function held(host?: string, body?: string): Promise<number> {
  const port = await holding(0, host, body)
  if (port === null) throw new Error('no port is free')
  return port
}

/** The first of so many ports in a row that this test holds. */
async function heldInARow(count: number): Promise<number> {
  for (let first = 61_000; first < 65_000; first += count + 2) {
    let port = first
    while (port < first + count && (await holding(port)) !== null) port += 1
    if (port === first + count) return first
  }
  throw new Error('no ports are free')
}

async function sentenceAt(port: number, host = '127.0.0.1', server: Server = createServer()): Promise<string> {
  return listen(server, host, port).then(
    () => 'it listens',
    (error: Error) => `${error.name}: ${error.message}`,
  )
}

describe('a taken port', () => {
  it('a taken port is reported with its process and the next free port', async () => {
    const program =
      "const s = require('net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))"
    const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'ignore'] })
    onTestFinished(() => void child.kill())
    const [said] = await once(child.stdout, 'data')
    const port = Number(String(said))
    const sentence = await sentenceAt(port)
    expect(sentence).toMatch(
      new RegExp(`^CannotListenError: Port ${port} on 127.0.0.1 is taken by process ${child.pid} \\(\\w+\\)\\. Port`),
    )
    const free = Number(/ Port (\d+) is free: PORT=\1 npm start$/.exec(sentence)?.[1])
    expect(free).toBeGreaterThan(port)
    expect(await holding(free)).toBe(free)
  })

  it('a port of another Convene is reported as such, by its answer to a probe', async () => {
    const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))
    for (const host of hasIPv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1']) {
      const port = await held(host, '{"journal":"j"}')
      expect(await sentenceAt(port, host)).toContain(`is taken by another Convene, process ${process.pid} (`)
    }
    for (const body of ['{"status":"ok"}', 'null', '"journal"', 'no JSON'])
      expect(await sentenceAt(await held('127.0.0.1', body))).toContain(`is taken by process ${process.pid} (`)
  })

  it('where the system does not say who holds it, the sentence says what it is or how to find out', async () => {
    vi.spyOn(fs, 'readFile').mockRejectedValue(new Error('no /proc'))
    syncBuiltinESMExports()
    const [convene, other] = [await held('127.0.0.1', '{"journal":"j"}'), await held()]
    expect(await sentenceAt(convene)).toContain('is taken by another Convene. Port')
    expect(await sentenceAt(other)).toContain(`is taken by another program (who: lsof -i :${other}). Port`)
    vi.restoreAllMocks()
    vi.spyOn(fs, 'readdir').mockRejectedValue(new Error('no right'))
    syncBuiltinESMExports()
    expect(await sentenceAt(other)).toContain('is taken by another program (who: ')
  })

  it('twenty ports after it are tried, none beyond the last port there is, and without a free one none is named', async () => {
    const first = await heldInARow(20)
    expect(await sentenceAt(first)).toContain(` Port ${first + 20} is free: PORT=${first + 20} npm start`)
    await holding(first + 20)
    expect(await sentenceAt(first)).toMatch(/\(\w+\)\.$/)
    await holding(65_534)
    expect(await sentenceAt(65_534)).toContain(' Port 65535 is free: ')
    await holding(65_535)
    expect(await sentenceAt(65_535)).toMatch(/\(\w+\)\.$/)
  })
})

it('each other reason why a port cannot be opened has its sentence', async () => {
  const failing = (code: string): Server => {
    const server = createServer()
    vi.spyOn(server, 'listen').mockImplementation(() => {
      queueMicrotask(() => server.emit('error', Object.assign(new Error(`listen ${code}`), { code })))
      return server
    })
    return server
  }
  expect(await sentenceAt(80, '127.0.0.1', failing('EACCES'))).toMatch(/may not listen on port 80\. Ports from 1024/)
  for (const code of ['EADDRNOTAVAIL', 'ENOTFOUND'])
    expect(await sentenceAt(3_000, 'elsewhere', failing(code))).toContain('elsewhere is no address of this machine.')
  expect(await sentenceAt(3_000, '127.0.0.1', failing('EMFILE'))).toContain('127.0.0.1:3000: listen EMFILE')
})

it('an opened port is reported, and a later error of the server is not reported as one of its start', async () => {
  const server = createServer()
  onTestFinished(() => void server.close())
  const port = await listen(server, '127.0.0.1', 0)
  expect(port).toBe((server.address() as AddressInfo).port)
  expect(server.listenerCount('error')).toBe(0)
})
