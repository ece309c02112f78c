/**
 * What the tree of a task of 1,000,000 steps costs beside one of 1,000: the server's answers about steps that no page holds, and the
 * rendering thread's work and memory. `npm run bench -- tree [steps]`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type LanePage, withEarlier, withPage } from '@/components/tree/model/earlier'
import { nextHit } from '@/components/tree/model/jumps'
import { stripMarks, stripScale } from '@/components/tree/model/strip'
import { filterTree, NO_FILTER } from '@/components/tree/model/treeFilter'
import { failedCounts, openAtFirst, treeLinesOf, treeOf } from '@/components/tree/model/treeModel'
import type { AgentRecord, World } from '@/lib/mas/records'
import type { TreeRuler } from '@/lib/wire/http'
import type { AnyRow, TreeRow } from '@/lib/wire/rows'
import { nextFailure, rulerOf } from '@/server/gateway/records/treeFailures'
import { matchesIn, pageOfLane, partsOfNow, type TreeParts } from '@/server/gateway/records/treeSteps'
import { treeRows } from '@/server/monitor/rows/tree'
import { openSqliteStore, type Store } from '@/server/store'
import { AGENTS, PEOPLE, TASKS } from '@/test/histories'
import { type Goal, goalTable, holds, median, ms } from './lib/figures'
import { LANES, laneOf, stageAt, stepAt, writeLongTask } from './lib/longTask'

const many = Number(process.argv[2] ?? 1_000_000)
const FEW = 1_000
const ROUNDS = 40
const PAGES = 5
/** Of the small task. */
const MOST = { answer: 2, page: 1.2 }

type Costs = Record<string, number>

const folder = await mkdtemp(join(tmpdir(), 'convene-bench-'))
try {
  const [small, large] = [await openTask(FEW), await openTask(many)]
  // In turns: what else the machine does meets both.
  const rounds: { small: Costs; large: Costs }[] = []
  for (let round = 0; round < ROUNDS; round++)
    rounds.push({ small: await answersOf(small, round), large: await answersOf(large, round) })
  const answer = (of: 'small' | 'large', what: string): number => median(rounds.map((round) => round[of][what] ?? 0))
  const goals: Goal[] = Object.keys(rounds[0]?.small ?? {}).map((what) =>
    goalOf(what, answer('small', what), answer('large', what), MOST.answer),
  )
  const pages = { small: await pageCosts(small), large: await pageCosts(large) }
  for (const what of Object.keys(pages.small))
    goals.push(goalOf(what, pages.small[what] ?? 0, pages.large[what] ?? 0, MOST.page))
  console.log(`${many.toLocaleString('en')} steps beside ${FEW.toLocaleString('en')}, in ${LANES} stages of one agent.`)
  console.log(goalTable(goals))
  process.exitCode = goals.every(holds) ? 0 : 1
  await small.store.close()
  await large.store.close()
} finally {
  await rm(folder, { recursive: true })
}

type Task = TreeParts & { store: Store; count: number }

async function openTask(steps: number): Promise<Task> {
  const store = await openSqliteStore(join(folder, String(steps)))
  const began = performance.now()
  const world = await writeLongTask(store, steps)
  console.log(
    `${steps.toLocaleString('en')} steps written and indexed in ${((performance.now() - began) / 1_000).toFixed(0)} s`,
  )
  const [task, person] = [world.tasks[TASKS.build], world.agents[PEOPLE.ana]]
  if (!task || !person) throw new Error('the history has another team')
  const parts = partsOfNow({ world, store, past: { step: async () => null }, person: operator(person), task })
  return { ...parts, store, count: steps }
}

function operator(person: AgentRecord): AgentRecord {
  return { ...person, access: 'operator' }
}

function goalOf(what: string, few: number, lots: number, most: number): Goal {
  const unit = what.includes('MiB') ? (value: number) => `${value.toFixed(1)} MiB` : ms
  return { what, figures: `${unit(few)} → ${unit(lots)}`, ratio: lots / few, most }
}

/** Elapsed ms of each answer, about another part of the task in each round. */
async function answersOf(parts: Task, round: number): Promise<Costs> {
  const n = Math.floor((parts.count * (round + 0.5)) / ROUNDS)
  const { lane, place } = laneOf(n, parts.count)
  const at = { stage: stageAt(lane), agent: AGENTS.coder }
  const took = async (run: () => Promise<unknown>): Promise<number> => {
    const began = performance.now()
    await run()
    return performance.now() - began
  }
  return {
    'a page of steps': await took(() => pageOfLane(parts, at, { at: place })),
    'search, one word': await took(() => matchesIn(parts, { text: 'needle', before: undefined })),
    'search, failed': await took(() => matchesIn(parts, { text: '', state: 'failed' })),
    'next error': await took(() => nextFailure(parts, { step: stepAt(n), lane: null }, false)),
    'previous error': await took(() => nextFailure(parts, { step: stepAt(n), lane: null }, true)),
    ruler: await took(() => rulerOf(parts)),
  }
}

function rowsOf(world: World): AnyRow[] {
  const source = treeRows({ kind: 'tree', task: TASKS.build, older: null }, null)
  return source.rows(world).flatMap((part) => part as AnyRow | readonly AnyRow[])
}

/** ms of CPU, and what the rows of a page hold. */
async function pageCosts(parts: Task): Promise<Costs> {
  const rows = rowsOf(parts.world)
    .filter((row): row is TreeRow => row.id !== '$' && 'parent' in row)
    .sort((a, b) => (a.sort < b.sort ? -1 : 1))
  const ruler: TreeRuler = await rulerOf(parts)
  let pages: readonly LanePage[] = []
  for (let at = 0; at < PAGES; at++) {
    const lane = { stage: stageAt(at % LANES), agent: AGENTS.coder }
    const page = await pageOfLane(parts, lane, { at: 0 })
    pages = withPage(pages, { lane: `${lane.stage}/${lane.agent}`, ...page }, new Set())
  }
  const hidden = failedCounts(ruler)
  const draw = () => {
    const tree = treeOf(withEarlier(rows, pages, []), null, undefined, hidden)
    openAtFirst(tree)
    const lines = treeLinesOf(tree, () => true)
    return { tree, lines, marks: stripMarks(lines, stripScale(lines), ruler) }
  }
  const { tree } = draw()
  return {
    'lines and marks of a frame': cpuOf(draw),
    'next error among the rows': cpuOf(() => nextHit(tree, null, 'error', 1)),
    'filter by words': cpuOf(() => filterTree(tree, { ...NO_FILTER, text: 'count 17' })),
    'heap of rows and lines, MiB': heapOf(() => {
      const copy = JSON.parse(JSON.stringify({ rows, pages })) as { rows: TreeRow[]; pages: LanePage[] }
      return treeLinesOf(treeOf(withEarlier(copy.rows, copy.pages, []), null), () => true)
    }),
  }
}

/** Median CPU of one run, in ms. */
function cpuOf(run: () => unknown): number {
  for (let warm = 0; warm < 20; warm++) run()
  return median(
    Array.from({ length: 100 }, () => {
      const before = process.cpuUsage()
      run()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1_000
    }),
  )
}

/** MiB that the result of a run holds, median. */
function heapOf(run: () => unknown): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  return median(
    Array.from({ length: 5 }, () => {
      collect()
      const before = process.memoryUsage().heapUsed
      const held = run()
      collect()
      const used = process.memoryUsage().heapUsed - before
      if (held === undefined) throw new Error('nothing was held')
      return used / 2 ** 20
    }),
  )
}
