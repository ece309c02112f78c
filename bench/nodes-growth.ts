/**
 * What a long journal costs on PostgreSQL: `npm run bench -- nodes-growth [entries …]`; 10,000 and 1,000,000 unless said, 10,000,000
 * takes 20 GB and more than a quarter of an hour on two busy cores.
 *
 * Each journal is brought in by COPY. Then decisions are appended to it, its last entries are read, the built server is started on it, and
 * of two nodes the one that decides is killed. Goal: nothing of it takes more than 1.5 × of what it takes on the smallest one, except
 * what a larger number of living tasks costs at a start.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPerson } from '@/e2e/fixtures/person'
import { startServer, type TestServer } from '@/e2e/fixtures/server'
import { newSchema, type TestServer as Postgres, startServer as startPostgres } from '@/packages/cluster/test'
import { type BatchItem, openStore, type Store } from '@/server/store'
import { baseTaskOf } from '@/test/faults/kills'
import { pause } from '@/test/faults/scenario'
import { copyJournal } from './lib/copiedJournal'
import { median, ms, percentile, table } from './lib/figures'
import { historyOf, recordOneTask } from './lib/longJournal'
import { cpuMsOf, cpuMsOfFamily, postmasterOf } from './lib/processes'

const PACE = { entries: 1_000_000, days: 30 }
const TAIL = 20_000
const SINGLE = 600
const BATCHES = { count: 40, size: 50 }
const READS = { count: 40, size: 500 }
const STARTS = 5
const TAKEOVERS = 7
const SLOWER = 1.5
/** PostgreSQL says at most once a second what was read. */
const SAID_WITHIN_MS = 1_500
const MESSAGE = {
  receivers: ['olga'],
  text: 'Who decides now?',
  type: 'fyi',
  stage: null,
  answers: null,
  replyTo: null,
  mention: false,
}

type Figures = {
  entries: number
  seconds: number
  bytes: number
  tasksLive: number
  single: { p50: number; p99: number }
  batchPerEntry: number
  /** ms of PostgreSQL's processors for a decision, appended alone and with others. */
  databaseCpu: { alone: number; together: number }
  entriesOfDecision: number
  read: number
  start: number
  startCpu: number
  /** Rows that PostgreSQL read for one start, and for one takeover. */
  startRows: number
  takenRows: number
  taken: number
  answered: number
}

const sizes = process.argv.slice(2).map(Number)
const all: Figures[] = []
for (const entries of sizes.length > 0 ? sizes : [10_000, 1_000_000]) all.push(await measure(entries))
report(all)

async function measure(entries: number): Promise<Figures> {
  const postgres = await startPostgres()
  try {
    const { url: databaseUrl, schema } = await newSchema(postgres)
    const days = Math.max(2, (PACE.days * entries) / PACE.entries)
    const copied = await copyJournal({ databaseUrl, schema, entries, days, tail: Math.min(TAIL, entries / 5) })
    console.log(`${copied.entries.toLocaleString('en')} entries in ${copied.seconds.toFixed(0)} s`)
    // Before the appends, so that the tail is as it was made.
    const begun = await starts(postgres, databaseUrl, schema)
    const written = await appends(postgres, databaseUrl)
    const taken = await takeovers(postgres, databaseUrl, schema)
    return { ...copied, ...begun, ...written, ...taken }
  } finally {
    await postgres.remove()
  }
}

