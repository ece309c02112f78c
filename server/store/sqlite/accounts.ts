/** Accounts in SQLite: password hashes, sessions, one-time links, sealed keys. */
import type { AccountRows, SessionRow } from '../shared/accounts'
import { asBytes, decodeText } from './database/columns'
import type { SqliteConnection } from './database/connection'
import { readRow } from './journal/entries'

type KeptSession = Omit<SessionRow, 'id' | 'person' | 'agent'> & {
  id: ArrayBuffer
  person: ArrayBuffer
  agent: ArrayBuffer | null
}

const SESSION = `select ${asBytes('id', 'id')}, ${asBytes('person', 'person')}, ${asBytes('agent', 'agent')},
  created_at as createdAt, last_seen as lastSeen, expires_at as expiresAt from session`

export function sqliteAccounts({ read, write, query }: SqliteConnection): AccountRows {
  const setPassword = query('insert or replace into password (person, hash, at) values (?, ?, ?)')
  const dropPassword = query('delete from password where person = ?')
  const passwordQuery = query<{ hash: ArrayBuffer }>(`select ${asBytes('hash', 'hash')} from password where person = ?`)
  const sessionQuery = query<KeptSession>(`${SESSION} where token_hash = ? and expires_at > ?`)
  const sessionsQuery = query<KeptSession>(
    `${SESSION} where person = ? and expires_at > ? order by created_at desc, id`,
  )
  const sessionInsert = query(
    'insert into session (token_hash, id, person, agent, created_at, last_seen, expires_at) values (?, ?, ?, ?, ?, ?, ?)',
  )
  const sessionSeen = query('update session set last_seen = ? where token_hash = ?')
  const sessionEnd = query('delete from session where token_hash = ? or id = ?')
  const sessionsEnd = query('delete from session where person = ?')
  const linksEnd = query('delete from link where person = ?')
  const linkInsert = query('insert into link (token_hash, person, expires_at) values (?, ?, ?)')
  const linkTake = query<{ person: ArrayBuffer; expiresAt: number }>(
    `delete from link where token_hash = ? returning ${asBytes('person', 'person')}, expires_at as expiresAt`,
  )
  const sweepSessions = query('delete from session where expires_at <= ?')
  const sweepLinks = query('delete from link where expires_at <= ?')
  const keyInsert = query('insert or replace into sealed_key (id, sealed, at) values (?, ?, ?)')
  const keysQuery = query<{ id: ArrayBuffer; sealed: ArrayBuffer; at: number }>(
    `select ${asBytes('id', 'id')}, ${asBytes('sealed', 'sealed')}, at from sealed_key order by id`,
  )
  const keyDrop = query('delete from sealed_key where id = ?')

  return {
    async setPassword(person, hash, at) {
      write('password', () => (hash === null ? dropPassword.run(person) : setPassword.run(person, hash, at)))
    },
    async passwordHash(person) {
      const row = read('password', () => passwordQuery.get(person))
      return row === undefined ? null : readRow('a password', () => decodeText(row.hash))
    },
    async anyPassword(people) {
      return read('password', () => people.some((person) => passwordQuery.get(person) !== undefined))
    },
    async addSession(hash, { id, person, agent, createdAt, lastSeen, expiresAt }) {
      write('session', () => sessionInsert.run(hash, id, person, agent, createdAt, lastSeen, expiresAt))
    },
    async session(hash, at) {
      const row = read('session', () => sessionQuery.get(hash, at))
      return row ? sessionRow(row) : null
    },
    async setLastSeen(hash, at) {
      write('session', () => sessionSeen.run(at, hash))
    },
    async endSession(hash, id) {
      return write('session', () => sessionEnd.run(hash, id))
    },
    async endSessionsOf(person) {
      return write('session', () => sessionsEnd.run(person))
    },
    async sessionsOf(person, at) {
      return read('session', () => sessionsQuery.all(person, at)).map(sessionRow)
    },
    async setLink(hash, person, expiresAt) {
      write('link', () => {
        linksEnd.run(person)
        linkInsert.run(hash, person, expiresAt)
      })
    },
    async takeLink(hash) {
      const used = write('link', () => linkTake.get(hash))
      return used
        ? readRow('a sign-in link', () => ({ person: decodeText(used.person), expiresAt: used.expiresAt }))
        : null
    },
    async sweep(atNow) {
      return write('sweep', () => sweepSessions.run(atNow) + sweepLinks.run(atNow))
    },
    async keepKey(id, sealed, at) {
      write('key', () => keyInsert.run(id, sealed, at))
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

/** Field by field: the driver adds some of its own. faults: StoreDamagedError */
const sessionRow = ({ id, person, agent, createdAt, lastSeen, expiresAt }: KeptSession): SessionRow =>
  readRow('a session', () => ({
    id: decodeText(id),
    person: decodeText(person),
    agent: agent && decodeText(agent),
    createdAt,
    lastSeen,
    expiresAt,
  }))
