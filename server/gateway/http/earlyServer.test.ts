/** The port while the program starts: which requests wait, which are answered, and how many may wait. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { MOST_EARLY_REQUESTS, openEarlyServer } from './earlyServer'

/** An early server that listens, and a way to give it requests without a connection. */
async function opened() {
  const early = await openEarlyServer('127.0.0.1', 0, { node: 'n1', version: '1', rehearsal: true })
  onTestFinished(() => {
    early.destroyAll()
    early.http.close()
  })
  const ask = (url: string) => {
    const request = new IncomingMessage(new Socket())
    request.method = 'GET'
    request.url = url
    const response = new ServerResponse(request)
    early.http.emit('request', request, response)
    return response
  }
  return { early, ask }
}
const isAnswered = (response: ServerResponse): boolean => response.writableEnded

it('[R71] during the start probes and sockets are answered 503 at once whatever their query, other requests wait', async () => {
  const { ask } = await opened()
  for (const url of ['/api/health', '/api/ready', '/api/health?a=1', '/socket.io/?EIO=4']) {
    const response = ask(url)
    expect([url, isAnswered(response), response.statusCode]).toEqual([url, true, 503])
  }
  for (const url of ['/', '/api/me', '/api/health/more', '/a/socket.io/'])
    expect([url, isAnswered(ask(url))]).toEqual([url, false])
})

it('[R71] a thousand requests may wait and the next is refused; one that disconnects makes room', async () => {
  const { ask, early } = await opened()
  const waiting = Array.from({ length: MOST_EARLY_REQUESTS }, () => ask('/'))
  expect(waiting.some(isAnswered)).toBe(false)
  const over = ask('/')
  expect([isAnswered(over), over.statusCode]).toEqual([true, 503])
  waiting[0]?.emit('close')
  expect(isAnswered(ask('/'))).toBe(false)
  const taken: string[] = []
  early.handOver((request) => taken.push(request.url ?? ''))
  expect(taken).toHaveLength(MOST_EARLY_REQUESTS)
  ask('/later')
  expect(taken.at(-1)).toBe('/later')
})
