/** What the rows of tasks and of members say one by one, and what their totals leave out. */
import { describe, expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import type { AgentId, RequestId, StageId, StepId, TaskId, WaitingId } from '@/lib/mas/ids'
import type { ModelCall, StageRecord, World } from '@/lib/mas/records'
import type { AgentRow, AgentsTotals, OverviewRow, OverviewTotals } from '@/lib/wire/rows'
import { AGENTS, beginning, PEOPLE, TASKS } from '@/test/histories'
import { sampleShapeOf } from '@/test/samples'
import {
  added,
  agentWith,
  begun,
  eight,
  locked,
  message,
  newId,
  over,
  play,
  playOn,
  request,
  rowsOf,
  STAGE,
  step,
  taskWith,
} from './test/rowsWorld'

const overview = (world: World, person: AgentId = PEOPLE.ana) => rowsOf(world, person, 'overview') as OverviewRow[]
const taskIn = (world: World, id: TaskId = TASKS.build, person?: AgentId) =>
  overview(world, person).find(({ task }) => task === id)
const taskTotals = (world: World) => overview(world).find(({ id }) => id === '$') as unknown as OverviewTotals
const team = (world: World) => rowsOf(world, PEOPLE.ana, 'agents') as AgentRow[]
const memberIn = (world: World, id: AgentId = AGENTS.coder) => team(world).find((row) => row.id === id)
const teamTotals = (world: World) => team(world).find(({ id }) => id === '$') as unknown as AgentsTotals
const paused = { by: PEOPLE.ana, reason: 'look', at: 77 }
const paid = (seed: ReturnType<typeof step>, costUsd: number) => {
  const call: ModelCall = { ...sampleShapeOf('model.called').call, promptTokens: 3, completionTokens: 4, costUsd }
  return event('model.called', { ...seed, call: { ...call, id: `call of ${seed.step}` } })
}

describe('the row of a task', () => {
  it('[M3] says that it is paused, who asked for it, and what it used', () => {
    const { world } = beginning()
    expect(taskIn(world)).toMatchObject({ paused: false, requestedBy: { name: 'Ben' }, tokens: null })
    expect(taskIn(world, TASKS.base)).toMatchObject({ requestedBy: null })
    expect(taskIn(taskWith(world, TASKS.build, { paused }))?.paused).toBe(true)
    const one = step(newId<StepId>())
    expect(taskIn(play(added(one), [paid(one, 0.5)]))).toMatchObject({ tokens: 7, promptTokens: 3, costUsd: 0.5 })
  })

  it('[M3] stands on a wait by its question', () => {
    const [toBen, asked] = [newId<WaitingId>(), newId<RequestId>()]
    const waits = [
      request({ id: asked, lock: toBen, question: 'Which list?' }),
      locked(AGENTS.coder, TASKS.build, PEOPLE.ben, { id: toBen, request: asked }),
    ]
    expect(taskIn(play(waits))?.stuck).toMatchObject({ kind: 'waiting', why: null, what: 'Which list?' })
  })

  it('[M3] stands on the oldest of what people owe, in whatever order they stand in the world', () => {
    const [first, second] = eight<RequestId>()
    const world = play(
      [request({ id: first, kind: 'part', question: 'first' })],
      [request({ id: second, kind: 'part', question: 'second' })],
    )
    const own = world.requests[TASKS.build] ?? {}
    const turned = Object.fromEntries(Object.entries(own).reverse())
    const back: World = { ...world, requests: { ...world.requests, [TASKS.build]: turned } }
    expect([taskIn(world)?.stuck?.what, taskIn(back)?.stuck?.what]).toEqual(['first', 'first'])
  })

  it('[M2] of the base task counts for a participant what is put to them, and nobody else', () => {
    const asked = request({ id: newId() }, TASKS.base)
    const told = message(PEOPLE.ana, PEOPLE.ben, { reply: true }, newId(), TASKS.base)
    expect(taskIn(play([asked, told]), TASKS.base, PEOPLE.ben)).toMatchObject({ mine: 2 })
    expect(taskIn(play([asked, told]), TASKS.base, PEOPLE.cyn)).toMatchObject({ mine: 0 })
  })

  it('[M3] is counted as running, waiting or failed; the base task neither runs nor fails', () => {
    const { world } = beginning()
    const state = (now: World, id: TaskId, of: 'running' | 'failed' | 'finished') => taskWith(now, id, { state: of })
    expect(taskTotals(state(world, TASKS.base, 'running'))).toMatchObject({ tasks: 3, running: 0, failed: 0 })
    expect(taskTotals(state(world, TASKS.base, 'failed')).failed).toBe(0)
    expect(taskTotals(state(state(world, TASKS.build, 'failed'), TASKS.docs, 'finished'))).toMatchObject({
      tasks: 3,
      running: 0,
      waiting: 0,
      failed: 1,
    })
  })

  it('[M3] stands behind the blocked and the waiting ones by the time they began to', () => {
    const order = (now: World) => overview(now).flatMap(({ id, name }) => (id === '$' ? [] : [name]))
    const part = (task: TaskId) => request({ id: newId(), kind: 'part' }, task)
    const stopped = taskWith(play([part(TASKS.build)]), TASKS.docs, { paused })
    expect(order(stopped)).toEqual(['base', 'docs', 'build'])
    expect(order(play([part(TASKS.build)], [part(TASKS.docs)]))).toEqual(['base', 'build', 'docs'])
    expect(order(play([part(TASKS.docs)], [part(TASKS.build)]))).toEqual(['base', 'docs', 'build'])
  })
})

describe('a task whose agent is held in another task', () => {
  const [lock, asked] = [newId<WaitingId>(), newId<RequestId>()]
  const finished = { state: 'finished', reason: null } as const
  const world = play(
    [event('stage.started', { task: TASKS.build, stage: STAGE }), ...added(step(newId<StepId>()))],
    // Only Coder's part is left.
    [event('stage.agentStateChanged', { task: TASKS.build, stage: STAGE, agent: PEOPLE.ben, ...finished })],
    [request({ id: asked, asked: [PEOPLE.cyn], lock, question: 'Which page?' }, TASKS.docs)],
    [locked(AGENTS.coder, TASKS.docs, PEOPLE.cyn, { id: lock, request: asked })],
  )

  it('[M3] says where, for whom, and by which question, to who sees that task', () => {
    expect(taskIn(world)?.stuck).toMatchObject({
      kind: 'waiting',
      on: [{ name: 'Cyn' }],
      what: 'Which page?',
      request: asked,
      elsewhere: { who: { name: 'Coder' }, task: TASKS.docs, taskName: 'docs' },
    })
    expect(taskIn(world, TASKS.docs)?.stuck).toMatchObject({ on: [{ name: 'Cyn' }], elsewhere: null, request: asked })
  })

  it('[M2] says to who does not see that task that its agent is held, and nothing else', () => {
    expect(taskIn(world, TASKS.build, PEOPLE.ben)?.stuck).toMatchObject({
      kind: 'waiting',
      on: [{ name: 'Coder' }],
      what: 'Coder',
      elsewhere: null,
      request: null,
    })
  })

  it('[M3] says who paused work, and why, of the task or of its agent', () => {
    expect(taskIn(taskWith(world, TASKS.build, { paused }))?.stuck).toMatchObject({
      kind: 'blocked',
      why: 'paused',
      what: 'look',
      since: 77,
      elsewhere: null,
      request: null,
    })
    const held = play(added(step(newId<StepId>())))
    expect(taskIn(agentWith(held, AGENTS.coder, { paused: { ...paused, reason: '' } }))?.stuck?.what).toBe('Coder')
    expect(taskIn(agentWith(held, AGENTS.coder, { paused }))?.stuck?.what).toBe('look')
  })
})

describe('the stage in the row of a task', () => {
  const [second, third] = [newId<StageId>(), newId<StageId>()]
  const { world } = beginning()
  const stages = (...more: Partial<StageRecord>[]): World => {
    const first = world.stages[TASKS.build]?.[STAGE]
    if (first === undefined) throw new Error('the stage is missing')
    const ids = [STAGE, second, third]
    const own = Object.fromEntries(more.map((one, at) => [ids[at], { ...first, id: ids[at], ...one }]))
    const order = { stageOrder: ids.slice(0, more.length) }
    return taskWith({ ...world, stages: { ...world.stages, [TASKS.build]: own } }, TASKS.build, order)
  }
  const at = (now: World) => {
    const stage = taskIn(now)?.stage
    return stage ? [stage.id, stage.number, stage.of] : null
  }

  it('[M3] is the one that runs, by its place in the plan; one that was replaced shares the place of what replaced it', () => {
    const [over, runs] = [{ state: 'finished' }, { state: 'running' }] as const
    expect(at(stages(over, runs, {}))).toEqual([second, 2, 3])
    expect(at(stages({ state: 'failed', replacedBy: second }, runs, {}))).toEqual([second, 1, 2])
    expect(at(stages({ ...runs, replacedBy: second }, {}, {}))).toEqual([STAGE, 1, 2])
    expect(at(stages(over, {}, {}))).toBeNull()
  })

  it('[M3] is the last one of a task that is over, and none that was replaced', () => {
    const ended = (...more: Partial<StageRecord>[]) => taskWith(stages(...more), TASKS.build, { state: 'finished' })
    expect(at(ended({ state: 'finished' }, { state: 'finished' }))).toEqual([second, 2, 2])
    expect(at(ended({ state: 'finished' }, { state: 'failed', replacedBy: third }))).toEqual([STAGE, 1, 1])
    expect(at(ended())).toBeNull()
  })
})

describe('the row of a member', () => {
  it('[M3] that waits says for whom and since when, and stands by it', () => {
    const [toBen, asked] = [newId<WaitingId>(), newId<RequestId>()]
    const world = play([
      request({ id: asked, lock: toBen }),
      locked(AGENTS.coder, TASKS.build, PEOPLE.ben, { id: toBen, request: asked }),
    ])
    const row = memberIn(world)
    expect(row).toMatchObject({ chip: 'waiting', waitsFor: [{ name: 'Ben' }] })
    expect(row?.since).toBe(world.work[AGENTS.coder]?.locks[0]?.at)
    expect(row?.sort.startsWith(`01:${String(row?.since).padStart(15, '0')}:`)).toBe(true)
    const blocked = memberIn(play([locked(AGENTS.coder, TASKS.build, AGENTS.tester)]))
    expect(blocked).toMatchObject({ chip: 'blocked', waitsFor: [{ name: 'Tester' }] })
    expect(blocked?.sort.startsWith('00:')).toBe(true)
  })

  it('[M3] that is paused says by whom, why and since when, and nobody else is paused', () => {
    const { world } = beginning()
    expect(memberIn(agentWith(world, AGENTS.coder, { paused }))?.paused).toEqual({
      by: expect.objectContaining({ name: 'Ana' }),
      reason: 'look',
      at: 77,
    })
    expect(memberIn(world)?.paused).toBeNull()
  })

  it('[M3] has used what their steps of all tasks cost, and nothing where none is known', () => {
    const [one, other] = [step(newId<StepId>()), step(newId<StepId>(), { task: TASKS.docs, stage: null })]
    const world = play(added(one, other), [paid(one, 0.5)], [paid(other, 0.25)])
    expect(memberIn(world)).toMatchObject({ tokens: 14, costUsd: 0.75 })
    expect(memberIn(world, AGENTS.tester)).toMatchObject({ tokens: null, costUsd: null })
  })

  it('[M3] runs from the start of its step, is idle when it is over, and a person is asked what is open only', () => {
    const one = step(newId<StepId>())
    const world = play(added(one), [begun(one)])
    const since = world.steps[TASKS.build]?.[AGENTS.coder]?.[one.step]?.startedAt
    expect(memberIn(world)).toMatchObject({ chip: 'running', since, now: { taskName: 'build', executor: 'think' } })
    expect(memberIn(playOn(world, [over(one)]))).toMatchObject({ chip: 'idle', since: null, now: null })
    const asked = newId<RequestId>()
    const answer = { by: PEOPLE.ben, for: null, decision: 'answer', text: '', arguments: null } as const
    const open = play([request({ id: asked })])
    expect(memberIn(open, PEOPLE.ben)?.queue).toBe(1)
    const done = playOn(open, [event('request.answered', { task: TASKS.build, request: asked, answer })])
    expect(memberIn(done, PEOPLE.ben)?.queue).toBe(0)
  })

  it('[M3] has the tasks of theirs that are not over, and never the base task', () => {
    const { world } = beginning()
    const names = (now: World, id: AgentId) => memberIn(now, id)?.tasks.map(({ name }) => name)
    expect(names(world, AGENTS.manager)).toEqual(['build', 'docs'])
    expect(names(world, PEOPLE.ana)).toEqual([])
    expect(names(taskWith(world, TASKS.build, { state: 'failed' }), AGENTS.manager)).toEqual(['docs'])
  })

  it('[M3] is counted by kind and by how they stand', () => {
    const world = play([locked(AGENTS.coder, TASKS.build, AGENTS.tester)])
    expect(teamTotals(world)).toMatchObject({ agents: 3, people: 3, waiting: 0, blocked: 1 })
    const left = agentWith(world, PEOPLE.cyn, { removed: true })
    expect(teamTotals(left)).toMatchObject({ agents: 3, people: 2 })
    const asked = newId<RequestId>()
    const lock = newId<WaitingId>()
    const waits = play([
      request({ id: asked, lock }),
      locked(AGENTS.coder, TASKS.build, PEOPLE.ben, { id: lock, request: asked }),
    ])
    expect(teamTotals(waits)).toMatchObject({ waiting: 1, blocked: 0 })
  })

  it('[M3] stands by name among those who are not stuck, whatever they do', () => {
    const names = (now: World) =>
      team(now).flatMap(({ id, who }) => (id === '$' || who.kind === 'human' ? [] : [who.name]))
    expect(names(beginning().world)).toEqual(['Coder', 'Manager', 'Tester'])
    const one = step(newId<StepId>(), { agent: AGENTS.tester })
    expect(names(play(added(one), [begun(one)]))).toEqual(['Tester', 'Coder', 'Manager'])
  })
})
