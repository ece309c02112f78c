/** Accounts over the tables of a store: password hashes, sessions, one-time links, sealed keys. Tokens are stored only as hashes. */
import { sha256 } from '../../shared/sha256'
import type { Accounts } from '../interfaces'
import { requireText, requireWhole } from './names'
import { IS_OVER, SESSION_IDLE_MS, sessionsOf } from './sessions'
import { insertion, replacement, type Tables } from './tables'
import { newToken } from './tokens'

const SIGN_IN_LINK_MS = 15 * 60_000

/** in: now: epoch ms; random: n bytes, good enough for secrets */
export function accountsOf(tables: Tables, now: () => number, random: (n: number) => Uint8Array): Accounts {
  const { select, change } = tables
  const { noteEnds, ...sessions } = sessionsOf(tables, now, random)

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
    ...sessions,
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
    async sweep(atNow) {
      await noteEnds(atNow)
      return change('session', [
        [`delete from session where ${IS_OVER}`, [atNow, atNow - SESSION_IDLE_MS]],
        ['delete from link where expires_at <= $1', [atNow]],
      ])
    },
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
