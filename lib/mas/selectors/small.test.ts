/** What falls due, which tries have no end, what wakes with a conversation, who else has a message, keys of memory. */

import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { having, like, only, sampleWorld } from '@/test/sampleWorld'
import { type AttemptId, asId, type MessageId, type RequestId, type StepId } from '../ids'
import type { World } from '../records'
import { MESSAGE_TYPES, needsReply, typeOfNeeds } from '../records/messages'
import { dayAfter, dayOf } from './agents/limits'
import { memoryKey } from './agents/memory'
import { selectRestoredPiece } from './archive/restoredPiece'
import { findCheckpoint, selectCheckpointsOf } from './outside/outside'
import { selectDue } from './requests/due'
import { holdersOf, isHandedOn, linkedTo } from './requests/recipients'
import { selectUnfinishedAttempts } from './requests/unfinishedAttempts'

const { task, agent } = sampleShapeOf('step.added')
const { message } = sampleShapeOf('message.sent')
const { request, seed } = sampleShapeOf('request.opened')
const person = only(seed.asked)
const { to } = sampleShapeOf('message.offered')
const { config } = sampleShapeOf('agent.created')
const base = having(
  sampleWorld,
  like('agent.created', { agent: person, config: { ...config, id: person, kind: 'human' } }),
)

describe('what falls due', () => {
  const due = (world: World) => selectDue(world).map(({ at, command }) => [at, command.type])
  const said = like('message.sent', { message: asId<MessageId>('said'), due: 7_000, receivers: [person, to] })

  it('is a message with a time until all who have it are done', () => {
    expect(due(base)).toEqual([])
    const open = having(base, said)
    expect(due(open)).toEqual([[7_000, 'expireWait']])
    const ends = (who: typeof person) =>
      like('message.delivery', { message: asId<MessageId>('said'), agent: who, state: 'answered' })
    expect(due(having(open, ends(person)))).toEqual([[7_000, 'expireWait']])
    expect(due(having(open, ends(person), ends(to)))).toEqual([])
    expect(due({ ...open, deliveries: {} })).toEqual([])
  })

  it('is the one who wants to be asked again, about a request that is open or a message', () => {
    expect(due(having(base, like('request.snoozed', { until: 8_000 })))).toEqual([[8_000, 'remindDue']])
    expect(due(having(base, like('request.snoozed', { until: 8_000 }), like('request.superseded')))).toEqual([])
    const calm = like('request.opened', { request: asId<RequestId>('calm'), seed })
    expect(due(having(base, calm))).toEqual([])
    expect(due(having(base, like('message.snoozed', { until: 9_000 })))).toEqual([[9_000, 'remindDue']])
    expect(
      due(having(base, like('message.snoozed', { until: 9_000 }), like('message.snoozed', { until: null }))),
    ).toEqual([])
  })
})

describe('what comes by the calendar', () => {
  const asks = (next: number | null): World => having(base, like('schedule.saved', { next }))
  it('is each schedule at its next time, where it has one', () => {
    const { schedule } = sampleShapeOf('schedule.saved')
    expect(selectDue(asks(12_000))).toEqual([{ at: 12_000, command: { type: 'askScheduled', schedule, due: 12_000 } }])
    expect(selectDue(asks(null))).toEqual([])
  })

  it('is the end of a day whose limit is reached, and of no other day', () => {
    const { of: _, ...stop } = { ...sampleShapeOf('budget.reached') }
    const world = asks(null)
    const reached = having(
      { ...world, baseTask: stop.task },
      like('budget.reached', { key: 'day', limit: 'dayCost', of: null }),
    )
    const day = dayOf(reached.at)
    expect(selectDue(reached)).toEqual([{ at: dayAfter(day), command: { type: 'beginDay', day } }])
    expect(selectDue({ ...reached, budgets: {} })).toEqual([])
  })
})

