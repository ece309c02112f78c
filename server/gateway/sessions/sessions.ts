/** Sessions in the store, personal access tokens among them: begun, found by their cookie or header, listed, confirmed by a password, ended. */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Fault } from '@/lib/faults'
import type { AgentId } from '@/lib/mas/ids'
import { asId } from '@/lib/mas/ids'
import type { AgentRecord } from '@/lib/mas/records'
import { openListeners } from '@/server/shared/listeners'
import type { StoredSession } from '@/server/store'
import type { GatewayParts } from '../ports'
import type { Cookies } from './cookies'
import { openKnownBrowsers } from './knownBrowsers'
import { openPersonalTokens, tokenIn } from './personalTokens'
import { type CompanySession, openSessionNotes } from './sessionNotes'

/** A session ends so long after its sign-in, used or not. One that nobody uses ends before (SESSION_IDLE_MS of the store). */
export const SESSION_MS = 14 * 24 * 60 * 60_000
/** A sign-in, and a password typed again, count for so long as typed just now. */
export const CONFIRMED_MS = 5 * 60_000

/** A person, in a session or with a token of theirs. token: of the session, as it is shown to us */
export type SignedInCaller = { person: AgentRecord; session: StoredSession; token: string }
/** Sessions were ended: one of a person's, or all of them (session null). */
export type SessionEnded = { person: AgentId; session: string | null; reason: 'ended' | 'access' }
/** sealed: the secret to ask the provider again with, sealed for the id of the session; null: there is none */
type BegunByCompany = { of: Omit<CompanySession, 'refresh'>; sealed: (session: string) => string | null }
/** What stays when the others end. */
type Kept = { session: string; request: IncomingMessage }

type Needs = Pick<GatewayParts, 'engine' | 'store' | 'now' | 'random'> & {
  cookies: Cookies
  takesPasswords: (person: AgentId) => Promise<boolean>
  /** May tokens of this person act now? */
  mayUseTokens: (person: AgentId) => Promise<boolean>
}

