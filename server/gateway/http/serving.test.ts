/** The address that a gateway gives of itself, and which file of a build is its console. */
import { rename } from 'node:fs/promises'
import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openGateway } from '..'
import { type Double, earlyServer, openDouble, SHELL, usualOptions } from '../test/gatewayDouble'

const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'))

/** Another gateway over the parts of a double, started at that host. out: the address that it gives */
async function startedAt(double: Double, host: string, publicUrl: string | null = null, hasFiles = true) {
  const { folder, engine, store, workspace, clock } = double
  const usual = usualOptions(folder, { logged: [], failures: [], engine, store })
  const early = await earlyServer(host)
  const gateway = openGateway({ ...usual, early, workspace, now: () => clock.now, publicUrl, hasFiles })
  onTestFinished(() => gateway.stop())
  const { url } = await gateway.start(host)
  return { url, port: early.port }
}

describe('the address of a gateway', () => {
  it('is its host and port, and localhost where it listens on every address', async () => {
    const double = await openDouble()
    for (const [host, name] of [
      ['127.0.0.1', '127.0.0.1'],
      ['0.0.0.0', 'localhost'],
      ...(hasIPv6
        ? ([
            ['::', 'localhost'],
            ['::1', '[::1]'],
          ] as const)
        : []),
    ] as const) {
      const { url, port } = await startedAt(double, host)
      expect(url).toBe(`http://${name}:${port}`)
    }
  })

  it('is the public one where there is one', async () => {
    const { url } = await startedAt(await openDouble(), '127.0.0.1', 'https://console.example')
    expect(url).toBe('https://console.example')
  })
})

it('[R350] pages, the API and sockets answer at no name of another site; probes at any', async () => {
  const { url, logged } = await openDouble()
  const at = (path: string, host: string): Promise<[number, string]> =>
    new Promise((resolve, reject) => {
      request(url + path, { headers: { host } }, (answer) => {
        let text = ''
        answer.on('data', (piece) => {
          text += String(piece)
        })
        answer.on('end', () => resolve([answer.statusCode ?? 0, text]))
      })
        .on('error', reject)
        .end()
    })
  for (const path of ['/', '/login', '/icon.svg', '/api/me', '/api/openapi.json']) {
    const [status, text] = await at(path, 'evil.example')
    expect([path, status]).toEqual([path, 403])
    expect(text).toContain("evil.example isn't known as an address of this server.")
    expect((await at(path, '192.0.2.7:3000'))[0]).not.toBe(403)
  }
  for (const path of ['/api/health', '/api/ready']) expect((await at(path, 'evil.example'))[0]).toBe(200)
  expect(logged).toContainEqual(expect.objectContaining({ path: '/login', code: 'FOREIGN_HOST' }))
})

it('[R265] a request waits until its node has read what was acknowledged before; pages and probes do not', async () => {
  const double = await openDouble()
  let go = (): void => {}
  const read = new Promise<void>((resolve) => {
    go = resolve
  })
  const { url } = await startedAt({ ...double, engine: { ...double.engine, caughtUp: () => read } }, '127.0.0.1')
  let isAnswered = false
  const asked = fetch(`${url}/api/nothing`).then(({ status }) => {
    isAnswered = true
    return status
  })
  for (const path of ['/', '/api/health', '/api/ready']) expect((await fetch(url + path)).status).toBe(200)
  expect(isAnswered).toBe(false)
  go()
  expect(await asked).toBe(404)
})

it('the console is the page of a build, by whichever of its two names it is there', async () => {
  const double = await openDouble()
  const built = join(double.folder, '.next', 'server', 'app')
  await rename(join(built, 'index.html'), join(built, '[[...path]].html'))
  const { url } = await startedAt(double, '127.0.0.1')
  for (const path of ['/', '/inbox']) expect([path, await (await fetch(url + path)).text()]).toEqual([path, SHELL])
})

it('[R264] a node without the workspace says whether it lives, and that it serves nothing else', async () => {
  const { port } = await startedAt(await openDouble(), '127.0.0.1', null, false)
  const ask = (path: string, method = 'GET'): Promise<Response> => fetch(`http://127.0.0.1:${port}${path}`, { method })
  for (const path of ['/api/health', '/api/ready']) expect((await ask(path)).status).toBe(200)
  for (const [path, method] of [
    ['/', 'GET'],
    ['/api/attachments', 'POST'],
    ['/mamp/messages', 'POST'],
    ['/socket.io/?EIO=4&transport=polling', 'GET'],
  ] as const) {
    const answer = await ask(path, method)
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringMatching(/no workspace.*Use another node/)])
  }
})
