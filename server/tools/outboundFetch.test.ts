/** Where requests for a remote server go: keys stay with their server, and nobody is led into a private network. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { outboundFetch } from './outboundFetch'

/** names: what the first look at a name says. allPublic: this machine counts as public. */
const net = vi.hoisted(() => ({ names: new Map<string, string>(), allPublic: false }))
vi.mock('node:dns/promises', async (original) => {
  const real = await original<typeof import('node:dns/promises')>()
  const lookup = async (name: string, options: { all: true }) => {
    const address = net.names.get(name)
    return address === undefined ? real.lookup(name, options) : [{ address, family: 4 }]
  }
  return { ...real, lookup }
})
vi.mock('node:dns', async (original) => {
  const real = await original<typeof import('node:dns')>()
  type Found = (error: null, found: { address: string; family: number }[]) => void
  // The second look leads home.
  const lookup = (_name: string, _options: object, found: Found) => found(null, [{ address: '127.0.0.1', family: 4 }])
  return { ...real, lookup }
})
vi.mock('../net', async (original) => {
  const real = await original<typeof import('../net')>()
  return {
    ...real,
    isPrivateHost: (host: string) => (net.allPublic ? Promise.resolve(false) : real.isPrivateHost(host)),
    openOutbound: (options: { allowPrivate: boolean }): import('../net').Outbound => {
      return (address, request) =>
        real.openOutbound({ allowPrivate: options.allowPrivate || net.allPublic })(address, request)
    },
  }
})

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
  net.names.clear()
  net.allPublic = false
})

async function echoHeaders(): Promise<string> {
  const server = createServer((request, response) => response.end(JSON.stringify(request.headers)))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('[R30] a key goes to the origin that it is configured for, and to no other', async () => {
  const [own, other] = [await echoHeaders(), await echoHeaders()]
  const send = outboundFetch(new URL(own), { 'X-Key': 'secret' })
  expect(await (await send(`${own}/mcp`, { headers: { accept: 'text/plain' } })).json()).toMatchObject({
    'x-key': 'secret',
    accept: 'text/plain',
  })
  expect(await (await send(`${other}/token`)).json()).not.toHaveProperty('x-key')
})

test.each([
  'http://127.0.0.1:1/',
  'http://[::1]:1/',
  'http://169.254.169.254/latest',
  'http://10.0.0.1/',
  'http://localhost:1/',
  'http://localhost.:1/',
  'http://[::127.0.0.1]:1/',
])('[R30] a public server cannot send us to %s', async (address) => {
  const send = outboundFetch(new URL('http://93.184.215.14/mcp'), {})
  await expect(send(address)).rejects.toThrow('which lies in a private network')
})

test('[R30] a name that is public when it is checked and private when it is connected to leads nowhere', async () => {
  net.names.set('rebound.example', '93.184.215.14')
  const send = outboundFetch(new URL('http://93.184.215.14/mcp'), {})
  await expect(send('http://rebound.example/token')).rejects.toThrow('which lies in a private network')
})

test('[R30] what is sent for a public server arrives whole; its answer comes back, a redirect unfollowed', async () => {
  net.allPublic = true
  let text = ''
  const server = createServer((request, response) => {
    if (request.url === '/moved') return response.writeHead(302, { Location: 'http://10.0.0.1/' }).end()
    if (request.url === '/none') return response.writeHead(204).end()
    request.on('data', (piece) => {
      text += String(piece)
    })
    request.on('end', () =>
      response
        .writeHead(400, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ method: request.method, type: request.headers['content-type'], text })),
    )
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const send = outboundFetch(new URL('http://93.184.215.14/mcp'), { 'X-Key': 'secret' })
  const body = new URLSearchParams({ grant_type: 'x', scope: 'grüße' })
  const answer = await send(`${base}/token`, { method: 'POST', body })
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { method: 'POST', type: 'application/x-www-form-urlencoded;charset=UTF-8', text: body.toString() },
  ])
  const moved = await send(`${base}/moved`)
  expect([moved.status, moved.headers.get('location')]).toEqual([302, 'http://10.0.0.1/'])
  expect((await send(`${base}/none`)).status).toBe(204)
})
