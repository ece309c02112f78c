/** The id of an HTTP request: answered as X-Request-Id, and named by every log line about the request. */
import type { IncomingMessage } from 'node:http'

export const REQUEST_ID_HEADER = 'x-request-id'

/** The form of a proxy's id: short, with characters that are safe in a log. */
const GIVEN = /^[A-Za-z0-9._-]{1,64}$/
const ids = new WeakMap<IncomingMessage, string>()

/** Gives a request its id: its own if a trusted proxy sent it, else a new one. */
export function giveRequestId(request: IncomingMessage, isFromProxy: boolean, newId: () => string): string {
  const given = request.headers[REQUEST_ID_HEADER]
  const id = isFromProxy && typeof given === 'string' && GIVEN.test(given) ? given : newId()
  ids.set(request, id)
  return id
}

/** undefined: it was never given one, as in tests of a part alone. */
export const requestIdOf = (request: IncomingMessage): string | undefined => ids.get(request)
