/**
 * Steps of a task's tree that its view does not hold: pages of a lane, and those that fit a filter. Of a task as it is now by the
 * index of all steps, and their records are read from the journal; of a moment by its world.
 */
import { fitsWords } from '@/lib/format/fitsWords'
import { queryOf } from '@/lib/format/searchWords'
import { canReadStep, type TaskAccess, taskAccessOf } from '@/lib/mas/access/access'
import { type AgentId, asId, type StepId } from '@/lib/mas/ids'
import type { AgentRecord, StepRecord, TaskRecord, World } from '@/lib/mas/records'
import { batchOf } from '@/lib/mas/steps/ownSteps'
import { stepTitle } from '@/lib/mas/steps/stepTitle'
import { bareId, selectStep } from '@/lib/mas/team/agents'
import type { TreeMatches, TreeMatchesQuery, TreeSteps } from '@/lib/wire/http'
import type { RestoredTasks } from '@/server/engine/snapshots/restoredTasks'
import { rowsOfSteps } from '@/server/monitor'
import { takingTurns } from '@/server/shared/pieces'
import type { IndexedStep, StepIndex, StepLane, Store } from '@/server/store'
import { storedStep } from './steps'
import { sameLane, stepsOfWorld } from './stepsOfWorld'

/**
 * access   of the person, null: none
 * search   finds words in the index of all steps; null: each step is looked at
 * end      that entry and later ones are not looked for
 * find     a step by its id; null: there is none
 */
export type TreeParts = {
  world: World
  task: TaskRecord
  access: TaskAccess | null
  steps: StepIndex
  search: Pick<Store['search'], 'find'> | null
  end: number
  find: (id: StepId, agent: AgentId) => Promise<StepRecord | null>
}

type PartsOfNow = {
  world: World
  task: TaskRecord
  person: AgentRecord
  store: Pick<Store, 'archive' | 'search' | 'steps'>
  past: Pick<RestoredTasks, 'step'>
}

/** Of a task as it is now. */
export function partsOfNow({ world, task, person, store, past }: PartsOfNow): TreeParts {
  const access = taskAccessOf(world, person, task.id)
  const end = Number.MAX_SAFE_INTEGER
  // A task from a file is in no index: all of its steps are in the world.
  if (task.opened !== undefined) return partsOfWorld({ world, task, access, search: null, end })
  const find = async (id: StepId, agent: AgentId): Promise<StepRecord | null> =>
    selectStep(world, task.id, agent, id) ?? (await storedStep(store.archive, past, id))
  return { world, task, access, steps: store.steps, search: store.search, end, find }
}

/** Of a task with all of its steps in that world. */
export const partsOfWorld = (parts: Omit<TreeParts, 'steps' | 'find'>): TreeParts => ({
  ...parts,
  steps: stepsOfWorld(parts.world, parts.task),
  find: async (id, agent) => selectStep(parts.world, parts.task.id, agent, id) ?? null,
})

/** Steps of a page. */
const PAGE = 100
/** Steps that one request for matches looks at. */
const MOST_LOOKED_AT = 1_000

/** As the view of the tree: those who see some threads only, or have left the task, are given nothing. */
export const seesWhole = ({ access }: TreeParts): boolean =>
  access !== null && access.threads === null && access.upTo === Number.POSITIVE_INFINITY

/**
 * A page of one agent's steps in one stage.
 *
 * in      wanted: the page that holds the place `at`, or the last one; else the last one before the place `before`, or of all
 */
export async function pageOfLane(
  parts: TreeParts,
  lane: StepLane,
  wanted: { before?: number | undefined; at?: number | undefined },
): Promise<TreeSteps> {
  if (!seesWhole(parts)) return { from: 0, to: 0, rows: [] }
  const ran = await ranIn(parts, lane)
  const end = Math.min(ran, wanted.before ?? ran)
  const last = wanted.at === undefined ? end - 1 : Math.min(ran - 1, wanted.at)
  const from = Math.max(0, Math.floor(last / PAGE) * PAGE)
  const to = wanted.at === undefined ? end : Math.min(ran, from + PAGE)
  return { from, to, rows: await rowsOf(parts, await parts.steps.stepsAt(parts.task.id, lane, from, to)) }
}

