/** Pictures behind addresses that will not last are kept here; where that does not work, the address stays and it is said. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openSystem, PEER } from '../../test/adapterSystem'
import { isExpiring } from './cachedCopies'

const KEY = 'harmony-key'
const secrets = [{ id: PEER.id, key: KEY, sendKey: null, signingKey: null }]
const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' }

async function pictures(): Promise<string> {
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    if (path.startsWith('/good')) response.writeHead(200, { 'Content-Type': 'image/png' }).end('PNG')
    else if (path.startsWith('/page')) response.writeHead(200, { 'Content-Type': 'text/html' }).end('<script>')
    else if (path.startsWith('/moved')) response.writeHead(302, { Location: '/good' }).end()
    else if (path.startsWith('/large'))
      response.writeHead(200, { 'Content-Type': 'image/png' }).end(Buffer.alloc(11 * 1024 * 1024))
    else response.writeHead(403).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const SIGNED = '?X-Amz-Expires=900&X-Amz-Signature=ab'
const picture = (url: string) => ({ type: 'image_url', image_url: { url, detail: 'low' } })

async function brought(allowPrivate: boolean, urls: string[]) {
  const system = await openSystem({ peers: [{ ...PEER, may: ['harmony'], allowPrivate }], secrets })
  const body = JSON.stringify({ messages: [{ role: 'user', content: urls.map(picture) }] })
  const { json } = await system.call('/api/harmony/import', { method: 'POST', headers, body })
  const { json: back } = await system.call(`/api/harmony/export?conversation_id=${json.conversation_id}`, { headers })
  const [message] = Array.isArray(back.messages) ? back.messages : []
  return {
    system,
    json,
    parts: message?.content,
    shown: system.messages().find(({ imported }) => imported)?.text ?? '',
  }
}

describe('a picture behind an address that will not last', () => {
  it('H-09 is kept here, and its address is ours from then on; what lasts stays where it is', async () => {
    const base = await pictures()
    const { system, json, parts } = await brought(true, [`${base}/good${SIGNED}`, `${base}/good`])
    expect([json.copied, json.not_copied]).toEqual([1, []])
    expect(parts[1]).toEqual(picture(`${base}/good`))
    const { url, ...rest } = parts[0].image_url
    expect(rest).toEqual({ detail: 'low', copied_from: `${base}/good${SIGNED}` })
    const path = url.replace('http://ours.example', system.url)
    const answer = await fetch(path, { headers })
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, 'image/png', 'PNG'])
    expect((await fetch(path)).status).toBe(401)
  })

  it('H-09 in a list said in a conversation is kept with its message beside the address; what lasts stays an address', async () => {
    const base = await pictures()
    const { system, json } = await brought(true, [])
    const said = async (urls: string[]) => {
      const content = [{ type: 'text', text: 'Look at these.' }, ...urls.map(picture)]
      const body = JSON.stringify({ conversation_id: json.conversation_id, messages: [{ role: 'user', content }] })
      expect((await system.call('/api/harmony/import', { method: 'POST', headers, body })).status).toBe(200)
      return system.messages().findLast(({ text }) => text.startsWith('Look at these.'))
    }
    const message = await said([`${base}/good${SIGNED}`, `${base}/good`, `${base}/page${SIGNED}`])
    expect(message?.attachments).toMatchObject([
      { name: 'image-2.png', copiedFrom: `${base}/good${SIGNED}`, body: { mime: 'image/png', bytes: 3 } },
    ])
    for (const url of [`${base}/good${SIGNED}`, `${base}/good`, `${base}/page${SIGNED}`])
      expect(message?.text).toContain(url)
    const kept = await system.store.bodies.get(message?.attachments[0]?.body.sha ?? '')
    expect(Buffer.from(kept?.bytes ?? []).toString()).toBe('PNG')
  })

  it('H-09 stays an address where it cannot be copied, and the answer and the chat say why', async () => {
    const base = await pictures()
    const urls = ['/gone', '/page', '/moved', '/large'].map((path) => `${base}${path}${SIGNED}`)
    const { json, parts, shown } = await brought(true, urls)
    expect(json).toMatchObject({
      copied: 0,
      not_copied: [
        { at: 0, part: 0, why: 'not copied: its server answered 403' },
        { at: 0, part: 1, why: 'not copied: it is no picture (text/html)' },
        { at: 0, part: 2, why: 'not copied: its server answered 302' },
        { at: 0, part: 3, why: 'not copied: it is larger than 10 MiB' },
      ].map((one) => expect.objectContaining(one)),
    })
    expect(parts).toEqual(urls.map(picture))
    expect(shown).toContain('not copied: its server answered 403')
  })

  it('H-09 [R38] is never fetched from a private network, unless the peer may', async () => {
    const base = await pictures()
    const { json } = await brought(false, [`${base}/good${SIGNED}`])
    expect(json.not_copied).toEqual([{ at: 0, part: 0, why: 'not copied: it lies in a private network' }])
  })

  it.each([
    ['https://b.s3.amazonaws.com/a.png?X-Amz-Expires=900', true],
    ['https://a.blob.core.windows.net/a.png?se=2026&sig=x', true],
    ['https://storage.googleapis.com/a?X-Goog-Signature=1', true],
    ['https://a.example/a.png?width=10', false],
    ['https://a.example/a.png', false],
    ['data:image/png;base64,AAAA', false],
    ['s3://a/b?sig=1', false],
    ['...', false],
  ])('H-09 the address %s expires: %s', (url, expires) => {
    expect(isExpiring(url)).toBe(expires)
  })
})
