/** A task on the time axis: a lane for each member, its bars with their calls and waits, sums of what is not shown. */
import { describe, expect, it } from 'vitest'
import { type EventShape, event, type MasEvent } from '@/lib/mas/events'
import type { AgentId, RequestId, StepId, WaitingId } from '@/lib/mas/ids'
import type { ModelCall, World } from '@/lib/mas/records'
import type { StepSeed } from '@/lib/mas/steps/events'
import type { TimelineBar, TimelineLane, TimelineTotals } from '@/lib/wire/rows'
import { AGENTS, apply, beginning, PEOPLE, TASKS } from '@/test/histories'
import { begun, eight, fails, locked, newId, over, play, request, rowsOf, step } from './test/rowsWorld'
import { LANE_BARS } from './timeline'

type Rows = { totals: TimelineTotals; lanes: TimelineLane[]; bars: TimelineBar[] }
const timeline = (world: World, page = '', person: AgentId = PEOPLE.ana): Rows => {
  const rows = rowsOf(world, person, `timeline:${TASKS.build}${page}`) as (
    | TimelineTotals
    | TimelineLane
    | TimelineBar
  )[]
  const isBar = (row: (typeof rows)[number]): row is TimelineBar => row.kind === 'step' || row.kind === 'request'
  return {
    totals: rows.find((row) => row.kind === 'totals') as TimelineTotals,
    lanes: rows.filter((row) => row.kind === 'lane'),
    bars: rows.filter(isBar),
  }
}
const laneOf = (world: World, agent: AgentId = AGENTS.coder) =>
  timeline(world).lanes.find((lane) => lane.agent === agent)
const barIn = (world: World, id: string) => timeline(world).bars.find((bar) => bar.id === id)
const add = (seed: StepSeed): MasEvent => event('step.added', seed)
/** Coder waits for Ben, who can answer. */
const asksBen = (of: StepId, id = newId<WaitingId>()): MasEvent[] => {
  const asked = newId<RequestId>()
  return [
    request({ id: asked, lock: id, step: of }),
    locked(AGENTS.coder, TASKS.build, PEOPLE.ben, { id, step: of, request: asked }),
  ]
}
const ran = (seed: StepSeed): MasEvent[] => [add(seed), begun(seed), over(seed)]

/** The events at these times, in a world of their own entries. */
function playAt(...at: [ms: number, ...events: MasEvent[]][]): World {
  return at.reduce((world, [ms, ...events]) => {
    const entries = events.map((one, n) => ({ seq: world.seq + 1 + n, at: ms, by: 'x', cause: 'c', event: one }))
    return apply(world, entries)
  }, beginning().world)
}

const call = (more: Partial<ModelCall>): ModelCall => ({
  id: newId(),
  attempt: 1,
  model: 'm',
  modelVersion: null,
  prompt: { sha: '', bytes: 0 },
  answer: null,
  outcome: 'taken',
  error: null,
  promptTokens: null,
  completionTokens: null,
  estimated: false,
  costUsd: null,
  firstTokenMs: null,
  totalMs: 0,
  at: 0,
  ...more,
})
const called = (seed: StepSeed, more: Partial<ModelCall>): MasEvent =>
  event('model.called', { task: seed.task, agent: seed.agent, step: seed.step, call: call(more) })
const released = (waiting: WaitingId, id: StepId): MasEvent => {
  const shape: EventShape<'lock.released'> = {
    agent: AGENTS.coder,
    task: TASKS.build,
    step: id,
    waiting,
    outcome: 'answered',
    by: PEOPLE.ben,
    on: PEOPLE.ben,
    since: 0,
  }
  return event('lock.released', shape)
}

