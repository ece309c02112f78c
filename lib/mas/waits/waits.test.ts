/** Why one who was asked cannot answer, each reason alone; and what stands still with a wait. */
import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { ANA, BEN, LEE, MANAGER, must, requestOf, stageAt } from '@/test/stories'
import { asks, edgeOf, edgesOf, ringOf, teamOf } from '@/test/waitStories'
import { type AgentId, asId, type StageId, type WaitingId } from '../ids'
import type { DeadEndReason } from '../members/member'
import type { AgentRecord, StepRecord, World } from '../records'
import { selectReply } from './reply'
import { selectCircleReplies, selectHeldUp, selectWaitedFor, selectWaits, whyNoAnswer } from './waits'

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

describe('the one who is waited for cannot answer', () => {
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

  it('not while their reply runs, no matter who is paused meanwhile', () => {
    const { story, receiver } = waitsFor('second')
    story.start(receiver)
    const { lock } = must(selectWaits(story.world).edges[0], 'edge')
    expect(selectReply(story.world, receiver, lock.id)?.state).toBe('running')
    expect(selectReply({ ...story.world, work: {} }, receiver, lock.id)).toBeNull()
    expect(whyIn(withAgent(story.world, receiver, { paused }))).toBeNull()
  })

  it('when they are outside and paused', () => {
    const { world, receiver } = waitsFor('second')
    const outside = withAgent(world, receiver, { kind: 'outside' })
    expect([whyIn(outside), whyIn(withAgent(outside, receiver, { paused }))]).toEqual([null, 'paused'])
  })

  it('when nobody was there to be asked, each time by a cause of its own', () => {
    const { world, members } = waitsFor('second')
    const agent = must(members[0], 'member')
    const work = must(world.work[agent], 'work')
    const [lock] = work.locks
    const locks = [{ ...must(lock, 'lock'), on: null, request: null }]
    const edge = must(selectWaits({ ...world, work: { ...world.work, [agent]: { ...work, locks } } }).edges[0], 'edge')
    expect(edge).toMatchObject({ why: 'nobody', state: 'deadEnd', on: [], cause: `nobody:${lock?.id}` })
    const reply = whyNoAnswer(world, { kind: 'message', task: edge.lock.task, request: null, id: edge.lock.id }, [BEN])
    expect(reply).toBe('noReply')
  })

  it('for a call that is to be approved, only as people: to be no member is no reason', () => {
    const { world, task, story } = waitsFor(BEN)
    const { id } = must(requestOf(story, 'answer'), 'request')
    const owner = must(world.tasks[task], 'task')
    const left = { ...world, tasks: { ...world.tasks, [task]: { ...owner, group: [] } } }
    const why = (kind: 'message' | 'confirm') => whyNoAnswer(left, { kind, task, request: id, id }, [BEN])
    expect([why('message'), why('confirm')]).toEqual(['notInTask', null])
    expect(whyNoAnswer(left, { kind: 'confirm', task, request: id, id }, [LEE, BEN])).toBeNull()
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
    const second = waitsFor('second')
    const owner = must(second.world.tasks[second.task], 'task')
    const inTask = (change: object) => ({ ...second.world, tasks: { [second.task]: { ...owner, ...change } } })
    expect(edge(inTask({ paused })).cause).toBe(`taskPaused:${second.task}`)
    expect(edge(inTask({ group: [] })).cause).toBe(`notInTask:${second.task}:${second.receiver}`)
    const { id } = edge(second.world).lock
    const idle = { todo: [], running: null, locks: [] }
    const noReply = { ...second.world, work: { ...second.world.work, [second.receiver]: idle } }
    expect(edge(noReply).cause).toBe(`noReply:${id}`)
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
  })

  it('of two circles, or beside a circle, is told from the rest', () => {
    const { story, members } = teamOf(6)
    const locked = (...pairs: [from: number, on: number][]) => {
      const at = (n: number) => must(members[n], 'member')
      const { lock } = sampleShapeOf('lock.added')
      const work = { ...story.world.work }
      pairs.forEach(([from, on], n) => {
        const own = must(work[at(from)], 'work')
        const id = asId<WaitingId>(`w${n}`)
        work[at(from)] = {
          ...own,
          locks: [...own.locks, { ...lock, id, on: at(on), request: null, task: stageAt(story.world, 0).task, at: 5 }],
        }
      })
      return selectWaits({ ...story.world, work }).edges.map(({ lock: one, circle }) => `${one.id} ${circle}`)
    }
    // Of one second the lower id is the oldest.
    expect(locked([0, 1], [1, 0])).toEqual(['w0 w0', 'w1 w0'])
    expect(locked([1, 0], [0, 1])).toEqual(['w1 w0', 'w0 w0'])
    expect(locked([0, 1], [1, 0], [2, 3], [3, 2])).toEqual(['w0 w0', 'w1 w0', 'w2 w2', 'w3 w2'])
    expect(locked([0, 1], [1, 0], [2, 0])).toEqual(['w0 w0', 'w1 w0', 'w2 null'])
    expect(locked([0, 1], [0, 2], [1, 0])).toEqual(['w0 w0', 'w1 null', 'w2 w0'])
    expect(locked([0, 1], [1, 2], [2, 0], [2, 3], [3, 4], [4, 3])).toEqual([
      'w0 w0',
      'w1 w0',
      'w2 w0',
      'w3 null',
      'w4 w4',
      'w5 w4',
    ])
    expect(locked([0, 1], [1, 2], [2, 1])).toEqual(['w0 null', 'w1 w1', 'w2 w1'])
    expect(locked([3, 0], [0, 1], [1, 0])).toEqual(['w1 w1', 'w2 w1', 'w0 null'])
    expect(locked([0, 1], [0, 2], [1, 3], [2, 3])).toEqual(['w0 null', 'w1 null', 'w2 null', 'w3 null'])
    expect(locked([0, 0])).toEqual(['w0 null'])
  })

  it('for several people is of a circle when one of them is in it', () => {
    const ring = teamOf(2)
    const { story, members } = ring
    const [a, b] = [must(members[0], 'a'), must(members[1], 'b')]
    asks(ring, BEN)
    asks({ ...ring, members: [b] }, a)
    const request = must(requestOf(story, 'answer'), 'request')
    const both = { ...request, asked: [BEN, b] }
    const world = { ...story.world, requests: { [request.task]: { [request.id]: both } } }
    expect(selectWaits(world).edges.map(({ circle }) => circle !== null)).toEqual([true, true])
    expect(selectWaits(story.world).edges.map(({ circle }) => circle)).toEqual([null, null])
  })
})

