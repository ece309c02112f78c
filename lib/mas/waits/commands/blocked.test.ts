/** Circles and dead ends: opened where a reply can, else Blocked and told in the very decision, and freed by one command. */
import { describe, expect, it } from 'vitest'
import { ANA, BEN, LEE, must, says, stepNow } from '@/test/stories'
import { asks, edgeOf, edgesOf, lockOf, type Ring, ringOf, teamOf, toldOf } from '@/test/waitStories'
import { outcomeOf, planned, TEAM, teamConfig } from '@/test/worldHistories'
import { bodyOf } from '../../bodies'
import type { AgentId } from '../../ids'
import { selectNextStep } from '../../members'
import type { DeadEndReason } from '../../members/member'
import type { AgentConfig } from '../../records'
import { selectStep } from '../../team/agents'

/** Nobody in it can reply: all of them are paused. */
const pauseAll = ({ story, members }: Ring): void => {
  for (const agent of members) story.put(ANA, { type: 'pauseAgent', agent, reason: 'hold it' })
}
const at = (members: readonly AgentId[], n: number): AgentId => must(members[n], 'member')
const release = (ring: Ring, agent = ring.members[0], by: AgentId = ANA) =>
  ring.story.put(by, {
    type: 'releaseWait',
    agent: must(agent, 'member'),
    waiting: lockOf(ring, agent).id,
    reason: 'it is late',
  })

describe('a circle', () => {
  it.each([2, 3, 10])('[R25] of %i that cannot move is Blocked and told in the decision that closes it', (count) => {
    const ring = ringOf(count, pauseAll)
    const edges = edgesOf(ring)
    expect(edges).toHaveLength(count)
    expect(new Set(edges.map(({ circle }) => circle)).size).toBe(1)
    expect(edges.every((edge) => edge.state === 'circle' && edge.isBlocked)).toBe(true)
    const told = ring.story.entries.filter(
      ({ event }) => event.type === 'message.sent' && event.dispatch.startsWith('blocked:circle:'),
    )
    const closing = ring.story.entries.filter(({ event }) => event.type === 'lock.added').at(-1)
    expect(told).toHaveLength(1)
    expect(told[0]?.cause).toBe(closing?.cause)
    expect(toldOf(ring).some((text) => text.includes('in a circle'))).toBe(true)
  })

  it.each([2, 3, 10])('[R25] of %i is no circle any more when an operator released one of its waits', (count) => {
    const ring = ringOf(count, pauseAll)
    expect(release(ring)).not.toBeNull()
    expect(edgesOf(ring)).toHaveLength(count - 1)
    expect(edgesOf(ring).some((edge) => edge.state === 'circle')).toBe(false)
    expect(toldOf(ring).some((text) => text.includes('in a circle'))).toBe(false)
  })

  it.each([2, 3, 10])('[R26] of %i opens by itself: its replies run although their agents are locked', (count) => {
    const ring = ringOf(count)
    const { story, members } = ring
    expect(edgesOf(ring).every((edge) => edge.state === 'circle' && !edge.isBlocked)).toBe(true)
    expect(toldOf(ring)).toEqual([])
    const replied: (AgentId | undefined)[] = []
    for (let n = 0; n < 5 * count && edgesOf(ring).length > 0; n++) {
      const movers = members.filter((id) => selectNextStep(story.world, id) !== null)
      const step = story.run(must(movers[0], 'mover'), () => says([], { waiting: false, need_reply: false }))
      if (step?.answers) replied.push(step.agent)
      else expect(step?.executor, 'what comes back is taken in, and nothing else').toBe('process_message')
    }
    expect(replied).toHaveLength(count)
    expect(edgesOf(ring)).toEqual([])
  })

  it('[R26] the first reply of a circle goes to the one who closed it, and the others stand still meanwhile', () => {
    const { story, members } = ringOf(3)
    expect(members.map((id) => selectNextStep(story.world, id)?.answers?.to ?? null)).toEqual([members[2], null, null])
  })

  it('[R26] a reply that must look something up first does so, and waits for whom it asks on the way', () => {
    const ring = ringOf(2)
    const { story, members } = ring
    const [first, second] = [must(members[0], 'first'), must(members[1], 'second')]
    story.run(first, () =>
      outcomeOf({
        result: { kind: 'text', text: 'I need to know more', body: null, made: { again: true } },
        steps: {
          add: [],
          insert: [
            { step_intention: 'find out', type: 'skill', executor: 'decision', text_content: 'ask Ben' },
            { step_intention: 'reply', type: 'skill', executor: 'send_message', text_content: 'reply' },
          ],
        },
      }),
    )
    story.run(first, () => outcomeOf({ steps: { add: [], insert: [planned('send_message')] } }))
    const looking = must(story.start(first), 'step on the way to the reply')
    expect(looking).toMatchObject({ executor: 'send_message', answers: null })
    story.finish(looking, says([BEN]))
    expect(selectNextStep(story.world, first), 'while Ben has not answered').toBeNull()
    expect(selectNextStep(story.world, second), 'who is to be answered').toBeNull()
    const request = must(
      story.openRequests().find((one) => one.kind === 'answer'),
      'request',
    )
    story.put(BEN, {
      type: 'answerRequest',
      request: request.id,
      decision: 'answer',
      text: 'that one',
      arguments: null,
      digest: null,
    })
    const replied = story.run(first, () => says([], { waiting: false, need_reply: false }))
    expect(replied?.answers?.to).toBe(second)
    expect(edgesOf(ring)).toHaveLength(1)
  })

  it('[R26] what stands for a reply ends when it ends without one: the asker gets its id back, and hears why', () => {
    const ring = ringOf(2)
    const { story, members } = ring
    const first = must(members[0], 'first')
    const reply = must(story.start(first), 'reply')
    story.finish(reply, outcomeOf({}))
    expect(edgesOf(ring)).toHaveLength(1)
    const heard = Object.values(story.world.messages[ring.task] ?? {}).find(
      (message) => message.sender === 'system:task' && message.returnWaiting === reply.answers?.waiting,
    )
    expect(heard?.text).toContain('failed')
    expect(stepNow(story.world, reply).state).toBe('finished')
  })
})

