/**
 * What a moment of a long task costs: the first opening beside reducing the same entries once, later moments, the first one after a
 * restart, and decisions meanwhile; and whether moments equal what a page was sent then. `npm run bench -- moments [entries]`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { isSameValue } from '@/lib/json'
import { type Entry, event, type MasEvent } from '@/lib/mas/events'
import { asId, type MessageId, type StepId } from '@/lib/mas/ids'
import { emptyWorld, type World } from '@/lib/mas/records'
import { reduceEntry } from '@/lib/mas/reduce'
import type { AnyRow } from '@/lib/wire/rows'
import { type ParsedRecordView, parseView } from '@/lib/wire/views'
import { type Moments, openMoments } from '@/server/engine/moments/moments'
import { momentKeysOf } from '@/server/engine/moments/storedPoints'
import { nextFailure, rulerOf } from '@/server/gateway/records/treeFailures'
import { matchesIn, pageOfLane, partsOfWorld, type TreeParts } from '@/server/gateway/records/treeSteps'
import { momentStream, worldOfMoment } from '@/server/monitor/moments'
import { recordSource } from '@/server/monitor/records/changes'
import { openSqliteStore, type Store } from '@/server/store'
import { AGENTS, BEGINNING, PEOPLE, TASKS } from '@/test/histories'
import { type Goal, goalTable, holds, median, ms } from './lib/figures'

const many = Number(process.argv[2] ?? 100_000)
const task = TASKS.build
const agent = AGENTS.coder
const MOMENTS = 200
/** Decisions of one append, and records of a kind that stay in the world. */
const BATCH = 500
const STAY = 500
const GONE = 50

const folder = await mkdtemp(join(tmpdir(), 'convene-bench-'))
const store = await openSqliteStore(folder)
try {
  const written = await write(store)
  const once = await reducedOnce(store)
  const quiet = await decisionMs(written, new Promise((resolve) => setTimeout(resolve, once)))
  const moments = opened(store)
  const opening = moments.worldAt(task, written.last)
  const meanwhile = await decisionMs(written, opening)
  // The same without decisions beside it.
  const alone = await openedAlone(store, written.last)
  const { differing, slowest } = await compared(moments, written)
  await moments.settled()
  const restarted = opened(store)
  const restartedAt = performance.now()
  await restarted.worldAt(task, written.last)
  const restart = performance.now() - restartedAt
  const after = await compared(restarted, written)
  const tree = await treeMs(restarted, written)
  const differ = differing + after.differing
  console.log(
    `${many.toLocaleString('en')} entries; of 2 × ${MOMENTS} moments ${differ} differ from what was sent then.`,
  )
  const goals: Goal[] = [
    { what: 'first opening', figures: `${ms(alone)} beside ${ms(once)}`, ratio: alone / once, most: 1.5 },
    { what: 'a later moment, slowest', figures: ms(slowest), ratio: slowest / 1_000, most: 1 },
    { what: 'the slowest answer about its tree', figures: ms(tree), ratio: tree / 1_000, most: 1 },
    { what: 'the first one after a restart', figures: ms(restart), ratio: restart / 1_000, most: 1 },
    { what: 'a later one after a restart, slowest', figures: ms(after.slowest), ratio: after.slowest / 1_000, most: 1 },
    {
      what: 'decisions meanwhile',
      figures: `${ms(meanwhile)} beside ${ms(quiet)}`,
      ratio: meanwhile / quiet,
      most: 1.2,
    },
  ]
  console.log(goalTable(goals))
  process.exitCode = goals.every(holds) && differ === 0 ? 0 : 1
} finally {
  await store.close()
  await rm(folder, { recursive: true })
}

/** epoch, head: of the journal; recorded: what a page was sent, by moment */
type Written = { epoch: number; head: number; last: number; now: World; recorded: Map<number, readonly AnyRow[]> }

function uuid(kind: number, n: number): string {
  return `${(Math.imul(n, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')}-0000-4000-${kind}000-${String(n).padStart(12, '0')}`
}

function* eventsOfTask(): Generator<MasEvent> {
  for (let n = 0; ; n++) {
    const about = { task, agent, step: asId<StepId>(uuid(9, n)) }
    const message = asId<MessageId>(uuid(8, n))
    const receipt = { task, message, agent: PEOPLE.ben, note: null }
    yield event('step.added', {
      ...{ ...about, stage: null, thread: null, kind: 'skill', executor: 'think', text: `think about ${n}` },
      ...{ intention: `count ${n}`, cause: { message: null, step: null }, number: n + 1 },
      ...{ answers: null, boundTo: null, retryOf: null, byHand: false, last: false },
    })
    yield event('step.started', { ...about, node: 'n1', epoch: 1, attempt: 1 })
    const result = { kind: 'text', text: `done ${n} `.repeat(20), body: null, made: null } as const
    yield event('step.finished', { ...about, result, repairs: [] })
    yield event('message.sent', {
      ...{ task, message, sender: agent, receivers: [PEOPLE.ben], text: `message ${n} `.repeat(20), stage: null },
      ...{
        kind: 'fyi',
        audience: 'task',
        waiting: null,
        returnWaiting: null,
        instruction: null,
        dispatch: message,
        thread: null,
      },
      ...{ answersRequest: null, replyTo: null, attachments: [], mention: false, fromStep: about.step },
    })
    yield event('message.delivery', { ...receipt, state: 'delivered' })
    yield event('message.delivery', { ...receipt, state: 'shown' })
    if (n % GONE !== 0 || n < STAY + GONE) continue
    const gone = Array.from({ length: GONE }, (_, at) => n - STAY - GONE + at)
    const steps = { [agent]: gone.map((at) => asId<StepId>(uuid(9, at))) }
    yield event('records.evicted', {
      task,
      steps,
      messages: gone.map((at) => asId<MessageId>(uuid(8, at))),
      requests: [],
    })
  }
}

