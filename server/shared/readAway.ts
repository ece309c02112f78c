/**
 * What is left of the body of a refused request is read away before the answer: a connection that is closed while its sender still
 * writes is reset, and the sender learns nothing of the refusal.
 */
import type { IncomingMessage } from 'node:http'

/** Nobody holds a connection longer than this with a body that is refused; beyond it the connection ends with the answer. */
const MOST = { bytes: 64 * 1024 * 1024, ms: 5_000 }

type NextPiece = () => Promise<{ done?: boolean | undefined; value?: { byteLength: number } | undefined }>

/** in: next: the next piece of the body. Never throws: a sender that has gone needs no answer */
export async function readAway(next: NextPiece, most = MOST): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<{ done: true }>((resolve) => {
    timer = setTimeout(() => resolve({ done: true }), most.ms)
  })
  try {
    for (let bytes = 0; bytes <= most.bytes; ) {
      const piece = await Promise.race([next(), late])
      if (piece.done) return
      bytes += ('value' in piece ? piece.value?.byteLength : undefined) ?? 0
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
