import type { IncomingHttpHeaders } from 'node:http'
import { parse } from 'hono/utils/cookie'
import type { AgentId } from '@/lib/mas/ids'
import { asId } from '@/lib/mas/ids'
import type { AgentRecord } from '@/lib/mas/records'
import { openListeners } from '@/server/shared/listeners'
import type { StoredSession } from '@/server/store'
import type { GatewayParts } from '../ports'

export const COOKIE = 'convene_session'
export const SESSION_MS = 14 * 24 * 60 * 60_000
/** A session with less left than this is replaced by a new one. */
const RENEW_BELOW_MS = SESSION_MS / 2
/** How long the old cookie stays valid, for requests that are under way. */
const RENEW_GRACE_MS = 60_000

export type SignedInCaller = { person: AgentRecord; session: StoredSession; token: string }
/** Sessions were ended: one of a person's, or all of them (session null). */
export type SessionEnded = { person: AgentId; session: string | null; reason: 'ended' | 'access' }

type Needs = Pick<GatewayParts, 'engine' | 'store' | 'publicUrl' | 'now'>

/** Sessions in the store: opened, found by their cookie, renewed and ended. */
export function openSessions({ engine, store, publicUrl, now }: Needs) {
  const { accounts } = store
  const ends = openListeners<[SessionEnded]>()
  /** Renewals under way, so that concurrent requests make one new session. */
  const renewals = new Map<string, Promise<string>>()
  /** New token → old session, during the grace time: signing out ends both. */
  const replaced = new Map<string, string>()
  const timers = new Set<NodeJS.Timeout>()
  const start = (person: string, agent: string | undefined) =>
    accounts.startSession(person, { agent, expiresAt: now() + SESSION_MS })
  const cookie = (token: string, maxAgeMs: number) => cookieText(COOKIE, token, maxAgeMs, publicUrl)

  // A person who loses access is signed out.
  const stopListening = engine.onDecision((entries) => {
    for (const { event } of entries) {
      if (event.type !== 'human.accessChanged' || event.access !== 'none') continue
      // A session that cannot be removed now is useless: each request checks access.
      const end = (): void => ends.tell({ person: event.agent, session: null, reason: 'access' })
      accounts.endSessionsOf(event.agent).then(end, end)
    }
  })

  async function replace(caller: SignedInCaller): Promise<string> {
    const token = await start(caller.person.id, caller.session.agent)
    const timer = setTimeout(() => {
      timers.delete(timer)
      renewals.delete(caller.session.id)
      replaced.delete(token)
      void accounts.endSession(caller.session.id).catch(() => {})
    }, RENEW_GRACE_MS)
    timer.unref()
    timers.add(timer)
    replaced.set(token, caller.session.id)
    return token
  }

  return {
    /** The person of these headers; null when not signed in, or when the person left the team. */
    async callerOf(headers: IncomingHttpHeaders): Promise<SignedInCaller | null> {
      const token = sessionTokenOf(headers.cookie)
      if (token === null) return null
      const session = await accounts.session(token)
      if (!session) return null
      const person = engine.world().agents[asId<AgentId>(session.person)]
      return person?.kind === 'human' && !person.removed ? { person, session, token } : null
    },
    /** out: the value of Set-Cookie */
    async begin(person: AgentId, userAgent: string | undefined): Promise<string> {
      return cookie(await start(person, userAgent), SESSION_MS)
    },
    /** A new cookie when less than half of the session's time is left, else null: one request a week keeps it alive. */
    async renew(caller: SignedInCaller): Promise<string | null> {
      if (caller.session.expiresAt - now() > RENEW_BELOW_MS) return null
      const under = renewals.get(caller.session.id) ?? replace(caller)
      renewals.set(caller.session.id, under)
      try {
        return cookie(await under, SESSION_MS)
      } catch {
        // The store cannot write: the session is still valid, and a later request renews it.
        renewals.delete(caller.session.id)
        return null
      }
    },
    async end(caller: SignedInCaller): Promise<string> {
      await accounts.endSession(caller.token)
      const before = replaced.get(caller.token)
      if (before !== undefined) await accounts.endSession(before)
      ends.tell({ person: caller.person.id, session: caller.session.id, reason: 'ended' })
      return cookie('', 0)
    },
    /** End all sessions of a person, or all but one. out: how many ended */
    async endAll(person: AgentId, except?: string): Promise<number> {
      if (except === undefined) {
        const count = await accounts.endSessionsOf(person)
        ends.tell({ person, session: null, reason: 'ended' })
        return count
      }
      const others = (await accounts.sessionsOf(person)).filter(({ id }) => id !== except)
      for (const { id } of others) {
        await accounts.endSession(id)
        ends.tell({ person, session: id, reason: 'ended' })
      }
      return others.length
    },
    onEnded: ends.on,
    stop(): void {
      stopListening()
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

export type Sessions = ReturnType<typeof openSessions>

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
