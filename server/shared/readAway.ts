/**
 * What is left of the body of a refused request is read away before the answer: a connection that is closed while its sender still
 * writes is reset, and the sender learns nothing of the refusal.
 */
import type { IncomingMessage } from 'node:http'

/**
 * Beyond this the connection ends with the answer. ms: without a piece; how long a whole request may take is limited by the server
 * (CONNECTION_LIMITS).
 */
const MOST = { bytes: 64 * 1024 * 1024, ms: 5_000 }

type NextPiece = () => Promise<{ done?: boolean | undefined; value?: { byteLength: number } | undefined }>

/** in: next: the next piece of the body. Never throws: a sender that has gone needs no answer */
export async function readAway(next: NextPiece, most = MOST): Promise<void> {
  let giveUp = (): void => {}
  const late = new Promise<{ done: true; value?: undefined }>((resolve) => {
    giveUp = () => resolve({ done: true })
  })
  const timer = setTimeout(() => giveUp(), most.ms)
  try {
    for (let bytes = 0; bytes <= most.bytes; ) {
      const { done, value } = await Promise.race([next(), late])
      if (done) return
      bytes += value?.byteLength ?? 0
      timer.refresh()
    }
  } catch {
    // It was cut off.
  } finally {
    clearTimeout(timer)
  }
}

/** The pieces of a body; one that is not read to its end keeps its connection, so that it can still be answered. */
export const piecesOf = (request: IncomingMessage): AsyncIterableIterator<Buffer> =>
  request.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>

/** Reads the rest of this body away; does nothing when all of it has arrived. */
export async function readAwayRest(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return
  const pieces = piecesOf(request)
  await readAway(() => pieces.next())
}
