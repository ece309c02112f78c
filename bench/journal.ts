/**
 * How long a start takes on a journal of many days: `npm run bench -- journal [entries …]`, 100,000 and 1,000,000 unless said.
 *
 * The journal is made first (about 100 s for a million entries), tasks spread evenly over 30 days, each archived a day after
 * its end; the last 20,000 entries are behind the newest snapshot, as after a death at the worst moment.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bytesIn } from './lib/engineRun'
import { median, ms, table } from './lib/figures'
import { makeJournal } from './lib/longJournal'

const DAYS = 30
const TAIL = 20_000
const STARTS = 5
const GOAL_MS = 2_000
const sizes = process.argv.slice(2).map(Number)

type Start = {
  ready: number
  cpu: number
  entries: number
  tail: number
  tasks: number
  steps: number
  heapMiB: number
}
const run = promisify(execFile)
const node = [...process.execArgv, '--import', 'tsx']

const rows = [
  ['entries', 'days', 'made in', 'on disk', 'tasks ever', 'tasks live', 'steps live', 'tail', 'heap', 'CPU', 'ready'],
]
let isMissed = false
for (const entries of sizes.length > 0 ? sizes : [100_000, 1_000_000]) {
  const folder = await mkdtemp(join(tmpdir(), 'convene-journal-'))
  try {
    const began = performance.now()
    // A smaller journal is a shorter history at the same pace.
    const days = Math.max(2, (DAYS * entries) / 1_000_000)
    const made = await makeJournal({ folder, entries, days, tail: Math.min(TAIL, entries / 5) })
    const took = performance.now() - began
    const starts: Start[] = []
    for (let n = 0; n < STARTS; n++) {
      const { stdout } = await run(process.execPath, [...node, 'bench/lib/restartOnce.ts', folder], {
        env: { ...process.env, NODE_ENV: 'production' },
      })
      starts.push(JSON.parse(stdout) as Start)
    }
    const [first] = starts
    const ready = median(starts.map((start) => start.ready))
    // Printed beside the time: on a machine that is busy with other things it says how long a start takes alone.
    const cpu = median(starts.map((start) => start.cpu))
    isMissed ||= ready > GOAL_MS
    rows.push([
      made.entries.toLocaleString('en'),
      days.toFixed(0),
      `${(took / 1_000).toFixed(0)} s`,
      `${((await bytesIn(folder)) / 1_048_576).toFixed(0)} MiB`,
      `${made.tasks}`,
      `${first?.tasks ?? 0}`,
      `${first?.steps ?? 0}`,
      (first?.tail ?? 0).toLocaleString('en'),
      `${first?.heapMiB.toFixed(0) ?? ''} MiB`,
      ms(cpu),
      ms(ready),
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
console.log(
  `\n${table(rows)}\n\nGoal: a million entries within ${ms(GOAL_MS)} to a ready engine: ${isMissed ? 'MISSED' : 'holds'}.`,
)
if (isMissed) process.exitCode = 1
