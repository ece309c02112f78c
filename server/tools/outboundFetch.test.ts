/** Where requests for a remote server go: keys stay with their server, and nobody is led into a private network. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { outboundFetch } from './outboundFetch'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
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
])('[R30] a public server cannot send us to %s', async (address) => {
  const send = outboundFetch(new URL('http://93.184.215.14/mcp'), {})
  await expect(send(address)).rejects.toThrow('which lies in a private network')
})
