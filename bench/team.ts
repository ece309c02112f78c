/**
 * A large team on one machine, and a base task for thirty days: `npm run bench -- team [agents tasks steps]`, `… team days [n]`.
 *
 * The first part is a true engine with SQLite and load whose model answers at once: all agents have work all the time. The
 * second part moves a clock by hand through days of requests and shows what the world holds. bench/README.md says how to read it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { deflateRawSync } from 'node:zlib'
import { pieceOf } from '@/lib/mas/archive/branches'
import type { AgentId } from '@/lib/mas/ids'
import { openSqliteStore } from '@/server/store'
import { simulateBaseDays } from '@/test/baseDays'
import { BASE_TASK } from '@/test/worldHistories'
import { openBenchEngine } from './lib/benchEngine'
import { bytesIn } from './lib/engineRun'
import { median, ms, table } from './lib/figures'

const MIB = 1_048_576
const mib = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`
const [first, ...rest] = process.argv.slice(2)

/** An agent starves when it waits this many times as long as a fair share would take. */
const FAIR_TIMES = 10
/** What a team may take after 30 days. */
const HEAP_GOAL = 500 * MIB

const TICK_MS = 5

/** How late a timer of 5 ms comes. out: stop, and say so. */
function watchLoop(): () => { p99: number; worst: number } {
  const late: number[] = []
  let due = performance.now() + TICK_MS
  const timer = setInterval(() => {
    const at = performance.now()
    late.push(Math.max(0, at - due))
    due = at + TICK_MS
  }, TICK_MS)
  return () => {
    clearInterval(timer)
    late.sort((a, b) => a - b)
    return { p99: late[Math.floor(late.length * 0.99)] ?? 0, worst: late.at(-1) ?? 0 }
  }
}

async function team(agents: number, tasks: number, steps: number): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'convene-team-'))
  try {
    const store = await openSqliteStore(folder)
    const bench = await openBenchEngine({ store })
    const lastAt = new Map<AgentId, number>()
    const waits: number[] = []
    const finishedPerAgent = new Map<AgentId, number>()
    let [finished, over, begun, heap] = [0, 0, 0, 0]
    let cpu = process.cpuUsage()
    const allOver = new Promise<void>((resolve) => {
      bench.engine.onDecision((entries) => {
        const at = performance.now()
        for (const { event } of entries) {
          if (event.type === 'task.finished') over += 1
          // Runnable from its first step on, and again from each end of a step on.
          if (event.type === 'step.added' && !lastAt.has(event.agent)) lastAt.set(event.agent, at)
          if (event.type !== 'step.finished') continue
          waits.push(at - (lastAt.get(event.agent) ?? at))
          lastAt.set(event.agent, at)
          finishedPerAgent.set(event.agent, (finishedPerAgent.get(event.agent) ?? 0) + 1)
          finished += 1
          if (finished % 500 === 0) heap = Math.max(heap, process.memoryUsage().heapUsed)
        }
        if (over === tasks) resolve()
      })
    })
    const loop = watchLoop()
    begun = performance.now()
    cpu = process.cpuUsage()
    await bench.load({ agents, tasks, stepsPerAgent: steps })
    await allOver
    const wall = performance.now() - begun
    const used = process.cpuUsage(cpu)
    const { p99, worst } = loop()
    await bench.stop()
    await store.close()
    if (bench.mistakes.length > 0) throw new Error(bench.mistakes.slice(0, 3).join('; '))
    const perSecond = (finished / wall) * 1_000
    const fair = (agents / perSecond) * 1_000
    const longest = waits.reduce((most, wait) => Math.max(most, wait), 0)
    const isFair = longest <= FAIR_TIMES * fair && [...finishedPerAgent.values()].every((count) => count >= steps)
    console.log(
      `\n${table([
        ['agents', 'tasks', 'steps', 'steps/s', 'CPU per step', 'heap at most', 'on disk', 'loop delay p99', 'most'],
        [
          `${agents}`,
          `${tasks}`,
          `${finished}`,
          perSecond.toFixed(0),
          ms((used.user + used.system) / 1_000 / finished),
          mib(heap),
          mib(await bytesIn(folder)),
          ms(p99),
          ms(worst),
        ],
      ])}\n\n${table([
        ['from one step of an agent to its next', 'a fair share', 'in the middle', 'the longest', ''],
        ['', ms(fair), ms(median(waits)), ms(longest), isFair ? 'nothing starves' : 'SOMEBODY STARVES'],
      ])}`,
    )
    return isFair
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function days(count: number): boolean {
  const rows = [['day', 'threads', 'entries', 'messages live', 'steps live', 'world', 'its piece, deflated', 'heap']]
  let isSmall = true
  let last = performance.now()
  simulateBaseDays({
    days: count,
    threadsPerDay: 1_000,
    agents: 200,
    onDay(day, { threads, entries, most, world }) {
      globalThis.gc?.()
      const heap = process.memoryUsage().heapUsed
      isSmall &&= heap < HEAP_GOAL
      const took = `${((performance.now() - last) / 1_000).toFixed(0)} s`
      last = performance.now()
      console.log(`day ${day}: ${threads} threads, ${entries} entries, heap ${mib(heap)}, took ${took}`)
      if (day !== 1 && day !== count && day % 10 !== 0) return
      const piece = deflateRawSync(JSON.stringify(pieceOf(world, BASE_TASK))).length
      rows.push([
        `${day}`,
        `${threads}`,
        `${entries}`,
        `at most ${most.messages}`,
        `at most ${most.steps}`,
        mib(JSON.stringify(world).length),
        `${(piece / 1_024).toFixed(0)} KiB`,
        mib(heap),
      ])
    },
  })
  console.log(`\n${table(rows)}\n\nGoal: less than ${mib(HEAP_GOAL)} of heap: ${isSmall ? 'holds' : 'MISSED'}.`)
  return isSmall
}

const [agents, tasks, steps] = [first, ...rest].map(Number)
const holds = first === 'days' ? days(Number(rest[0] ?? 30)) : await team(agents || 1_000, tasks || 50, steps || 20)
if (!holds) process.exitCode = 1
