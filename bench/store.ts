/**
 * What making something durable costs on this disk, and what an agent's step adds to it: `npm run bench -- store [rounds]`.
 *
 * A decision of two events through the journal is compared with a plain row of a database like the store's; a step of an agent with
 * the two decisions that it needs, its start and its outcome. Only the model is instant. Other load of the machine affects all alike.
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
const DECISIONS_PER_STEP = 2

/** ms of one; entries and bytes of one in the journal and on disk; late: of a timer beside it, 99th percentile. */
type Cost = { wall: number; cpu: number; entries: number; bytes?: number; late?: number }
type Round = Record<'row' | 'decision' | 'batch' | 'chain' | 'many', Cost>

async function costOf(count: number, entries: number, work: (n: number) => unknown): Promise<Cost> {
  const [start, before] = [performance.now(), process.cpuUsage()]
  for (let n = 0; n < count; n++) await work(n)
  return { wall: (performance.now() - start) / count, cpu: cpuMs(before) / count, entries }
}

function cpuMs(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1_000
}

function openRows(folder: string) {
  const db = new Database(join(folder, 'rows.db'))
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  db.exec('create table row (id integer primary key, text text)')
  const insert = db.prepare('insert into row (text) values (?)')
  return { add: () => void insert.run('x'.repeat(400)), close: () => void db.close() }
}

async function openJournal(folder: string) {
  const store = await openSqliteStore(join(folder, 'journal'))
  let { epoch, seq } = await store.journal.take('bench')
  return {
    async append(batch: BatchItem[]): Promise<void> {
      const answer = await store.journal.append(epoch, seq, batch)
      if (answer.r !== 'OK') throw new Error(`answered ${answer.r}`)
      seq = answer.last
    },
    close: () => store.close(),
  }
}

function decision(): BatchItem {
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
async function engineRun(folder: string, agents: number): Promise<Cost> {
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
  const [wall, cpu] = [performance.now() - start, cpuMs(before)]
  delay.disable()
  const entries = engine.world().seq - from
  await stop()
  await store.close()
  if (mistakes.length > 0) throw new Error(mistakes.slice(0, 3).join('; '))
  const steps = agents * STEPS
  const bytes = (await bytesIn(folder)) - emptyBytes
  const late = delay.percentile(99) / 1e6
  return { wall: wall / steps, cpu: cpu / steps, entries: entries / steps, bytes: bytes / steps, late }
}

async function bytesIn(folder: string): Promise<number> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = files.filter((file) => file.isFile()).map((file) => stat(join(file.path, file.name)))
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0)
}

async function round(folder: string): Promise<Round> {
  const [rows, journal] = [openRows(folder), await openJournal(folder)]
  try {
    return {
      row: await costOf(TIMES, 1, rows.add),
      decision: await costOf(TIMES, 2, () => journal.append([decision()])),
      batch: await costOf(BATCHES, 2 * BATCH, () => journal.append(Array.from({ length: BATCH }, decision))),
      chain: await engineRun(join(folder, 'chain'), 1),
      many: await engineRun(join(folder, 'many'), MANY),
    }
  } finally {
    rows.close()
    await journal.close()
  }
}

const folder = await mkdtemp(join(tmpdir(), 'convene-bench-'))
try {
  const rounds: Round[] = []
  // The first one pays for compiling.
  for (let n = 0; n <= ROUNDS; n++) {
    const made = await round(await mkdtemp(join(folder, 'round-')))
    if (n > 0) rounds.push(made)
  }
  const middle = (of: (round: Round) => number): number => median(rounds.map(of))
  const line = (what: string, name: keyof Round): string[] => {
    const [{ bytes, late } = {}] = rounds.map((one) => one[name])
    return [
      what,
      ms(middle((one) => one[name].wall)),
      ms(middle((one) => one[name].cpu)),
      `${(middle((one) => one[name].cpu / one[name].entries) * 1_000).toFixed(0)} µs`,
      bytes === undefined ? '' : `${Math.round(bytes)}`,
      late === undefined ? '' : ms(middle((one) => one[name].late ?? 0)),
    ]
  }
  const goals: Goal[] = [
    {
      what: 'a step of one agent, over its decisions',
      figures: '',
      ratio: middle(({ chain, decision }) => chain.wall / (DECISIONS_PER_STEP * decision.wall)),
      most: 2,
    },
    {
      what: `CPU of an entry, ${MANY} agents, over one of a batch`,
      figures: '',
      ratio: middle(({ many, batch }) => many.cpu / many.entries / (batch.cpu / batch.entries)),
      most: 4,
    },
  ]
  const head = ['', 'each', 'CPU', 'CPU of an entry', 'bytes', 'timers late, p99']
  const lines = [
    line('a plain row', 'row'),
    line('a decision of two events', 'decision'),
    line(`${BATCH} decisions at once`, 'batch'),
    line('a step, one agent', 'chain'),
    line(`a step, ${MANY} agents`, 'many'),
  ]
  console.log(`\n${table([head, ...lines])}\n\n${goalTable(goals)}`)
  process.exitCode = goals.every(holds) ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
