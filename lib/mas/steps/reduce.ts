/** Steps, from planned to ended, and their queue. */
import type { EventOf } from '../events'
import type { WaitingId } from '../ids'
import { notOnlyTalk, spent, spentOnSetUp } from '../limits/reduce'
import type { StepRecord, StepWait, World } from '../records'
import { changed, changedOr, stamped, withKey, withoutKeys } from '../reduce/branch'
import type { EventPosition, Reducers } from '../reduce/reducer'
import { isStepOver } from '../statuses'
import type { OfStep, StepSeed } from './events'
import { stepIn, withChangedSteps } from './ownSteps'
import { withLine } from './sharedInfo'
import { begun, EMPTY_WORK, placed, without } from './work'

const changeStep = (world: World, { task, agent, step }: OfStep, change: (old: StepRecord) => StepRecord): World => ({
  ...world,
  steps: changed(world.steps, task, (agents) =>
    changed(agents, agent, (own) => withChangedSteps(own, [step], (old) => stamped(old, change(old), world.seq))),
  ),
})

/** An ended step does not change. */
const changeOpenStep = (world: World, owned: OfStep, change: (old: StepRecord) => StepRecord): World =>
  changeStep(world, owned, (old) => (isStepOver(old) ? old : change(old)))

const leaveQueue = (world: World, { agent, step }: OfStep): World => ({
  ...world,
  work: changed(world.work, agent, (work) => without(work, [step])),
})

/** The agent does it next. */
const toHead = (world: World, { task, agent, step }: OfStep): World => ({
  ...world,
  work: changed(world.work, agent, (work) => placed(without(work, [step]), { task, step }, 0)),
})

const shaOf = (instruction: StepRecord['instruction']): string | null =>
  instruction?.kind === 'call' ? instruction.arguments.sha : null

const endStep = (
  world: World,
  owned: OfStep,
  { at, seq }: EventPosition,
  end: Pick<StepRecord, 'state' | 'reason'> & Partial<Pick<StepRecord, 'result' | 'repairs'>>,
): World =>
  changeOpenStep(leaveQueue(world, owned), owned, ({ input: _, ...old }) => ({
    ...old,
    held: null,
    ...end,
    endedAt: at,
    endedSeq: seq,
  }))

const planned = (seed: StepSeed, { at, seq }: EventPosition): StepRecord => ({
  id: seed.step,
  number: seed.number,
  task: seed.task,
  stage: seed.stage,
  agent: seed.agent,
  thread: seed.thread,
  intention: seed.intention,
  type: seed.kind,
  executor: seed.executor,
  state: 'init',
  text: seed.text,
  instruction: null,
  result: null,
  reason: null,
  cause: seed.cause,
  answers: seed.answers,
  boundTo: seed.boundTo,
  retryOf: seed.retryOf,
  ...(seed.batch === undefined ? {} : { batch: seed.batch }),
  ...(seed.ahead === undefined ? {} : { ahead: seed.ahead }),
  attempt: null,
  held: null,
  approvedBy: null,
  byHand: seed.byHand,
  last: seed.last,
  calls: [],
  repairs: [],
  retired: false,
  createdAt: at,
  createdSeq: seq,
  startedAt: null,
  startedSeq: null,
  endedAt: null,
  endedSeq: null,
  changedAt: seq,
})

/** While its instruction is being written, a tool step is pending. */
function pendingBound(world: World, { task, agent, step }: OfStep): World {
  const begun = stepIn(world.steps[task]?.[agent], step)
  if (begun?.executor !== 'instruction_generation' || begun.boundTo === null) return world
  return changeStep(world, { task, agent, step: begun.boundTo }, (tool) =>
    tool.state === 'init' ? { ...tool, state: 'pending' } : tool,
  )
}

function addStep(world: World, seed: StepSeed, place: EventPosition, position: number): World {
  const known = stepIn(world.steps[seed.task]?.[seed.agent], seed.step)
  if (known) return world
  const count = Math.max((world.stepCounts[seed.task] ?? 0) + 1, seed.number)
  return {
    ...world,
    stepCounts: withKey(world.stepCounts, seed.task, count),
    steps: changedOr(world.steps, seed.task, {}, (agents) =>
      changedOr(agents, seed.agent, {}, (own) => withKey(own, seed.step, planned(seed, place))),
    ),
    work: changedOr(world.work, seed.agent, EMPTY_WORK, (work) =>
      placed(work, { task: seed.task, step: seed.step }, position),
    ),
  }
}

/** A tool's result is progress. */
const afterResult = (world: World, { task, agent, step }: OfStep): World =>
  stepIn(world.steps[task]?.[agent], step)?.type === 'tool' ? notOnlyTalk(world, task) : world

/** Each call is counted once. */
function paid(world: World, { task, agent, step, call, triedBy }: EventOf<'model.called'>, at: number): World {
  const caller = stepIn(world.steps[task]?.[agent], step)
  if (caller?.calls.some(({ id }) => id === call.id)) return world
  const { thread = null } = caller ?? {}
  // What a person tries is none of the agent's work.
  const byHand = triedBy !== undefined || caller?.byHand === true
  return spentOnSetUp(spent(world, { task, agent, thread, byHand }, call, at), task, thread, call)
}

