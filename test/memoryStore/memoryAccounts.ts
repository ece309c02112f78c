/** Accounts in memory. */
import type { Accounts, StoredSession } from '@/server/store/interfaces'
import { requireText, requireWhole } from '@/server/store/shared/names'
import { newSessionId, newToken, SEEN_MS, SIGN_IN_LINK_MS, tokenHash } from '@/server/store/shared/secrets'
import type { SessionLine } from './memoryData'
import type { MemoryContext } from './memoryStore'

export function memoryAccounts({ data, now, random, ensureOpen }: MemoryContext): Accounts {
  const endWhere = (test: (line: SessionLine, hash: string) => boolean): number => {
    const over = [...data.sessions].filter(([hash, line]) => test(line, hash))
    for (const [hash] of over) data.sessions.delete(hash)
    return over.length
  }
  return {
    async setPassword(person, hash) {
      ensureOpen()
      requireText('person', person)
      if (hash === null) data.passwords.delete(person)
      else data.passwords.set(person, hash)
    },
    async passwordHash(person) {
      ensureOpen()
      return data.passwords.get(person) ?? null
    },
    async anyPassword(people) {
      ensureOpen()
      return people.some((person) => data.passwords.has(person))
    },
    async startSession(person, { agent, expiresAt }) {
      ensureOpen()
      requireWhole({ expiresAt })
      requireText('person', person)
      const token = newToken(random)
      const at = now()
      const id = newSessionId(random)
      data.sessions.set(tokenHash(token), { id, person, agent: agent ?? null, createdAt: at, lastSeen: at, expiresAt })
      return token
    },
    async session(token) {
      ensureOpen()
      const line = data.sessions.get(tokenHash(token))
      if (!line || line.expiresAt <= now()) return null
      if (now() - line.lastSeen >= SEEN_MS) line.lastSeen = now()
      return sessionOf(line)
    },
    async endSession(tokenOrId) {
      ensureOpen()
      return endWhere((line, hash) => hash === tokenHash(tokenOrId) || line.id === tokenOrId) > 0
    },
    async endSessionsOf(person) {
      ensureOpen()
      return endWhere((line) => line.person === person)
    },
    async sessionsOf(person) {
      ensureOpen()
      return [...data.sessions.values()]
        .filter((line) => line.person === person && line.expiresAt > now())
        .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
        .map(sessionOf)
    },
    async makeLink(person, expiresAt = now() + SIGN_IN_LINK_MS) {
      ensureOpen()
      requireWhole({ expiresAt })
      requireText('person', person)
      const token = newToken(random)
      for (const [hash, link] of data.links) if (link.person === person) data.links.delete(hash)
      data.links.set(tokenHash(token), { person, expiresAt })
      return token
    },
    async useLink(token) {
      ensureOpen()
      const link = data.links.get(tokenHash(token))
      data.links.delete(tokenHash(token))
      return link && link.expiresAt > now() ? link.person : null
    },
    async keepKey(id, sealed) {
      ensureOpen()
      requireText('id', id)
      requireText('sealed', sealed)
      data.keys.set(id, { sealed, at: now() })
    },
    async keys() {
      ensureOpen()
      return [...data.keys].map(([id, key]) => ({ id, ...key })).sort((a, b) => (a.id < b.id ? -1 : 1))
    },
    async dropKey(id) {
      ensureOpen()
      data.keys.delete(id)
    },
    async sweep(atNow) {
      ensureOpen()
      const late = [...data.links].filter(([, link]) => link.expiresAt <= atNow)
      for (const [hash] of late) data.links.delete(hash)
      return late.length + endWhere((line) => line.expiresAt <= atNow)
    },
  }
}

function sessionOf({ agent, ...line }: SessionLine): StoredSession {
  return { ...line, ...(agent === null ? {} : { agent }) }
}