describe('a circle of waits', () => {
  const { story } = ringOf(3)
  const { world } = story
  const edges = [...selectWaits(world).edges].sort((a, b) => a.lock.at - b.lock.at || (a.lock.id < b.lock.id ? -1 : 1))
  const newest = must(edges.at(-1), 'edge')
  const reply = must(selectReply(world, must(newest.on[0], 'receiver'), newest.lock.id), 'reply')
  /** The same before it was opened. */
  const shut = (change: Partial<StepRecord> = {}): World => {
    const { bypassesLock: _, ...asItWas } = reply
    const own = must(world.steps[reply.task]?.[reply.agent], 'steps')
    const before = { ...own, [reply.id]: { ...asItWas, ...change } }
    const steps = { ...world.steps[reply.task], [reply.agent]: before }
    return { ...world, steps: { ...world.steps, [reply.task]: steps } }
  }
  const openedBy = (now: World) => selectCircleReplies(now).map((one) => one.reply.id)

  it('opens by the reply to its newest wait, once', () => {
    // The decision that made the circle has opened it.
    expect([reply.bypassesLock, openedBy(world)]).toEqual([true, []])
    expect(openedBy(shut())).toEqual([reply.id])
    expect(openedBy(shut({ bypassesLock: true }))).toEqual([])
    expect(openedBy(shut({ state: 'running' }))).toEqual([])
  })

  it('is none where nobody waits in a circle, and opens by nothing where its newest wait has no reply', () => {
    expect(openedBy(waitsFor('second').world)).toEqual([])
    const work = must(world.work[reply.agent], 'work')
    const todo = work.todo.filter(({ step }) => step !== reply.id)
    const without = { ...shut(), work: { ...world.work, [reply.agent]: { ...work, todo } } }
    expect(openedBy(without)).not.toContain(reply.id)
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
    const other = asId<StageId>('other')
    expect(selectHeldUp(world, { agent, lock: { ...lock, stage: other } }).stages).toEqual([
      { task: lock.task, stage: other },
      { task: lock.task, stage: lock.stage },
    ])
  })

  it('names the stage for which another agent waits, though it has nothing left to do there', () => {
    const ring = teamOf(2)
    const { story, members } = ring
    const [a, b] = [must(members[0], 'a'), must(members[1], 'b')]
    asks(ring, BEN)
    asks({ ...ring, members: [b] }, a)
    const work = must(story.world.work[b], 'work')
    const of = (stage: StageId | null) => {
      const locks = work.locks.map((lock) => ({ ...lock, stage }))
      const idle: World['work'] = { ...story.world.work, [b]: { ...work, todo: [], locks } }
      const { agents, stages } = selectHeldUp(
        { ...story.world, work: { ...idle, [a]: { ...must(idle[a], 'work'), todo: [] } } },
        { agent: a, lock: { task: ring.task, stage: null } },
      )
      return [agents, stages]
    }
    const stage = asId<StageId>('theirs')
    expect(of(stage)).toEqual([[b], [{ task: ring.task, stage }]])
    expect(of(null)).toEqual([[b], []])
  })

  it('is nothing of those who wait for somebody else', () => {
    const { world } = waitsFor(BEN)
    const { lock } = must(selectWaits(world).edges[0], 'edge')
    expect(selectHeldUp(world, { agent: MANAGER, lock: { ...lock, stage: null } })).toEqual({ agents: [], stages: [] })
    expect(selectHeldUp(world, { agent: LEE, lock: { ...lock, stage: null } }).agents).toEqual([])
  })
})
