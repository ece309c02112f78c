/**
 * A journal of many days: one task of load as a true engine ran it, again and again under new ids, archived a day after
 * each.
 */
import { decodeEntry } from '@/lib/mas/decode'
import { type Entry, event, type MasEvent } from '@/lib/mas/events'
import { type AgentId, makeIds, type TaskId } from '@/lib/mas/ids'
import { emptyWorld } from '@/lib/mas/reduce'
import { reduceAll } from '@/lib/mas/reduce/reduceAll'
import { TASK_ARCHIVE_AFTER_MS } from '@/lib/mas/selectors/archivable'
import { openWorldSnapshots } from '@/server/engine/worldSnapshots'
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
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

type Decision = { by: string; events: MasEvent[] }
export type Recorded = { team: Decision[]; task: TaskId; life: Decision[]; agents: AgentId[]; entries: number }

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
  const endless = Number.POSITIVE_INFINITY
  const wish = { agents: 5, tasks: 1, stepsPerAgent: 40, bytes: 200, seed: 1 }
  await bench.load.start({ ...wish, changesPerSecond: endless, seconds: endless })
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
  return { team: grouped(team), task, life: grouped(life), agents, entries: life.length }
}

/** out: what there is, and the ids of the copies' tasks */
export async function makeJournal({
  folder,
  entries: wanted,
  days,
  tail,
}: JournalOptions): Promise<{ entries: number; tasks: number }> {
  const recorded = await recordOneTask()
  const copies = Math.max(1, Math.round(wanted / (recorded.entries + 1)))
  const start = Date.now() - days * DAY_MS
  let at = start
  const store = await openSqliteStore(folder, { now: () => at })
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
  async function put({ by, events }: Decision): Promise<void> {
    made += 1
    batch.push({ id: `made-${made}`, by, events })
    if (batch.length >= BATCH) await flush()
  }

  for (const decision of recorded.team) await put(decision)
  const ended: { task: TaskId; at: number }[] = []
  const text = JSON.stringify(recorded.life)
  for (let copy = 0; copy < copies; copy++) {
    at = Math.max(at, start + Math.floor(((copy + 1) * days * DAY_MS) / copies) - 60_000)
    const id = renamer(recorded, copy)
    // A copy is what was recorded, but for its ids.
    for (const decision of JSON.parse(text.replace(UUID, id)) as Decision[]) await put(decision)
    ended.push({ task: id(recorded.task) as TaskId, at })
    while (ended[0] && ended[0].at + TASK_ARCHIVE_AFTER_MS <= at) {
      const task = ended.shift()?.task
      if (task) await put({ by: 'system:timer', events: [event('task.archived', { task, agents: recorded.agents })] })
    }
  }
  await flush()
  const last = head
  await store.close()
  return { entries: last, tasks: copies }
}

/** New ids for all but those of the team's agents. */
function renamer({ agents, team }: Recorded, copy: number): (id: string) => string {
  const stays = new Set<string>([...agents, ...(JSON.stringify(team).match(UUID) ?? [])])
  const made = new Map<string, string>()
  return (id) => {
    if (stays.has(id)) return id
    const known = made.get(id) ?? makeIds(`${copy} ${id}`)<string>()
    made.set(id, known)
    return known
  }
}
