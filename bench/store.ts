/**
 * What one append costs over the bare commit below it, on this disk: `node --import tsx bench/store.ts [times]`.
 * Prints milliseconds (median, 99th percentile, largest, CPU time on average), bytes of an entry, and the speed of reading.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { type BatchItem, openSqliteStore } from '@/server/store'

const times = Number(process.argv[2] ?? 2_000)
const folder = await mkdtemp(join(tmpdir(), 'convene-bench-'))

function report(name: string, taken: number[], cpu: NodeJS.CpuUsage): void {
  const sorted = [...taken].sort((a, b) => a - b)
  const at = (part: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(3)
  const cpuMs = ((cpu.user + cpu.system) / 1_000 / taken.length).toFixed(3)
  console.log(`${name.padEnd(44)} p50 ${at(0.5)}  p99 ${at(0.99)}  max ${at(1)} ms, of it CPU ${cpuMs} ms`)
}

async function measure(name: string, count: number, work: (n: number) => unknown): Promise<void> {
  const taken: number[] = []
  const before = process.cpuUsage()
  for (let n = 0; n < count; n++) {
    const start = performance.now()
    await work(n)
    taken.push(performance.now() - start)
  }
  report(name, taken, process.cpuUsage(before))
}

function small(): BatchItem {
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

const bare = new Database(join(folder, 'bare.db'))
bare.pragma('journal_mode = WAL')
bare.pragma('synchronous = FULL')
bare.exec('create table t (id integer primary key, text text)')
const [begin, insert, commit] = ['begin immediate', 'insert into t (text) values (?)', 'commit'].map((sql) =>
  bare.prepare(sql),
)
await measure('bare commit of one row', times, () => {
  begin?.run()
  insert?.run('x'.repeat(400))
  commit?.run()
})

const store = await openSqliteStore(join(folder, 'data'))
const { epoch, seq } = await store.journal.take('bench')
let head = seq
const append = async (batch: BatchItem[]) => {
  const answer = await store.journal.append(epoch, head, batch)
  if (answer.r !== 'OK') throw new Error(`answered ${answer.r}`)
  head = answer.last
}
await measure('append of one decision, two events', times, () => append([small()]))

const entries = head
await store.close()
const onDisk = (await stat(join(folder, 'data', 'convene.db'))).size
const again = await openSqliteStore(join(folder, 'data'))
console.log(`${Math.round(onDisk / entries)} bytes on disk an entry (outcomes and indexes in it)`)

const next = await again.journal.take('bench')
head = next.seq
const appendAgain = async (batch: BatchItem[]) => {
  const answer = await again.journal.append(next.epoch, head, batch)
  if (answer.r !== 'OK') throw new Error(`answered ${answer.r}`)
  head = answer.last
}
await measure('append of 200 decisions, 400 events', Math.ceil(times / 50), () =>
  appendAgain(Array.from({ length: 200 }, small)),
)
await measure('append with a body of 8 KiB of text', Math.ceil(times / 10), (n) => {
  const bytes = Buffer.from(`${n} ${'the model was asked to read this line. '.repeat(210)}`)
  return again.bodies.put(bytes, 'text/plain')
})
await measure('body of 200 KiB as a file', Math.ceil(times / 50), (n) =>
  again.bodies.put(Buffer.alloc(200_000, `${n} `), 'text/plain'),
)

const start = performance.now()
let read = 0
for (;;) {
  const page = await again.journal.read(read, 1_000)
  if (page.length === 0) break
  read = page.at(-1)?.seq ?? read
}
console.log(`read ${read} entries in pages of 1,000: ${Math.round(read / (performance.now() - start))} entries a ms`)
await again.close()
await rm(folder, { recursive: true })