describe('the lanes of a timeline', () => {
  it('[R466] are the members of the task, agents before people, each with the bars of what they did', () => {
    const [first, second] = eight<StepId>()
    const byHand = step(second, { agent: PEOPLE.ben, byHand: true, kind: 'tool', executor: 'db' })
    const world = play([...ran(step(first)), ...ran(byHand)])
    const { lanes, bars } = timeline(world)
    const kinds = lanes.map(({ who }) => who.kind)
    expect(kinds).toEqual([...kinds].sort((a, b) => Number(a === 'human') - Number(b === 'human')))
    expect(bars.map(({ lane, id }) => [lane, id])).toEqual([
      [AGENTS.coder, first],
      [PEOPLE.ben, second],
    ])
    expect(laneOf(world)).toMatchObject({ bars: 1, before: 0, running: null })
  })

  it('[R466] say what runs, whom it waits for and since when, and how much of each time was worked', () => {
    const [done, asks, runs] = eight<StepId>()
    const start = beginning().world.at + 1_000
    const world = playAt(
      [start, add(step(done)), begun(step(done))],
      [start + 3_000, over(step(done)), add(step(asks)), begun(step(asks))],
      [start + 4_000, ...asksBen(asks), over(step(asks))],
    )
    const lane = laneOf(world)
    expect(lane).toMatchObject({ chip: 'waiting', running: null, from: start, to: null })
    expect(lane?.waitsFor.map(({ id }) => id)).toEqual([PEOPLE.ben])
    expect(lane?.waitingSince).toBe(start + 4_000)
    const { totals } = timeline(world)
    const columns = Math.ceil((start - totals.from) / totals.columnMs)
    const digits = lane?.busy ?? ''
    // The digits are of the columns from the first to the last thing that was done.
    expect(Number(digits.slice(0, columns - 1))).toBe(0)
    const worked = [...digits].reduce((sum, digit) => sum + Number(digit), 0)
    expect((worked * totals.columnMs) / 9).toBeGreaterThan(3_500)
    expect((worked * totals.columnMs) / 9).toBeLessThan(4_500)
    const on = apply(world, [
      { seq: world.seq + 1, at: start + 9_000, by: 'x', cause: 'c', event: add(step(runs)) },
      { seq: world.seq + 2, at: start + 9_000, by: 'x', cause: 'c', event: begun(step(runs)) },
    ])
    expect(laneOf(on)).toMatchObject({ chip: 'running', running: runs, waitsFor: [], waitingSince: null, to: null })
  })

  it('[R466] hold the newest bars, and pages hold those before', () => {
    const seeds = Array.from({ length: LANE_BARS + 3 }, () => step(newId<StepId>()))
    const world = play(seeds.flatMap(ran))
    const lane = laneOf(world)
    expect(lane).toMatchObject({ bars: LANE_BARS + 3, before: 3 })
    const ids = seeds.map((seed) => seed.step)
    expect(timeline(world).bars.map(({ id }) => id)).toEqual(ids.slice(3))
    const page = `/${AGENTS.coder}@3`
    expect(timeline(world, page).bars.map(({ id }) => id)).toEqual(ids.slice(0, 3))
    expect(timeline(world, `/${AGENTS.coder}@0`).bars).toEqual([])
    expect(timeline(world, `/${newId<AgentId>()}@3`).bars).toEqual([])
    const sorts = [...timeline(world, page).bars, ...timeline(world).bars].map(({ sort }) => sort)
    expect([...sorts].sort()).toEqual(sorts)
  })

  it('[R466] leave out what ended without a beginning, which is no archived step', () => {
    const [ran1, never, coming] = eight<StepId>()
    const world = play([...ran(step(ran1)), add(step(never)), fails(step(never)), add(step(coming))])
    const { bars, totals } = timeline(world)
    expect(bars.map(({ id }) => id)).toEqual([ran1, coming])
    expect(totals).toMatchObject({ steps: 3, archived: 0 })
  })

  it('[R466] keep the width of a column until twice the columns would be needed', () => {
    const [id] = eight<StepId>()
    const { at } = beginning().world
    const widthAfter = (ms: number): number =>
      timeline(playAt([at, add(step(id)), begun(step(id))], [at + ms, over(step(id))])).totals.columnMs
    const { from } = timeline(playAt([at, add(step(id))])).totals
    const span = (ms: number): number => ms - (at - from)
    expect(widthAfter(span(128_000))).toBe(250)
    expect(widthAfter(span(128_000) + 1)).toBe(500)
    expect(widthAfter(span(256_000) + 1)).toBe(1_000)
  })
})

