/** Small helpers for HTTP connections. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * Answer with a status line and close, without waiting for the other side: an upgraded socket that nobody reads never sees
 * that the other side has gone.
 *
 * in  status: code and reason, as `404 Not Found`; retryAfter: seconds
 */
export function refuseUpgrade(socket: Duplex, status: string, retryAfter?: number): void {
  const wait = retryAfter === undefined ? '' : `Retry-After: ${retryAfter}\r\n`
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n${wait}Content-Length: 0\r\n\r\n`, () => socket.destroy())
}

/** Did the connection end before the whole request was there? Then what failed is no defect of this program. */
export const isCutOff = (request: IncomingMessage): boolean => request.destroyed && !request.complete
