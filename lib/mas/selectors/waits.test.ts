/** Why one who was asked cannot answer, each reason alone; and what stands still with a wait. */
import { describe, expect, it } from 'vitest'
import { ANA, BEN, LEE, MANAGER, must, requestOf, stageAt } from '@/test/stories'
import { asks, edgeOf, edgesOf, ringOf, teamOf } from '@/test/waitStories'
import type { AgentId } from '../ids'
import type { AgentRecord, World } from '../records'
import { type DeadEndReason, selectHeldUp, selectReply, selectWaitedFor, selectWaits } from './waits'

/** The first member waits for that one. */
const waitsFor = (on: AgentId | 'second') => {
  const ring = teamOf(2)
  const receiver = on === 'second' ? must(ring.members[1], 'second') : on
  asks(ring, receiver)
  return { ...ring, receiver, world: ring.story.world }
}
const whyIn = (world: World): DeadEndReason | null => must(selectWaits(world).edges[0], 'edge').why
const withAgent = (world: World, id: AgentId, change: Partial<AgentRecord>): World => ({
  ...world,
  agents: { ...world.agents, [id]: { ...must(world.agents[id], 'agent'), ...change } },
})
const paused = { by: ANA, reason: 'look', at: 1 }

describe('whoever is waited for cannot answer', () => {
  it('when they are a person who is gone, may not sign in, left the task, has nothing to answer, or is paused', () => {
    const { world, task, story } = waitsFor(BEN)
    expect(whyIn(world)).toBeNull()
    expect(whyIn(withAgent(world, BEN, { removed: true }))).toBe('removed')
    expect(whyIn(withAgent(world, BEN, { access: 'none' }))).toBe('noAccess')
    expect(whyIn(withAgent(world, BEN, { paused }))).toBe('paused')
    const owner = must(world.tasks[task], 'task')
    const left = {
      ...world,
      tasks: { ...world.tasks, [task]: { ...owner, group: owner.group.filter((id) => id !== BEN) } },
    }
    expect(whyIn(left)).toBe('notInTask')
    expect(whyIn(withAgent(left, BEN, { access: 'operator' }))).toBeNull()
    const request = must(requestOf(story, 'answer'), 'request')
    const without = (state: 'answered' | 'open' | null): World => ({
      ...world,
      requests: { ...world.requests, [task]: state === null ? {} : { [request.id]: { ...request, state } } },
    })
    expect([whyIn(without('open')), whyIn(without('answered')), whyIn(without(null))]).toEqual([
      null,
      'noReply',
      'noReply',
    ])
  })

  it('when they are an agent that is gone, paused, without a model or a reply, or its task is paused', () => {
    const { world, task, receiver } = waitsFor('second')
    expect(whyIn(world)).toBeNull()
    expect(whyIn(withAgent(world, receiver, { removed: true }))).toBe('removed')
    expect(whyIn(withAgent(world, receiver, { paused }))).toBe('paused')
    const owner = must(world.tasks[task], 'task')
    expect(whyIn({ ...world, tasks: { ...world.tasks, [task]: { ...owner, paused } } })).toBe('taskPaused')
    const left = { ...owner, group: owner.group.filter((id) => id !== receiver) }
    expect(whyIn({ ...world, tasks: { ...world.tasks, [task]: left } })).toBe('notInTask')
    const models = (...names: string[]): World => ({ ...world, team: { ...world.team, models: names } })
    expect([whyIn(models('default')), whyIn(models('other'))]).toEqual([null, 'noModel'])
    const work = { ...world.work, [receiver]: { todo: [], running: null, locks: [] } }
    expect(whyIn({ ...world, work })).toBe('noReply')
  })

  it('not while their reply runs, whoever is paused meanwhile', () => {
    const { story, receiver } = waitsFor('second')
    story.start(receiver)
    const { lock } = must(selectWaits(story.world).edges[0], 'edge')
    expect(selectReply(story.world, receiver, lock.id)?.state).toBe('running')
    expect(whyIn(withAgent(story.world, receiver, { paused }))).toBeNull()
  })

  it('when they are outside and paused', () => {
    const { world, receiver } = waitsFor('second')
    const outside = withAgent(world, receiver, { kind: 'outside' })
    expect([whyIn(outside), whyIn(withAgent(outside, receiver, { paused }))]).toEqual([null, 'paused'])
  })

  it('is blocked, gone or a dead end by the reason, and of one cause with others who wait for the same', () => {
    const { world } = waitsFor(BEN)
    const edge = (of: World) => must(selectWaits(of).edges[0], 'edge')
    expect(edge(world)).toMatchObject({ state: 'waiting', isBlocked: false, cause: null, on: [BEN] })
    expect(edge(withAgent(world, BEN, { access: 'none' }))).toMatchObject({
      state: 'gone',
      isBlocked: true,
      cause: `noAccess:${BEN}`,
    })
    expect(edge(withAgent(world, BEN, { paused }))).toMatchObject({ state: 'deadEnd', cause: `paused:${BEN}` })
  })
})

