/** One row of the tree each: a stage, an agent in it, a step, or steps that are left out. */
import { earliest, latest } from '@/lib/mas/archive/evictedLanes'
import type { AgentId, StageId, StepId, TaskId } from '@/lib/mas/ids'
import type { Language, StepRecord, StepState, TaskRecord, World } from '@/lib/mas/records'
import { isPartOver } from '@/lib/mas/statuses'
import { stepIn } from '@/lib/mas/steps/ownSteps'
import { type Rollup, rollupOf } from '@/lib/mas/steps/rollups'
import { stepTitle } from '@/lib/mas/steps/stepTitle'
import { stageName } from '@/lib/mas/tasks/taskTitle'
import { selectWorkingState } from '@/lib/mas/team/agents'
import type { OpenWait } from '@/lib/mas/waits/openWaits'
import { isStop, selectPartProgress, selectStageProgress, selectStepsProgress } from '@/lib/mas/waits/progress'
import { keeping } from '@/lib/memo'
import type { Chip, TreeRow, Who } from '@/lib/wire/rows'
import { EMPTY_TREE_ROW } from '@/lib/wire/treeValues'
import { whoOf, whosOf } from '@/lib/wire/who'
import { failedPartsOf } from './failures'
import { type AgentLane, lastSeq, type StageLanes, sumOfShare } from './lanes'

/** The group of steps that belong to no stage. */
const UNSTAGED = '-'

const stageIdOf = (group: StageLanes): string => group.stage?.id ?? UNSTAGED
const stageSort = (group: StageLanes): string => String(group.place).padStart(4, '0')
/** The row of an agent in a stage; its steps hang under it. */
const shareId = (group: StageLanes, agent: AgentId): string => `${stageIdOf(group)}/${agent}`
const shareSort = (group: StageLanes, { place }: AgentLane): string =>
  `${stageSort(group)}/${String(place).padStart(4, '0')}`

/** in: sum: of all steps in it; waits: those of the task */
export function stageRow(
  world: World,
  task: TaskRecord,
  group: StageLanes,
  sum: Rollup,
  waits: readonly OpenWait[],
): TreeRow {
  const { stage } = group
  const progress =
    stage === null
      ? selectStepsProgress(
          world,
          task,
          group.shares.flatMap(({ lane }) => lane.steps),
          sum.steps,
        )
      : selectStageProgress(world, stage)
  const stop = isStop(progress) ? progress : null
  const failed = group.shares.reduce((count, { failures }) => count + failures.size, failedPartsOf(stage))
  const waiting = waits.filter((wait) => wait.stage === (stage?.id ?? null)).length
  return {
    ...EMPTY_TREE_ROW,
    id: stageIdOf(group),
    sort: stageSort(group),
    kind: 'stage',
    parent: null,
    level: 1,
    ...(group.number === undefined ? {} : { number: group.number }),
    name: stage === null ? '' : stageName(stage),
    state: stage?.state ?? (sum.running > 0 ? 'running' : 'init'),
    chip: progress.state,
    waitsFor: whosOf(world, stop?.on ?? []),
    waitingSince: stop?.since ?? null,
    // A stage that is retried keeps the goal of its next try there.
    reason: stage && (stage.replacedBy ?? null) === null ? stage.reason : null,
    startedAt: stage?.startedAt ?? null,
    endedAt: stage?.endedAt ?? null,
    tokens: sum.tokens,
    costUsd: sum.costUsd,
    counts: { waiting, failed, steps: sum.steps },
    stage: stage?.id ?? null,
    attempt: stage ? tries(stage, (id: StageId) => world.stages[stage.task]?.[id]) : 1,
  }
}

/** How many tries this one is, following what it repeats. */
export function tries<Id, Item extends { retryOf: Id | null }>(item: Item, find: (id: Id) => Item | undefined): number {
  let count = 1
  for (let before = item.retryOf; before !== null && count < 50; count++) before = find(before)?.retryOf ?? null
  return count
}

/** An agent's share of a stage, or what else it does there. */
export function agentRow(world: World, task: TaskRecord, group: StageLanes, share: AgentLane): TreeRow {
  const { agent, lane, evicted, failures } = share
  const sum = sumOfShare(share)
  const { stage } = group
  const who = whoOf(world, agent)
  const part = stage?.parts[agent]
  const progress =
    stage !== null && part !== undefined
      ? selectPartProgress(world, stage, agent)
      : selectStepsProgress(world, task, lane.steps, sum.steps)
  const stop = isStop(progress) ? progress : null
  // An agent without a part, such as a manager that judges the stage, is done when all its steps here are.
  const isOver = part === undefined ? progress.state === 'done' : isPartOver(part)
  return {
    ...EMPTY_TREE_ROW,
    id: shareId(group, agent),
    sort: shareSort(group, share),
    kind: 'agent',
    parent: stageIdOf(group),
    level: 2,
    name: who.name,
    state: part ?? selectWorkingState(world, agent),
    chip: progress.state,
    who,
    waitsFor: whosOf(world, stop?.on ?? []),
    waitingSince: stop?.since ?? null,
    reason: stage?.partReasons[agent] ?? world.agents[agent]?.paused?.reason ?? null,
    startedAt: earliest(evicted?.startedAt, lane.startedAt),
    endedAt: isOver ? latest(evicted?.endedAt, lane.endedAt) : null,
    tokens: sum.tokens,
    costUsd: sum.costUsd,
    counts: { waiting: share.waits.length, failed: failures.size, steps: sum.steps },
    stage: stage?.id ?? null,
    agent,
    seq: lane.seq,
  }
}

