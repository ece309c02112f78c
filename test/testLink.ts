/** A TCP proxy to a local port, with a delay, or stalled as by a pulled cable. */
import { connect, createServer, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'

export type TestLink = {
  readonly port: number
  /** Delays each byte in either direction, ms. */
  slow(ms: number): void
  /** Holds back all bytes and ends. out: delivers them and forwards again */
  stall(): () => void
  /** Connections that are opened from now on go to that local port. in: others: cut, or left where they are */
  pointAt(port: number, others: 'cut' | 'kept'): void
  close(): Promise<void>
}

export async function openTestLink(firstTo: number): Promise<TestLink> {
  let to = firstTo
  const sockets = new Set<Socket>()
  let slowMs = 0
  let isStalled = false
  const directions = new Set<() => void>()

  /** Runs what it is given in order, each after the delay. */
  function direction(): (run: () => void) => void {
    const queue: { at: number; run: () => void }[] = []
    const next = (): void => {
      while (!isStalled && queue[0] && queue[0].at <= performance.now()) queue.shift()?.run()
    }
    directions.add(next)
    return (run) => {
      queue.push({ at: performance.now() + slowMs, run })
      if (slowMs === 0) next()
      else setTimeout(next, slowMs + 1)
    }
  }

  const server = createServer((client) => {
    const target = connect(to, '127.0.0.1')
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      const later = direction()
      sockets.add(one)
      one.setNoDelay(true)
      one.on('error', () => {})
      one.on('data', (bytes) => later(() => void other.write(bytes)))
      one.on('close', () => {
        sockets.delete(one)
        later(() => other.destroy())
      })
    }
  })
  const cut = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    slow(ms) {
      slowMs = ms
    },
    stall() {
      isStalled = true
      return () => {
        isStalled = false
        for (const next of directions) next()
      }
    },
    pointAt(port, others) {
      to = port
      if (others === 'cut') cut()
    },
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
