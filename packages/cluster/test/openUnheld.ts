import { randomBytes } from 'node:crypto'
import { later } from '@/server/shared/later'
import type { Store } from '@/server/store/interfaces'
import { journalClock } from '@/server/store/shared/journalClock'
import { readAddress } from '../postgres/address'
import { openPool } from '../postgres/connection'
import { beginJournal, openParts } from '../postgres/openPostgresStore'

const SESSIONS = { most: 10, lifeS: 30 }
const random = (n: number): Uint8Array => new Uint8Array(randomBytes(n))

/** A second handle on a database, without a hold on it. */
export async function openUnheld(url: string, { now }: { now: () => number }): Promise<Store> {
  const connection = openPool(readAddress(url), SESSIONS, later, async (ask) => {
    await ask('select prove()')
  })
  const id = await beginJournal(connection, random)
  const clock = journalClock({ wall: now, elapsed: null })
  return {
    ...openParts(connection, id, { lock: null, now: clock.now, random }),
    now: clock.now,
    clock,
    close: connection.close,
  }
}
