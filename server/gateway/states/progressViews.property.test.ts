/** What every view says of progress, against the selector: docs/rules R135. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { AgentRecord, StageRecord, TaskRecord, World } from '@/lib/mas/records'
import { selectOpenWaits } from '@/lib/mas/waits/openWaits'
import {
  isStop,
  type Progress,
  selectAgentProgress,
  selectPartProgress,
  selectStageProgress,
  selectTaskProgress,
} from '@/lib/mas/waits/progress'
import type { AgentRow, AnyRow, OverviewRow, TreeRow, WaitRow } from '@/lib/wire/rows'
import { isRecordView, parseView } from '@/lib/wire/views'
import { memoryStore } from '@/test/memoryStore'
import { anyWaitMoves, walkWaits } from '@/test/waitStories'
import { freshRows } from '@/test/watching'
import { anyMoves, walk } from '@/test/worldHistories'
import { statesOf } from './states'
import { ANSWER_TEXT_BYTES } from './texts'

const runs = { numRuns: process.env.CONVENE_ALL ? 300 : 40 }
const { bodies } = memoryStore({ now: () => 0 })

/** The rows that an operator sees. */
function rowsOf(world: World, view: string): AnyRow[] {
  const parsed = parseView(view)
  if (parsed === null || isRecordView(parsed)) throw new Error(view)
  return freshRows(world, parsed, 'all')
}
const isKind =
  <Row extends AnyRow>(kind: string) =>
  (row: AnyRow): row is Row =>
    'kind' in row && row.kind === kind && row.id !== '$'

const stagesOf = (world: World, task: TaskId): StageRecord[] => Object.values<StageRecord>(world.stages[task] ?? {})
const tasksOf = (world: World): TaskRecord[] => Object.values<TaskRecord>(world.tasks)

/** Each chip beside what the selector says; only those that differ. */
function differing(world: World): string[] {
  const wrong: string[] = []
  const same = (name: string, chip: unknown, progress: Progress): void => {
    if (chip !== progress.state) wrong.push(`${name}: ${String(chip)}, ${progress.state}`)
  }
  const agents = Object.values<AgentRecord>(world.agents).filter(({ removed }) => !removed)
  const members = new Map(
    rowsOf(world, 'agents')
      .filter(isKind<AgentRow>('agent'))
      .map((row) => [row.agent, row]),
  )
  for (const { id } of agents) same(`agents ${id}`, members.get(id)?.chip, selectAgentProgress(world, id))
  const overview = new Map(
    rowsOf(world, 'overview')
      .filter(isKind<OverviewRow>('task'))
      .map((row) => [row.task, row]),
  )
  for (const task of tasksOf(world)) {
    const row = overview.get(task.id)
    same(`overview ${task.id}`, row?.chip, selectTaskProgress(world, task))
    const shown = stagesOf(world, task.id).find(({ id }) => id === row?.stage?.id)
    if (row?.stage && shown) same(`overview stage ${shown.id}`, row.stage.chip, selectStageProgress(world, shown))
    const tree = rowsOf(world, `tree:${task.id}`)
    const treeRow = (id: string): TreeRow | undefined =>
      tree.find((one): one is TreeRow => one.id === id && 'chip' in one && 'level' in one)
    for (const stage of stagesOf(world, task.id)) {
      same(`tree ${stage.id}`, treeRow(stage.id)?.chip, selectStageProgress(world, stage))
      for (const agent of Object.keys(stage.parts) as AgentId[]) {
        const share = treeRow(`${stage.id}/${agent}`)
        if (share) same(`tree ${share.id}`, share.chip, selectPartProgress(world, stage, agent))
      }
    }
  }
  return wrong
}

/** Tasks that wait or are blocked without a row that says for whom or why. */
function unsaid(world: World): string[] {
  const waits = rowsOf(world, 'waits').filter(isKind<WaitRow>('wait'))
  expect(new Set(waits.map(({ id }) => id))).toEqual(new Set(selectOpenWaits(world).map(({ id }) => id)))
  return tasksOf(world).flatMap((task) => {
    const progress = selectTaskProgress(world, task)
    if (!isStop(progress) || task.paused) return []
    const { cause, request, agent } = progress
    const isSaid = waits.some((row) =>
      request !== null ? row.request === request : agent === null ? row.task === task.id : row.who.id === agent,
    )
    // A pause is said by its own mark, and nobody is waited for.
    return isSaid || cause === 'paused' ? [] : [`${task.id} ${JSON.stringify(progress)}`]
  })
}

/** The fields that GET /api/states adds, for an operator. */
async function statesDiffering(world: World): Promise<string[]> {
  const person = Object.values<AgentRecord>(world.agents).find(({ access }) => access === 'operator')
  if (!person) throw new Error('the team has no operator')
  const expected = new Map<string, Progress>([
    ...tasksOf(world).map((task) => [task.id, selectTaskProgress(world, task)] as const),
    ...tasksOf(world).flatMap(({ id }) =>
      stagesOf(world, id).map((stage) => [stage.id, selectStageProgress(world, stage)] as const),
    ),
    ...Object.values<AgentRecord>(world.agents).map(({ id }) => [id, selectAgentProgress(world, id)] as const),
  ])
  const wrong: string[] = []
  for (const type of ['task', 'stage', 'agent'] as const) {
    const source = { world, bodies, models: {}, budget: { left: ANSWER_TEXT_BYTES } }
    for await (const [key, state] of statesOf(source, person, { type, task: null, after: null, limit: null })) {
      const progress = expected.get(key.slice(key.indexOf('_') + 1))
      const said = Shown.parse(state.progress)
      if (progress === undefined || said.state !== progress.state) wrong.push(`states ${key}: ${said.state}`)
    }
  }
  return wrong
}
const Shown = z.object({ state: z.string() })

describe('[R135] every view says the same of progress', () => {
  it('in any history', async () => {
    await fc.assert(
      fc.asyncProperty(anyMoves(), async (moves) => {
        const { world } = walk(moves)
        expect(differing(world)).toEqual([])
        expect(unsaid(world)).toEqual([])
        expect(await statesDiffering(world)).toEqual([])
      }),
      runs,
    )
  })

  it('where agents wait for each other and for people', async () => {
    await fc.assert(
      fc.asyncProperty(anyWaitMoves(), async (moves) => {
        const { world } = walkWaits(moves, () => {}).story
        expect(differing(world)).toEqual([])
        expect(unsaid(world)).toEqual([])
        expect(await statesDiffering(world)).toEqual([])
      }),
      runs,
    )
  })
})
