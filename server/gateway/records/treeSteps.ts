/**
 * Steps of a task's tree that its view does not hold, by the index of all steps: pages of a lane, and those that fit a filter.
 * Their records are read from the journal.
 */
import { fitsWords } from '@/lib/format/fitsWords'
import { queryOf } from '@/lib/format/searchWords'
import { type AgentId, asId, type StepId } from '@/lib/mas/ids'
import { batchOf, stepsOfAll } from '@/lib/mas/ownSteps'
import type { AgentRecord, StepRecord, TaskRecord, World } from '@/lib/mas/records'
import { canReadStep, taskAccessOf } from '@/lib/mas/selectors/access/access'
import { bareId, selectStep } from '@/lib/mas/selectors/agents/agents'
import { stepTitle } from '@/lib/mas/selectors/steps/stepTitle'
import type { TreeMatches, TreeMatchesQuery, TreeSteps } from '@/lib/wire/http'
import type { RestoredTasks } from '@/server/engine/snapshots/restoredTasks'
import { rowsOfSteps, type TreeLane, treeLanesOf } from '@/server/monitor'
import { takingTurns } from '@/server/shared/pieces'
import type { IndexedStep, StepLane, Store } from '@/server/store'
import { storedStep } from './steps'

export type TreeParts = {
  world: World
  store: Pick<Store, 'archive' | 'search' | 'steps'>
  past: Pick<RestoredTasks, 'step'>
  person: AgentRecord
  task: TaskRecord
}

/** Steps of a page. */
const PAGE = 100
/** Steps that one request for matches looks at. */
const MOST_LOOKED_AT = 1_000

export const sameLane = (a: StepLane, b: StepLane): boolean => a.stage === b.stage && a.agent === b.agent
export const laneOf = ({ group, share }: TreeLane): StepLane => ({ stage: group.stage?.id ?? null, agent: share.agent })

/** As the view of the tree: those who see some threads only, or have left the task, are given nothing. */
export function seesWhole({ world, person, task }: TreeParts): boolean {
  const reach = taskAccessOf(world, person, task.id)
  return reach !== null && reach.threads === null && reach.upTo === Number.POSITIVE_INFINITY
}

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
  return { from, to, rows: await rowsOf(parts, await stepsAt(parts, lane, from, to)) }
}

/** A task from a file is in no index: all of its steps are in the world. */
export const isIndexed = ({ task }: TreeParts): boolean => task.opened === undefined

const laneInWorld = ({ world, task }: TreeParts, lane: StepLane): TreeLane | undefined =>
  treeLanesOf(world, task).find((one) => sameLane(laneOf(one), lane))

async function ranIn(parts: TreeParts, lane: StepLane): Promise<number> {
  if (!isIndexed(parts)) return laneInWorld(parts, lane)?.share.lane.steps.length ?? 0
  const lanes = await parts.store.steps.lanesOf(parts.task.id)
  return lanes.find((one) => sameLane(one, lane))?.ran ?? 0
}

async function stepsAt(parts: TreeParts, lane: StepLane, from: number, to: number): Promise<IndexedStep[]> {
  if (isIndexed(parts)) return parts.store.steps.stepsAt(parts.task.id, lane, from, to)
  const held = laneInWorld(parts, lane)
  return (held?.share.lane.steps ?? []).slice(from, to).map((step, at) => ({
    ...lane,
    step: step.id,
    created: step.createdSeq,
    type: step.type,
    place: from + at,
    isFailed: held?.share.failures.has(step.id) ?? false,
  }))
}

/** in: fits: which of them are wanted. out: those that the person may read */
async function rowsOf(
  parts: TreeParts,
  found: readonly IndexedStep[],
  fits: (step: StepRecord) => boolean = () => true,
): Promise<TreeSteps['rows']> {
  const { world, store, past, person, task } = parts
  const reach = taskAccessOf(world, person, task.id)
  const turn = takingTurns()
  const known = new Map<string, StepRecord>()
  const read = async (id: string, agent: string): Promise<StepRecord | null> => {
    await turn()
    const own = asId<StepId>(id)
    const live = selectStep(world, task.id, asId<AgentId>(agent), own)
    const step = live ?? (await storedStep(store.archive, past, own))
    if (step) known.set(id, step)
    return step
  }
  const steps: StepRecord[] = []
  for (const { step: id, agent } of found) {
    const step = await read(id, agent)
    if (step && step.task === task.id && canReadStep(reach, step) && fits(step)) steps.push(step)
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
  let next = before
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
  const { task, store, world } = parts
  if (!isIndexed(parts)) {
    const held = stepsOfAll(world.steps[task.id]).filter(({ createdSeq }) => createdSeq < before)
    const page = held.sort((a, b) => b.createdSeq - a.createdSeq).slice(0, PAGE)
    const failures = new Set(treeLanesOf(world, task).flatMap(({ share }) => [...share.failures]))
    const steps = page.map(({ id, stage, agent: by, createdSeq, type }) => ({
      ...{ step: id, stage, agent: by, created: createdSeq, type, place: null },
      isFailed: failures.has(id),
    }))
    const left = isFailed ? steps.filter((step) => step.isFailed) : steps
    return { steps: left, next: page.length < PAGE ? null : (page.at(-1)?.createdSeq ?? null) }
  }
  const words = queryOf(text)
  if (words.length === 0) {
    const steps = await store.steps.newestSteps(
      task.id,
      { ...(agent === undefined ? {} : { agent }), isFailed },
      before,
      PAGE,
    )
    return { steps, next: steps.length < PAGE ? null : (steps.at(-1)?.created ?? null) }
  }
  const seqs = await store.search.find({ parts: words, kind: 'step', tasks: [task.id], before, limit: PAGE })
  const steps = await store.steps.stepsCreated(task.id, seqs)
  const left = isFailed ? steps.filter((step) => step.isFailed) : steps
  return { steps: left, next: seqs.length < PAGE ? null : (seqs.at(-1) ?? null) }
}
