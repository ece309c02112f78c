/** Accounts in PostgreSQL: password hashes, sessions, one-time links, sealed keys. */
import { recentMap } from '../../shared/recentMap'
import { StoreBrokenError } from '../errors'
import type { AccountRows, SessionRow } from '../shared/accounts'
import type { PostgresConnection } from './connection'

const SESSION =
  'select id, person, agent, created_at as "createdAt", last_seen as "lastSeen", expires_at as "expiresAt" from session'
/** Sessions that were asked for last, so that who is signed in can read while the database is away. */
const REMEMBERED = 2_000

export function postgresAccounts({ read, write }: PostgresConnection): AccountRows {
  const seen = recentMap<string, SessionRow>(REMEMBERED)

  async function endSessions(sql: string, bound: readonly string[]): Promise<number> {
    const ended = await write<{ token_hash: string }>('session', `${sql} returning token_hash`, bound)
    for (const { token_hash } of ended) seen.delete(token_hash)
    return ended.length
  }

  return {
    async setPassword(person, hash, at) {
      if (hash === null) await write('password', 'delete from password where person = $1', [person], 'again')
      else
        await write(
          'password',
          'insert into password values ($1, $2, $3) on conflict (person) do update set hash = excluded.hash, at = excluded.at',
          [person, hash, at],
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
    async addSession(hash, { id, person, agent, createdAt, lastSeen, expiresAt }) {
      await write(
        'session',
        'insert into session (token_hash, id, person, agent, created_at, last_seen, expires_at) values ($1, $2, $3, $4, $5, $6, $7)',
        [hash, id, person, agent, createdAt, lastSeen, expiresAt],
      )
    },
    async session(hash, at) {
      try {
        const sql = `${SESSION} where token_hash = $1 and expires_at > $2`
        const [row] = await read<SessionRow>('session', sql, [hash, at])
        if (row) seen.set(hash, row)
        else seen.delete(hash)
        return row ?? null
      } catch (error) {
        const row = error instanceof StoreBrokenError ? seen.get(hash) : undefined
        if (row === undefined || row.expiresAt <= at) throw error
        return row
      }
    },
    async setLastSeen(hash, at) {
      await write('session', 'update session set last_seen = $1 where token_hash = $2', [at, hash], 'again')
    },
    endSession: (hash, id) => endSessions('delete from session where token_hash = $1 or id = $2', [hash, id]),
    endSessionsOf: (person) => endSessions('delete from session where person = $1', [person]),
    sessionsOf: (person, at) =>
      read<SessionRow>('session', `${SESSION} where person = $1 and expires_at > $2 order by created_at desc, id`, [
        person,
        at,
      ]),
    async setLink(hash, person, expiresAt) {
      await write(
        'link',
        'with gone as (delete from link where person = $2) insert into link (token_hash, person, expires_at) values ($1, $2, $3)',
        [hash, person, expiresAt],
      )
    },
    async takeLink(hash) {
      const [used] = await write<{ person: string; expiresAt: number }>(
        'link',
        'delete from link where token_hash = $1 returning person, expires_at as "expiresAt"',
        [hash],
      )
      return used ?? null
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
    async keepKey(id, sealed, at) {
      await write(
        'key',
        'insert into sealed_key values ($1, $2, $3) on conflict (id) do update set sealed = excluded.sealed, at = excluded.at',
        [id, sealed, at],
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