/** Says how many steps are left out. in: more: of those that have not run the view that holds the next of them */
export function moreRow(
  group: StageLanes,
  share: AgentLane,
  which: 'earlier' | 'later',
  count: number,
  more?: { task: TaskId; before: number },
): TreeRow {
  const { agent } = share
  return {
    ...EMPTY_TREE_ROW,
    id: `${shareId(group, agent)}/${which}`,
    sort: `${shareSort(group, share)}/${which === 'earlier' ? '0' : '9'}`,
    kind: 'older',
    parent: shareId(group, agent),
    level: 3,
    name: '',
    state: 'init',
    chip: 'idle',
    counts: { waiting: 0, failed: 0, steps: count },
    stage: group.stage?.id ?? null,
    agent,
    ...(more ? { more: `tree:${more.task}/${stageIdOf(group)}/${agent}@${more.before}` } : {}),
  }
}

const keptSteps = keeping<StepRecord, TreeRow>()

/**
 * A step; stuck while its agent's lock is about it. What wrote a tool call and decided after it hang under it.
 *
 * out  the same row as long as nothing in it changes: most steps of a lane stay as they are when one of them ends
 */
export function stepRow(world: World, group: StageLanes, share: AgentLane, step: StepRecord): TreeRow {
  const wait = share.waits.find((one) => one.step === step.id)
  const waitsFor = wait ? whosOf(world, wait.on) : []
  const turn = step.type === 'tool' ? turnOf(world, share, step) : [step]
  const key = share.lane.keys.get(step.id) ?? ''
  const facts: StepFacts = {
    host: toolOf(world, step),
    chip: wait ? (wait.isBlocked ? 'blocked' : 'waiting') : isBeingWritten(world, step) ? 'running' : chipOfStep(step),
    since: wait?.since ?? null,
    isFailure: share.failures.has(step.id),
    attempt: step.retryOf === null ? 1 : tries(step, (id: StepId) => stepIn(world.steps[step.task]?.[step.agent], id)),
    who: whoOf(world, step.agent),
    language: world.team.language,
  }
  const { host, chip, since, isFailure, attempt, who, language } = facts
  const inputs = [key, group.place, share.place, host, chip, since, isFailure, attempt, who, language]
  return keptSteps(step, [...inputs, ...waitsFor, null, ...turn], () => ({
    ...rowOfStep(step, facts, waitsFor, rollupOf(turn)),
    sort: `${shareSort(group, share)}/${key}`,
    parent: host ?? shareId(group, share.agent),
  }))
}

/** What a row says of a step beside its record and its place; host: the tool step that it hangs under. */
type StepFacts = Pick<TreeRow, 'chip' | 'attempt'> & {
  host: StepId | null
  since: number | null
  isFailure: boolean
  who: Who
  language: Language
}

function rowOfStep(step: StepRecord, facts: StepFacts, waitsFor: Who[], sum: Rollup): TreeRow {
  const { host, chip, since, isFailure, attempt, who, language } = facts
  return {
    ...EMPTY_TREE_ROW,
    id: step.id,
    kind: 'step',
    level: host === null ? 3 : 4,
    name: stepTitle(step, language),
    state: step.state,
    chip,
    who,
    executor: step.executor,
    stepType: step.type,
    waitsFor,
    waitingSince: since,
    reason: step.reason,
    startedAt: step.startedAt,
    endedAt: step.endedAt,
    tokens: sum.tokens,
    costUsd: sum.costUsd,
    counts: { waiting: 0, failed: isFailure ? 1 : 0, steps: 0 },
    stage: step.stage,
    agent: step.agent,
    step: step.id,
    byHand: step.byHand,
    attempt,
    seq: lastSeq(step),
  }
}

/** A call of a tool with what wrote it and what was decided after it: that is what it cost. */
function turnOf(world: World, { lane }: AgentLane, tool: StepRecord): StepRecord[] {
  const writer = tool.boundTo === null ? undefined : stepIn(world.steps[tool.task]?.[tool.agent], tool.boundTo)
  return [tool, writer, lane.decisions.get(tool.id)].filter((step) => step !== undefined)
}

/** The tool step that this one wrote the call of, or decided about. */
function toolOf(world: World, step: StepRecord): StepId | null {
  const id =
    step.executor === 'instruction_generation'
      ? step.boundTo
      : step.executor === 'tool_decision'
        ? step.cause.step
        : null
  const tool = id === null ? null : stepIn(world.steps[step.task]?.[step.agent], id)
  return tool?.type === 'tool' && tool.stage === step.stage ? tool.id : null
}

export function isBeingWritten(world: World, step: StepRecord): boolean {
  if (step.type !== 'tool' || step.boundTo === null || step.startedAt !== null || step.endedAt !== null) return false
  return step.held === null && stepIn(world.steps[step.task]?.[step.agent], step.boundTo)?.state === 'running'
}

const STEP_CHIPS: Record<StepState, Chip> = {
  init: 'idle',
  pending: 'idle',
  running: 'running',
  finished: 'done',
  failed: 'failed',
}
export const chipOfStep = ({ state, held }: StepRecord): Chip =>
  state === 'pending' && held !== null ? 'waiting' : STEP_CHIPS[state]
