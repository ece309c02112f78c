/**
 * What a step of an agent costs over the two durable commits that it needs: `npm run bench -- engine`.
 *
 * Prints ms and CPU per step for one agent and for fifty, and how a step's cost grows with its history, each against its goal; and
 * stored bytes per byte of text. bench/README.md says how to read it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBareCommits, openBareDecisions } from './lib/bare'
import { type RunFigures, runEngine } from './lib/engineRun'
import { type Goal, goalTable, holds, median, ms, table } from './lib/figures'

/** `npm run bench -- engine long 1`: only that part, so many rounds. */
const [only, times = '3'] = process.argv.slice(2)
const ROUNDS = Number(times)
const BARE_TIMES = 300
/** What is durable of a step before the next begins: that it began, and all that came of it. */
const COMMITS_PER_STEP = 2

const folder = await mkdtemp(join(tmpdir(), 'convene-bench-'))
const bareRows = openBareCommits(folder)
const bareDecisions = await openBareDecisions(folder)
let runs = 0

type Shape = { agents: number; steps: number; characters: number }
/** two, twoCpu, rows: what two bare commits took, through the engine's committer and as plain rows of SQLite. */
type Round = { run: RunFigures; two: number; twoCpu: number; rows: number }

async function measureBare(): Promise<{ rows: number; decisions: number; cpu: number }> {
  const rows = bareRows.measure(BARE_TIMES)
  const { wall, cpu } = await bareDecisions.measure(BARE_TIMES)
  return { rows, decisions: wall, cpu }
}

/** A run between two measurements of bare commits: what the machine did meanwhile counts for both. */
async function round(shape: Shape): Promise<Round> {
  const before = await measureBare()
  const run = await runEngine({ folder: join(folder, `run-${runs++}`), seed: runs, ...shape })
  const after = await measureBare()
  const two = (of: 'rows' | 'decisions' | 'cpu'): number => ((before[of] + after[of]) / 2) * COMMITS_PER_STEP
  return { run, two: two('decisions'), twoCpu: two('cpu'), rows: two('rows') }
}

async function rounds(times: number, shape: Shape): Promise<Round[]> {
  const made: Round[] = []
  for (let n = 0; n < times; n++) made.push(await round(shape))
  return made
}

/** The middle of the times that the steps around one took. */
function around(finishedAt: number[], step: number, reach: number): number {
  const taken: number[] = []
  for (let n = Math.max(1, step - reach); n <= Math.min(finishedAt.length - 1, step + reach); n++)
    taken.push((finishedAt[n] ?? 0) - (finishedAt[n - 1] ?? 0))
  return median(taken)
}

const row = (what: string, made: Round[]): string[] => [
  what,
  ms(median(made.map(({ run }) => run.msPerStep))),
  ms(median(made.map(({ run }) => run.cpuMsPerStep))),
  ms(median(made.map(({ two }) => two))),
  ms(median(made.map(({ twoCpu }) => twoCpu))),
  ms(median(made.map(({ rows }) => rows))),
  (median(made.map(({ run }) => run.entries)) / (made[0]?.run.steps ?? 1)).toFixed(1),
]

const ratioOf = (made: Round[]): number => median(made.map(({ run, two }) => run.msPerStep / two))
const overRows = (made: Round[]): string =>
  `${median(made.map(({ run, rows }) => run.msPerStep / rows)).toFixed(2)} × two plain rows`

try {
  const rows = [['', 'per step', 'CPU per step', 'two bare commits', 'their CPU', 'two plain rows', 'entries per step']]
  const goals: Goal[] = []
  let stored = ''
  const shortText = { steps: 200, characters: 200 }
  // The first run pays for compiling; it is not counted. As long as a server takes to be warm, not shorter.
  await round({ agents: 10, ...shortText })
  if (only === undefined || only === 'one') {
    const one = await rounds(ROUNDS, { agents: 1, ...shortText })
    rows.push(row('1 × 200 steps', one))
    goals.push({ what: 'one chain, over two bare commits', figures: overRows(one), ratio: ratioOf(one), most: 2 })
  }
  if (only === undefined || only === 'many') {
    const many = await rounds(ROUNDS, { agents: 50, ...shortText })
    rows.push(row('50 × 200 steps', many))
    goals.push({ what: '50 runs, over two bare commits', figures: overRows(many), ratio: ratioOf(many), most: 0.6 })
  }
  if (only === undefined || only === 'long') {
    const long = await rounds(ROUNDS, { agents: 1, steps: 1_010, characters: 1_024 })
    rows.push(row('1 × 1,010 steps of 1 KiB', long))
    const at = (step: number, reach: number): number =>
      median(long.map(({ run }) => around(run.finishedAt, step, reach)))
    const [tenth, hundredth, thousandth] = [at(10, 4), at(100, 8), at(1_000, 8)]
    const growth = long.map(({ run }) => around(run.finishedAt, 1_000, 8) / around(run.finishedAt, 10, 4))
    goals.push({
      what: 'step 1,000 over step 10',
      figures: `step 10 ${ms(tenth)}, 100 ${ms(hundredth)}, 1,000 ${ms(thousandth)}`,
      ratio: median(growth),
      most: 1.5,
    })
    const [first] = long
    if (first) {
      const { storedBytes, textBytes } = first.run
      const times = (storedBytes / textBytes).toFixed(2)
      stored = `\n\nstored: ${Math.round(storedBytes / 1_010)} bytes a step for ${Math.round(textBytes / 1_010)} of text (${times} ×)`
    }
  }
  console.log(`\n${table(rows)}\n\n${goalTable(goals)}${stored}`)
  if (!goals.every(holds)) process.exitCode = 1
} finally {
  bareRows.close()
  await bareDecisions.close()
  await rm(folder, { recursive: true, force: true })
}
