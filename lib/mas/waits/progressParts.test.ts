/** Whose work and whose questions count for a task, a stage, a part and some steps, each alone: docs/rules R135. */
import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import {
  ANA,
  BASE,
  MANAGER,
  makeRequest,
  makeStep,
  READER,
  recordOf,
  STAGE,
  stepId,
  TASK,
  testWorld,
  withAgent,
  withRequest,
  withSteps,
  withTask,
} from '@/test/skillWorld'
import { type AgentId, asId, type RequestId, type StageId, type ThreadId } from '../ids'
import type { RequestRecord, StageRecord, StepRecord, World } from '../records'
import {
  selectAgentProgress,
  selectPartProgress,
  selectStageProgress,
  selectStepsProgress,
  selectTaskProgress,
  selectTaskStop,
} from './progress'

const paused = { by: ANA, reason: 'look', at: 4 }
const [thread, otherThread] = [asId<ThreadId>('thread'), asId<ThreadId>('other thread')]
const OTHER = asId<StageId>('other stage')
const request = (id: string, more: Partial<RequestRecord> = {}) => makeRequest(id, { stage: STAGE, ...more })
const asking = (of: World, ...all: RequestRecord[]): World => all.reduce(withRequest, of)
const withStage = (world: World, change: Partial<StageRecord>): World => ({
  ...world,
  stages: { [TASK]: { [STAGE]: { ...stageOf(world), ...change } } },
})
const taskOf = (world: World) => recordOf(world.tasks[TASK])
const stageOf = (world: World) => recordOf(world.stages[TASK]?.[STAGE])
const task = (world: World) => selectTaskProgress(world, taskOf(world))
const stage = (world: World) => selectStageProgress(world, stageOf(world))
const part = (world: World, agent = READER) => selectPartProgress(world, stageOf(world), agent)
/** One stage runs, with a part of the Reader only; nobody has a step. */
const idle = withStage(testWorld, { allocation: { [READER]: 'read' }, parts: { [READER]: 'working' } })
const withWork = (...steps: StepRecord[]) => withSteps(idle, steps)
const [IDLE, RUNNING] = [{ state: 'idle' }, { state: 'running' }]

describe('[R135] the progress of a task', () => {
  it('is that of its own work and questions', () => {
    expect([task(idle), task(withWork(makeStep(1)))]).toEqual([IDLE, RUNNING])
    expect(task(withWork(makeStep(1, { task: BASE })))).toEqual(IDLE)
    expect(task(asking(idle, request('q')))).toMatchObject({ state: 'waiting', request: 'q' })
    expect(task(asking(idle, request('q', { task: BASE })))).toEqual(IDLE)
  })

  it('is idle before it begins, though a step is there, and paused with or without one', () => {
    expect(task(withTask(withWork(makeStep(1)), { state: 'init' }))).toEqual(IDLE)
    const stop = { state: 'blocked', cause: 'paused', since: 4, task: TASK, agent: null }
    expect([task(withTask(idle, { paused })), task(withTask(withWork(makeStep(1)), { paused }))]).toMatchObject([
      stop,
      stop,
    ])
  })

  it('has, until it has stages, what plans it in the thread where it was asked for', () => {
    const unplanned = withTask({ ...idle, stages: {} }, { stageOrder: [], requestedIn: { task: BASE, thread } })
    const plans = (change: Partial<StepRecord>, of = unplanned) =>
      task(withSteps(of, [makeStep(1, { task: BASE, stage: null, agent: MANAGER, thread, ...change })]))
    expect(plans({})).toEqual(RUNNING)
    expect(plans({}, withTask(unplanned, { stageOrder: [STAGE] })).state).not.toBe('running')
    expect(plans({ thread: otherThread }).state).not.toBe('running')
    expect(plans({ agent: READER }).state).not.toBe('running')
    const asks = (change: Partial<RequestRecord>, of = unplanned) =>
      task(asking(of, request('q', { task: BASE, stage: null, thread, ...change })))
    expect(asks({})).toMatchObject({ state: 'waiting', request: 'q' })
    expect(asks({ thread: otherThread })).not.toMatchObject({ request: 'q' })
    expect(asks({}, withTask(unplanned, { stageOrder: [STAGE] }))).not.toMatchObject({ request: 'q' })
  })

  it('is blocked by a part without its agent in a stage that runs, and by a judge who is gone', () => {
    const lost = withStage(idle, { allocation: { [ANA]: 'check' }, parts: { [ANA]: 'idle' }, startedAt: 6 })
    expect(task(lost)).toMatchObject({ state: 'blocked', cause: 'noAnswer', on: [ANA], since: 6 })
    expect([task(withStage(lost, { state: 'init' })), task(withStage(lost, { parts: { [ANA]: 'finished' } }))]).toEqual(
      [IDLE, IDLE],
    )
    const unjudged = withAgent(idle, MANAGER, { removed: true })
    expect(task(unjudged)).toMatchObject({ state: 'blocked', cause: 'noJudge', on: [ANA], task: TASK })
    expect(stage(unjudged)).toMatchObject({ state: 'blocked', cause: 'noJudge' })
  })

  it('has nothing that stops it where only another task is waited for', () => {
    const { lock } = sampleShapeOf('lock.added')
    const waits = (of: typeof TASK): World => {
      const working = asking(
        withStage(withWork(makeStep(1, { agent: MANAGER })), { parts: { [READER]: 'finished' } }),
        request('q', { task: of, lock: lock.id, asker: READER, stage: null }),
      )
      const held = { ...lock, task: of, on: ANA, request: asId<RequestId>('q'), at: 8 }
      return {
        ...working,
        requests: { [of]: working.requests[of] ?? {} },
        work: { ...working.work, [READER]: { todo: [], running: null, locks: [held] } },
      }
    }
    const stop = (of: World) => selectTaskStop(of, taskOf(of), RUNNING as { state: 'running' })
    expect(stop(waits(TASK))).toMatchObject({ state: 'waiting', on: [ANA] })
    expect(stop(waits(BASE))).toBeNull()
    expect(selectTaskStop(idle, taskOf(idle), { state: 'done' })).toBeNull()
  })
})

