/** A way to a server on which answers can be lost. */
import { connect, createServer, type Socket } from 'node:net'

export type Proxy = {
  /** The same database by this way. */
  url: string
  /** Hold back all answers until `done`, then cut every session: what was done meanwhile is done, and nobody heard of it. */
  loseAnswers(done: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

export async function proxyTo(url: string): Promise<Proxy> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let isLosing = false
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    client.on('data', (bytes) => server.write(bytes))
    server.on('data', (bytes) => {
      if (!isLosing) client.write(bytes)
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const way = new URL(url)
  way.port = `${address.port}`

  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: way.href,
    async loseAnswers(done) {
      isLosing = true
      try {
        await done()
      } finally {
        cut()
        isLosing = false
      }
    },
    async close() {
      cut()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}
