/** Periodic jobs of the running program, so that nothing grows without bound. */
import type { World } from '@/lib/mas/records'
import { type MaintenanceJob, startMaintenance } from './engine/duties/maintenance'
import { createSweeper } from './engine/duties/sweep'
import { uploadsKept } from './gateway'
import { countersToDays } from './numbers'
import type { Base } from './openBase'
import type { Core } from './openCore'
import type { People } from './store'
import { schedule } from './timers'

const DAY_MS = 24 * 3_600_000

/** out: stop them */
export function startMaintenanceJobs(base: Base, core: Core): () => void {
  const { store, log } = base
  const jobs: MaintenanceJob[] = [
    { name: 'first outcomes of commands', run: (now) => store.journal.forgetOutcomes(now) },
    { name: 'sessions and links that are over', run: (now) => store.accounts.sweep(now) },
    { name: 'counters of past hours', run: (now) => countersToDays(store.counters, now) },
    { name: 'old snapshots', run: (now) => store.snapshots.prune(now) },
    {
      name: 'uploads that were not sent',
      run: async (now) => (await keptUploads(store.people, core.engine.world(), now)).forgotten,
    },
    ...sweeping(base, core),
  ]
  return startMaintenance({
    // Once for all nodes.
    jobs: jobs.map((job) => ({ ...job, run: async (now) => (core.engine.leads() ? job.run(now) : 0) })),
    now: store.now,
    schedule,
    onTrouble: (error, job) => log.warn({ err: error, job }, 'a maintenance job failed'),
  })
}

/** Bodies of archives that are older than they are to be kept; without that everything stays. */
function sweeping(base: Base, core: Core): MaintenanceJob[] {
  const { config, store } = base
  const { keepDays } = config.archives
  if (keepDays === null) return []
  const named = (now: number): Promise<string[]> => namedUploads(store.people)(core.engine.world(), now)
  return [{ name: 'bodies of old archives', run: createSweeper({ store, keepMs: keepDays * DAY_MS, named }) }]
}

/** Bodies that people uploaded and have not sent yet. */
export const namedUploads =
  (people: People) =>
  async (world: World, now: number): Promise<string[]> =>
    (await keptUploads(people, world, now)).kept

const keptUploads = (people: People, { agents }: World, now: number): ReturnType<typeof uploadsKept> =>
  uploadsKept(
    people,
    Object.values(agents).filter((agent) => agent.kind === 'human'),
    now,
  )
