/**
 * What 200 pages that were away are sent: after a minute, over a restart, at another node. `npm run bench -- catch-up [minutes]`.
 * Bytes beside those of the records that changed, each once and as it is now; rows that are missing, not as they are now, or twice.
 */
import { isDeepStrictEqual } from 'node:util'
import type { AgentId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import type { RecordRow } from '@/lib/wire/records'
import { isRecordView, parseView, type Reset, type View, type ViewFrame } from '@/lib/wire/views'
import { type MonitorConnection, openMonitor } from '@/server/monitor'
import { recordSource } from '@/server/monitor/records/changes'
import { later } from '@/server/shared/later'
import { type Goal, goalTable, holds } from './lib/figures'
import { recordLoad } from './lib/recordedLoad'

const VIEWERS = 200
const AGENTS = 200
const TASKS = 10
/** A lively team. */
const ENTRIES_PER_MINUTE = 1_500
const minutes = Number(process.argv[2] ?? 1)
const MOST = 1.2

type Answer = { event: string; message: Reset | ViewFrame }

/** A monitor of another run, as of this world: after a restart, or at another node. */
const monitorAt = (world: World, run: string) =>
  openMonitor({
    engine: { node: run, world: () => world, onDecision: () => () => {} },
    journal: 'bench',
    run,
    now: Date.now,
    schedule: later,
  })

function answerTo(world: World, run: string, person: AgentId, view: View, cursor?: string): Answer {
  const monitor = monitorAt(world, run)
  const answers: Answer[] = []
  const connection: MonitorConnection = {
    person,
    send: (event, message) => void answers.push({ event, message: message as Reset | ViewFrame }),
  }
  monitor.attach(connection, { sub: 'p', asked: 1, view, ...(cursor === undefined ? {} : { cursor }) })
  monitor.close()
  const [answer] = answers
  if (answer === undefined || answers.length > 1) throw new Error(`${answers.length} answers to one ask`)
  return answer
}

const load = await recordLoad({ viewers: VIEWERS, agents: AGENTS, tasks: TASKS, stepsPerAgent: Math.ceil(2 * minutes) })
const away = load.decisions[0]?.world ?? load.before
const back = worldAfter(ENTRIES_PER_MINUTE * minutes)
const tasks = Object.values(load.before.tasks).filter(({ base }) => !base)
const agents = tasks.flatMap(({ group }) => group)

function worldAfter(count: number): World {
  let entries = 0
  for (const decision of load.decisions) {
    entries += decision.entries.length
    if (entries >= count) return decision.world
  }
  return load.decisions.at(-1)?.world ?? load.before
}

const goals: Goal[] = []
for (const [kind, viewOf] of [
  ['task', (n: number): View => `task:${tasks[n % tasks.length]?.id ?? ''}`],
  ['agent', (n: number): View => `agent:${agents[n % agents.length] ?? ''}`],
] as const) {
  let [sent, changed, wholes, faults] = [0, 0, 0, 0]
  load.viewers.forEach((person, n) => {
    const view = viewOf(n)
    const parsed = parseView(view)
    if (parsed === null || !isRecordView(parsed)) throw new Error(view)
    const source = recordSource(parsed, 'all')
    const { message: first } = answerTo(away, 'one run', person, view)
    const { event, message } = answerTo(back, 'another run', person, view, first.cursor)
    sent += JSON.stringify([event, message]).length
    const { set: added, patch, del } = source.changes(away, back)
    const ids = new Set([...added, ...patch].map(({ id }) => id))
    const set = source.all(back).filter(({ id }) => ids.has(id))
    changed += JSON.stringify(['frame', { ...message, set, del }]).length
    if (!('set' in message)) {
      wholes += 1
      return
    }
    const rows = new Map(source.all(away).map((row) => [row.id, row]))
    for (const id of message.del) rows.delete(id)
    for (const row of message.set) rows.set(row.id, row as RecordRow)
    const isRight = isDeepStrictEqual(rows, new Map(source.all(back).map((row) => [row.id, row])))
    const isOnce = new Set(message.set.map(({ id }) => id)).size === message.set.length
    if (!isRight || !isOnce) faults += 1
  })
  goals.push({
    what: `bytes, ${kind}`,
    figures: `${(changed / 1_024 / VIEWERS).toFixed(1)} → ${(sent / 1_024 / VIEWERS).toFixed(1)} KiB a page`,
    ratio: sent / changed,
    most: MOST,
  })
  goals.push({ what: `gaps and doubles, ${kind}`, figures: `${wholes} sent whole`, ratio: faults, most: 0 })
}
console.log(`${VIEWERS} pages, ${back.seq - away.seq} entries of ${AGENTS} agents later, at another node.`)
console.log(goalTable(goals))
process.exitCode = goals.every(holds) ? 0 : 1
