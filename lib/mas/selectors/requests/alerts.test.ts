/** What calls for a person: what rings, what was left, what is open; since when, with which tries, and who has it already. */
import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { apply, having, like, only, sampleWorld } from '@/test/sampleWorld'
import type { EventShape } from '../../events'
import { type AgentId, type AttemptId, asId, type MessageId, type RequestId, type TaskId } from '../../ids'
import type { World } from '../../records'
import {
  findAlert,
  findMissedAlert,
  isSameAbout,
  messageAlerts,
  selectAlerts,
  selectPeople,
  selectUnalerted,
} from './alerts'

const { task, agent } = sampleShapeOf('step.added')
const { message } = sampleShapeOf('message.sent')
const { request, seed } = sampleShapeOf('request.opened')
const person = only(seed.asked)
const { to } = sampleShapeOf('message.offered')
const { config } = sampleShapeOf('agent.created')
const human = (id: AgentId, change: object = {}) =>
  like('agent.created', { agent: id, config: { ...config, id, kind: 'human', access: 'participant', ...change } })
const base = having(sampleWorld, human(person), human(to))
/** The same without the request that came with the message. */
const plain = having(base, like('records.evicted', { steps: {}, messages: [], requests: [request] }))
const calls = (world: World, who: AgentId = person) => {
  const all = selectAlerts(world)
  const of = <Kind extends 'rings' | 'open'>(kind: Kind) => all[kind].filter((call) => call.person === who)
  return { rings: of('rings'), open: of('open'), left: all.left.filter((one) => one.person === who) }
}
const counts = (world: World, who: AgentId = person) => {
  const { rings, open, left } = calls(world, who)
  return [rings.length, open.length, left.length]
}
const said = (change: Partial<EventShape<'message.sent'>>) =>
  like('message.sent', { message: asId<MessageId>('said'), ...change })

describe('people', () => {
  it('are those who are there and may sign in', () => {
    expect(selectPeople(base.agents).map(({ id }) => id)).toEqual([person, to])
    const none = having(base, human(person, { access: 'none' }), like('agent.removed', { agent: to }))
    expect(selectPeople(none.agents)).toEqual([])
  })
})

describe('a message that opened no request', () => {
  it('rings while somebody stands still and it was neither acknowledged nor settled', () => {
    const urgent = { type: 'urgent' } as Parameters<typeof messageAlerts>[0]
    const fresh = { state: 'delivered', acknowledgedAt: null } as const
    expect(messageAlerts(urgent, fresh)).toBe(true)
    expect(messageAlerts({ type: 'fyi' }, fresh)).toBe(false)
    expect(messageAlerts({ type: 'action' }, fresh)).toBe(false)
    expect(messageAlerts(urgent, { ...fresh, state: 'answered' })).toBe(false)
    expect(messageAlerts(urgent, { state: 'acknowledged', acknowledgedAt: 5 })).toBe(false)
  })

  it('rings, is left, is open, or calls for nobody', () => {
    expect(counts(plain)).toEqual([1, 0, 0])
    expect(counts(plain, to)).toEqual([0, 0, 0])
    expect(counts(apply(plain, like('message.delivery', { state: 'acknowledged' })))).toEqual([0, 0, 1])
    expect(counts(apply(plain, like('message.delivery', { state: 'answered' })))).toEqual([0, 0, 0])
    expect(counts(apply(plain, said({ kind: 'action', waiting: null })))).toEqual([1, 1, 0])
    expect(counts(apply(plain, said({ kind: 'fyi', waiting: null })))).toEqual([1, 0, 0])
    expect(
      counts(apply(plain, said({ instruction: { type: 'judge_task' } as EventShape<'message.sent'>['instruction'] }))),
    ).toEqual([1, 0, 0])
  })

  it('calls for the one who took it over, and for the first one no more', () => {
    const offered = having(plain, like('message.offered'))
    expect([counts(offered), counts(offered, to)]).toEqual([
      [1, 0, 0],
      [1, 0, 0],
    ])
    const handed = having(offered, like('message.handed'))
    expect([counts(handed), counts(handed, to)]).toEqual([
      [0, 0, 0],
      [1, 0, 0],
    ])
    expect(selectUnalerted(handed, person)).toEqual([])
    expect(selectUnalerted(handed, to)).toHaveLength(1)
  })

  it('begins its round when it came, was offered or raised; tries before that do not count', () => {
    const since = (world: World, who = person) => calls(world, who).rings[0]?.since
    expect(since(plain)).toBe(1_000)
    const offered = apply(plain, like('message.offered'), 4_000)
    expect([since(offered), since(offered, to)]).toEqual([1_000, 4_000])
    const tried = apply(plain, like('notice.attempted'), 2_000)
    expect(calls(tried).rings[0]?.attempts).toHaveLength(1)
    const raised = apply(
      apply(tried, like('message.delivery', { state: 'acknowledged' }), 2_500),
      like('message.raised'),
      3_000,
    )
    expect(since(raised)).toBe(3_000)
    expect(calls(raised).rings[0]?.attempts).toEqual([])
    const same = apply(
      raised,
      like('notice.attempted', {
        attempt: { ...sampleShapeOf('notice.attempted').attempt, id: asId<AttemptId>('now') },
      }),
      3_000,
    )
    expect(calls(same).rings[0]?.attempts.map(({ id }) => id)).toEqual(['now'])
    expect(calls(apply(plain, like('message.snoozed'))).rings[0]?.snoozedUntil).toBe(900_000)
    expect(calls(plain).rings[0]?.known).toEqual([agent, person])
  })

  it('was left when it was acknowledged', () => {
    const left = apply(plain, like('message.delivery', { state: 'acknowledged' }), 7_000)
    expect(calls(left).left).toEqual([{ task, person, about: { message, receiver: person }, since: 7_000 }])
    expect(findMissedAlert(left, { task, person, about: { message, receiver: person } })?.since).toBe(7_000)
    expect(findMissedAlert(left, { task, person: to, about: { message, receiver: person } })).toBeNull()
  })
})

