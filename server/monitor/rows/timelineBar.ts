/** One bar of the timeline: a step with its calls and waits, or a question that was put to a person. */
import { firstWords } from '@/lib/format/plainText'
import type { AgentId, StepId } from '@/lib/mas/ids'
import type { ModelCall, RequestRecord, StepRecord, StepWait, World } from '@/lib/mas/records'
import { textIn } from '@/lib/mas/said'
import { stepIn } from '@/lib/mas/steps/ownSteps'
import { stepTitle } from '@/lib/mas/steps/stepTitle'
import type { Chip, TimelineBar, TimelineCall } from '@/lib/wire/rows'
import { whosOf } from '@/lib/wire/who'
import { chipOfStep, isBeingWritten, tries } from './treeRow'

/** Where it stands. */
export type BarPlace = Pick<TimelineBar, 'lane' | 'sort'>

type StepFacts = Pick<TimelineBar, 'chip' | 'attempt' | 'onPath'> & {
  waits: readonly (Omit<StepWait, 'on'> & { on: readonly AgentId[]; onPath: boolean })[]
}

export const chipOf = (world: World, step: StepRecord): Chip =>
  isBeingWritten(world, step) ? 'running' : chipOfStep(step)

export const attemptOf = (world: World, step: StepRecord): number =>
  step.retryOf === null ? 1 : tries(step, (id: StepId) => stepIn(world.steps[step.task]?.[step.agent], id))

export function barOfStep(world: World, step: StepRecord, place: BarPlace, facts: StepFacts): TimelineBar {
  return {
    ...place,
    ...facts,
    id: step.id,
    kind: 'step',
    name: stepTitle(step, world.team.language),
    from: step.startedAt,
    to: step.endedAt,
    calls: callsOf(step.calls),
    waits: facts.waits.map(({ at, until, on, onPath }) => ({ from: at, to: until, on: whosOf(world, on), onPath })),
    reason: step.reason,
    step: step.id,
    executor: step.executor,
    stepType: step.type,
    byHand: step.byHand,
    request: null,
  }
}

/** Calls of one run follow each other: each is recorded with the time when its run began, and how long it took. */
function callsOf(calls: readonly ModelCall[]): TimelineCall[] {
  let before = 0
  return calls.map(({ at, waitedMs = 0, firstTokenMs, totalMs, outcome }) => {
    const from = Math.max(at, before) + waitedMs
    before = from + totalMs
    const isFailed = outcome === 'failed' || outcome === 'cut'
    return { from, first: firstTokenMs === null ? null : from + firstTokenMs, to: before, isFailed }
  })
}

export function barOfRequest(world: World, request: RequestRecord, place: BarPlace): TimelineBar {
  const { id, question, said, openedAt, endedAt } = request
  return {
    ...place,
    id: `${id}/${place.lane}`,
    kind: 'request',
    name: firstWords(textIn(world.team.language, { text: question, ...(said === undefined ? {} : { said }) })),
    chip: endedAt === null ? 'waiting' : 'done',
    attempt: 1,
    onPath: false,
    from: openedAt,
    to: endedAt,
    calls: [],
    waits: [],
    reason: null,
    step: null,
    executor: null,
    stepType: null,
    byHand: false,
    request: id,
  }
}
