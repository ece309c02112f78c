/** What is known of a session beside its row: when its password was typed again, and by which provider it was begun. */
import * as z from 'zod'
import type { Store } from '@/server/store'

/** Key prefix of their rows in the store of the person; the id of the session follows. */
const PREFIX = 'session/'

/**
 * The provider's part of a session.
 *
 * session    its id at the provider; null: it does not say
 * refresh    sealed; null: the provider cannot be asked again
 * checkedAt  when the provider last confirmed the person, epoch ms
 */
const company = z.object({
  provider: z.string(),
  issuer: z.string(),
  subject: z.string(),
  session: z.string().nullable(),
  refresh: z.string().nullable(),
  checkedAt: z.number(),
})
export type CompanySession = z.infer<typeof company>
const stored = z.object({ confirmedAt: z.number().nullable(), company: company.optional() })
export type SessionNote = z.output<typeof stored>

export const openSessionNotes = (people: Store['people']) => ({
  /** null: nothing is known of it */
  async of(person: string, session: string): Promise<SessionNote | null> {
    return stored.safeParse((await people.get(person, PREFIX + session))?.value).data ?? null
  },
  /** Those that were begun by a provider, with the ids of their sessions. */
  async byCompany(person: string): Promise<{ id: string; company: CompanySession }[]> {
    return (await people.list(person, PREFIX)).flatMap(({ key, value }) => {
      const company = stored.safeParse(value).data?.company
      return company === undefined ? [] : [{ id: key.slice(PREFIX.length), company }]
    })
  },
  /** Two nodes may note something of one session at once: what this one does not name stays. */
  async note(person: string, session: string, more: Partial<SessionNote>): Promise<void> {
    const key = PREFIX + session
    for (let attempt = 0; attempt < 5; attempt++) {
      const row = await people.get(person, key)
      const known = stored.safeParse(row?.value).data ?? { confirmedAt: null }
      if ((await people.put(person, key, { ...known, ...more }, row?.version ?? null)).ok) return
      await people.dropOther(person, key)
    }
  },
  async remove(person: string, session: string): Promise<void> {
    await people.remove(person, PREFIX + session)
  },
  /** Forgets those of sessions that are not open any more. */
  async keepOnly(person: string, sessions: readonly string[]): Promise<void> {
    for (const { key } of await people.list(person, PREFIX))
      if (!sessions.includes(key.slice(PREFIX.length))) await people.remove(person, key)
  },
})