describe('[R135] the progress of a stage', () => {
  it('is that of its own steps and questions', () => {
    expect([stage(idle), stage(withWork(makeStep(1)))]).toEqual([IDLE, RUNNING])
    expect([stage(withWork(makeStep(1, { stage: OTHER }))), stage(withWork(makeStep(1, { stage: null })))]).toEqual([
      IDLE,
      IDLE,
    ])
    expect(stage(asking(idle, request('q')))).toMatchObject({ request: 'q' })
    expect(stage(asking(idle, request('q', { stage: OTHER })))).toEqual(IDLE)
    expect(stage(asking(idle, request('q', { state: 'answered' })))).toEqual(IDLE)
  })

  it('has, while it is judged, what its judge does outside of stages, and nobody else', () => {
    const judged = (judging: boolean, change: Partial<StepRecord>) =>
      stage(withStage(withWork(makeStep(1, { stage: null, agent: MANAGER, ...change })), { judging }))
    expect([judged(true, {}), judged(false, {})]).toEqual([RUNNING, IDLE])
    expect([judged(true, { agent: READER }), judged(true, { stage: OTHER })]).toEqual([IDLE, IDLE])
    const asks = (judging: boolean, asker: AgentId) =>
      stage(withStage(asking(idle, request('q', { stage: null, asker })), { judging }))
    expect(asks(true, MANAGER)).toMatchObject({ request: 'q' })
    expect([asks(false, MANAGER), asks(true, READER)]).toEqual([IDLE, IDLE])
  })

  it('is paused with its task, and idle before it begins or without a task', () => {
    expect(stage(withTask(idle, { paused }))).toMatchObject({ state: 'blocked', cause: 'paused', task: TASK })
    expect(stage(withStage(withWork(makeStep(1)), { state: 'init' }))).toEqual(IDLE)
    expect(stage({ ...withWork(makeStep(1)), tasks: {} })).toEqual(IDLE)
  })
})

