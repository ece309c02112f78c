/** The floors that other figures are read against. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Database from 'libsql'
import { emptyWorld } from '@/lib/mas/reduce'
import { createCommitter } from '@/server/engine/commands/committer'
import { openSqliteStore } from '@/server/store'

const ROW = 'x'.repeat(400)

/** One row, one durable transaction, in a database like the store's. */
export function openBareCommits(folder: string) {
  const db = new Database(join(folder, 'bare.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('create table if not exists bare (id integer primary key, text text)')
  const begin = db.prepare('begin immediate')
  const insert = db.prepare('insert into bare (text) values (?)')
  const commit = db.prepare('commit')
  return {
    /** Milliseconds that one commit takes, the mean of so many. */
    measure(times: number): number {
      const start = performance.now()
      for (let n = 0; n < times; n++) {
        begin.run()
        insert.run(ROW)
        commit.run()
      }
      return (performance.now() - start) / times
    },
    close: () => void db.close(),
  }
}

/**
 * The engine's own floor: the smallest command through its committer and journal. Nothing durable costs an engine less: a
 * command is decided, written as a row that keeps its outcome, flushed, reduced and answered.
 */
export async function openBareDecisions(folder: string) {
  const store = await openSqliteStore(join(folder, 'bare-decisions'))
  const fail = (error: unknown): never => {
    throw error
  }
  const committer = createCommitter({
    journal: store.journal,
    health: store,
    node: 'bench',
    now: Date.now,
    clock: () => performance.now(),
    onEntries() {},
    onBroken: fail,
    onMistake: fail,
  })
  await committer.open(emptyWorld)
  return {
    /** Milliseconds that one takes, each after the one before it, and those of CPU of all threads; the mean of so many. */
    async measure(times: number): Promise<{ wall: number; cpu: number }> {
      const start = performance.now()
      const cpu = process.cpuUsage()
      for (let n = 0; n < times; n++) {
        // The world stays as it is: the node leaves and comes again.
        const command = { type: 'startNode', node: 'bench', epoch: committer.epoch() } as const
        const answer = await committer.commit({ id: randomUUID(), by: 'system:bench', command })
        if (!answer.ok) throw answer.fault
      }
      const used = process.cpuUsage(cpu)
      return { wall: (performance.now() - start) / times, cpu: (used.user + used.system) / 1_000 / times }
    },
    async close(): Promise<void> {
      await committer.close()
      await store.close()
    },
  }
}
