/** Browsers that signed in to an account before: wrong passwords from elsewhere do not pause them. */
import type { IncomingMessage } from 'node:http'
import { sha256 } from '../../shared/sha256'
import type { GatewayParts } from '../ports'
import type { Cookies } from './cookies'

export const KNOWN_MS = 180 * 24 * 60 * 60_000
/** Browsers of one account. With more, the one that signed in longest ago is forgotten. */
export const MOST_KNOWN = 20
/** Key prefix of their rows in the store of the person; the hash of the cookie follows. */
const PREFIX = 'browser/'

type Needs = Pick<GatewayParts, 'now' | 'random'> & { cookies: Cookies; store: Pick<GatewayParts['store'], 'people'> }

/** The browsers in which somebody signed in before. */
export function openKnownBrowsers({ store: { people }, cookies, now, random }: Needs) {
  const tokenOf = (request: IncomingMessage) => cookies.tokenIn(request.headers.cookie, 'known')
  const idOf = (token: string) => sha256(Buffer.from(token))

  return {
    /** The id of a browser that signed in to this account before; null: it did not. */
    async find(request: IncomingMessage, person: string): Promise<string | null> {
      const token = await tokenOf(request)
      const row = token === null ? null : await people.get(person, PREFIX + idOf(token))
      return token === null || row === null || now() - row.at >= KNOWN_MS ? null : idOf(token)
    },
    /** Remember the browser. out: the value of Set-Cookie */
    async remember(request: IncomingMessage, person: string): Promise<string> {
      // One cookie serves all accounts of a browser.
      const token = (await tokenOf(request)) ?? Buffer.from(random(32)).toString('base64url')
      const key = PREFIX + idOf(token)
      await people.remove(person, key)
      await people.put(person, key, true, null)
      const rows = (await people.list(person, PREFIX)).sort((a, b) => b.at - a.at)
      for (const row of rows.slice(MOST_KNOWN)) await people.remove(person, row.key)
      return cookies.text('known', token, KNOWN_MS)
    },
    /** Forget all browsers of an account. kept: of this one's request, which stays known */
    async forget(person: string, kept?: IncomingMessage): Promise<void> {
      const token = kept === undefined ? null : await tokenOf(kept)
      for (const { key } of await people.list(person, PREFIX))
        if (token === null || key !== PREFIX + idOf(token)) await people.remove(person, key)
    },
  }
}

export type KnownBrowsers = ReturnType<typeof openKnownBrowsers>
