/**
 * The engine's own floor: the smallest command through its committer and journal. Nothing durable costs an engine less: a
 * command is decided, written as a row that keeps its outcome, flushed, reduced and answered.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { emptyWorld } from '@/lib/mas/reduce'
import { createCommitter } from '@/server/engine/commands/committer'
import { openSqliteStore } from '@/server/store'

export type BareDecisions = {
  /** Milliseconds that one takes, each after the one before it, and those of CPU of all threads; the mean of so many. */
  measure(times: number): Promise<{ wall: number; cpu: number }>
  close(): Promise<void>
}

export async function openBareDecisions(folder: string): Promise<BareDecisions> {
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
    async measure(times) {
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
    async close() {
      await committer.close()
      await store.close()
    },
  }
}
