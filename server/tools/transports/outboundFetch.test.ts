/** Where requests for a remote server go: keys stay with their server, and nobody is led into a private network. */
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { outboundFetch } from './outboundFetch'

/** names: what the first look at a name says. allPublic: this machine counts as public; hostsPublic: only when a server is looked up. */
const net = vi.hoisted(() => ({ names: new Map<string, string>(), allPublic: false, hostsPublic: false }))
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
vi.mock('../../net', async (original) => {
  const real = await original<typeof import('../../net')>()
  return {
    ...real,
    isPrivateHost: (host: string) =>
      net.allPublic || net.hostsPublic ? Promise.resolve(false) : real.isPrivateHost(host),
    openCall: (address: string, call: Parameters<typeof real.openCall>[1]) =>
      real.openCall(address, { ...call, allowPrivate: call.allowPrivate || net.allPublic }),
  }
})

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
  net.names.clear()
  net.allPublic = false
  net.hostsPublic = false
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const echoHeaders = () =>
  serve((request, response) => response.end(JSON.stringify({ ...request.headers, method: request.method })))
const redirectsTo = (address: string, status = 307) =>
  serve((_, response) => response.writeHead(status, { Location: address }).end())

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
  const base = await serve((request, response) => {
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

test('[R30] a redirect of the server itself is followed; another origin hears neither its key nor its token', async () => {
  const other = await echoHeaders()
  const own = await redirectsTo(`${other}/moved`)
  const send = outboundFetch(new URL(own), { 'X-Key': 'secret' })
  const headers = { Authorization: 'Bearer token', accept: 'text/plain' }
  const heard = await (await send(own, { method: 'POST', headers, body: 'text' })).json()
  expect(heard).toMatchObject({ method: 'POST', accept: 'text/plain' })
  expect(heard).not.toHaveProperty('x-key')
  expect(heard).not.toHaveProperty('authorization')
  const moved = outboundFetch(new URL(await redirectsTo(other, 303)), {})
  expect(await (await moved(await redirectsTo(other, 303), { method: 'POST', body: 'text' })).json()).toMatchObject({
    method: 'GET',
  })
})

test('[R30] a redirect of a public server does not lead into a private network', async () => {
  net.hostsPublic = true
  const own = await redirectsTo('http://10.0.0.1/latest')
  await expect(outboundFetch(new URL(own), {})(own)).rejects.toThrow('10.0.0.1, which lies in a private network')
})

test('[R30] a server that redirects to itself for ever is left', async () => {
  const own: string = await serve((request, response) => response.writeHead(302, { Location: request.url }).end())
  await expect(outboundFetch(new URL(own), {})(own)).rejects.toThrow('redirects more than 5 times')
})

test('[R30] an endless answer of another origin ends its stream', async () => {
  const other = await serve((_, response) => {
    const more = (): boolean => response.destroyed || (response.write('x'.repeat(64 * 1024)) && more())
    response.on('drain', more)
    more()
  })
  const send = outboundFetch(new URL(await echoHeaders()), {})
  await expect((await send(other)).text()).rejects.toThrow('more than 1048576 bytes')
})

test('a call that a server cuts off on a kept connection is not sent again: it may have taken effect', async () => {
  const calls: (string | undefined)[] = []
  const own = await serve((request, response) => {
    calls.push(request.url)
    if (request.url === '/cut') request.socket.destroy()
    else response.end()
  })
  const send = outboundFetch(new URL(own), {})
  await (await send(`${own}/first`, { method: 'POST', body: 'text' })).text()
  await nextTurn()
  await expect(send(`${own}/cut`, { method: 'POST', body: 'text' })).rejects.toThrow(TypeError)
  expect(calls).toEqual(['/first', '/cut'])
})

test('[R460] an answer that is left unread is given up, and its error ends no process', async () => {
  let left = (): void => {}
  const isLeft = new Promise<void>((resolve) => {
    left = resolve
  })
  const own = await serve((_, response) => {
    response.on('close', left)
    response.writeHead(404).write('a beginning')
  })
  const { body } = await outboundFetch(new URL(own), {})(own)
  // An error that nobody hears fails the run.
  await body?.cancel()
  await isLeft
})
