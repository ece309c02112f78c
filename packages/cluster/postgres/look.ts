/** Reads the state of a database without locking or changing it. */
import type { SeenDatabase } from '@/server/store/database'
import { DatabaseUnfitError } from '@/server/store/errors'
import { readAddress } from './address'
import { openSession, type Session } from './holding'

/** faults: DatabaseUnfitError: it cannot be reached */
export async function seeDatabase(url: string): Promise<SeenDatabase> {
  const address = readAddress(url)
  let session: Session | null = null
  try {
    session = await openSession(address)
    const { client } = session
    const { rows } = await client.query<{ server: string; encrypted: boolean; there: boolean }>(
      `select current_setting('server_version') as server, to_regclass($1) is not null as there,
         coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as encrypted`,
      [`${address.schema}.head`],
    )
    const { server = '', encrypted = false, there = false } = rows[0] ?? {}
    const seen = { shown: address.shown, server, encrypted, seq: null, holder: null }
    if (!there) return seen
    const head = await client.query<{ seq: number; holder: SeenDatabase['holder'] }>(
      'select seq, case when until > clock_timestamp() then holder end as holder from head',
    )
    return { ...seen, seq: head.rows[0]?.seq ?? null, holder: head.rows[0]?.holder ?? null }
  } catch (error) {
    const why = error instanceof Error ? error.message || error.name : String(error)
    throw new DatabaseUnfitError(`${address.shown} cannot be used: ${why}`, { cause: error })
  } finally {
    await session?.end()
  }
}
