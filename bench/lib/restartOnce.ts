/** One start on a data folder, in a process of its own: `node --import tsx bench/lib/restartOnce.ts <folder>`. Prints JSON. */
import { performance } from 'node:perf_hooks'
import { stepsOfAll } from '@/lib/mas/steps/ownSteps'
import { openSqliteStore } from '@/server/store'
import { openBenchEngine } from './benchEngine'

const [folder = ''] = process.argv.slice(2)
const [start, cpu] = [performance.now(), process.cpuUsage()]
const store = await openSqliteStore(folder)
const before = (await store.journal.head()).seq
const bench = await openBenchEngine({ store })
const ready = performance.now() - start
const used = process.cpuUsage(cpu)
const world = bench.engine.world()
const steps = Object.values(world.steps).reduce((sum, byAgent) => sum + stepsOfAll(byAgent).length, 0)
const snapshot = (await store.snapshots.list('world'))[0]?.seq ?? 0
const figures = {
  ready,
  cpu: (used.user + used.system) / 1_000,
  entries: before,
  tail: before - snapshot,
  tasks: Object.keys(world.tasks).length,
  steps,
  heapMiB: process.memoryUsage().heapUsed / 1_048_576,
}
process.stdout.write(`${JSON.stringify(figures)}\n`)
// As a machine that loses power: what is kept must not change, so that the next measurement starts on the same.
process.exit(bench.mistakes.length === 0 ? 0 : 1)
