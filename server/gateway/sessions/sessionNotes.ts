/** What is known of a session beside its row: when its password was typed again. */
import * as z from 'zod'
import type { Store } from '@/server/store'

/** Key prefix of their rows in the store of the person; the id of the session follows. */
const PREFIX = 'session/'
const stored = z.object({ confirmedAt: z.number().nullable() })
type SessionNote = z.output<typeof stored>

export const openSessionNotes = (people: Store['people']) => ({
  /** null: nothing is known of it */
  async of(person: string, session: string): Promise<SessionNote | null> {
    return stored.safeParse((await people.get(person, PREFIX + session))?.value).data ?? null
  },
  async put(person: string, session: string, note: SessionNote): Promise<void> {
    await people.remove(person, PREFIX + session)
    await people.put(person, PREFIX + session, note, null)
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
