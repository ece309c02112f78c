/** Accounts over the tables of a store: password hashes, sessions, one-time links, sealed keys. Tokens are stored only as hashes. */
import { recentMap } from '../../shared/recentMap'
import { sha256 } from '../../shared/sha256'
import { StoreBrokenError } from '../errors'
import type { Accounts, StoredSession } from '../interfaces'
import { requireText, requireWhole } from './names'
import { columnsOf, insertion, replacement, type TableRow, type Tables } from './tables'

const SIGN_IN_LINK_MS = 15 * 60_000
/** A session that nobody uses for so long is over. */
export const SESSION_IDLE_MS = 7 * 24 * 60 * 60_000
/** Minimum time between two writes of last_seen; otherwise every request would cost a write */
const SEEN_MS = 60_000
/** Sessions that were asked for last, so that who is signed in can read while the database is away. */
const REMEMBERED = 2_000
const SESSION = columnsOf('session')

type SessionRow = TableRow<'session'>

/** in: now: epoch ms; random: n bytes, good enough for secrets */
export function accountsOf(tables: Tables, now: () => number, random: (n: number) => Uint8Array): Accounts {
  const { select, take, change } = tables
  const seen = recentMap<string, SessionRow>(REMEMBERED)

  /** null: there is none, or it has expired */
  async function sessionOf(hash: string, at: number): Promise<SessionRow | null> {
    try {
      const where = 'where token_hash = $1 and expires_at > $2 and last_seen > $3'
      const [row] = await select('a session', 'session', SESSION, where, [hash, at, at - SESSION_IDLE_MS])
      if (row) seen.set(hash, row)
      else seen.delete(hash)
      return row ?? null
    } catch (error) {
      const row = error instanceof StoreBrokenError ? seen.get(hash) : undefined
      if (row === undefined || row.expires_at <= at) throw error
      return row
    }
  }

  async function endSessions(where: string, values: string[]): Promise<number> {
    const ended = await take('a session', 'session', ['token_hash'], where, values)
    for (const { token_hash } of ended) seen.delete(token_hash)
    return ended.length
  }

  return {
    async setPassword(person, hash) {
      requireText('person', person)
      if (hash !== null) requireText('hash', hash)
      const row = { person, hash: hash ?? '', at: now() }
      await change(
        'password',
        [
          hash === null
            ? ['delete from password where person = $1', [person]]
            : replacement('password', ['person'], row),
        ],
        'again',
      )
    },
    async passwordHash(person) {
      const [row] = await select('a password', 'password', ['hash'], 'where person = $1', [person])
      return row?.hash ?? null
    },
    async anyPassword(people) {
      for (const person of people)
        if ((await select('a password', 'password', ['at'], 'where person = $1', [person])).length > 0) return true
      return false
    },
    async startSession(person, { agent, expiresAt }) {
      requireWhole({ expiresAt })
      requireText('person', person)
      const token = newToken(random)
      const [id, at] = [newSessionId(random), now()]
      const row = {
        token_hash: sha256(token),
        id,
        person,
        agent: cleanAgent(agent),
        created_at: at,
        last_seen: at,
        expires_at: expiresAt,
      }
      await change('session', [insertion('session', row)])
      return token
    },
    async session(token) {
      const [hash, at] = [sha256(token), now()]
      const row = await sessionOf(hash, at)
      if (row === null) return null
      if (at - row.last_seen < SEEN_MS) return shownSession(row)
      try {
        await change('session', [['update session set last_seen = $1 where token_hash = $2', [at, hash]]], 'again')
      } catch {
        // Nothing can be written: a person who is signed in can still read.
        return shownSession(row)
      }
      return shownSession({ ...row, last_seen: at })
    },
    endSession: async (tokenOrId) =>
      (await endSessions('token_hash = $1 or id = $2', [sha256(tokenOrId), tokenOrId])) > 0,
    endSessionsOf: (person) => endSessions('person = $1', [person]),
    async sessionsOf(person) {
      const where = 'where person = $1 and expires_at > $2 and last_seen > $3 order by created_at desc, session.id'
      return (await select('a session', 'session', SESSION, where, [person, now(), now() - SESSION_IDLE_MS])).map(
        shownSession,
      )
    },
    ...linksOf(tables, now, random),
    async keepKey(id, sealed) {
      requireText('id', id)
      requireText('sealed', sealed)
      await change('sealed_key', [replacement('sealed_key', ['id'], { id, sealed, at: now() })], 'again')
    },
    keys: () => select('a key', 'sealed_key', ['id', 'sealed', 'at'], 'order by sealed_key.id', []),
    async dropKey(id) {
      await change('sealed_key', [['delete from sealed_key where id = $1', [id]]], 'again')
    },
    sweep: (atNow) =>
      change('session', [
        ['delete from session where expires_at <= $1 or last_seen <= $2', [atNow, atNow - SESSION_IDLE_MS]],
        ['delete from link where expires_at <= $1', [atNow]],
      ]),
  }
}

/** Sign-in links. */
function linksOf(
  { take, change }: Tables,
  now: () => number,
  random: (n: number) => Uint8Array,
): Pick<Accounts, 'makeLink' | 'endLinks' | 'useLink'> {
  return {
    async makeLink(person, expiresAt = now() + SIGN_IN_LINK_MS) {
      requireWhole({ expiresAt })
      requireText('person', person)
      const token = newToken(random)
      const token_hash = sha256(token)
      // In this order: until the new one is there, the earlier ones are valid.
      await change('link', [
        insertion('link', { token_hash, person, expires_at: expiresAt }),
        ['delete from link where person = $1 and token_hash <> $2', [person, token_hash]],
      ])
      return token
    },
    async endLinks(person) {
      await change('link', [['delete from link where person = $1', [person]]], 'again')
    },
    async useLink(token) {
      const [link] = await take('a sign-in link', 'link', ['person', 'expires_at'], 'token_hash = $1', [sha256(token)])
      return link !== undefined && link.expires_at > now() ? link.person : null
    },
  }
}

const shownSession = ({ id, person, agent, created_at, last_seen, expires_at }: SessionRow): StoredSession => ({
  id,
  person,
  ...(agent === null ? {} : { agent }),
  createdAt: created_at,
  lastSeen: last_seen,
  expiresAt: expires_at,
})

/** 256 random bits as base64url */
const newToken = (random: (n: number) => Uint8Array): string => Buffer.from(random(32)).toString('base64url')

/** A session's public name: distinguishes sessions in a list, grants no access. */
const newSessionId = (random: (n: number) => Uint8Array): string => Buffer.from(random(12)).toString('hex')

/** The name of a browser is external input: keep only what a text column can store. */
const cleanAgent = (agent: string | undefined): string | null =>
  agent === undefined ? null : agent.replaceAll('\0', ' ').slice(0, 300)
