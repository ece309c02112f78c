/** Accounts in memory. */
import type { AccountRows, SessionRow } from '@/server/store/shared/accounts'
import type { MemoryContext } from './memoryStore'

export function memoryAccounts({ data, ensureOpen }: MemoryContext): AccountRows {
  const endWhere = (test: (line: SessionRow, hash: string) => boolean): number => {
    ensureOpen()
    const over = [...data.sessions].filter(([hash, line]) => test(line, hash))
    for (const [hash] of over) data.sessions.delete(hash)
    return over.length
  }
  return {
    async setPassword(person, hash) {
      ensureOpen()
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
    async addSession(hash, session) {
      ensureOpen()
      data.sessions.set(hash, session)
    },
    async session(hash, at) {
      ensureOpen()
      const line = data.sessions.get(hash)
      return line && line.expiresAt > at ? line : null
    },
    async setLastSeen(hash, at) {
      ensureOpen()
      const line = data.sessions.get(hash)
      if (line) data.sessions.set(hash, { ...line, lastSeen: at })
    },
    endSession: async (hash, id) => endWhere((line, own) => own === hash || line.id === id),
    endSessionsOf: async (person) => endWhere((line) => line.person === person),
    async sessionsOf(person, at) {
      ensureOpen()
      return [...data.sessions.values()]
        .filter((line) => line.person === person && line.expiresAt > at)
        .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
    },
    async setLink(hash, person, expiresAt) {
      ensureOpen()
      for (const [own, link] of data.links) if (link.person === person) data.links.delete(own)
      data.links.set(hash, { person, expiresAt })
    },
    async takeLink(hash) {
      ensureOpen()
      const link = data.links.get(hash) ?? null
      data.links.delete(hash)
      return link
    },
    async keepKey(id, sealed, at) {
      ensureOpen()
      data.keys.set(id, { sealed, at })
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