export function openSessions(needs: Needs) {
  const { engine, store, cookies, now, mayUseTokens } = needs
  const { accounts } = store
  const ends = openListeners<[SessionEnded]>()
  const browsers = openKnownBrowsers(needs)
  const notes = openSessionNotes(store.people)

  /** Links and known browsers end too: nobody gets in by what was given before. */
  async function endAccess(person: AgentId): Promise<number> {
    const ended = await accounts.endSessionsOf(person)
    await accounts.endLinks(person)
    await browsers.forget(person)
    await notes.keepOnly(person, [])
    return ended
  }

  // A session that cannot be removed now is useless: each request checks access.
  const stopListening = onAccessLost(engine, (person) => {
    const end = (): void => ends.tell({ person, session: null, reason: 'access' })
    endAccess(person).then(end, end)
  })

  const browserSessionsOf = async (person: AgentId): Promise<StoredSession[]> =>
    (await accounts.sessionsOf(person)).filter(({ token }) => token === undefined)

  const byCompany = companyPart(accounts, notes, browserSessionsOf)

  /** Throws NOT_FOUND where it is not one of these. */
  async function endOneOf(open: readonly StoredSession[], what: string, person: AgentId, id: string): Promise<void> {
    if (!open.some((session) => session.id === id)) throw new Fault('NOT_FOUND', { what, id: id.slice(0, 100) })
    await accounts.endSession(id)
    await notes.remove(person, id)
    ends.tell({ person, session: id, reason: 'ended' })
  }

  async function endOthers(person: AgentId, { session, request }: Kept): Promise<number> {
    const others = (await browserSessionsOf(person)).filter(({ id }) => id !== session)
    for (const { id } of others) {
      await accounts.endSession(id)
      ends.tell({ person, session: id, reason: 'ended' })
    }
    await accounts.endLinks(person)
    await browsers.forget(person, request)
    await notes.keepOnly(person, [session])
    return others.length
  }

  return {
    browsers,
    /** The person of these headers, by a token alone where they hold one; null: nobody, or the person left the team. */
    async callerOf(headers: Pick<IncomingHttpHeaders, 'authorization' | 'cookie'>): Promise<SignedInCaller | null> {
      const shown = tokenIn(headers)
      const token = shown ?? (await cookies.tokenIn(headers.cookie, 'session'))
      if (token === null) return null
      const session = await accounts.session(token)
      // The secret of the one kind never counts as the other.
      if (!session || (session.token !== undefined) !== (shown !== null)) return null
      const person = engine.world().agents[asId<AgentId>(session.person)]
      if (person?.kind !== 'human' || person.removed) return null
      if (session.token !== undefined && !(await mayUseTokens(person.id))) return null
      return { person, session, token }
    },
    /** in: address: of the client. company: by which provider, before the browser has the session. out: the value of Set-Cookie */
    async begin(person: AgentId, agent?: string, address?: string, company?: BegunByCompany): Promise<string> {
      const token = await accounts.startSession(person, { agent, address, expiresAt: now() + SESSION_MS })
      const open = await browserSessionsOf(person)
      if (company !== undefined) await byCompany.noteBegun(person, token, company)
      await notes.keepOnly(
        person,
        open.map(({ id }) => id),
      )
      return cookies.text('session', token, SESSION_MS)
    },
    ...byCompany,
    ...openPersonalTokens(accounts, endOneOf),
    /** Open sessions of a person's browsers, newest first. address: null: not known. */
    async list(person: AgentId): Promise<(StoredSession & { address: string | null })[]> {
      const open = await browserSessionsOf(person)
      const origins = await accounts.originsOf(open.map(({ id }) => id))
      return open.map((one) => ({ ...one, address: origins.find(({ id }) => id === one.id)?.address ?? null }))
    },
    /** The caller has typed their password. out: until when that counts */
    async confirm({ person, session }: SignedInCaller): Promise<number> {
      await notes.note(person.id, session.id, { confirmedAt: now() })
      return now() + CONFIRMED_MS
    },
    /** Throws CONFIRM_PASSWORD unless the caller signed in or typed their password a moment ago, TOKEN_SCOPE for a token. */
    async mustBeConfirmed({ person, session }: SignedInCaller): Promise<void> {
      if (session.token !== undefined) throw new Fault('TOKEN_SCOPE', { scope: null })
      if (now() - session.createdAt < CONFIRMED_MS) return
      const confirmedAt = (await notes.of(person.id, session.id))?.confirmedAt ?? null
      if (confirmedAt !== null && now() - confirmedAt < CONFIRMED_MS) return
      const hasPassword = (await needs.takesPasswords(person.id)) && (await accounts.passwordHash(person.id)) !== null
      throw new Fault('CONFIRM_PASSWORD', { hasPassword })
    },
    async end(caller: SignedInCaller): Promise<string> {
      await accounts.endSession(caller.token)
      await notes.remove(caller.person.id, caller.session.id)
      ends.tell({ person: caller.person.id, session: caller.session.id, reason: 'ended' })
      return cookies.text('session', '', 0)
    },
    /** One of the person's own, by its id. Throws NOT_FOUND. */
    endOne: async (person: AgentId, id: string): Promise<void> =>
      endOneOf(await browserSessionsOf(person), 'session', person, id),
    /**
     * End all sessions and tokens of a person, with pending links and known browsers; with `kept` the sessions of other browsers, and no
     * token. out: how many sessions
     */
    async endAll(person: AgentId, kept?: Kept): Promise<number> {
      if (kept !== undefined) return endOthers(person, kept)
      const count = await endAccess(person)
      ends.tell({ person, session: null, reason: 'ended' })
      return count
    },
    onEnded: ends.on,
    stop: stopListening,
  }
}

/** A person who loses access is signed out. */
const onAccessLost = (engine: GatewayParts['engine'], lost: (person: AgentId) => void): (() => void) =>
  engine.onDecision((entries) => {
    for (const { event } of entries)
      if (event.type === 'human.accessChanged' && event.access === 'none') lost(event.agent)
  })

/** What providers began. */
const companyPart = (
  accounts: GatewayParts['store']['accounts'],
  notes: ReturnType<typeof openSessionNotes>,
  browserSessionsOf: (person: AgentId) => Promise<StoredSession[]>,
) => ({
  /** Before the browser has the token. */
  async noteBegun(person: AgentId, token: string, { of, sealed }: BegunByCompany): Promise<void> {
    const session = await accounts.session(token)
    if (session !== null) await notes.note(person, session.id, { company: { ...of, refresh: sealed(session.id) } })
  },
  /** The provider confirmed a session again. */
  noteCompany: (person: AgentId, session: string, company: CompanySession): Promise<void> =>
    notes.note(person, session, { company }),
  /** Open sessions of a person that a provider began. */
  async companySessions(person: AgentId): Promise<{ id: string; company: CompanySession }[]> {
    const noted = await notes.byCompany(person)
    if (noted.length === 0) return []
    const open = await browserSessionsOf(person)
    return noted.filter(({ id }) => open.some((session) => session.id === id))
  },
})

export type Sessions = ReturnType<typeof openSessions>