describe('tries without an end', () => {
  it('are those that began, to people, each with all that it was about', () => {
    const { attempt } = sampleShapeOf('notice.attempted')
    const tried = having(
      base,
      like('notice.attempted'),
      like('notice.attempted', { about: { request } }),
      like('notice.attempted', { attempt: { ...attempt, id: asId<AttemptId>('sent'), outcome: 'sent' } }),
    )
    expect(selectUnfinishedAttempts(base)).toEqual([])
    expect(selectUnfinishedAttempts(tried)).toMatchObject([
      { attempt: { id: attempt.id }, items: [{ about: { request } }, { about: { message, receiver: person } }] },
    ])
    const ended = having(tried, like('notice.attemptEnded'), like('notice.attemptEnded', { about: { request } }))
    expect(selectUnfinishedAttempts(ended)).toEqual([])
    const machine = having(sampleWorld, like('agent.created', { agent: person }), like('notice.attempted'))
    expect(selectUnfinishedAttempts(machine)).toEqual([])
  })
})

describe('checkpoints', () => {
  it('are found by their id, and gathered by their agents', () => {
    const other = asId<typeof agent>('other')
    const world = having(
      base,
      like('checkpoint.reported', { agent, checkpoint: 'one' }),
      like('checkpoint.reported', { agent: other, checkpoint: 'two' }),
    )
    expect([findCheckpoint(world, 'one')?.agent, findCheckpoint(world, 'two')?.agent]).toEqual([agent, other])
    expect(findCheckpoint(world, 'three')).toBeNull()
    expect(selectCheckpointsOf(world, [other, person]).map(({ id }) => id)).toEqual(['two'])
  })
})

describe('what wakes with a conversation', () => {
  const { piece } = sampleShapeOf('task.woken')
  const ids = (from: Record<string, unknown> | undefined) => Object.keys(from ?? {})
  const messages = (n: number, text: string) =>
    Object.fromEntries(
      Array.from({ length: n }, (_, index) => {
        const id = asId<MessageId>(`m${index}`)
        const [record] = Object.values(
          having(base, like('message.sent', { message: id, text })).messages[task] ?? {},
        ).slice(-1)
        return [id, { ...record, seq: index }] as const
      }),
    ) as World['messages'][typeof task]

  it('is the newest messages and steps with the deliveries of those, and what the task counts', () => {
    const all = messages(102, 'short')
    const deliveries = {
      [person]: {
        ...base.deliveries[task]?.[person],
        [asId<MessageId>('m101')]: only(base.deliveries[task]?.[person]),
      },
    }
    const woken = selectRestoredPiece(task, { ...piece, messages: all, deliveries, steps: base.steps[task] })
    expect([ids(woken.messages).length, ids(woken.messages)[0], ids(woken.messages).at(-1)]).toEqual([
      100,
      'm2',
      'm101',
    ])
    expect(ids(woken.deliveries?.[person])).toEqual(['m101'])
    expect(woken.tasks?.id).toBe(task)
    for (const branch of ['stages', 'requestCounts', 'stepCounts', 'budgets'] as const)
      expect(branch in woken).toBe(false)
    const more = {
      stages: base.stages[task],
      requestCounts: 3,
      budgets: { tokens: 1, costUsd: 0, talk: 0, allowed: {}, stops: null, warned: [] },
    }
    expect(selectRestoredPiece(task, { tasks: piece.tasks, ...more })).toMatchObject(more)
    expect(selectRestoredPiece(task, {}).tasks).toBeUndefined()
  })

  it('is as much as an entry holds, and at least the newest of each', () => {
    expect(ids(selectRestoredPiece(task, { messages: messages(5, 'x'.repeat(100_000)) }).messages)).toEqual([
      'm3',
      'm4',
    ])
    expect(ids(selectRestoredPiece(task, { messages: messages(2, 'x'.repeat(300_000)) }).messages)).toEqual(['m1'])
  })

  it('has sixty steps at most', () => {
    const steps = having(
      base,
      ...Array.from({ length: 70 }, (_, n) => like('step.added', { step: asId<StepId>(`s${n}`) })),
    )
    const woken = ids(selectRestoredPiece(task, { steps: steps.steps[task] }).steps?.[agent])
    expect([woken.length, woken[0], woken.at(-1)]).toEqual([60, 's10', 's69'])
  })
})

