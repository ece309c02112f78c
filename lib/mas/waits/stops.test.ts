/** Why a step, an agent or a wait takes no step, each reason alone: docs/rules R135. */
import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { only, sampleWorld } from '@/test/sampleWorld'
import {
  ANA,
  BASE,
  MANAGER,
  makeMessage,
  makeStep,
  READER,
  recordOf,
  makeRequest as request,
  STAGE,
  stepId,
  TASK,
  testWorld,
  withAgent,
  withMessage,
  withRequest,
  withSteps,
  withTask,
} from '@/test/skillWorld'
import { edgeOf, ringOf } from '@/test/waitStories'
import { selectOpenRequests } from '../asks/requests'
import { type AgentId, asId, type MessageId, type RequestId, type TaskId } from '../ids'
import { DAY_KEY, TASK_KEY } from '../limits/limits'
import type { LimitKind, RequestRecord, StepRecord, World } from '../records'
import { type Stop, stopOfRequest, stopsIn, worst } from './stops'

const { task: sampleTask } = sampleShapeOf('step.added')
const paused = { by: ANA, reason: 'look', at: 4 }
const asking = (of: World, ...all: RequestRecord[]): World => all.reduce(withRequest, of)
const runs = (world: World, step: StepRecord): World => {
  const work = recordOf(world.work[step.agent])
  return {
    ...world,
    work: {
      ...world.work,
      [step.agent]: {
        ...work,
        todo: work.todo.filter((one) => one.step !== step.id),
        running: { task: step.task, step: step.id },
      },
    },
  }
}
const step = makeStep(1, { createdAt: 3 })
const world = withSteps(testWorld, [step])
const ofStep = (of: World, one = step) => stopsIn(of).ofStep(one)

describe('[R135] work that is not over', () => {
  const elsewhere = makeStep(3, { task: BASE, stage: null })
  const all = withSteps(testWorld, [step, makeStep(2), elsewhere, makeStep(4, { agent: MANAGER })])
  const ids = (steps: readonly StepRecord[]) => steps.map(({ number }) => number)

  it('is listed by task and by agent, what runs first', () => {
    expect([ids(stopsIn(all).workIn(TASK)), ids(stopsIn(all).workIn(BASE))]).toEqual([[1, 2, 4], [3]])
    const second = runs(all, makeStep(2))
    expect(ids(stopsIn(second).workIn(TASK))).toEqual([2, 1, 4])
    expect([ids(stopsIn(second).workOf(READER)), ids(stopsIn(second).workOf(MANAGER))]).toEqual([[2, 1, 3], [4]])
  })

  it('is none of an agent or a task without any', () => {
    expect([stopsIn(all).workOf(ANA), stopsIn(all).workIn(asId<TaskId>('other'))]).toEqual([[], []])
  })
})

