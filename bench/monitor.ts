/**
 * What keeping browsers true costs: 200 agents, 20 viewers (or as many as are named), 1,000 entries a second for 10 s, CPU by kind of view.
 * `npm run bench -- monitor [seconds] [viewers]`. Nobody on a network: what a connection is sent is turned into JSON and counted.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Entry } from '@/lib/mas/events'
import type { AgentId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { reduceEntry } from '@/lib/mas/reduce'
import type { View } from '@/lib/wire/views'
import { openMonitor } from '@/server/monitor'
import { later } from '@/server/shared/later'
import { table } from './lib/figures'
import { type RecordedLoad, recordLoad } from './lib/recordedLoad'

const VIEWERS = Number(process.argv[3] ?? 20)
const AGENTS = 200
const TASKS = 10
const PER_SECOND = 1_000
/** A step of load makes about four entries. */
const seconds = Number(process.argv[2] ?? 10)
const stepsPerAgent = Math.ceil((PER_SECOND * seconds * 1.15) / 4 / AGENTS)

type Figures = { cpuMs: number; wallMs: number; entries: number; messages: number; bytes: number; streams: number }
const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const used = process.cpuUsage(since)
  return (used.user + used.system) / 1_000
}

/** Play the load with each viewer looking at these views; none: what playing alone costs. */
async function play(load: RecordedLoad, viewsOf: (viewer: number) => View[]): Promise<Figures> {
  let hear: (entries: Entry[], world: World) => void = () => {}
  const monitor = openMonitor({
    engine: {
      node: 'bench',
      world: () => load.before,
      onDecision: (listener) => {
        hear = listener
        return () => {}
      },
    },
    journal: 'bench',
    run: 'bench',
    now: Date.now,
    schedule: later,
  })
  let [messages, bytes] = [0, 0]
  load.viewers.forEach((person: AgentId, n) => {
    const connection = {
      person,
      send: (event: string, message: unknown): void => {
        messages += 1
        bytes += JSON.stringify([event, message]).length
      },
    }
    monitor.join(connection)
    for (const [index, view] of viewsOf(n).entries()) monitor.attach(connection, { sub: `p${index}`, asked: 1, view })
  })
  const { streams } = monitor.counts()
  const beat = setInterval(monitor.beat, 1_000)
  ;[messages, bytes] = [0, 0]
  const [start, before] = [performance.now(), process.cpuUsage()]
  let [entries, at] = [0, 0]
  while (performance.now() - start < seconds * 1_000 && at < load.decisions.length) {
    const due = ((performance.now() - start) / 1_000) * PER_SECOND
    for (; entries < due; at++) {
      const decision = load.decisions[at]
      if (decision === undefined) break
      hear(decision.entries, decision.world)
      entries += decision.entries.length
    }
    await sleep(5)
  }
  const figures = { cpuMs: cpuMs(before), wallMs: performance.now() - start, entries, messages, bytes, streams }
  clearInterval(beat)
  monitor.close()
  return figures
}

/** What reducing the same entries once costs: the engine does it anyway. */
function reduceOnce(load: RecordedLoad, most: number): number {
  const before = process.cpuUsage()
  let [world, count] = [load.before, 0]
  for (const { entries } of load.decisions) {
    if (count >= most) break
    for (const entry of entries) world = reduceEntry(world, entry)
    count += entries.length
  }
  return (cpuMs(before) / Math.max(1, count)) * 1_000
}

const load = await recordLoad({ viewers: VIEWERS, agents: AGENTS, tasks: TASKS, stepsPerAgent })
const tasks = Object.values(load.before.tasks).filter((task) => !task.base)
const agents = tasks.flatMap((task) => task.group)
const taskOf = (n: number): string => tasks[n % tasks.length]?.id ?? ''
const agentOf = (n: number): string => agents[(n * 7) % agents.length] ?? ''

const KINDS: [string, (viewer: number) => View[]][] = [
  ['me', () => ['me']],
  ['overview', () => ['overview']],
  ['tree, 2 viewers a task', (n) => [`tree:${taskOf(n)}`]],
  ['task', (n) => [`task:${taskOf(n)}`]],
  ['agent', (n) => [`agent:${agentOf(n)}`]],
  ['a screen: me, overview, tree, task', (n) => ['me', 'overview', `tree:${taskOf(n)}`, `task:${taskOf(n)}`]],
]

console.log(
  `${load.entries} entries of ${AGENTS} agents in ${TASKS} tasks; ${VIEWERS} viewers, ${PER_SECOND} entries/s`,
)
// The first run is not counted: it warms the code up.
await play({ ...load, decisions: load.decisions.slice(0, 1_000) }, (n) => KINDS[5]?.[1](n) ?? [])
const idle = await play(load, () => [])
const reduceUs = reduceOnce(load, idle.entries)
const perEntryUs = ({ cpuMs, entries }: Figures): number => (cpuMs / Math.max(1, entries)) * 1_000
const rowOf = (name: string, run: Figures): string[] => {
  const own = Math.max(0, perEntryUs(run) - perEntryUs(idle))
  return [
    name,
    `${run.streams}`,
    `${((run.cpuMs / run.wallMs) * 100).toFixed(1)} %`,
    `${own.toFixed(0)} µs`,
    `${(own / reduceUs).toFixed(1)} ×`,
    `${Math.round((run.entries / run.wallMs) * 1_000)}`,
    `${Math.round((run.messages / run.wallMs) * 1_000)}`,
    `${(((run.bytes / run.wallMs) * 1_000) / 1_024 / 1_024).toFixed(2)}`,
  ]
}
const rows = [rowOf('nobody looks', idle)]
for (const [name, viewsOf] of KINDS) rows.push(rowOf(name, await play(load, viewsOf)))
const head = [
  'each viewer looks at',
  'streams',
  'CPU of a core',
  'per entry',
  'over reducing it once',
  'entries/s',
  'messages/s',
  'MiB/s',
]
console.log(table([head, ...rows]))
console.log(
  `Reducing an entry once: ${reduceUs.toFixed(0)} µs. CPU time and ratios hold on a busy machine too; a pace below ${PER_SECOND} says that it was.`,
)
