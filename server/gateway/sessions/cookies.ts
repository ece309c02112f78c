/**
 * The cookies of this installation, under names of their own.
 *
 * A browser sends the cookies of a host to all of its ports, so two installations on one host would overwrite each
 * other's. A port alone does not tell them apart: behind a proxy or in containers several listen on the same one.
 */
import { parse } from 'hono/utils/cookie'
import * as z from 'zod'
import type { People } from '@/server/store'
import type { GatewayParts } from '../ports'

/** session: who is signed in. known: a browser that signed in before. begun: one in which a sign-in at a provider was begun. */
type CookieKind = 'session' | 'known' | 'begun'

/** The row with this installation's part of the names. */
const ROW = { person: 'system:gateway', key: 'cookie-names' }
const PART_BYTES = 6
const part = z.string().regex(/^[\da-f]{12}$/)

type Needs = Pick<GatewayParts, 'publicUrl' | 'random'> & { store: { people: Pick<People, 'get' | 'put'> } }

/** Names are read from the store once. All functions reject with errors of the store. */
export function openCookies({ store: { people }, publicUrl, random }: Needs) {
  const isSecure = publicUrl?.startsWith('https:') ?? false
  let read: Promise<string> | null = null

  async function partOfNames(): Promise<string> {
    const known = part.safeParse((await people.get(ROW.person, ROW.key))?.value)
    if (known.success) return known.data
    const made = Buffer.from(random(PART_BYTES)).toString('hex')
    const put = await people.put(ROW.person, ROW.key, made, null)
    return put.ok ? made : part.parse(put.current.value)
  }

  async function nameOf(kind: CookieKind): Promise<string> {
    read ??= partOfNames()
    try {
      // Browsers take a __Host- cookie from this host alone, by https.
      return `${isSecure ? '__Host-' : ''}convene_${kind}_${await read}`
    } catch (error) {
      read = null
      throw error
    }
  }

  return {
    nameOf,
    /** The token in a Cookie header; null: there is none, or its value cannot be a token. */
    async tokenIn(header: string | undefined, kind: CookieKind): Promise<string | null> {
      return header === undefined ? null : tokenNamed(header, await nameOf(kind))
    },
    /** out: the value of Set-Cookie; Secure when people come by https */
    async text(kind: CookieKind, token: string, maxAgeMs: number): Promise<string> {
      const pair = `${await nameOf(kind)}=${token}`
      const parts = [pair, 'Path=/', `Max-Age=${Math.floor(maxAgeMs / 1000)}`, 'HttpOnly', 'SameSite=Lax']
      return [...parts, ...(isSecure ? ['Secure'] : [])].join('; ')
    },
  }
}

export type Cookies = ReturnType<typeof openCookies>

function tokenNamed(header: string, name: string): string | null {
  const token = parse(header, name)[name] ?? ''
  return /^[A-Za-z0-9_-]{20,100}$/.test(token) ? token : null
}
