/** Cookies of sessions and of known browsers. */
import { parse } from 'hono/utils/cookie'

export const COOKIE = 'convene_session'

/** The value of Set-Cookie; Secure when people come by https. */
export function cookieText(name: string, token: string, maxAgeMs: number, publicUrl: string | null): string {
  const parts = [`${name}=${token}`, 'Path=/', `Max-Age=${Math.floor(maxAgeMs / 1000)}`, 'HttpOnly', 'SameSite=Lax']
  return [...parts, ...(publicUrl?.startsWith('https:') ? ['Secure'] : [])].join('; ')
}

/** The session's token in a Cookie header. */
export const sessionTokenOf = (header: string | undefined): string | null => cookieIn(header, COOKIE)

/** The token of that name in a Cookie header; null: there is none, or its value cannot be a token. */
export function cookieIn(header: string | undefined, name: string): string | null {
  const token = parse(header ?? '', name)[name] ?? ''
  return /^[A-Za-z0-9_-]{20,100}$/.test(token) ? token : null
}