function viewOf(): ParsedRecordView {
  const view = parseView(`task:${task}`)
  if (view?.kind !== 'task') throw new Error('no view')
  return view
}

async function write(into: Store): Promise<Written> {
  const { epoch, seq } = await into.journal.take('bench')
  const picks = new Set(Array.from({ length: MOMENTS }, () => 30 + Math.floor(Math.random() * (many - 30))))
  const recorded = new Map<number, readonly AnyRow[]>()
  const source = recordSource(viewOf(), 'all')
  let [world, head, count]: [World, number, number] = [emptyWorld, seq, 0]
  const all = eventsOfTask()
  while (count < many) {
    const events = head === seq ? BEGINNING : Array.from({ length: BATCH }, () => all.next().value as MasEvent)
    const answer = await into.journal.append(epoch, head, [
      { id: `bench-${head}`, by: 'bench', events: events.map((one) => ({ ...one })) },
    ])
    if (answer.r !== 'OK') throw new Error(answer.r)
    for (const [n, made] of events.entries()) {
      const entry: Entry = { seq: answer.first + n, at: answer.at, by: 'bench', cause: 'c', event: made }
      world = reduceEntry(world, entry)
      count += 1
      if (picks.has(count)) recorded.set(entry.seq, source.all(world))
    }
    head = answer.last
  }
  return { epoch, head, last: head, now: world, recorded }
}

/** Reading and reducing the entries of the task, in one go. */
async function reducedOnce(from: Store): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    const began = performance.now()
    let [world, after] = [emptyWorld, 0]
    for (;;) {
      const page = await from.archive.entriesOf('task', task, after, 1_000)
      for (const one of page) world = reduceEntry(world, one as Entry)
      after = page.at(-1)?.seq ?? after
      if (page.length < 1_000) break
    }
    times.push(performance.now() - began)
  }
  return median(times)
}

async function openedAlone(from: Store, last: number): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 3; round++) {
    for (const key of momentKeysOf(task)) await from.snapshots.remove(key, Number.MAX_SAFE_INTEGER)
    const moments = opened(from)
    const began = performance.now()
    await moments.worldAt(task, last)
    times.push(performance.now() - began)
    await moments.settled()
  }
  return median(times)
}

/** Pages, search, errors of the tree at a moment: the slowest answer. */
async function treeMs(moments: Moments, { now, last }: Written): Promise<number> {
  let slowest = 0
  for (const at of [1, 0.5, 0.99]) {
    const then = await moments.worldAt(task, Math.floor(last * at))
    if (then === null) throw new Error('no moment')
    const world = worldOfMoment(now, then, task, null)
    const record = world.tasks[task]
    if (record === undefined) throw new Error('no task')
    const whole = { person: PEOPLE.ana, upTo: Number.POSITIVE_INFINITY, threads: null }
    const lane = { stage: null, agent }
    const asks: ((parts: TreeParts) => Promise<unknown>)[] = [
      (parts) => pageOfLane(parts, lane, { at: 50 }),
      (parts) => matchesIn(parts, { text: 'nowhere' }),
      (parts) => nextFailure(parts, { step: null, lane }, false),
      (parts) => rulerOf(parts),
    ]
    for (const ask of asks) {
      const began = performance.now()
      await ask(partsOfWorld({ world, task: record, access: whole, search: null, end: last + 1 }))
      slowest = Math.max(slowest, performance.now() - began)
    }
  }
  return slowest
}

function opened({ archive, snapshots }: Store): Moments {
  return openMoments({
    ...{ archive, snapshots, clock: () => performance.now(), leads: () => true, isErased: () => false },
    onTrouble: (error) => {
      throw error
    },
  })
}

/** The median time of a small decision, one after another, until the promise settles. */
async function decisionMs(written: Written, until: Promise<unknown>): Promise<number> {
  let isOver = false
  void until.then(() => {
    isOver = true
  })
  const times: number[] = []
  while (!isOver) {
    const began = performance.now()
    const made = { ...event('task.renamed', { task: TASKS.docs, name: `n${written.head}` }) }
    const answer = await store.journal.append(written.epoch, written.head, [
      { id: `d-${written.head}`, by: 'bench', events: [made] },
    ])
    if (answer.r !== 'OK') throw new Error(answer.r)
    written.head = answer.last
    times.push(performance.now() - began)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return median(times)
}

/** Each record that was sent at a moment, beside the one of that moment; what had left by then is there too. */
async function compared(moments: Moments, { now, recorded }: Written) {
  let [differing, slowest] = [0, 0]
  for (const [seq, sent] of [...recorded].sort(() => Math.random() - 0.5)) {
    const began = performance.now()
    const then = await moments.worldAt(task, seq)
    if (then === null) throw new Error('no moment')
    const world = worldOfMoment(now, then, task, null)
    const rows = new Map(
      momentStream(viewOf(), 'all', 'g', world, seq)
        .snapshot(world)
        .map((row) => [row.id, row]),
    )
    slowest = Math.max(slowest, performance.now() - began)
    if (!sent.every((row) => isSameValue(rows.get(row.id), row))) differing += 1
  }
  return { differing, slowest }
}