/** A decision at a time, fifty at a time, and what is read back. */
async function appends(
  postgres: Postgres,
  databaseUrl: string,
): Promise<Pick<Figures, 'single' | 'batchPerEntry' | 'databaseCpu' | 'entriesOfDecision' | 'read'>> {
  const store = await openStore({ databaseUrl, dataFolder: '' })
  const decisions = [...historyOf(await recordOneTask(), 40, 1)].map(({ decision }) => decision())
  let made = 0
  const next = (count: number): BatchItem[] =>
    Array.from({ length: count }, () => {
      made += 1
      const { by, events } = decisions[made % decisions.length] ?? { by: '', events: [] }
      return { id: randomUUID(), by, events }
    })
  let { epoch, seq } = await store.journal.take('bench')
  const append = async (batch: BatchItem[]): Promise<{ took: number; entries: number }> => {
    const from = performance.now()
    const answer = await store.journal.append(epoch, seq, batch, Date.now())
    if (answer.r !== 'OK') throw new Error(`the journal answered ${answer.r}`)
    const entries = answer.last - seq
    seq = answer.last
    return { took: performance.now() - from, entries }
  }
  for (let n = 0; n < 50; n++) await append(next(1))
  const database = await postmasterOf(postgres)
  const head = seq
  const marks = [cpuMsOfFamily(database)]
  const single: number[] = []
  for (let n = 0; n < SINGLE; n++) single.push((await append(next(1))).took)
  marks.push(cpuMsOfFamily(database))
  const entriesOfDecision = (seq - head) / SINGLE
  const perEntry: number[] = []
  for (let n = 0; n < BATCHES.count; n++) {
    const { took, entries } = await append(next(BATCHES.size))
    perEntry.push(took / entries)
  }
  marks.push(cpuMsOfFamily(database))
  const [before = 0, between = 0, after = 0] = marks
  const read = await reads(store, head)
  await store.close()
  return {
    single: { p50: median(single), p99: percentile(single, 0.99) },
    batchPerEntry: median(perEntry),
    databaseCpu: { alone: (between - before) / SINGLE, together: (after - between) / BATCHES.count / BATCHES.size },
    entriesOfDecision,
    read,
  }
}

/** ms for a page of entries, from places all over the journal. */
async function reads({ journal }: Store, head: number): Promise<number> {
  const times: number[] = []
  for (let n = 0; n < READS.count; n++) {
    const after = Math.floor(((head - READS.size) * n) / READS.count)
    const from = performance.now()
    await journal.read(after, READS.size)
    times.push(performance.now() - from)
  }
  return median(times)
}

function node(name: string, databaseUrl: string, workspace: string): Promise<TestServer> {
  const env = {
    DATABASE_URL: databaseUrl,
    CONVENE_SECRET_KEY: 'of all nodes of this measurement',
    CONVENE_NODE: name,
    CONVENE_WORKSPACE: workspace,
    CONVENE_BENCH: '1',
  }
  return startServer({ env })
}

/** From the start of the process to its line that it is ready; killed at once, so that the next one finds the same tail. */
async function starts(
  postgres: Postgres,
  databaseUrl: string,
  schema: string,
): Promise<Pick<Figures, 'start' | 'startCpu' | 'startRows' | 'tasksLive'>> {
  const workspace = mkdtempSync(join(tmpdir(), 'convene-growth-'))
  const [times, cpus]: [number[], number[]] = [[], []]
  const rows: number[] = []
  let tasksLive = 0
  // The first one brings the team of the nodes into the journal.
  for (let n = 0; n <= STARTS; n++) {
    const before = await rowsRead(postgres, schema)
    const from = performance.now()
    const server = await node('north', databaseUrl, workspace)
    const took = performance.now() - from
    const cpu = cpuMsOf(server.pid() ?? 0)
    if (n > 0) times.push(took)
    if (n > 0) cpus.push(cpu)
    if (n === STARTS) {
      const ana = await openPerson(server, 'ana')
      tasksLive = Object.keys(await ana.get<object>('/api/states?type=task')).length
      ana.close()
    }
    await server.kill()
    await server.stop()
    if (n > 0) rows.push((await rowsRead(postgres, schema)) - before)
  }
  rmSync(workspace, { recursive: true })
  return { start: median(times), startCpu: median(cpus), startRows: median(rows), tasksLive }
}