describe('[R135] a step', () => {
  it('runs where nothing stops it, also one whose agent or task is not known', () => {
    expect(ofStep(world)).toBeNull()
    expect(ofStep(world, { ...step, agent: asId<AgentId>('nobody') })).toBeNull()
    expect(ofStep(world, { ...step, task: asId<TaskId>('none') })).toBeNull()
  })

  it('is blocked by a pause of its task or its agent, though one that is prioritized runs for a paused agent', () => {
    const stop = { state: 'blocked', cause: 'paused', since: 4, request: null }
    expect(ofStep(withTask(world, { paused }))).toEqual({ ...stop, task: TASK, agent: null, on: [] })
    const held = withAgent(world, READER, { paused })
    expect(ofStep(held)).toEqual({ ...stop, task: null, agent: READER, on: [READER] })
    expect(ofStep(held, { ...step, prioritized: true })).toMatchObject({ cause: 'paused' })
    expect(ofStep(held, { ...step, byHand: true })).toBeNull()
  })

  it('of an agent that is gone is blocked, unless a person started it by hand', () => {
    const gone = withAgent(world, READER, { removed: true })
    expect(ofStep(gone)).toMatchObject({ state: 'blocked', cause: 'noAnswer', on: [READER], since: 3, task: TASK })
    expect(ofStep(gone, { ...step, byHand: true })).toBeNull()
  })

  it('that runs waits for who is asked by its own call, and holds the rest of its agent up', () => {
    const second = makeStep(2)
    const both = runs(withSteps(testWorld, [step, second]), step)
    const stopped = { state: 'waiting', cause: null, on: [ANA], since: 9, request: 'q' }
    const asked = asking(both, request('q', { kind: 'tool', step: step.id }))
    expect([ofStep(asked), ofStep(asked, second)]).toMatchObject([stopped, stopped])
    expect(stopsIn(asked).ofAgent(READER)).toMatchObject(stopped)
    expect(ofStep(asked, { ...second, byHand: true })).toMatchObject(stopped)
    for (const other of [request('q', { kind: 'tool', step: stepId(7) }), request('q', { step: step.id })])
      expect([ofStep(asking(both, other)), ofStep(asking(both, other), second)]).toEqual([null, null])
  })

  it('is stopped by a limit of its share, its task or the day, until the question about it is answered', () => {
    const limits = (task: TaskId, key: string, of: World = world): World => ({
      ...of,
      budgets: {
        [task]: {
          tokens: 0,
          costUsd: 0,
          talk: 0,
          allowed: {},
          warned: [],
          stops: { [key]: { request: asId<RequestId>('more'), limit: 'steps' satisfies LimitKind, of: null } },
        },
      },
    })
    const bare = { state: 'blocked', cause: 'limit', on: [], since: 3, request: null }
    const asked = { state: 'blocked', cause: 'limit', on: [ANA], since: 9, request: 'more' }
    const more = (task: TaskId) => asking(world, request('more', { kind: 'limit', task }))
    for (const [task, key] of [
      [TASK, TASK_KEY],
      [TASK, `${READER}/${STAGE}`],
      [BASE, DAY_KEY],
    ] as const) {
      expect(ofStep(limits(task, key)), key).toMatchObject(bare)
      expect(ofStep(limits(task, key, more(task))), key).toMatchObject({ ...asked, task })
    }
    expect(ofStep(limits(TASK, `${MANAGER}/${STAGE}`))).toBeNull()
    expect(ofStep(limits(TASK, DAY_KEY))).toBeNull()
    expect(ofStep({ ...limits(BASE, DAY_KEY), baseTask: null })).toBeNull()
  })
})

describe('[R135] a step that asked something first', () => {
  const first = makeStep(1, {
    executor: 'task_manager',
    state: 'finished',
    result: { kind: 'text', text: '', body: null, made: { again: true } },
  })
  const again = makeStep(3, { executor: 'task_manager', createdAt: 3, cause: { message: null, step: first.id } })
  const question = asId<MessageId>('question')
  const [delivery] = Object.values(only(sampleWorld.deliveries[sampleTask]))
  const askedOf = (receiver: AgentId, ...steps: StepRecord[]): World => {
    const message = makeMessage(question, {
      sender: READER,
      receivers: [receiver],
      type: 'action',
      seq: 5,
      at: 7,
      fromStep: first.id,
    })
    const next = withMessage(withSteps(testWorld, [first, again, ...steps]), message)
    const own = { ...recordOf(delivery), message: question, receiver, state: 'delivered' as const }
    return { ...next, deliveries: { [TASK]: { [receiver]: { [question]: own } } } }
  }

  it('waits for the person who was asked, by the request that came with the question', () => {
    const plain = { state: 'waiting', cause: null, on: [ANA], since: 7, task: TASK, request: null }
    expect(ofStep(askedOf(ANA), again)).toMatchObject(plain)
    const other = request('other', { message: asId<MessageId>('another') })
    expect(ofStep(asking(askedOf(ANA), other), again)).toMatchObject(plain)
    const own = request('own', { message: question })
    expect(ofStep(asking(askedOf(ANA), other, own), again)).toMatchObject({
      state: 'waiting',
      since: 9,
      request: 'own',
    })
  })

  it('is blocked where the one who was asked is gone or was never there', () => {
    const stop = { state: 'blocked', cause: 'noAnswer', since: 7 }
    const nobody = asId<AgentId>('nobody')
    expect(ofStep(askedOf(nobody), again)).toMatchObject({ ...stop, on: [nobody] })
    expect(ofStep(withAgent(askedOf(ANA), ANA, { removed: true }), again)).toMatchObject({ ...stop, on: [ANA] })
  })

  it('goes on with the reply of the agent who was asked, and is stopped by what stops that', () => {
    const reply = makeStep(6, { agent: MANAGER, cause: { message: question, step: null } })
    const other = makeStep(5, { agent: MANAGER, createdAt: 2 })
    expect(ofStep(askedOf(MANAGER, other, reply), again)).toBeNull()
    expect(ofStep(askedOf(MANAGER), again)).toBeNull()
    const limit = `${MANAGER}/-`
    const stopped = (...steps: StepRecord[]): World => ({
      ...askedOf(MANAGER, ...steps),
      budgets: {
        [TASK]: {
          tokens: 0,
          costUsd: 0,
          talk: 0,
          allowed: {},
          warned: [],
          stops: { [limit]: { request: asId<RequestId>('more'), limit: 'steps', of: null } },
        },
      },
    })
    expect(ofStep(stopped({ ...other, stage: null }, reply), again)).toBeNull()
    expect(ofStep(stopped(other, { ...reply, stage: null }), again)).toMatchObject({ cause: 'limit', agent: MANAGER })
    expect(ofStep(withAgent(askedOf(MANAGER), MANAGER, { paused }), again)).toMatchObject({ on: [MANAGER] })
  })
})

