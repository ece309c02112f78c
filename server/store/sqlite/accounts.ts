/** Accounts in SQLite: password hashes, sessions, one-time links. Making hashes and setting cookies are the gateway's. */
import type { Accounts, StoredSession } from '../interfaces'
import { requireText, requireWhole } from '../shared/names'
import { cleanAgent, newSessionId, newToken, SEEN_MS, SIGN_IN_LINK_MS, tokenHash } from '../shared/secrets'
import { asBytes, decodeText } from './columns'
import type { SqliteConnection } from './connection'
import { readRow } from './entries'

type SessionRow = {
  id: ArrayBuffer
  person: ArrayBuffer
  agent: ArrayBuffer | null
  created_at: number
  last_seen: number
  expires_at: number
}

export function sqliteAccounts(
  connection: SqliteConnection,
  now: () => number,
  random: (n: number) => Uint8Array,
): Accounts {
  const { read, write, query } = connection
  const setPassword = query('insert or replace into password (person, hash, at) values (?, ?, ?)')
  const dropPassword = query('delete from password where person = ?')
  const passwordQuery = query<{ hash: ArrayBuffer }>(`select ${asBytes('hash', 'hash')} from password where person = ?`)
  const SESSION = `select ${asBytes('id', 'id')}, ${asBytes('person', 'person')}, ${asBytes('agent', 'agent')}, created_at, last_seen, expires_at from session`
  const sessionQuery = query<SessionRow>(`${SESSION} where token_hash = ? and expires_at > ?`)
  const sessionsQuery = query<SessionRow>(`${SESSION} where person = ? and expires_at > ? order by created_at desc, id`)
  const sessionInsert = query(
    'insert into session (token_hash, id, person, agent, created_at, last_seen, expires_at) values (?, ?, ?, ?, ?, ?, ?)',
  )
  const sessionSeen = query('update session set last_seen = ? where token_hash = ?')
  const sessionEnd = query('delete from session where token_hash = ? or id = ?')
  const sessionsEnd = query('delete from session where person = ?')
  const linksEnd = query('delete from link where person = ?')
  const linkInsert = query('insert into link (token_hash, person, expires_at) values (?, ?, ?)')
  const linkUse = query<{ person: ArrayBuffer; expires_at: number }>(
    `delete from link where token_hash = ? returning ${asBytes('person', 'person')}, expires_at`,
  )
  const sweepSessions = query('delete from session where expires_at <= ?')
  const sweepLinks = query('delete from link where expires_at <= ?')

  return {
    async setPassword(person, hash) {
      requireText('person', person)
      if (hash !== null) requireText('hash', hash)
      write('password', () => (hash === null ? dropPassword.run(person) : setPassword.run(person, hash, now())))
    },
    async passwordHash(person) {
      const row = read('password', () => passwordQuery.get(person))
      return row === undefined ? null : readRow('a password', () => decodeText(row.hash))
    },
    async anyPassword(people) {
      return read('password', () => people.some((person) => passwordQuery.get(person) !== undefined))
    },
    async startSession(person, { agent, expiresAt }) {
      requireWhole({ expiresAt })
      requireText('person', person)
      const token = newToken(random)
      const at = now()
      write('session', () =>
        sessionInsert.run(tokenHash(token), newSessionId(random), person, cleanAgent(agent), at, at, expiresAt),
      )
      return token
    },
    async session(token) {
      const at = now()
      const hash = tokenHash(token)
      const row = read('session', () => sessionQuery.get(hash, at))
      if (!row) return null
      if (at - row.last_seen < SEEN_MS) return sessionOf(row)
      try {
        write('session', () => sessionSeen.run(at, hash))
      } catch {
        // Nothing can be written: signed-in people can still read.
        return sessionOf(row)
      }
      return sessionOf({ ...row, last_seen: at })
    },
    async endSession(tokenOrId) {
      return write('session', () => sessionEnd.run(tokenHash(tokenOrId), tokenOrId)) > 0
    },
    async endSessionsOf(person) {
      return write('session', () => sessionsEnd.run(person))
    },
    async sessionsOf(person) {
      return read('session', () => sessionsQuery.all(person, now())).map(sessionOf)
    },
    async makeLink(person, expiresAt = now() + SIGN_IN_LINK_MS) {
      requireWhole({ expiresAt })
      requireText('person', person)
      const token = newToken(random)
      write('link', () => {
        linksEnd.run(person)
        linkInsert.run(tokenHash(token), person, expiresAt)
      })
      return token
    },
    async useLink(token) {
      const used = write('link', () => linkUse.get(tokenHash(token)))
      return used && used.expires_at > now() ? readRow('a sign-in link', () => decodeText(used.person)) : null
    },
    ...sealedKeys(connection, now),
    async sweep(atNow) {
      return write('sweep', () => sweepSessions.run(atNow) + sweepLinks.run(atNow))
    },
  }
}

function sealedKeys(
  { read, write, query }: SqliteConnection,
  now: () => number,
): Pick<Accounts, 'keepKey' | 'keys' | 'dropKey'> {
  const keyInsert = query('insert or replace into sealed_key (id, sealed, at) values (?, ?, ?)')
  const keysQuery = query<{ id: ArrayBuffer; sealed: ArrayBuffer; at: number }>(
    `select ${asBytes('id', 'id')}, ${asBytes('sealed', 'sealed')}, at from sealed_key order by id`,
  )
  const keyDrop = query('delete from sealed_key where id = ?')
  return {
    async keepKey(id, sealed) {
      requireText('id', id)
      requireText('sealed', sealed)
      write('key', () => keyInsert.run(id, sealed, now()))
    },
    async keys() {
      return read('key', () => keysQuery.all()).map((row) =>
        readRow('a key', () => ({ id: decodeText(row.id), sealed: decodeText(row.sealed), at: row.at })),
      )
    },
    async dropKey(id) {
      write('key', () => keyDrop.run(id))
    },
  }
}

/** faults: StoreDamagedError */
function sessionOf({ id, person, agent, ...row }: SessionRow): StoredSession {
  return readRow('a session', () => ({
    id: decodeText(id),
    person: decodeText(person),
    ...(agent === null ? {} : { agent: decodeText(agent) }),
    createdAt: row.created_at,
    lastSeen: row.last_seen,
    expiresAt: row.expires_at,
  }))
}
