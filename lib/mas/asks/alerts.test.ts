/** What calls for a person: what rings, what was left, what is open; since when, with which tries, and who has it already. */
import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { apply, having, like, only, sampleWorld } from '@/test/sampleWorld'
import { type AgentId, type AttemptId, asId, type RequestId, type TaskId } from '../ids'
import type { World } from '../records'
import { findAlert, findMissedAlert, selectAlerts, selectPeople } from './alerts'

const { task, agent } = sampleShapeOf('step.added')
const { request, seed } = sampleShapeOf('request.opened')
const person = only(seed.asked)
const { to } = sampleShapeOf('request.transferOffered')
const { config } = sampleShapeOf('agent.created')
const human = (id: AgentId, change: object = {}) =>
  like('agent.created', { agent: id, config: { ...config, id, kind: 'human', access: 'participant', ...change } })
const base = having(sampleWorld, human(person), human(to))
const calls = (world: World, who: AgentId = person) => {
  const all = selectAlerts(world)
  const of = <Kind extends 'rings' | 'open'>(kind: Kind) => all[kind].filter((call) => call.person === who)
  return { rings: of('rings'), open: of('open'), left: all.left.filter((one) => one.person === who) }
}
const counts = (world: World, who: AgentId = person) => {
  const { rings, open, left } = calls(world, who)
  return [rings.length, open.length, left.length]
}

describe('people', () => {
  it('are those who are there and may sign in', () => {
    expect(selectPeople(base.agents).map(({ id }) => id)).toEqual([person, to])
    const none = having(base, human(person, { access: 'none' }), like('agent.removed', { agent: to }))
    expect(selectPeople(none.agents)).toEqual([])
  })
})

describe('a request', () => {
  it('rings, is left, is open, or is over', () => {
    expect(calls(base)).toMatchObject({ rings: [{ request, sender: agent }], open: [], left: [] })
    expect(counts(base, to)).toEqual([0, 0, 0])
    expect(counts(apply(base, like('request.claimed')))).toEqual([0, 0, 1])
    expect(counts(apply(base, like('request.answered')))).toEqual([0, 0, 0])
    const calm = like('request.opened', {
      request: asId<RequestId>('calm'),
      seed: { ...seed, type: 'action', message: null },
    })
    expect(counts(apply(base, calm))).toEqual([1, 1, 0])
    expect(calls(apply(base, calm)).open[0]?.request).toBe('calm')
    const theirs = like('request.opened', {
      request: asId<RequestId>('theirs'),
      seed: { ...seed, asked: [to], type: 'action', message: null },
    })
    const both = having(base, theirs)
    expect(counts({ ...both, deliveries: {} }, to)).toEqual([0, 1, 0])
  })

  it('asks those who were asked besides, from then on', () => {
    const escalated = apply(base, like('request.escalated'), 5_000)
    expect(calls(escalated).rings[0]?.since).toBe(1_000)
    expect(calls(escalated, to).rings[0]).toMatchObject({ since: 5_000, request })
    const offered = apply(base, like('request.transferOffered'), 6_000)
    expect([calls(offered).rings[0]?.since, calls(offered, to).rings[0]?.since]).toEqual([1_000, 6_000])
    expect(calls(offered, to).rings[0]?.known).toEqual([agent, person, to])
    const handed = apply(offered, like('request.transferSettled'))
    expect([counts(handed), counts(handed, to)]).toEqual([
      [0, 0, 0],
      [1, 0, 0],
    ])
    expect(calls(handed, to).rings[0]?.known).toEqual([agent, to, person])
  })

  it('rings again in a round of its own; tries before that do not count', () => {
    const tried = apply(base, like('notice.attempted'), 2_000)
    expect(calls(tried).rings[0]?.attempts).toHaveLength(1)
    const raised = apply(
      apply(tried, like('request.claimed'), 2_500),
      like('request.reopened', { because: 'raised' }),
      8_000,
    )
    expect(calls(raised).rings[0]).toMatchObject({ since: 8_000, attempts: [] })
    const again = like('notice.attempted', {
      attempt: { ...sampleShapeOf('notice.attempted').attempt, id: asId<AttemptId>('now') },
    })
    expect(calls(apply(raised, again, 8_000)).rings[0]?.attempts.map(({ id }) => id)).toEqual(['now'])
  })

  it('was left when it was acknowledged', () => {
    const left = apply(base, like('request.claimed'), 3_000)
    expect(calls(left).left).toEqual([{ task, person, request, since: 3_000 }])
    expect(findMissedAlert(left, { task, person, request })?.since).toBe(3_000)
    expect(findMissedAlert(left, { task, person: to, request })).toBeNull()
  })

  it('says until when its person put it off', () => {
    expect(calls(having(base, like('reminder.set', { request, until: 9 }))).rings[0]?.snoozedUntil).toBe(9)
    expect(calls(base).rings[0]?.snoozedUntil).toBeNull()
  })
})

describe('looking up', () => {
  it('is by the person, the task and the request', () => {
    expect(findAlert(base, 'rings', { task, person, request })?.request).toBe(request)
    expect(findAlert(base, 'open', { task, person, request })).toBeNull()
    expect(findAlert(base, 'rings', { task, person: to, request })).toBeNull()
    expect(findAlert(base, 'rings', { task: asId<TaskId>('elsewhere'), person, request })).toBeNull()
  })
})
