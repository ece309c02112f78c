/** Another MAMP system on a port, and what tests of the adapter wait for. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import type { AgentId } from '@/lib/mas/ids'
import type { MampMessage } from '@/lib/protocols/mamp'
import type { System } from '@/test/adapterSystem'

export type Got = { message: MampMessage; headers: IncomingMessage['headers']; body: string }
/** Another system that only takes what is sent to it. */
export async function listener(
  answer: (got: Got, count: number) => { status: number; body?: unknown } = () => ({ status: 200 }),
) {
  const got: Got[] = []
  const waiting: (() => void)[] = []
  const http = createServer((request, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      const one = { message: JSON.parse(body) as MampMessage, headers: request.headers, body }
      got.push(one)
      const { status, body: says } = answer(one, got.length)
      const received = { conversation_id: 'conv-theirs', message_id: one.message.message_id, status: 'received' }
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(says ?? received))
      for (const wake of waiting.splice(0)) wake()
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return {
    url,
    got,
    async until(count: number): Promise<Got[]> {
      while (got.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
      return got
    },
  }
}

export const answered = (system: System) => system.until((world) => system.messages().length >= 2 && isIdle(world.work))
export const isIdle = (work: Record<AgentId, { todo: unknown[]; running: unknown }>): boolean =>
  Object.values<{ todo: unknown[]; running: unknown }>(work).every(
    (one) => one.todo.length === 0 && one.running === null,
  )
export const unchanged = async (
  system: System,
  act: () => Promise<{ status: number; json: Record<string, unknown> }>,
) => {
  const [messages, conversations] = [system.messages().length, system.conversations().length]
  const answer = await act()
  expect([system.messages().length, system.conversations().length]).toEqual([messages, conversations])
  expect(answer.json).toEqual({
    error: answer.json.error,
    message: expect.stringMatching(/\S/),
    status_code: answer.status,
  })
  return answer
}