describe('a wait that nobody can end', () => {
  const cases: [DeadEndReason, (ring: Ring) => void][] = [
    ['paused', ({ story, members }) => story.put(ANA, { type: 'pauseAgent', agent: at(members, 1), reason: 'hold' })],
    ['taskPaused', ({ story, task }) => story.put(ANA, { type: 'pauseTask', task, reason: 'hold' })],
    [
      'noModel',
      ({ story }) => {
        const file = teamConfig()
        const { agents } = story.world
        story.put('system:start', {
          ...file,
          team: { ...file.team, models: ['other'] },
          agents: Object.values(agents).flatMap((one) =>
            one.kind === 'outside' || one.configId === null
              ? []
              : [
                  {
                    ...one,
                    kind: one.kind,
                    configId: one.configId,
                    model: one.id === TEAM.manager.id ? 'other' : 'default',
                  },
                ],
          ),
        })
      },
    ],
  ]

  it.each(cases)('[R25] %s: Blocked and told at once, and freed by one command', (why, happens) => {
    const ring = teamOf(2)
    asks(ring, at(ring.members, 1))
    expect(edgeOf(ring)).toMatchObject({ state: 'waiting', isBlocked: false, why: null })
    happens(ring)
    const cause = ring.story.entries.at(-1)?.cause
    expect(edgeOf(ring)).toMatchObject({ state: 'deadEnd', isBlocked: true, why })
    expect(toldOf(ring)).toHaveLength(1)
    const told = ring.story.entries.find(
      ({ event }) => event.type === 'message.sent' && event.dispatch.startsWith('blocked:'),
    )
    expect(told?.cause).toBe(cause)
    expect(release(ring)).not.toBeNull()
    expect(edgesOf(ring)).toEqual([])
    expect(toldOf(ring)).toEqual([])
  })

  it('[R25] a person who may no longer sign in: gone, and an operator answers for them, with a reason', () => {
    const ring = teamOf(1)
    const { story } = ring
    asks(ring, BEN)
    const event = { type: 'human.accessChanged', v: 1, agent: BEN, access: 'none' } as const
    story.happens(event)
    expect(edgeOf(ring)).toMatchObject({ state: 'gone', isBlocked: true, why: 'noAccess' })
    const request = must(
      story.openRequests().find((one) => one.kind === 'answer'),
      'request',
    )
    const answer = {
      type: 'answerRequest',
      request: request.id,
      decision: 'answer',
      text: 'that one',
      arguments: null,
      digest: null,
    } as const
    expect(story.put(ANA, answer), 'without a reason').toBeNull()
    expect(story.put(ANA, { ...answer, reason: 'Ben has left' })).not.toBeNull()
    expect(edgesOf(ring)).toEqual([])
  })

  it('[R25] a receiver that is removed ends the wait, and the asker hears of it', () => {
    const ring = teamOf(2)
    asks(ring, at(ring.members, 1))
    const remove = [at(ring.members, 1)]
    ring.story.put(ANA, { type: 'changeParticipants', task: ring.task, add: [], remove, reason: 'not needed' })
    expect(edgesOf(ring)).toEqual([])
    const heard = Object.values(ring.story.world.messages[ring.task] ?? {}).filter(
      (message) => message.returnWaiting !== null && message.receivers.includes(at(ring.members, 0)),
    )
    expect(heard).toHaveLength(1)
  })

  it('[R25] a confirmation that nobody can give: one command frees it, and the call does not run', () => {
    const ring = teamOf(1)
    const member = at(ring.members, 0)
    ring.story.run(member, () =>
      outcomeOf({
        steps: { add: [], insert: [{ step_intention: 'write', type: 'tool', executor: 'files', text_content: 'w' }] },
      }),
    )
    const args = bodyOf('{}', 'application/json')
    ring.story.run(member, (step) =>
      outcomeOf({
        instruct: {
          step: must(step.boundTo, 'tool step'),
          instruction: { kind: 'call', target: 'tool', name: 'write', arguments: args.ref },
        },
      }),
    )
    const tool = must(ring.story.start(member), 'tool step')
    ring.story.put(
      'system:runner',
      {
        type: 'holdStep',
        step: tool.id,
        attempt: tool.attempt?.number ?? 0,
        call: { server: 'files', tool: 'write', arguments: args.ref, digest: args.ref.sha, changes: '' },
      },
      [args.body],
    )
    expect(edgeOf(ring)).toMatchObject({ state: 'waiting', on: [BEN, ANA], lock: { kind: 'confirm' } })
    for (const agent of [BEN, ANA]) ring.story.happens({ type: 'human.accessChanged', v: 1, agent, access: 'none' })
    ring.story.happens({ type: 'human.accessChanged', v: 1, agent: LEE, access: 'operator' })
    expect(edgeOf(ring)).toMatchObject({ state: 'gone', isBlocked: true, why: 'noAccess' })
    expect(release(ring, member, LEE)).not.toBeNull()
    expect(edgesOf(ring)).toEqual([])
    expect(selectStep(ring.story.world, ring.task, member, tool.id)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('released by Lee'),
    })
    expect(ring.story.openRequests().filter((one) => one.kind === 'confirm')).toEqual([])
  })

  it('[R25] one cause is told once, however many wait for it', () => {
    const ring = teamOf(3)
    asks(ring, at(ring.members, 2))
    ring.story.run(at(ring.members, 1), () => says([at(ring.members, 2)]))
    ring.story.put(ANA, { type: 'pauseAgent', agent: at(ring.members, 2), reason: 'hold' })
    expect(edgesOf(ring).filter((edge) => edge.isBlocked)).toHaveLength(2)
    expect(toldOf(ring)).toHaveLength(1)
    ring.story.put(ANA, { type: 'resumeAgent', agent: at(ring.members, 2), reason: '' })
    expect(toldOf(ring)).toEqual([])
  })
})

