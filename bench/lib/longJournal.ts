/**
 * A journal of many days: one task of load as a true engine ran it, again and again under new ids, archived a day after
 * each.
 */

import { TASK_ARCHIVE_AFTER_MS } from '@/lib/mas/archive/archivable'
import { decodeEntry } from '@/lib/mas/decode'
import { type Entry, event, type MasEvent } from '@/lib/mas/events'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import { emptyWorld } from '@/lib/mas/reduce'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import { openWorldSnapshots } from '@/server/engine/snapshots/worldSnapshots'
import { type BatchItem, openSqliteStore } from '@/server/store'
import { memoryData, memoryStore } from '@/test/memoryStore'
import { openBenchEngine } from './benchEngine'

export type JournalOptions = {
  folder: string
  entries: number
  days: number /** Entries behind the last snapshot. */
  tail: number
}

const DAY_MS = 86_400_000
const BATCH = 200
const SNAPSHOT_ENTRIES = 20_000
/** Of an id, in letters. */
const PREFIX = 8
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

export type Decision = { by: string; events: MasEvent[] }
export type Recorded = {
  team: Decision[]
  task: TaskId
  life: Decision[]
  agents: AgentId[]
  stays: ReadonlySet<string>
  entries: number
}

/** What a team is, and one task of five agents with forty steps each, from its making to its end. */
export async function recordOneTask(): Promise<Recorded> {
  const data = memoryData()
  const store = memoryStore({ data })
  const bench = await openBenchEngine({ store })
  let task: TaskId | null = null
  const over = new Promise<void>((resolve) => {
    bench.engine.onDecision((entries) => {
      for (const { event } of entries) {
        if (event.type === 'task.added') task = event.task
        if (event.type === 'task.finished') resolve()
      }
    })
  })
  await bench.load({ agents: 5, tasks: 1, stepsPerAgent: 40 })
  await over
  await bench.stop()
  if (task === null || bench.mistakes.length > 0) throw new Error(bench.mistakes.join('; '))
  const all = (await store.journal.read(0, 1_000_000)).map(decodeEntry)
  const isOf = ({ event }: Entry): boolean => 'task' in event && event.task === task
  const grouped = (entries: Entry[]): Decision[] => {
    const byCause = new Map<string, Decision>()
    for (const { cause, by, event } of entries) {
      const decision = byCause.get(cause) ?? { by, events: [] }
      decision.events.push(event)
      byCause.set(cause, decision)
    }
    return [...byCause.values()]
  }
  const life = all.filter(isOf)
  const agents = [...new Set(life.flatMap(({ event }) => (event.type === 'step.added' ? [event.agent] : [])))]
  const team = all.filter((entry) => !isOf(entry) && entry.event.type !== 'sequencer.took')
  const stays = new Set<string>([...agents, ...(JSON.stringify(team).match(UUID) ?? [])])
  return { team: grouped(team), task, life: grouped(life), agents, stays, entries: life.length }
}

/**
 * at: epoch ms, never going back. decision: made when it is asked for. copy: which one of the task, null: the team. place: in what was
 * recorded; null: its archiving, which was not
 */
export type Timed = { at: number; copy: number | null; place: number | null; decision: () => Decision }

/** in: how many times the task is lived through, spread evenly over days that end now */
export function* historyOf(recorded: Recorded, copies: number, days: number): Generator<Timed> {
  const start = Date.now() - days * DAY_MS
  let at = start
  for (const decision of recorded.team) yield { at, copy: null, place: null, decision: () => decision }
  const ended: { copy: number; at: number }[] = []
  const text = JSON.stringify(recorded.life)
  for (let copy = 0; copy < copies; copy++) {
    at = Math.max(at, start + Math.floor(((copy + 1) * days * DAY_MS) / copies) - 60_000)
    let life: Decision[] | null = null
    // A copy is what was recorded, but for its ids.
    const lived = (): Decision[] => {
      life ??= JSON.parse(partsOf(recorded, text).join(copyPrefix(copy))) as Decision[]
      return life
    }
    for (const [place, { by }] of recorded.life.entries())
      yield { at, copy, place, decision: () => lived()[place] ?? { by, events: [] } }
    ended.push({ copy, at })
    for (let [first] = ended; first && first.at + TASK_ARCHIVE_AFTER_MS <= at; [first] = ended) {
      ended.shift()
      const task = partsOf(recorded, recorded.task).join(copyPrefix(first.copy)) as TaskId
      const events = [event('task.archived', { task, agents: recorded.agents })]
      yield { at, copy: first.copy, place: null, decision: () => ({ by: 'system:timer', events }) }
    }
  }
}

/** What the ids of a copy begin with, as those of a later time do. */
export const copyPrefix = (copy: number): string => (copy + 1).toString(16).padStart(PREFIX, '0')

/** A text cut where the prefix of a copy belongs: in all ids but those of the team. */
export function partsOf({ stays }: Recorded, text: string): string[] {
  const parts: string[] = []
  let last = 0
  for (const { 0: id, index } of text.matchAll(UUID))
    if (!stays.has(id)) {
      parts.push(text.slice(last, index))
      last = index + PREFIX
    }
  return [...parts, text.slice(last)]
}

/** How many copies of the task are about so many entries. */
export const copiesFor = (recorded: Recorded, entries: number): number =>
  Math.max(1, Math.round(entries / (recorded.entries + 1)))

/** out: what there is, and how many tasks */
export async function makeJournal({
  folder,
  entries: wanted,
  days,
  tail,
}: JournalOptions): Promise<{ entries: number; tasks: number }> {
  const recorded = await recordOneTask()
  const copies = copiesFor(recorded, wanted)
  let at = 0
  const store = await openSqliteStore(folder, { now: () => at })
  const history = historyOf(recorded, copies, days)
  let next = history.next()
  at = next.value?.at ?? 0
  const { epoch, seq } = await store.journal.take('bench')
  let world = reduceAll(emptyWorld, (await store.journal.read(0, 10)).map(decodeEntry))
  let [head, made, kept] = [seq, 0, 0]
  let batch: BatchItem[] = []
  const keeper = openWorldSnapshots(store.snapshots)

  async function flush(): Promise<void> {
    if (batch.length === 0) return
    const answer = await store.journal.append(epoch, head, batch, at)
    if (answer.r !== 'OK') throw new Error(`the journal answered ${answer.r}`)
    const entries = batch.flatMap((item) => item.events.map((event) => ({ event, item })))
    world = reduceAll(
      world,
      entries.map(({ event, item }, n) =>
        decodeEntry({ seq: answer.first + n, at: answer.at, by: item.by, cause: item.id, event }),
      ),
    )
    head = answer.last
    batch = []
    // As a running engine does, and once more where the tail begins.
    const isLast = kept < wanted - tail && head >= wanted - tail
    if (!isLast && (head - kept < SNAPSHOT_ENTRIES || head > wanted - tail)) return
    kept = head
    await keeper.save(world)
  }

  for (; !next.done; next = history.next()) {
    at = next.value.at
    made += 1
    batch.push({ id: `made-${made}`, ...next.value.decision() })
    if (batch.length >= BATCH) await flush()
  }
  await flush()
  const last = head
  await store.close()
  return { entries: last, tasks: copies }
}