describe('the bar of a step', () => {
  it('[R467] has its calls one after the other, with the time of the first words', () => {
    const seed = step(newId<StepId>())
    const world = play(
      [add(seed), begun(seed)],
      [
        called(seed, { at: 1_000, waitedMs: 50, firstTokenMs: 200, totalMs: 500, outcome: 'cut' }),
        called(seed, { at: 1_000, firstTokenMs: null, totalMs: 300 }),
      ],
    )
    expect(barIn(world, seed.step)?.calls).toEqual([
      { from: 1_050, first: 1_250, to: 1_550, isFailed: true },
      { from: 1_550, first: null, to: 1_850, isFailed: false },
    ])
  })

  it('[R467] keeps its waits when they are over: from when to when, and for whom', () => {
    const seed = step(newId<StepId>())
    const waiting = newId<WaitingId>()
    const { at } = beginning().world
    const waits: [number, ...MasEvent[]][] = [
      [at + 10, add(seed), begun(seed)],
      [at + 20, ...asksBen(seed.step, waiting), over(seed)],
    ]
    const open = barIn(playAt(...waits), seed.step)
    expect(open).toMatchObject({ chip: 'waiting', waits: [{ from: at + 20, to: null }] })
    const closed = barIn(playAt(...waits, [at + 70, released(waiting, seed.step)]), seed.step)
    expect(closed).toMatchObject({ chip: 'done', waits: [{ from: at + 20, to: at + 70 }] })
    for (const bar of [open, closed]) expect(bar?.waits[0]?.on.map(({ id }) => id)).toEqual([PEOPLE.ben])
  })

  it('[R467] says the number of its try', () => {
    const [first, second] = eight<StepId>()
    const again = step(second, { retryOf: first })
    const world = play([add(step(first)), begun(step(first)), fails(step(first)), ...ran(again)])
    expect([barIn(world, first), barIn(world, second)].map((bar) => [bar?.attempt, bar?.chip])).toEqual([
      [1, 'failed'],
      [2, 'done'],
    ])
  })

  it('[R467] stays the same row while other steps run', () => {
    const [first, second] = eight<StepId>()
    const before = play(ran(step(first)))
    const row = barIn(before, first)
    const after = apply(before, [
      { seq: before.seq + 1, at: before.at, by: 'x', cause: 'c', event: add(step(second)) },
      { seq: before.seq + 2, at: before.at, by: 'x', cause: 'c', event: begun(step(second)) },
    ])
    expect({ ...barIn(after, first), onPath: row?.onPath }).toEqual(row)
  })
})

describe('a question that was put to a person', () => {
  it('[R468] is a bar of all who are asked while it is open, then of who answered it', () => {
    const id = newId<RequestId>()
    const asked = [PEOPLE.ana, PEOPLE.ben]
    const open = play([request({ id, asked, question: 'Which  one?' })])
    const bars = timeline(open).bars.filter(({ kind }) => kind === 'request')
    expect(bars.map(({ lane, name, to, chip, request: of }) => [lane, name, to, chip, of])).toEqual(
      expect.arrayContaining(asked.map((one) => [one, 'Which one?', null, 'waiting', id])),
    )
    expect(bars).toHaveLength(2)
    // Ben is a member and was asked too.
    const answer = { by: PEOPLE.ana, for: null, decision: 'answer' as const, text: 'this', arguments: null }
    const answered = apply(open, [
      {
        seq: open.seq + 1,
        at: open.at + 50,
        by: 'x',
        cause: 'c',
        event: event('request.answered', { task: TASKS.build, request: id, answer }),
      },
    ])
    expect(timeline(answered).bars.map(({ lane, to, chip }) => [lane, to, chip])).toEqual([
      [PEOPLE.ana, open.at + 50, 'done'],
    ])
  })
})

describe('the critical path of a task', () => {
  it('[R465] names the people whom it waited for, the longest first, and leaves out waits for agents', () => {
    const [asks, other] = eight<StepId>()
    const [long, toAgent] = eight<WaitingId>()
    const { at } = beginning().world
    const world = playAt(
      [at + 10, add(step(asks)), begun(step(asks))],
      [at + 20, locked(AGENTS.coder, TASKS.build, PEOPLE.ben, { id: long, step: asks }), over(step(asks))],
      [at + 100, released(long, asks), add(step(other)), begun(step(other))],
      [at + 110, locked(AGENTS.coder, TASKS.build, AGENTS.manager, { id: toAgent, step: other }), over(step(other))],
      [at + 190, released(toAgent, other)],
    )
    const { totals } = timeline(world)
    expect(totals.pathWaits.map(({ who, ms }) => [who.id, ms])).toEqual([[PEOPLE.ben, 80]])
    expect(totals.pathMs).toBe(100)
    expect(barIn(world, asks)).toMatchObject({ onPath: true, waits: [{ onPath: true }] })
    expect(barIn(world, other)).toMatchObject({ onPath: true, waits: [{ onPath: false }] })
  })
})
