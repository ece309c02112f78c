/** Accounts over the rows of a store: tokens (stored only as hashes), times and checks are the same in all of them. */
import { sha256 } from '../../shared/sha256'
import type { Accounts, StoredSession } from '../interfaces'
import { requireText, requireWhole } from './names'

const SIGN_IN_LINK_MS = 15 * 60_000
/** Minimum time between two writes of lastSeen; otherwise every request would cost a write */
const SEEN_MS = 60_000

/** Times are epoch ms. */
export type SessionRow = {
  id: string
  person: string
  agent: string | null
  createdAt: number
  lastSeen: number
  expiresAt: number
}

/** What a store does with the rows; hash: of a token. at: now, epoch ms */
export type AccountRows = Pick<
  Accounts,
  'passwordHash' | 'anyPassword' | 'endSessionsOf' | 'keys' | 'dropKey' | 'sweep'
> & {
  setPassword(person: string, hash: string | null, at: number): Promise<void>
  addSession(hash: string, session: SessionRow): Promise<void>
  /** out: null: there is none, or it has expired */
  session(hash: string, at: number): Promise<SessionRow | null>
  setLastSeen(hash: string, at: number): Promise<void>
  /** out: how many ended */
  endSession(hash: string, id: string): Promise<number>
  sessionsOf(person: string, at: number): Promise<SessionRow[]>
  /** Replaces the earlier links of the person. */
  setLink(hash: string, person: string, expiresAt: number): Promise<void>
  /** out: the removed link; null: there was none */
  takeLink(hash: string): Promise<{ person: string; expiresAt: number } | null>
  keepKey(id: string, sealed: string, at: number): Promise<void>
}

/** in: now: epoch ms; random: n bytes, good enough for secrets */
export function accountsOf(rows: AccountRows, now: () => number, random: (n: number) => Uint8Array): Accounts {
  const { passwordHash, anyPassword, endSessionsOf, keys, dropKey, sweep } = rows
  return {
    passwordHash,
    anyPassword,
    endSessionsOf,
    keys,
    dropKey,
    sweep,
    async setPassword(person, hash) {
      requireText('person', person)
      if (hash !== null) requireText('hash', hash)
      await rows.setPassword(person, hash, now())
    },
    async startSession(person, { agent, expiresAt }) {
      requireWhole({ expiresAt })
      requireText('person', person)
      const token = newToken(random)
      const [id, at] = [newSessionId(random), now()]
      const session = { id, person, agent: cleanAgent(agent), createdAt: at, lastSeen: at, expiresAt }
      await rows.addSession(sha256(token), session)
      return token
    },
    async session(token) {
      const [hash, at] = [sha256(token), now()]
      const row = await rows.session(hash, at)
      if (row === null) return null
      if (at - row.lastSeen < SEEN_MS) return sessionOf(row)
      try {
        await rows.setLastSeen(hash, at)
      } catch {
        // Nothing can be written: a person who is signed in can still read.
        return sessionOf(row)
      }
      return sessionOf({ ...row, lastSeen: at })
    },
    endSession: async (tokenOrId) => (await rows.endSession(sha256(tokenOrId), tokenOrId)) > 0,
    sessionsOf: async (person) => (await rows.sessionsOf(person, now())).map(sessionOf),
    async makeLink(person, expiresAt = now() + SIGN_IN_LINK_MS) {
      requireWhole({ expiresAt })
      requireText('person', person)
      const token = newToken(random)
      await rows.setLink(sha256(token), person, expiresAt)
      return token
    },
    async useLink(token) {
      const link = await rows.takeLink(sha256(token))
      return link !== null && link.expiresAt > now() ? link.person : null
    },
    async keepKey(id, sealed) {
      requireText('id', id)
      requireText('sealed', sealed)
      await rows.keepKey(id, sealed, now())
    },
  }
}

const sessionOf = ({ agent, ...session }: SessionRow): StoredSession => ({
  ...session,
  ...(agent === null ? {} : { agent }),
})

/** 256 random bits as base64url */
const newToken = (random: (n: number) => Uint8Array): string => Buffer.from(random(32)).toString('base64url')

/** A session's public name: distinguishes sessions in a list, grants no access. */
const newSessionId = (random: (n: number) => Uint8Array): string => Buffer.from(random(12)).toString('hex')

/** The name of a browser is external input: keep only what a text column can store. */
const cleanAgent = (agent: string | undefined): string | null =>
  agent === undefined ? null : agent.replaceAll('\0', ' ').slice(0, 300)
