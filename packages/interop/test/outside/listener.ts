/** Another system on a port of this machine: it takes what is sent to it, and keeps it. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Sent = { body: string; headers: IncomingMessage['headers'] }

export type Listener = {
  url: string
  got: Sent[]
  /** Wait until so many came. */
  until(count: number): Promise<Sent[]>
  close(): void
}

/** in: answers what came, and its number from 1 */
export async function openListener(
  answer: (sent: Sent, count: number) => { status: number; body?: unknown },
): Promise<Listener> {
  const got: Sent[] = []
  const waiting: (() => void)[] = []
  const http = createServer((request, response) => {
    let body = ''
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      const sent = { body, headers: request.headers }
      got.push(sent)
      const { status, body: says = {} } = answer(sent, got.length)
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(says))
      for (const wake of waiting.splice(0)) wake()
    })
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    got,
    async until(count) {
      while (got.length < count) await new Promise<void>((resolve) => waiting.push(resolve))
      return got
    },
    close() {
      http.closeAllConnections()
      http.close()
    },
  }
}
