/**
 * What making something durable costs on this disk, and what an agent's step adds to it: `npm run bench -- store [rounds]`.
 *
 * A decision of two events is compared with a plain row of a database like the store's; a step of an agent with the two decisions that
 * it needs, its start and its outcome. Only the model is instant. Other load of the machine affects all alike.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import Database from 'libsql'
import { type BatchItem, openSqliteStore } from '@/server/store'
import { openBenchEngine } from './lib/benchEngine'
import { type Goal, goalTable, holds, median, ms, table } from './lib/figures'

const ROUNDS = Number(process.argv[2] ?? 3)
const TIMES = 300
const BATCHES = 10
const BATCH = 200
const STEPS = 200
const MANY = 50

/** Of one, in ms; entries and bytes in the journal and on disk. late: of timers beside it, 99th percentile */
type Cost = { wall: number; cpu: number; entries: number; bytes?: number; late?: number }
const NAMES = {
  row: 'a plain row',
  decision: 'a decision of two events',
  batch: `${BATCH} decisions at once`,
  chain: 'a step, one agent',
  many: `a step, ${MANY} agents`,
}
type Round = Record<keyof typeof NAMES, Cost>

async function costOf(count: number, entries: number, work: () => unknown): Promise<Cost> {
  const [start, before] = [performance.now(), process.cpuUsage()]
  for (let n = 0; n < count; n++) await work()
  return { wall: (performance.now() - start) / count, cpu: cpuMs(before) / count, entries }
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}

async function rowCost(folder: string): Promise<Cost> {
  const db = new Database(join(folder, 'rows.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('create table row (id integer primary key, text text)')
  const insert = db.prepare('insert into row (text) values (?)')
  const cost = await costOf(TIMES, 1, () => insert.run('x'.repeat(400)))
  db.close()
  return cost
}

async function journalCosts(folder: string): Promise<Pick<Round, 'decision' | 'batch'>> {
  const store = await openSqliteStore(join(folder, 'journal'))
  let { epoch, seq } = await store.journal.take('bench')
  const append = async (batch: BatchItem[]): Promise<void> => {
    const answer = await store.journal.append(epoch, seq, batch)
    if (answer.r !== 'OK') throw new Error(`answered ${answer.r}`)
    seq = answer.last
  }
  const decision = await costOf(TIMES, 2, () => append([newDecision()]))
  const batch = await costOf(BATCHES, 2 * BATCH, () => append(Array.from({ length: BATCH }, newDecision)))
  await store.close()
  return { decision, batch }
}

function newDecision(): BatchItem {
  const [task, thread, message] = [randomUUID(), randomUUID(), randomUUID()]
  const text = 'Please look at the second table again: the totals of March and April do not add up to the quarter.'
  return {
    id: randomUUID(),
    by: randomUUID(),
    until: Date.now() + 30_000,
    events: [
      { type: 'message.sent', v: 1, task, thread, message, text, to: [randomUUID()], urgency: 'action' },
      { type: 'request.opened', v: 1, task, request: randomUUID(), message, asked: [randomUUID()] },
    ],
  }
}

/** So many agents, each in a task of its own, with answers of 200 characters. out: of a step */
async function stepCost(folder: string, agents: number): Promise<Cost> {
  await (await openSqliteStore(folder)).close()
  const emptyBytes = await bytesIn(folder)
  const store = await openSqliteStore(folder)
  const { engine, load, mistakes, stop } = await openBenchEngine({ store })
  const from = engine.world().seq
  let over = 0
  const allOver = new Promise<void>((resolve) => {
    engine.onDecision((entries) => {
      over += entries.filter(({ event }) => event.type === 'task.finished').length
      if (over === agents) resolve()
    })
  })
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const [start, before] = [performance.now(), process.cpuUsage()]
  await Promise.all([load({ agents, tasks: agents, stepsPerAgent: STEPS }), allOver])
  const [wall, cpu, late] = [performance.now() - start, cpuMs(before), delay.percentile(99) / 1e6]
  delay.disable()
  const entries = engine.world().seq - from
  await stop()
  await store.close()
  if (mistakes.length > 0) throw new Error(mistakes.slice(0, 3).join('; '))
  const [steps, bytes] = [agents * STEPS, (await bytesIn(folder)) - emptyBytes]
  return { wall: wall / steps, cpu: cpu / steps, entries: entries / steps, bytes: bytes / steps, late }
}

async function bytesIn(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = files.filter((file) => file.isFile()).map((file) => stat(join(file.path, file.name)))
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0)
}

const folder = await mkdtemp(join(tmpdir(), 'convene-bench-'))
try {
  const rounds: Round[] = []
  // The first one pays for compiling.
  for (let n = 0; n <= ROUNDS; n++) {
    const own = await mkdtemp(join(folder, 'round-'))
    const bare = { row: await rowCost(own), ...(await journalCosts(own)) }
    const round = {
      ...bare,
      chain: await stepCost(join(own, 'chain'), 1),
      many: await stepCost(join(own, 'many'), MANY),
    }
    if (n > 0) rounds.push(round)
  }
  const middle = (of: (round: Round) => number): number => median(rounds.map(of))
  const lines = (Object.keys(NAMES) as (keyof typeof NAMES)[]).map((name) => {
    const of = (field: 'wall' | 'cpu' | 'bytes' | 'late'): number => middle((round) => round[name][field] ?? Number.NaN)
    const entryCpu = middle((round) => round[name].cpu / round[name].entries) * 1_000
    const [bytes, late] = [of('bytes'), of('late')]
    const ofSteps = Number.isNaN(bytes) ? [] : [bytes.toFixed(0), ms(late)]
    return [NAMES[name], ms(of('wall')), ms(of('cpu')), `${entryCpu.toFixed(0)} µs`, ...ofSteps]
  })
  const step = middle(({ chain, decision }) => chain.wall / (2 * decision.wall))
  const cpu = middle(({ many, decision }) => many.cpu / (2 * decision.cpu))
  const goals: Goal[] = [
    { what: 'a step of one agent, over two decisions', figures: '', ratio: step, most: 2 },
    { what: `CPU of a step, ${MANY} agents, over that of two decisions`, figures: '', ratio: cpu, most: 2 },
  ]
  console.log(`\n${table([['', 'each', 'CPU', 'CPU of an entry', 'bytes', 'timers late, p99'], ...lines])}\n`)
  console.log(goalTable(goals))
  process.exitCode = goals.every(holds) ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
