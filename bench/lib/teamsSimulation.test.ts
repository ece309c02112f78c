/** The simulation of many teams: the same each time, and what is known of queues. */
import { describe, expect, it } from 'vitest'
import { createCores, createThread, createTime } from './queues'
import { type Costs, type Layout, simulate, type Team } from './teamsSimulation'

const FREE: Costs = { decide: 0, run: 0, reduce: 0, show: 0, append: 0, row: 0, flush: 0, process: 0, browser: 0 }
const TEAM: Team = { agents: 10, browsers: 5, modelMs: 1_000, messagesPerMinute: 0 }
const LAYOUT: Layout = { nodes: 1, cores: 8, databaseCores: 8 }
const of = (more: { costs?: Partial<Costs>; layout?: Partial<Layout>; teams?: number; seed?: number }) =>
  simulate({
    team: TEAM,
    teams: more.teams ?? 1,
    seconds: 60,
    seed: more.seed ?? 1,
    costs: { ...FREE, ...more.costs },
    layout: { ...LAYOUT, ...more.layout },
  })

describe('the simulation of many teams', () => {
  it('gives the same figures for the same seed, and others for another', () => {
    const costs = { decide: 2, row: 1, flush: 3 }
    expect(of({ costs })).toEqual(of({ costs }))
    expect(of({ costs, seed: 2 })).not.toEqual(of({ costs }))
  })

  it('makes two decisions a step where nothing takes time', () => {
    const { perSecond, p99 } = of({})
    // Ten agents, a step each second.
    expect(perSecond.made).toBeGreaterThan(18)
    expect(perSecond.made).toBeLessThan(22)
    expect(p99).toBe(0)
  })

  it('waits at least for the append, and counts the work of each thread and machine', () => {
    const { p50, decider, database, cores, perSecond } = of({ costs: { decide: 5, row: 8, flush: 2 } })
    expect(p50).toBeGreaterThanOrEqual(15)
    expect(decider).toBeCloseTo((perSecond.made * 5) / 1_000, 1)
    expect(cores).toBeCloseTo(decider / 8, 2)
    expect(database).toBeCloseTo((perSecond.made * 8) / 8_000, 2)
  })

  it('pays an append once for the decisions that wait together, of which it takes at most 200', () => {
    // At 20 teams 20 appends of 50 ms each second take all 400 decisions; at 1,000 teams 4,000 of 20,000 are taken.
    const some = of({ costs: { append: 50 }, teams: 20 })
    expect(some.perSecond.made).toBeCloseTo(some.perSecond.wanted, -1)
    expect(some.database).toBeCloseTo(1 / 8, 2)
    const many = of({ costs: { append: 50 }, teams: 1_000 })
    expect(many.perSecond.made).toBeGreaterThan(3_800)
    expect(many.perSecond.made).toBeLessThan(4_100)
  })

  it('counts what a process and its browsers take when nothing happens', () => {
    const { decider } = of({ costs: { process: 100, browser: 20 } })
    expect(decider).toBeCloseTo((100 + TEAM.browsers * 20) / 1_000, 2)
  })

  it('decides no faster than one thread where one Convene serves all, however many cores there are', () => {
    const { perSecond, decider } = of({ costs: { decide: 10 }, teams: 20 })
    expect(decider).toBeCloseTo(1, 1)
    expect(perSecond.made).toBeCloseTo(100, -1)
  })

  it('decides in as many threads as there are teams where each has a process of its own', () => {
    const { perSecond, decider, cores } = of({ costs: { decide: 10 }, teams: 20, layout: { nodes: null } })
    expect(perSecond.made).toBeGreaterThan(300)
    expect(decider).toBeLessThan(0.4)
    expect(cores).toBeGreaterThan(0.4)
  })

  it('shares what steps take over the nodes, and each reduces what another decided', () => {
    const one = of({ costs: { run: 20, reduce: 3 }, teams: 3, layout: { nodes: 1 } })
    const two = of({ costs: { run: 20, reduce: 3 }, teams: 3, layout: { nodes: 2 } })
    expect(one.follower).toBe(0)
    expect(two.decider).toBeLessThan(one.decider * 0.6)
    expect(two.follower).toBeCloseTo(two.decider + (two.perSecond.made * 3) / 1_000, 1)
  })
})

describe('a machine', () => {
  it('gives its cores to jobs in the order they came, and a thread has one at a time', () => {
    const time = createTime()
    const cores = createCores(time, 2)
    const [one, two] = [createThread(cores), createThread(cores)]
    const ended: string[] = []
    const end = (name: string) => () => void ended.push(`${name} ${time.now()}`)
    one.run(10, end('a'))
    one.run(10, end('b'))
    two.run(15, end('c'))
    cores.run(1, end('d'))
    time.until(100)
    // d waits for the core of a; b for that of d or c, whichever is free first.
    expect(ended).toEqual(['a 10', 'd 11', 'c 15', 'b 21'])
  })
})
