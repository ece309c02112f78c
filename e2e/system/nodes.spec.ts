/** Two servers on one PostgreSQL: a person is the same at both. */
import { expect, test } from '@playwright/test'
import { io } from 'socket.io-client'
import { WebSocket } from 'ws'
import { startTwoNodes } from '../fixtures/nodes'
import { newCommandHead } from './http'

test('[R249, R250] a session, a draft, a request and signing out are the same at either node', async ({
  browserName: _,
}, info) => {
  test.skip(info.project.name !== 'desktop', 'there is no page in this test')
  const { north, south, stop } = await startTwoNodes()
  try {
    const cookie = await north.signIn('ana')
    const call = (url: string, method = 'GET', body?: object): Promise<Response> =>
      fetch(url, {
        method,
        headers: { cookie, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
    expect((await call(`${south.url}/api/me`)).status).toBe(200)
    const signedOut: unknown[] = []
    const socket = io(south.url, { transports: ['websocket'], extraHeaders: { cookie } })
    socket.on('signedOut', (why) => signedOut.push(why))
    await expect.poll(() => socket.connected).toBe(true)

    // Asked at the one that follows; the one that decides has it, and its agents begin.
    expect((await call(`${south.url}/api/work/demo`, 'POST', newCommandHead())).status).toBe(200)
    for (const { url } of [north, south])
      await expect
        .poll(async () => Object.keys(await (await call(`${url}/api/states?type=task`)).json()).length)
        .toBe(2)

    const draft = { text: 'half a sentence', version: Date.now() }
    expect((await call(`${north.url}/api/drafts/task%3Ax`, 'PUT', draft)).status).toBe(200)
    expect(await (await call(`${south.url}/api/drafts/task%3Ax`)).json()).toMatchObject({ text: draft.text })

    expect((await call(`${north.url}/api/sessions/end`, 'POST', {})).status).toBe(200)
    await expect.poll(() => signedOut).toEqual([{ reason: 'ended' }])
    expect((await call(`${south.url}/api/me`)).status).toBe(401)
    socket.close()
  } finally {
    await stop()
  }
})

test('[R274] a peer is answered on the stream or socket that it holds, at whichever node', async ({
  browserName: _,
}, info) => {
  test.skip(info.project.name !== 'desktop', 'there is no page in this test')
  const peers = `  - { uri: 'agent://east.example/*', base_url: 'http://127.0.0.1:9', key_env: EAST_KEY, may: [mamp] }\n`
  const { south, stop } = await startTwoNodes({ EAST_KEY: 'key-of-east' }, { peers })
  const headers = { authorization: 'Bearer key-of-east', 'content-type': 'application/json' }
  const question = (id: string, from: string): string =>
    JSON.stringify({
      protocol: 'mamp/1.0',
      message_id: id,
      from: `agent://east.example/${from}`,
      to: `agent://${new URL(south.url).host}/manager`,
      content: 'How many chairs do you need?',
      metadata: { timestamp: '2026-03-04T10:00:00Z', need_reply: true },
    })
  try {
    const answer = await fetch(`${south.url}/mamp/v1/messages`, {
      method: 'POST',
      headers: { ...headers, accept: 'text/event-stream' },
      body: question('on-a-stream', 'reader'),
    })
    expect(answer.status).toBe(200)
    // It ends when the answer has been written.
    const events = await answer.text()
    expect(events).toMatch(/^event: message$/m)
    expect(events).toMatch(/^event: end\ndata: .*"answered"/m)

    const socket = new WebSocket(`${south.url.replace('http', 'ws')}/mamp/v1/ws`, { headers })
    const texts: string[] = []
    socket.on('message', (data) => texts.push(String(data)))
    await expect.poll(() => socket.readyState).toBe(socket.OPEN)
    socket.send(question('on-a-socket', 'seller'))
    const messages = () => texts.flatMap((text) => ('protocol' in JSON.parse(text) ? [JSON.parse(text)] : []))
    await expect.poll(() => messages().map(({ to }) => to)).toContain('agent://east.example/seller')
    socket.close()
  } finally {
    await stop()
  }
})