describe('[R25] what the operators are told of a wait', () => {
  const file = teamConfig()
  const configs = (ring: Ring): AgentConfig[] => [
    ...file.agents,
    ...ring.members.map((id) => {
      const { configId, ...agent } = must(ring.story.world.agents[id], 'member')
      const { paused: _, removed: __, createdAt: ___, ...config } = agent
      return { ...config, configId: must(configId, 'name in the file') }
    }),
  ]
  it.each([
    [
      'paused',
      'is paused.',
      (ring: Ring) => ({ type: 'pauseAgent', agent: at(ring.members, 1), reason: 'hold' }) as const,
    ],
    [
      'taskPaused',
      'The task is paused.',
      (ring: Ring) => ({ type: 'pauseTask', task: ring.task, reason: 'hold' }) as const,
    ],
    [
      'noModel',
      'no model',
      (ring: Ring) => ({ ...file, agents: configs(ring), team: { ...file.team, models: ['another'] } }),
    ],
  ] as const)('names why an agent cannot answer: %s', (why, words, command) => {
    const ring = teamOf(2)
    asks(ring, at(ring.members, 1))
    expect(toldOf(ring)).toEqual([])
    ring.story.put(ANA, command(ring))
    if (edgeOf(ring).why === null) ring.story.put('system:start', command(ring))
    expect(edgeOf(ring)).toMatchObject({ why, isBlocked: true })
    expect(toldOf(ring)).toHaveLength(1)
    expect(toldOf(ring)[0]).toContain(words)
  })

  it('names why a person cannot answer, and is taken back when they can again', () => {
    const ring = teamOf(1)
    asks(ring, BEN)
    const withBen = (access: 'none' | 'participant') => ({
      ...file,
      agents: configs(ring).map((config) => (config.id === BEN ? { ...config, access } : config)),
    })
    ring.story.put('system:start', withBen('none'))
    expect(edgeOf(ring)).toMatchObject({ why: 'noAccess', state: 'gone' })
    expect(toldOf(ring)[0]).toContain('Ben')
    const told = Object.values(ring.story.world.messages[ring.task] ?? {}).find(({ dispatch }) =>
      dispatch.startsWith('blocked:'),
    )
    expect(told).toMatchObject({ type: 'action', receivers: [ANA], waiting: null })
    ring.story.put('system:start', withBen('participant'))
    expect(edgeOf(ring).isBlocked).toBe(false)
    expect(toldOf(ring)).toEqual([])
    // What an operator has settled meanwhile stays settled.
    ring.story.put('system:start', withBen('none'))
    const again = Object.values(ring.story.world.messages[ring.task] ?? {}).findLast(({ dispatch }) =>
      dispatch.startsWith('blocked:'),
    )
    if (again === undefined) throw new Error('nobody was told')
    ring.story.put(ANA, { type: 'markDone', message: again.id })
    const { events } = ring.story.put('system:start', withBen('participant')) ?? { events: [] }
    expect(events.filter((one) => one.type === 'message.delivery' && one.message === again.id)).toEqual([])
  })

  it('is nothing where there is no operator', () => {
    const ring = teamOf(2)
    asks(ring, at(ring.members, 1))
    const { story } = ring
    story.put('system:start', {
      ...file,
      agents: configs(ring).map((config) =>
        config.id === ANA ? { ...config, access: 'participant' as const } : config,
      ),
    })
    const before = story.entries.length
    story.happens({ type: 'agent.paused', v: 1, agent: at(ring.members, 1), by: ANA, reason: 'hold' })
    story.put(BEN, { type: 'markShown', messages: [] })
    expect(edgeOf(ring).isBlocked).toBe(true)
    expect(story.entries.slice(before).filter(({ event }) => event.type === 'message.sent')).toEqual([])
  })
})
