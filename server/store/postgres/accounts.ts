/** Accounts in PostgreSQL: password hashes, sessions, one-time links, sealed keys. */
import { recentMap } from '../../shared/recentMap'
import { StoreBrokenError } from '../errors'
import type { Accounts, StoredSession } from '../interfaces'
import { requireText, requireWhole } from '../shared/names'
import { cleanAgent, newSessionId, newToken, SEEN_MS, SIGN_IN_LINK_MS, tokenHash } from '../shared/secrets'
import type { PostgresConnection } from './connection'

type SessionRow = {
  id: string
  person: string
  agent: string | null
  created_at: number
  last_seen: number
  expires_at: number
}

const SESSION = 'select id, person, agent, created_at, last_seen, expires_at from session'
/** The last requested sessions: signed-in people can read while the database is unreachable. */
const REMEMBERED = 2_000

export function postgresAccounts(
  connection: PostgresConnection,
  now: () => number,
  random: (n: number) => Uint8Array,
): Accounts {
  const { read, write } = connection
  const seen = recentMap<string, SessionRow>(REMEMBERED)

  /** Of an open session. */
  async function sessionRow(hash: string, at: number): Promise<SessionRow | undefined> {
    try {
      const [row] = await read<SessionRow>('session', `${SESSION} where token_hash = $1 and expires_at > $2`, [
        hash,
        at,
      ])
      if (row) seen.set(hash, row)
      else seen.delete(hash)
      return row
    } catch (error) {
      const row = error instanceof StoreBrokenError ? seen.get(hash) : undefined
      if (row === undefined || row.expires_at <= at) throw error
      return row
    }
  }

  return {
    ...passwords(connection, now),
    ...sealedKeys(connection, now),
    async startSession(person, { agent, expiresAt }) {
      requireWhole({ expiresAt })
      requireText('person', person)
      const token = newToken(random)
      const at = now()
      await write(
        'session',
        'insert into session (token_hash, id, person, agent, created_at, last_seen, expires_at) values ($1, $2, $3, $4, $5, $6, $7)',
        [tokenHash(token), newSessionId(random), person, cleanAgent(agent), at, at, expiresAt],
      )
      return token
    },
    async session(token) {
      const at = now()
      const hash = tokenHash(token)
      const row = await sessionRow(hash, at)
      if (!row) return null
      if (at - row.last_seen < SEEN_MS) return sessionOf(row)
      try {
        await write('session', 'update session set last_seen = $1 where token_hash = $2', [at, hash], 'again')
      } catch {
        // Nothing can be written: signed-in people can still read.
        return sessionOf(row)
      }
      return sessionOf({ ...row, last_seen: at })
    },
    async endSession(tokenOrId) {
      const ended = await write<{ token_hash: string }>(
        'session',
        'delete from session where token_hash = $1 or id = $2 returning token_hash',
        [tokenHash(tokenOrId), tokenOrId],
      )
      for (const { token_hash } of ended) seen.delete(token_hash)
      return ended.length > 0
    },
    async endSessionsOf(person) {
      const ended = await write<{ token_hash: string }>(
        'session',
        'delete from session where person = $1 returning token_hash',
        [person],
      )
      for (const { token_hash } of ended) seen.delete(token_hash)
      return ended.length
    },
    async sessionsOf(person) {
      const rows = await read<SessionRow>(
        'session',
        `${SESSION} where person = $1 and expires_at > $2 order by created_at desc, id`,
        [person, now()],
      )
      return rows.map(sessionOf)
    },
    async makeLink(person, expiresAt = now() + SIGN_IN_LINK_MS) {
      requireWhole({ expiresAt })
      requireText('person', person)
      const token = newToken(random)
      await write(
        'link',
        'with gone as (delete from link where person = $2) insert into link (token_hash, person, expires_at) values ($1, $2, $3)',
        [tokenHash(token), person, expiresAt],
      )
      return token
    },
    async useLink(token) {
      const [used] = await write<{ person: string; expires_at: number }>(
        'link',
        'delete from link where token_hash = $1 returning person, expires_at',
        [tokenHash(token)],
      )
      return used && used.expires_at > now() ? used.person : null
    },
    async sweep(atNow) {
      const [row] = await write<{ gone: number }>(
        'sweep',
        `with s as (delete from session where expires_at <= $1 returning 1), l as (delete from link where expires_at <= $1 returning 1)
         select (select count(*) from s) + (select count(*) from l) as gone`,
        [atNow],
      )
      return row?.gone ?? 0
    },
  }
}

const sessionOf = ({ id, person, agent, ...row }: SessionRow): StoredSession => ({
  id,
  person,
  ...(agent === null ? {} : { agent }),
  createdAt: row.created_at,
  lastSeen: row.last_seen,
  expiresAt: row.expires_at,
})

function passwords(
  { read, write }: PostgresConnection,
  now: () => number,
): Pick<Accounts, 'setPassword' | 'passwordHash' | 'anyPassword'> {
  return {
    async setPassword(person, hash) {
      requireText('person', person)
      if (hash !== null) requireText('hash', hash)
      if (hash === null) await write('password', 'delete from password where person = $1', [person], 'again')
      else
        await write(
          'password',
          'insert into password values ($1, $2, $3) on conflict (person) do update set hash = excluded.hash, at = excluded.at',
          [person, hash, now()],
          'again',
        )
    },
    async passwordHash(person) {
      const [row] = await read<{ hash: string }>('password', 'select hash from password where person = $1', [person])
      return row?.hash ?? null
    },
    async anyPassword(people) {
      const rows = await read('password', 'select 1 as one from password where person = any($1) limit 1', [people])
      return rows.length > 0
    },
  }
}

function sealedKeys(
  { read, write }: PostgresConnection,
  now: () => number,
): Pick<Accounts, 'keepKey' | 'keys' | 'dropKey'> {
  return {
    async keepKey(id, sealed) {
      requireText('id', id)
      requireText('sealed', sealed)
      await write(
        'key',
        'insert into sealed_key values ($1, $2, $3) on conflict (id) do update set sealed = excluded.sealed, at = excluded.at',
        [id, sealed, now()],
        'again',
      )
    },
    keys: () =>
      read<{ id: string; sealed: string; at: number }>('key', 'select id, sealed, at from sealed_key order by id'),
    async dropKey(id) {
      await write('key', 'delete from sealed_key where id = $1', [id], 'again')
    },
  }
}