/** The node that decides is killed. taken: until the other has the lease; answered: until a message put to the other is acknowledged */
async function takeovers(
  postgres: Postgres,
  databaseUrl: string,
  schema: string,
): Promise<Pick<Figures, 'taken' | 'answered' | 'takenRows'>> {
  const workspace = mkdtempSync(join(tmpdir(), 'convene-growth-'))
  const nodes = {
    north: await node('north', databaseUrl, workspace),
    south: await node('south', databaseUrl, workspace),
  }
  const decides = async (): Promise<unknown> =>
    (await postgres.ask(`select holder ->> 'node' as node from ${schema}.head`))[0]?.node
  const [taken, answered, rows]: [number[], number[], number[]] = [[], [], []]
  try {
    for (let n = 0; n < TAKEOVERS; n++) {
      const isNorth = (await decides()) === 'north'
      const [dies, stays] = isNorth ? [nodes.north, nodes.south] : [nodes.south, nodes.north]
      const ana = await openPerson(stays, 'ana')
      const task = await baseTaskOf(ana)
      const before = await rowsRead(postgres, schema)
      const from = performance.now()
      const gone = dies.kill()
      const answer = ana.post('/api/messages', { ...MESSAGE, task })
      while ((await decides()) !== (isNorth ? 'south' : 'north')) await new Promise((resolve) => setTimeout(resolve, 5))
      taken.push(performance.now() - from)
      const { status, body } = await answer
      if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`)
      answered.push(performance.now() - from)
      await gone
      rows.push((await rowsRead(postgres, schema)) - before)
      ana.close()
      await dies.start()
    }
  } finally {
    await Promise.all(Object.values(nodes).map((one) => one.stop()))
    rmSync(workspace, { recursive: true })
  }
  return { taken: median(taken), answered: median(answered), takenRows: median(rows) }
}

/** Of the journal so far, when those who read have said it: a session does so when it is idle or ends. */
async function rowsRead({ ask }: Postgres, schema: string): Promise<number> {
  await pause(SAID_WITHIN_MS)
  const [read] = await ask(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) as rows from pg_stat_user_tables
      where schemaname = '${schema}' and relname in ('entry', 'decision', 'outcome', 'snapshot')`,
  )
  return Number(read?.rows)
}

function report(figures: readonly Figures[]): void {
  const rows = figures.map((one) => [
    one.entries.toLocaleString('en'),
    `${(one.bytes / 1_073_741_824).toFixed(2)} GiB, ${Math.round(one.bytes / one.entries)} B`,
    `${ms(one.single.p50)} · ${ms(one.single.p99)}`,
    `${(one.batchPerEntry * 1_000).toFixed(0)} µs`,
    `${ms(one.databaseCpu.alone)} · ${ms(one.databaseCpu.together)}, ${one.entriesOfDecision.toFixed(1)} entries`,
    ms(one.read),
    `${one.tasksLive}`,
    `${ms(one.start)}, ${ms(one.startCpu)}, ${one.startRows.toLocaleString('en')} rows`,
    `${ms(one.taken)}, ${ms(one.answered)}, ${one.takenRows.toLocaleString('en')} rows`,
  ])
  const head = [
    'entries',
    'on disk, an entry',
    'append of 1 decision, p50 · p99',
    'entry, 50 decisions at once',
    'CPU of PostgreSQL, decision alone · of 50',
    'read 500',
    'tasks',
    'start, its CPU, rows read',
    'takeover: lease, answer, rows read',
  ]
  console.log(`\n${table([head, ...rows])}\n`)
  const [first, last] = [figures[0], figures.at(-1)]
  if (!first || !last || first === last) return
  const grown = [
    ['an append of one decision', last.single.p50 / first.single.p50],
    ['an entry of fifty decisions', last.batchPerEntry / first.batchPerEntry],
    ['reading 500 entries', last.read / first.read],
    ['a takeover', last.taken / first.taken],
  ] as const
  for (const [what, ratio] of grown)
    console.log(
      `${what}: ${ratio.toFixed(2)} × at ${last.entries} of that at ${first.entries}${ratio > SLOWER ? ', MISSED' : ''}`,
    )
  if (grown.some(([, ratio]) => ratio > SLOWER)) process.exitCode = 1
}