async function ranIn({ steps, task }: TreeParts, lane: StepLane): Promise<number> {
  return (await steps.lanesOf(task.id)).find((one) => sameLane(one, lane))?.ran ?? 0
}

/** in: fits: which of them are wanted. out: those that the person may read */
async function rowsOf(
  parts: TreeParts,
  found: readonly IndexedStep[],
  fits: (step: StepRecord) => boolean = () => true,
): Promise<TreeSteps['rows']> {
  const { world, task, access } = parts
  const turn = takingTurns()
  const known = new Map<string, StepRecord>()
  const read = async (id: string, agent: string): Promise<StepRecord | null> => {
    await turn()
    const step = await parts.find(asId<StepId>(id), asId<AgentId>(agent))
    if (step) known.set(id, step)
    return step
  }
  const steps: StepRecord[] = []
  for (const { step: id, agent } of found) {
    const step = await read(id, agent)
    if (step && step.task === task.id && canReadStep(access, step) && fits(step)) steps.push(step)
  }
  // A line under a tool call belongs to it also where the call is on another page.
  const others: StepRecord[] = []
  for (const { agent, ...step } of steps)
    for (const id of [batchOf(step), step.boundTo, step.cause.step]) {
      const other = id === null || known.has(id) ? null : await read(id, agent)
      if (other) others.push(other)
    }
  const failed = new Set(found.filter(({ isFailed }) => isFailed).map(({ step }) => asId<StepId>(step)))
  return rowsOfSteps(world, task, steps, others, failed)
}

/** Steps whose title, skill or agent holds all words, of an agent, in a state: the newest first. */
export async function matchesIn(
  parts: TreeParts,
  { text, state, agent: asked, before = Number.MAX_SAFE_INTEGER }: TreeMatchesQuery,
): Promise<TreeMatches> {
  if (!seesWhole(parts)) return { rows: [], next: null }
  const agent = asked === undefined ? undefined : bareId(asked)
  const has = fitsWords(text)
  const fits = (step: StepRecord): boolean =>
    (agent === undefined || step.agent === agent) &&
    (state !== 'done' || step.state === 'finished') &&
    has(stepTitle(step, parts.world.team.language), step.executor, parts.world.agents[step.agent]?.name)
  const rows: TreeSteps['rows'] = []
  let next = Math.min(before, parts.end)
  for (let looked = 0; looked < MOST_LOOKED_AT && rows.length < PAGE; looked += PAGE) {
    const found = await newestBefore(parts, { text, agent, isFailed: state === 'failed' }, next)
    rows.push(...(await rowsOf(parts, found.steps, fits)))
    if (found.next === null) return { rows, next: null }
    next = found.next
  }
  return { rows, next }
}

type Sought = { text: string; agent: string | undefined; isFailed: boolean }

async function newestBefore(
  parts: TreeParts,
  { text, agent, isFailed }: Sought,
  before: number,
): Promise<{ steps: IndexedStep[]; next: number | null }> {
  const { task, steps: index, search } = parts
  const words = queryOf(text)
  if (words.length === 0 || search === null) {
    const steps = await index.newestSteps(
      task.id,
      { ...(agent === undefined ? {} : { agent }), isFailed },
      before,
      PAGE,
    )
    return { steps, next: steps.length < PAGE ? null : (steps.at(-1)?.created ?? null) }
  }
  const seqs = await search.find({ parts: words, kind: 'step', tasks: [task.id], before, limit: PAGE })
  const steps = await index.stepsCreated(task.id, seqs)
  const left = isFailed ? steps.filter((step) => step.isFailed) : steps
  return { steps: left, next: seqs.length < PAGE ? null : (seqs.at(-1) ?? null) }
}