describe('[R135] the progress of a part', () => {
  it('is that of its own agent in its own stage, once the stage runs and what it needs is there', () => {
    expect([part(idle), part(withWork(makeStep(1)))]).toEqual([IDLE, RUNNING])
    expect([part(withWork(makeStep(1, { stage: OTHER }))), part(withWork(makeStep(1, { agent: MANAGER })))]).toEqual([
      IDLE,
      IDLE,
    ])
    const begun = withWork(makeStep(1))
    expect(part(withStage(begun, { state: 'init' }))).toEqual(IDLE)
    expect(part({ ...begun, tasks: {} })).toEqual(IDLE)
    const needs = (state: 'working' | 'finished') =>
      part(withStage(begun, { needs: { [READER]: [MANAGER] }, parts: { [READER]: 'working', [MANAGER]: state } }))
    expect([needs('working'), needs('finished')]).toEqual([IDLE, RUNNING])
    expect(part(withStage(begun, { parts: { [READER]: 'failed' } }))).toEqual({ state: 'failed' })
  })

  it('waits for the questions of its agent, and for those who are asked for the part', () => {
    const asks = (change: Partial<RequestRecord>) => part(asking(idle, request('q', change)))
    expect(asks({})).toMatchObject({ request: 'q' })
    expect([asks({ asker: MANAGER }), asks({ stage: OTHER })]).toEqual([IDLE, IDLE])
    expect(asks({ kind: 'part', asker: MANAGER, asked: [READER] })).toMatchObject({ request: 'q' })
    expect(asks({ kind: 'part', asker: READER, asked: [ANA] })).toEqual(IDLE)
  })

  it('of an agent that is gone is blocked, and of a person who is not asked for it', () => {
    const stop = { state: 'blocked', cause: 'noAnswer', task: TASK, request: null }
    expect(part(withAgent(idle, READER, { removed: true }))).toMatchObject({ ...stop, on: [READER], agent: READER })
    expect(part({ ...idle, agents: {} })).toMatchObject(stop)
    const persons = withStage(idle, { allocation: { [ANA]: 'check' }, parts: { [ANA]: 'idle' } })
    const asks = (...all: Partial<RequestRecord>[]) =>
      part(
        all.reduce<World>(
          (world, change, n) => asking(world, request(`q${n}`, { kind: 'part', asker: 'system:task', ...change })),
          persons,
        ),
        ANA,
      )
    expect(asks()).toMatchObject({ ...stop, on: [ANA] })
    expect(asks({})).toMatchObject({ state: 'waiting', request: 'q0' })
    expect(asks({ asked: [MANAGER] }, {})).toMatchObject({ state: 'waiting', request: 'q1' })
    const others: Partial<RequestRecord>[] = [{ kind: 'answer' }, { stage: OTHER }, { asked: [MANAGER] }]
    for (const other of others) expect(asks(other), JSON.stringify(other)).toMatchObject(stop)
  })
})

describe('[R135] the progress of some steps', () => {
  const steps = (world: World, all: readonly StepRecord[]) => selectStepsProgress(world, taskOf(world), all)
  const over = makeStep(1, { state: 'finished' })

  it('is done once each is over and none of them asks anything', () => {
    expect(steps(withWork(over), [over])).toEqual({ state: 'done' })
    const asks = (step: RequestRecord['step']) => steps(asking(withWork(over), request('q', { step })), [over])
    expect(asks(over.id)).toMatchObject({ state: 'waiting', request: 'q' })
    expect([asks(stepId(7)), asks(null)]).toEqual([{ state: 'done' }, { state: 'done' }])
    const next = makeStep(2)
    expect(steps(withWork(over, next), [over, next])).toEqual(RUNNING)
  })
})

describe('[R135] the progress of an agent', () => {
  it('is running with a step that can run, stopped with none that can, and idle without any or when it is gone', () => {
    const agent = (world: World) => selectAgentProgress(world, READER)
    const working = withWork(makeStep(1), makeStep(2, { task: BASE, stage: null }))
    expect([agent(idle), agent(working)]).toEqual([IDLE, RUNNING])
    expect(agent(withTask(working, { paused }))).toEqual(RUNNING)
    expect(agent(withTask(withWork(makeStep(1)), { paused }))).toMatchObject({ cause: 'paused', task: TASK })
    expect(agent(withAgent(working, READER, { removed: true }))).toEqual(IDLE)
    expect(agent(withAgent(working, READER, { paused }))).toMatchObject({ cause: 'paused', agent: READER })
    expect(selectAgentProgress(idle, asId<AgentId>('nobody'))).toEqual(IDLE)
  })
})