describe('those who have a message besides', () => {
  const third = asId<typeof person>('third')
  const offered = having(base, like('message.offered'), like('message.handed'))
  const linked = (world: World, who: typeof person) =>
    linkedTo(world.deliveries[task] ?? {}, message, who).map(({ receiver }) => receiver)

  it('are those who took it over, and those after them, each way', () => {
    expect([linked(offered, person), linked(offered, to)]).toEqual([[to], [person]])
    const on = having(offered, like('message.escalated', { agent: to, to: third }))
    expect([linked(on, person), linked(on, to), linked(on, third)]).toEqual([
      [to, third],
      [person, third],
      [person, to],
    ])
  })

  it('are none of those who were sent it on their own', () => {
    const both = having(
      sampleWorld,
      like('message.sent', { message: asId<MessageId>('both'), receivers: [person, third] }),
    )
    expect(linkedTo(both.deliveries[task] ?? {}, asId<MessageId>('both'), person)).toEqual([])
  })

  it('are found by either side alone of a transfer', () => {
    const delivery = only(offered.deliveries[task]?.[person])
    const { passed: _, handedTo: __, ...own } = { ...delivery, receiver: person }
    const others = (one: object, two: object) =>
      linkedTo(
        { [person]: { [message]: { ...own, ...one } }, [to]: { [message]: { ...own, receiver: to, ...two } } },
        message,
        person,
      ).map(({ receiver }) => receiver)
    expect(others({}, {})).toEqual([])
    expect(others({ handedTo: to }, {})).toEqual([to])
    expect(others({}, { handedTo: person })).toEqual([to])
    expect(others({ handedTo: third }, {})).toEqual([])
  })

  it('follow those to whom the message was sent, each once', () => {
    const holders = (world: World) =>
      holdersOf(world.deliveries[task] ?? {}, only(world.messages[task])).map(({ receiver, delivery }) => [
        receiver,
        delivery?.receiver ?? null,
      ])
    expect(holders(base)).toEqual([[person, person]])
    expect(holders(having(base, like('message.escalated', { agent: person, to })))).toEqual([
      [person, person],
      [to, to],
    ])
    expect(holdersOf({}, { id: message, receivers: [person] })).toEqual([{ receiver: person, delivery: null }])
    const both = asId<MessageId>('both')
    const sent = having(base, like('message.sent', { message: both, receivers: [person, to] }))
    const passed = having(sent, like('message.escalated', { message: both, agent: person, to }))
    expect(holdersOf(passed.deliveries[task] ?? {}, { id: both, receivers: [person, to] })).toHaveLength(2)
    expect(holdersOf(sent.deliveries[task] ?? {}, { id: both, receivers: [person] })).toHaveLength(1)
  })

  it('have it instead of somebody, until it is offered back', () => {
    const delivery = offered.deliveries[task]?.[person]?.[message]
    if (!delivery) throw new Error('there is no delivery')
    expect(isHandedOn(delivery)).toBe(true)
    expect(isHandedOn({ ...delivery, handedTo: null })).toBe(false)
    const { handOver, sentence } = sampleShapeOf('message.offered')
    const back = { id: handOver, from: to, to: person, sentence, at: 1, wasAsked: false }
    expect(isHandedOn({ ...delivery, handing: back })).toBe(false)
    expect(isHandedOn({ ...delivery, handing: { ...back, to } })).toBe(true)
  })
})

it('[R416] the type of a message is that of its two flags', () => {
  expect(typeOfNeeds({ needReply: true, waiting: true })).toBe('urgent')
  expect(typeOfNeeds({ needReply: false, waiting: true })).toBe('urgent')
  expect(typeOfNeeds({ needReply: true, waiting: false })).toBe('action')
  expect(typeOfNeeds({ needReply: false, waiting: false })).toBe('fyi')
  expect(MESSAGE_TYPES.filter(needsReply)).toEqual(['action', 'urgent'])
})

describe('the key of a note', () => {
  it('is the second by UTC, with a number where there are several of one second', () => {
    const at = Date.UTC(2026, 0, 9, 3, 4, 5)
    const note = (key: string) => ({ key, text: '', task, at, seq: 1 })
    expect(memoryKey(at, [])).toBe('20260109T030405')
    expect(memoryKey(at, [note('20260109T030405')])).toBe('20260109T030405_2')
    expect(memoryKey(at, ['20260109T030405', '20260109T030405_2'].map(note))).toBe('20260109T030405_3')
    expect(memoryKey(at + 1_000, [note('20260109T030405')])).toBe('20260109T030406')
  })
})
