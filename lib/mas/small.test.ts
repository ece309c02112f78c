/** What falls due, which tries have no end, what wakes with a conversation, who else has a message, keys of memory. */

import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { having, like, only, sampleWorld } from '@/test/sampleWorld'
import { selectRestoredPiece } from './archive/restoredPiece'
import { selectDue } from './asks/due'
import { type OutcomeSources, outcomeFor, recipientsOf } from './asks/outcomes'
import { selectUnfinishedAttempts } from './asks/unfinishedAttempts'
import { event } from './events'
import { type AttemptId, asId, type MessageId, type RequestId, type StepId } from './ids'
import { dayAfter, dayOf } from './limits/limits'
import { MESSAGE_TYPES, needsReply, typeOfNeeds } from './messages/records'
import { findCheckpoint, selectCheckpointsOf } from './outside/outside'
import type { World } from './records'
import { memoryKey } from './team/memory'

const { task, agent } = sampleShapeOf('step.added')
const { message } = sampleShapeOf('message.sent')
const { request, seed } = sampleShapeOf('request.opened')
const person = only(seed.asked)
const { to, handOver } = sampleShapeOf('request.transferOffered')
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
    const asked = (who: typeof person) => {
      const id = asId<RequestId>(`asked ${who}`)
      const asks = [{ request: id, person: who, message: asId<MessageId>('said') }]
      return [like('message.asked', { asks }), like('request.answered', { request: id })]
    }
    expect(due(having(open, ...asked(person)))).toEqual([[7_000, 'expireWait']])
    expect(due(having(open, ...asked(person), ...asked(to)))).toEqual([])
    expect(due({ ...open, deliveries: {} })).toEqual([])
  })

  it('is the one who wants to be asked again, about a request that is open or a message', () => {
    const ofRequest = event('reminder.set', { task, request, agent: person, until: 8_000 })
    expect(due(having(base, ofRequest))).toEqual([[8_000, 'remindDue']])
    expect(due(having(base, ofRequest, like('request.ended', { state: 'superseded' })))).toEqual([])
    const calm = like('request.opened', { request: asId<RequestId>('calm'), seed })
    expect(due(having(base, calm))).toEqual([])
    expect(due(having(base, like('reminder.set', { until: 9_000 })))).toEqual([[9_000, 'remindDue']])
    expect(due(having(base, like('reminder.set', { until: 9_000 }), like('reminder.set', { until: null })))).toEqual([])
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
  it('are those that began, each with all that it was about', () => {
    const { attempt } = sampleShapeOf('notice.attempted')
    const second = asId<RequestId>('second')
    const tried = having(
      base,
      like('request.opened', { request: second }),
      like('notice.attempted'),
      like('notice.attempted', { request: second }),
      like('notice.attempted', { attempt: { ...attempt, id: asId<AttemptId>('sent'), outcome: 'sent' } }),
    )
    expect(selectUnfinishedAttempts(base)).toEqual([])
    expect(selectUnfinishedAttempts(tried)).toMatchObject([
      { attempt: { id: attempt.id }, items: [{ request }, { request: second }] },
    ])
    const ended = having(tried, like('notice.attemptEnded'), like('notice.attemptEnded', { request: second }))
    expect(selectUnfinishedAttempts(ended)).toEqual([])
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

describe('[R576] what became of a message', () => {
  const third = asId<typeof person>('third')
  const ask = like('message.asked', { asks: [{ request, person, message }] })
  const asked = having(
    having(sampleWorld, like('records.evicted', { steps: {}, messages: [], requests: [request] })),
    ask,
  )
  const sources = (world: World): OutcomeSources => ({
    deliveries: world.deliveries[task] ?? {},
    requests: world.requests[task] ?? {},
  })
  const of = (world: World, who = person) => outcomeFor(sources(world), { id: message, receivers: [person] }, who)
  const answer = { by: person, for: null, decision: 'done', text: '', arguments: null } as const

  it('is its delivery while nothing was done with it, and then the end of its request', () => {
    expect(of(asked)).toMatchObject({ state: 'delivered', shownAt: null, settledAt: null, reassigned: null })
    expect(of(having(asked, like('message.delivery')))?.state).toBe('shown')
    expect(of(having(asked, like('request.claimed')))?.state).toBe('acknowledged')
    expect(of(having(asked, like('request.answered', { answer })))).toMatchObject({ state: 'done', by: null })
    expect(of(having(asked, like('request.answered')))?.state).toBe('answered')
    expect(of(having(asked, like('request.ended', { state: 'released' })))).toMatchObject({
      state: 'released',
      note: 'no time',
    })
    expect(of(having(asked, like('request.ended', { state: 'expired' })))?.state).toBe('expired')
    expect(of(having(asked, like('request.ended', { state: 'superseded' })))?.state).toBe('superseded')
    expect(of(asked, third)).toBeNull()
  })

  it('is acknowledged only where it is urgent: of an Action a claim says nothing', () => {
    const action = having(sampleWorld, like('records.evicted', { steps: {}, messages: [], requests: [request] }))
    const claimed = having(action, like('message.sent', { kind: 'action' }), ask, like('request.claimed'))
    expect(of(claimed)).toMatchObject({ state: 'delivered', acknowledgedAt: null })
  })

  it('is the same for those who have it by an offer, and says from whom it came and who has it now', () => {
    const offered = having(asked, like('request.transferOffered'))
    expect([of(offered)?.transferredTo, of(offered, to)?.reassigned]).toEqual([
      null,
      { from: person, by: 'handOver', at: expect.any(Number) },
    ])
    const handed = having(offered, like('request.transferSettled'))
    expect([of(handed)?.transferredTo, of(handed, to)?.reassigned?.from]).toEqual([to, person])
    const done = having(handed, like('request.answered', { answer: { ...answer, by: to } }))
    expect([of(done)?.state, of(done)?.by, of(done, to)?.state, of(done, to)?.by]).toEqual(['done', to, 'done', null])
    expect(of(having(offered, like('request.transferSettled', { accepted: false, handOver })), to)).toBeNull()
    const escalated = having(asked, like('request.escalated', { to: third }))
    expect(of(escalated, third)?.reassigned).toMatchObject({ from: person, by: 'escalation' })
  })

  it('is told for those to whom it was sent, then for those who have it besides, each once', () => {
    const rows = (world: World) => recipientsOf(sources(world), { id: message, receivers: [person] })
    const names = (world: World) => rows(world).map(({ receiver, outcome }) => [receiver, outcome?.state ?? null])
    expect(names(asked)).toEqual([[person, 'delivered']])
    expect(names(having(asked, like('request.escalated', { to })))).toEqual([
      [person, 'delivered'],
      [to, 'delivered'],
    ])
    expect(recipientsOf({ deliveries: {}, requests: {} }, { id: message, receivers: [person] })).toEqual([
      { receiver: person, outcome: null },
    ])
    // What has a card says by it who has it.
    expect(rows(having(sampleWorld, like('request.escalated', { to })))).toHaveLength(1)
  })

  it('is that of their own request for one who is asked by another one too, whichever came first', () => {
    const second = asId<RequestId>('of the second')
    const own = like('message.asked', { asks: [{ request: second, person: to, message }] })
    const bare = having(sampleWorld, like('records.evicted', { steps: {}, messages: [], requests: [request] }))
    for (const opened of [
      [ask, own],
      [own, ask],
    ]) {
      const settled = [
        like('request.transferOffered'),
        like('request.transferSettled'),
        like('request.answered', { answer }),
      ]
      const both = sources(having(bare, ...opened, ...settled))
      const outcome = outcomeFor(both, { id: message, receivers: [person, to] }, to)
      expect([outcome?.request?.id, outcome?.state]).toEqual([second, 'delivered'])
    }
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