describe('a wait', () => {
  it('is for those who are asked by its request, else for the one who was asked, else for nobody', () => {
    const { world, story } = waitsFor(BEN)
    const { lock } = must(selectWaits(world).edges[0], 'edge')
    expect(selectWaitedFor(world, lock)).toEqual([BEN])
    const { id } = must(requestOf(story, 'answer'), 'request')
    story.put(BEN, { type: 'handOver', to: ANA, requests: [id], sentence: 'I am away.' })
    expect(selectWaitedFor(story.world, lock)).toEqual([BEN, ANA])
    expect(selectWaitedFor(world, { ...lock, request: null })).toEqual([BEN])
    expect(selectWaitedFor(world, { ...lock, request: null, on: null })).toEqual([])
  })

  it('of a circle is told from those who only wait for it', () => {
    const ring = ringOf(3)
    const circle = edgesOf(ring).map((edge) => edge.circle)
    expect(new Set(circle).size).toBe(1)
    const oldest = [...edgesOf(ring)].sort((a, b) => a.lock.at - b.lock.at)[0]
    expect(circle[0]).toBe(oldest?.lock.id)
    const single = waitsFor('second')
    expect(edgeOf(single).circle).toBeNull()
    const outsider = ringOf(2)
    expect(edgesOf(outsider)).toHaveLength(2)
  })
})

describe('what stands still with a wait', () => {
  it('is everyone who waits for its agent, and so on, with the stages of their work', () => {
    const ring = teamOf(3)
    const { story, members, task } = ring
    const [a, b, c] = [must(members[0], 'a'), must(members[1], 'b'), must(members[2], 'c')]
    asks(ring, BEN)
    asks({ ...ring, members: [b] }, a)
    asks({ ...ring, members: [c] }, b)
    const stage = stageAt(story.world, 0).id
    const held = (agent: AgentId) =>
      selectHeldUp(story.world, must(selectWaits(story.world).byAgent.get(agent)?.[0], 'edge'))
    expect(held(a)).toEqual({ agents: [b, c], stages: [{ task, stage }] })
    expect(held(b).agents).toEqual([c])
    expect(held(c)).toMatchObject({ agents: [] })
    // Asked twice, it says the same.
    expect(held(a)).toEqual(held(a))
  })

  it('names the stage of the wait once, and none for a wait outside of stages', () => {
    const { world, members } = waitsFor(BEN)
    const agent = must(members[0], 'member')
    const { lock } = must(selectWaits(world).edges[0], 'edge')
    const idle = { ...world, work: { ...world.work, [agent]: { ...must(world.work[agent], 'work'), todo: [] } } }
    expect(selectHeldUp(idle, { agent, lock }).stages).toEqual([{ task: lock.task, stage: lock.stage }])
    expect(selectHeldUp(idle, { agent, lock: { ...lock, stage: null } }).stages).toEqual([])
    expect(selectHeldUp(world, { agent, lock }).stages).toHaveLength(1)
  })

  it('is nothing of those who wait for somebody else', () => {
    const { world } = waitsFor(BEN)
    const { lock } = must(selectWaits(world).edges[0], 'edge')
    expect(selectHeldUp(world, { agent: MANAGER, lock: { ...lock, stage: null } })).toEqual({ agents: [], stages: [] })
    expect(selectHeldUp(world, { agent: LEE, lock: { ...lock, stage: null } }).agents).toEqual([])
  })
})
