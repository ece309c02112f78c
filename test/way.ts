/** A way to a port of this machine that can be made long, or stand still as where a cable was pulled. */
import { connect, createServer, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'

export type Way = {
  readonly port: number
  /** From now on each byte takes so long in either direction, ms. */
  slow(ms: number): void
  /** Nothing comes through any more, and no end hears of it. out: what was sent meanwhile comes late, and all goes on */
  hang(): () => void
  close(): Promise<void>
}

export async function openWay(to: number): Promise<Way> {
  const sockets = new Set<Socket>()
  let slowMs = 0
  let isHanging = false
  const directions = new Set<() => void>()

  /** What comes by it goes on in the same order. */
  function direction(): (run: () => void) => void {
    const queue: { at: number; run: () => void }[] = []
    const next = (): void => {
      while (!isHanging && queue[0] && queue[0].at <= performance.now()) queue.shift()?.run()
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    port: address.port,
    slow(ms) {
      slowMs = ms
    },
    hang() {
      isHanging = true
      return () => {
        isHanging = false
        for (const next of directions) next()
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
