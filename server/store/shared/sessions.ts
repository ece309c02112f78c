/** Sessions over the tables of a store. From where each was begun is a row of its own, which stays for a while after its end. */
import { recentMap } from '../../shared/recentMap'
import { sha256 } from '../../shared/sha256'
import { StoreBrokenError } from '../errors'
import type { Accounts, SessionOrigin, StoredSession } from '../interfaces'
import { requireText, requireWhole } from './names'
import { columnsOf, insertion, type TableChange, type TableRow, type Tables } from './tables'
import { newToken } from './tokens'

/** A browser's session that nobody uses for so long is over. A personal access token ends when it expires. */
export const SESSION_IDLE_MS = 7 * 24 * 60 * 60_000
/** From where a session was begun is kept for so long after its end. */
export const ORIGIN_MS = 90 * 24 * 60 * 60_000
/** Minimum time between two writes of last_seen; otherwise every request would cost a write */
const SEEN_MS = 60_000
/** Sessions that were asked for last, so that who is signed in can read while the database is away. */
const REMEMBERED = 2_000
/** A session that begins has its origin for a moment before its own row. */
const BEGUN_MS = 60_000
const SESSION = columnsOf('session')
const ORIGIN = columnsOf('session_origin')
const AGENT_CHARACTERS = 300
const ADDRESS_CHARACTERS = 100

/** Which sessions are open or over, $1 and $2: now, and SESSION_IDLE_MS before. */
const IS_OPEN = 'expires_at > $1 and (last_seen > $2 or token_name is not null)'
export const IS_OVER = '(expires_at <= $1 or (last_seen <= $2 and token_name is null))'

type SessionRow = TableRow<'session'>
type SessionPart = Pick<
  Accounts,
  'startSession' | 'session' | 'endSession' | 'endSessionsOf' | 'sessionsOf' | 'originsOf' | 'endedOf'
>

/** out: noteEnds: at a sweep, before sessions that are over are removed */
export function sessionsOf(
  { select, take, change }: Tables,
  now: () => number,
  random: (n: number) => Uint8Array,
): SessionPart & { noteEnds(at: number): Promise<void> } {
  const seen = recentMap<string, SessionRow>(REMEMBERED)

  /** null: there is none, or it has expired */
  async function sessionOf(hash: string, at: number): Promise<SessionRow | null> {
    try {
      const where = `where ${IS_OPEN} and token_hash = $3`
      const [row] = await select('a session', 'session', SESSION, where, [at, at - SESSION_IDLE_MS, hash])
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
    const ended = await take('a session', 'session', ['token_hash', 'id'], where, values)
    for (const { token_hash } of ended) seen.delete(token_hash)
    const ends = ended.map(({ id }) => originEnd(id, now()))
    // They are over in any case; a sweep notes what is not noted here.
    if (ends.length > 0) await change('session_origin', ends, 'again').catch(() => {})
    return ended.length
  }

  return {
    async startSession(person, { agent, address, token: named, expiresAt }) {
      requireWhole({ expiresAt })
      requireText('person', person)
      const token = newToken(random)
      const [id, at] = [newSessionId(random), now()]
      const token_name = cleanText(named?.name, AGENT_CHARACTERS)
      const known = { id, person, agent: cleanText(agent, AGENT_CHARACTERS), created_at: at, token_name }
      const scopes = named === undefined ? null : named.scopes.join(' ')
      const row = { ...known, token_hash: sha256(token), last_seen: at, expires_at: expiresAt, scopes }
      const origin = { ...known, address: cleanText(address, ADDRESS_CHARACTERS), ended_at: null }
      // In this order: a session always has its origin.
      await change('session', [insertion('session_origin', origin), insertion('session', row)])
      return token
    },
    async session(token) {
      const [hash, at] = [sha256(token), now()]
      const row = await sessionOf(hash, at)
      if (row === null) return null
      const isFirstUse = row.token_name !== null && row.last_seen === row.created_at
      if (at - row.last_seen < SEEN_MS && !isFirstUse) return shownSession(row)
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
      const where = `where ${IS_OPEN} and person = $3 order by created_at desc, session.id`
      return (await select('a session', 'session', SESSION, where, [now(), now() - SESSION_IDLE_MS, person])).map(
        shownSession,
      )
    },
    async originsOf(sessions) {
      const found: SessionOrigin[] = []
      for (const id of new Set(sessions)) {
        const rows = await select('the origin of a session', 'session_origin', ORIGIN, 'where id = $1', [id])
        found.push(...rows.map(shownOrigin))
      }
      return found
    },
    async endedOf(person) {
      const where = 'where person = $1 and ended_at is not null order by created_at desc, session_origin.id'
      return (await select('the origin of a session', 'session_origin', ORIGIN, where, [person])).map(shownOrigin)
    },
    /** Also of a session whose process stopped between its end and the note of it. */
    async noteEnds(at) {
      const columns = ['id', 'expires_at', 'last_seen', 'token_name'] as const
      const over = await select('a session', 'session', columns, `where ${IS_OVER}`, [at, at - SESSION_IDLE_MS])
      await change(
        'session_origin',
        [
          ...over.map((row) => originEnd(row.id, endOf(row))),
          [
            `update session_origin set ended_at = $1
             where ended_at is null and created_at < $2 and id not in (select id from session)`,
            [at, at - BEGUN_MS],
          ],
          ['delete from session_origin where ended_at <= $1', [at - ORIGIN_MS]],
        ],
        'again',
      )
    },
  }
}

const endOf = ({ expires_at, last_seen, token_name }: Pick<SessionRow, 'expires_at' | 'last_seen' | 'token_name'>) =>
  token_name === null ? Math.min(expires_at, last_seen + SESSION_IDLE_MS) : expires_at

const originEnd = (id: string, at: number): TableChange => [
  'update session_origin set ended_at = $1 where id = $2 and ended_at is null',
  [at, id],
]

function shownSession(row: SessionRow): StoredSession {
  const { id, person, agent, created_at, last_seen, expires_at, token_name: name, scopes } = row
  return {
    id,
    person,
    ...(agent === null ? {} : { agent }),
    ...(name === null ? {} : { token: { name, scopes: (scopes ?? '').split(' ').filter((one) => one !== '') } }),
    createdAt: created_at,
    lastSeen: last_seen,
    expiresAt: expires_at,
  }
}

function shownOrigin(row: TableRow<'session_origin'>): SessionOrigin {
  const { id, person, agent, address, created_at, ended_at, token_name: token } = row
  return {
    id,
    person,
    ...(agent === null ? {} : { agent }),
    ...(address === null ? {} : { address }),
    ...(token === null ? {} : { token }),
    createdAt: created_at,
    ...(ended_at === null ? {} : { endedAt: ended_at }),
  }
}

/** A session's public name: distinguishes sessions in a list, grants no access. */
const newSessionId = (random: (n: number) => Uint8Array): string => Buffer.from(random(12)).toString('hex')

/** Names of browsers are external input: keep only what a text column can store. */
const cleanText = (text: string | undefined, characters: number): string | null =>
  text === undefined ? null : text.replaceAll('\0', ' ').slice(0, characters)