/** The step began to wait. */
export const waiting = (world: World, owned: OfStep, { id, on, request }: Omit<StepWait, 'at' | 'until'>, at: number) =>
  changeStep(world, owned, (old) => ({
    ...old,
    waits: [...(old.waits ?? []).filter((wait) => wait.id !== id), { id, on, request, at, until: null }],
  }))

/** That wait of the step is over. */
export const waited = (world: World, owned: OfStep, id: WaitingId, until: number): World =>
  changeStep(world, owned, (old) => {
    const isOpen = old.waits?.some((wait) => wait.id === id && wait.until === null) ?? false
    return isOpen ? { ...old, waits: old.waits?.map((wait) => (wait.id === id ? { ...wait, until } : wait)) } : old
  })

export const stepReducers = {
  'step.added': (world, event, place) => addStep(world, event, place, event.position ?? Number.POSITIVE_INFINITY),
  'step.started': (world, event, { at, seq }) =>
    changeOpenStep(
      {
        ...pendingBound(world, event),
        work: changedOr(world.work, event.agent, EMPTY_WORK, (work) => begun(work, event.task, event.step)),
      },
      event,
      (old) => ({
        ...old,
        state: 'running',
        held: null,
        attempt: { number: event.attempt, node: event.node, epoch: event.epoch },
        startedAt: at,
        startedSeq: old.startedSeq ?? seq,
      }),
    ),
  'step.instructed': (world, event) =>
    changeOpenStep(world, event, (old) => {
      // The confirmation was for another call: it does not apply to this one.
      const isSame = old.instruction?.kind === 'call' && shaOf(event.instruction) === old.instruction.arguments.sha
      const { editedBy: _, input, ...kept } = old
      return {
        ...kept,
        instruction: event.instruction,
        held: isSame ? old.held : null,
        ...(isSame && input ? { input } : {}),
        ...(event.editedBy === undefined ? {} : { editedBy: event.editedBy }),
      }
    }),
  'step.held': (world, event) =>
    changeOpenStep(toHead(world, event), event, (old) => ({
      ...old,
      state: 'pending',
      held: event.request,
      ...(event.input === undefined ? {} : { input: event.input }),
    })),
  'step.approved': (world, event) =>
    changeOpenStep(world, event, (old) => {
      const { instruction } = old
      return {
        ...old,
        held: null,
        approvedBy: {
          by: event.by,
          edited: event.edited,
          digest: event.digest,
          ...(event.allowed === undefined ? {} : { allowed: event.allowed }),
        },
        instruction:
          event.arguments !== null && instruction?.kind === 'call'
            ? { ...instruction, arguments: event.arguments }
            : instruction,
      }
    }),
  'step.finished': (world, event, place) =>
    endStep(afterResult(withLine(world, event, place.at), event), event, place, {
      state: 'finished',
      reason: null,
      result: event.result,
      repairs: event.repairs,
    }),
  'step.failed': (world, event, place) =>
    endStep(withLine(world, event, place.at), event, place, {
      state: 'failed',
      reason: event.reason,
      ...(event.failureCause === undefined ? {} : { failureCause: event.failureCause }),
      result: event.result,
      repairs: event.repairs,
    }),
  'step.cancelled': (world, event, place) => endStep(world, event, place, { state: 'failed', reason: event.reason }),
  'step.interrupted': (world, event, place) => endStep(world, event, place, { state: 'failed', reason: event.reason }),
  'step.requeued': (world, event) =>
    changeOpenStep(toHead(world, event), event, (old) => ({ ...old, state: 'init', held: null })),
  'step.moved': (world, event) => changeStep(world, event, (old) => ({ ...old, stage: event.stage })),
  'step.prioritized': (world, event) =>
    changeOpenStep(
      world.work[event.agent]?.todo.some(({ step }) => step === event.step) ? toHead(world, event) : world,
      event,
      (old) => (old.prioritized ? old : { ...old, prioritized: true }),
    ),
  'lock.bypassed': (world, event) =>
    changeOpenStep(world, event, (old) => (old.bypassesLock ? old : { ...old, bypassesLock: true })),
  'step.retired': (world, { task, agent, steps: retired }) => ({
    ...world,
    work: changed(world.work, agent, (work) => without(work, retired)),
    steps: changed(world.steps, task, (agents) =>
      changed(agents, agent, (own) =>
        withChangedSteps(own, retired, (old) => (old.retired ? old : { ...old, retired: true, changedAt: world.seq })),
      ),
    ),
  }),
  'model.called': (world, event, { at }) =>
    event.triedBy !== undefined
      ? paid(world, event, at)
      : changeStep(paid(world, event, at), event, (old) => ({
          ...old,
          calls: [...old.calls.filter((call) => call.id !== event.call.id), event.call],
        })),

  'effect.started': (world, { task, agent, step, key, node }, { at }) => ({
    ...world,
    effects: changedOr(world.effects, task, {}, (effects) =>
      withKey(effects, key, { key, step, task, agent, node, startedAt: at }),
    ),
  }),
  'effect.finished': (world, { task, key }) => ({
    ...world,
    effects: changed(world.effects, task, (effects) => withoutKeys(effects, [key])),
  }),
  'effect.lateOutcome': (world) => world,
} satisfies Reducers