describe('[R135] a wait', () => {
  it('that cannot end is blocked by its circle, or because nobody can answer', () => {
    const ring = ringOf(2)
    const { ofEdge, ofAgent } = stopsIn(ring.story.world)
    const [first] = ring.members
    expect(ofEdge({ ...edgeOf(ring), isBlocked: true, state: 'circle' })).toMatchObject({
      state: 'blocked',
      cause: 'circle',
      agent: first,
    })
    expect(ofEdge({ ...edgeOf(ring), isBlocked: true, state: 'gone' })).toMatchObject({
      cause: 'noAnswer',
    })
    expect(ofEdge({ ...edgeOf(ring), isBlocked: false, on: [] })).toMatchObject({
      state: 'waiting',
      cause: null,
    })
    expect(ofAgent(asId<AgentId>('nobody'))).toBeNull()
  })
})

describe('[R135] an open request', () => {
  const of = (change: Partial<RequestRecord>, by: (world: World) => World = (same) => same) => {
    const one = request('q', change)
    return stopOfRequest(by(asking(world, one)), one)
  }

  it('waits for those who can answer it', () => {
    expect(of({})).toEqual({
      state: 'waiting',
      cause: null,
      on: [ANA],
      since: 9,
      task: TASK,
      agent: READER,
      request: 'q',
    })
    expect(of({ asker: 'system:task' }).agent).toBeNull()
  })

  it('needs an operator where it is about a limit, where the judge is not asked, or where nobody can answer', () => {
    expect(of({ kind: 'limit' })).toMatchObject({ state: 'blocked', cause: 'limit' })
    expect(of({ kind: 'judge' })).toMatchObject({ state: 'blocked', cause: 'noJudge' })
    expect(of({ kind: 'judge' }, (one) => withTask(one, { manager: ANA }))).toMatchObject({ state: 'waiting' })
    expect(of({ kind: 'judge' }, (one) => ({ ...one, tasks: {} }))).toMatchObject({ cause: 'noJudge' })
    expect(of({}, (one) => withAgent(one, ANA, { removed: true }))).toMatchObject({
      state: 'blocked',
      cause: 'noAnswer',
    })
  })

  it('is one that is not over', () => {
    const all = asking(world, request('a'), request('b', { state: 'answered' }))
    expect(selectOpenRequests(all, TASK).map(({ id }) => id)).toEqual(['a'])
    expect(selectOpenRequests(all, BASE)).toEqual([])
  })
})

it('[R135] what is blocked weighs more than what waits, and the older more than the newer', () => {
  const stop = (state: Stop['state'], since: number): Stop => ({ ...stopOfRequest(world, request('q')), state, since })
  const [old, young, blockedOld, blockedYoung] = [
    stop('waiting', 1),
    stop('waiting', 2),
    stop('blocked', 3),
    stop('blocked', 4),
  ]
  expect(worst([young, null, old])).toBe(old)
  expect(worst([old, young])).toBe(old)
  expect(worst([old, blockedYoung])).toBe(blockedYoung)
  expect(worst([blockedYoung, old])).toBe(blockedYoung)
  expect(worst([blockedYoung, blockedOld])).toBe(blockedOld)
  expect(worst([blockedOld, blockedYoung])).toBe(blockedOld)
  expect(worst([old, { ...old }])).toBe(old)
  expect([worst([]), worst([null])]).toEqual([null, null])
})