describe('a request', () => {
  it('stands for its message: rings, is left, is open, or is over', () => {
    expect(calls(base)).toMatchObject({
      rings: [{ request, about: { message, receiver: person } }],
      open: [],
      left: [],
    })
    expect(counts(base, to)).toEqual([0, 0, 0])
    expect(counts(apply(base, like('request.claimed')))).toEqual([0, 0, 1])
    expect(counts(apply(base, like('message.delivery', { state: 'acknowledged' })))).toEqual([0, 0, 1])
    // It is over, and its message asks for nothing by itself.
    expect(counts(apply(base, like('request.answered')))).toEqual([0, 0, 0])
    const calm = like('request.opened', {
      request: asId<RequestId>('calm'),
      seed: { ...seed, urgent: false, message: null },
    })
    expect(counts(apply(base, calm))).toEqual([1, 1, 0])
    expect(calls(apply(base, calm)).open[0]?.about).toEqual({ request: 'calm' })
    const theirs = like('request.opened', {
      request: asId<RequestId>('theirs'),
      seed: { ...seed, asked: [to], urgent: false, message: null },
    })
    const both = having(base, theirs)
    expect(counts({ ...both, deliveries: {} }, to)).toEqual([0, 1, 0])
  })

  it('asks those who were asked besides, from then on', () => {
    const escalated = apply(base, like('request.escalated'), 5_000)
    expect(calls(escalated).rings[0]?.since).toBe(1_000)
    expect(calls(escalated, to).rings[0]).toMatchObject({ since: 5_000, about: { request } })
    const offered = apply(base, like('request.offered'), 6_000)
    expect([calls(offered).rings[0]?.since, calls(offered, to).rings[0]?.since]).toEqual([1_000, 6_000])
    expect(calls(offered, to).rings[0]?.known).toEqual([agent, person, to])
    const handed = apply(offered, like('request.handed'))
    expect([counts(handed), counts(handed, to)]).toEqual([
      [0, 0, 0],
      [1, 0, 0],
    ])
    expect(calls(handed, to).rings[0]?.known).toEqual([agent, to, person])
  })

  it('rings again in a round of its own, from the later of its own and its message', () => {
    const raised = apply(apply(base, like('request.claimed'), 2_000), like('request.raised'), 8_000)
    expect(calls(raised).rings[0]?.since).toBe(8_000)
    const left = apply(
      apply(base, like('message.delivery', { state: 'acknowledged' }), 2_000),
      like('request.claimed'),
      3_000,
    )
    expect(calls(left).left[0]?.since).toBe(3_000)
    const later = having(base, like('message.snoozed', { until: 5 }), like('request.snoozed', { until: 9 }))
    expect(calls(later).rings[0]?.snoozedUntil).toBe(9)
    expect(
      calls(having(base, like('message.snoozed', { until: 12 }), like('request.snoozed', { until: 9 }))).rings[0]
        ?.snoozedUntil,
    ).toBe(12)
    expect(calls(base).rings[0]?.snoozedUntil).toBeNull()
  })

  it('counts the tries about it and about its message', () => {
    const { attempt } = sampleShapeOf('notice.attempted')
    const both = having(
      base,
      like('notice.attempted'),
      like('notice.attempted', { about: { request }, attempt: { ...attempt, id: asId<AttemptId>('second') } }),
    )
    expect(calls(both).rings[0]?.attempts.map(({ id }) => id)).toEqual([attempt.id, 'second'])
  })
})

describe('looking up', () => {
  it('is by the person, the task and the thing', () => {
    const about = { message, receiver: person }
    expect(findAlert(base, 'rings', task, person, about)?.request).toBe(request)
    expect(findAlert(base, 'open', task, person, about)).toBeNull()
    expect(findAlert(base, 'rings', task, to, about)).toBeNull()
    expect(findAlert(base, 'rings', asId<TaskId>('elsewhere'), person, about)).toBeNull()
    expect(isSameAbout(about, { message, receiver: person })).toBe(true)
    expect(isSameAbout(about, { message, receiver: to })).toBe(false)
    expect(isSameAbout(about, { request })).toBe(false)
  })
})
