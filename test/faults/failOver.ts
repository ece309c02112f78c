/** PostgreSQL fails over to a standby; later the former primary comes back as a primary. */
import type { TestServer as Postgres } from '@/packages/cluster/test'
import { type Cluster, OVER_WITHIN_MS } from './cluster'
import { demand, until } from './scenario'

const SESSIONS = `select pid from pg_stat_activity where application_name = 'convene'`
/** Answers to people while the former primary is back. */
const ANSWERED_BESIDE = 20

/** out: time without an answer to anybody since the end of the primary, ms */
export async function failOver(cluster: Cluster, answered: () => number): Promise<number> {
  const { postgres: before, schema } = cluster
  const standby = await before.startStandby()
  try {
    const from = performance.now()
    await before.stop('kill')
    // The nodes reach it before its promotion.
    cluster.putInPlace(standby)
    await standby.ask('select pg_promote()')
    const count = answered()
    await until('people are answered again', () => answered() > count + 4, OVER_WITHIN_MS)
    const took = performance.now() - from
    await comesBack(before, schema, answered)
    return took
  } finally {
    await before.remove()
  }
}

/** The nodes neither read nor write it any more. */
async function comesBack(before: Postgres, schema: string, answered: () => number): Promise<void> {
  await before.start()
  const [state] = await before.ask('select pg_is_in_recovery() as follows')
  demand(state?.follows === false, 'the former primary is no primary')
  const end = async (): Promise<string> => JSON.stringify(await before.ask(`select seq, epoch from ${schema}.head`))
  const atStart = await end()
  const count = answered()
  await until('people are answered beside it', () => answered() > count + ANSWERED_BESIDE, OVER_WITHIN_MS)
  const sessions = await before.ask(SESSIONS)
  demand(sessions.length === 0, `${sessions.length} sessions are at the former primary`)
  demand((await end()) === atStart, 'something was written to the former primary')
}
