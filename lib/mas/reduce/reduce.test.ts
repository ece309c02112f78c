/**
 * What an event changes in the records, and that a second, late or foreign one changes nothing: bounds of every list that
 * the world keeps, guards of every record that is over. Which state follows which: transitions.test.ts.
 */
import { describe, expect, it } from 'vitest'
import { sampleOf, sampleShapeOf } from '@/test/samples'
import { apply, having, like, only, sampleWorld } from '@/test/sampleWorld'
import { ATTEMPTS_KEPT } from '../asks/reduceAttempts'
import { bodyOf } from '../bodies'
import { type EventShape, event, type MasEvent } from '../events'
import {
  type AgentId,
  type AttemptId,
  asId,
  type ConversationId,
  type HandOverId,
  type MessageId,
  type RequestId,
  type StageId,
  type StepId,
  type TaskId,
  type WaitingId,
} from '../ids'
import { NOTICES_KEPT } from '../messages/reduce'
import { CHECKPOINTS_KEPT, TAKEN_KEPT } from '../outside/reduce'
import { emptyWorld, type World } from '../records'
import { INFO_LINES_KEPT } from '../steps/sharedInfo'
import { reduceAll } from './reduceAll'

const times = (world: World, n: number, made: (n: number) => MasEvent): World =>
  having(world, ...Array.from({ length: n }, (_, index) => made(index)))

const { task, agent, step } = sampleShapeOf('step.added')
const { message } = sampleShapeOf('message.sent')
const person = only(sampleShapeOf('message.sent').receivers)
const { stage } = sampleShapeOf('stage.added')
const { request } = sampleShapeOf('request.opened')
const other = asId<AgentId>('00000000-0000-4000-8000-0000000000aa')
const third = asId<AgentId>('00000000-0000-4000-8000-0000000000bb')

const base = sampleWorld
const stageOf = (world: World) => only(only(world.stages))
const stepOf = (world: World) => only(only(only(world.steps)))
const requestOf = (world: World) => only(only(world.requests))
const deliveryOf = (world: World, receiver: AgentId = person) => world.deliveries[task]?.[receiver]?.[message]

describe('lists that the world keeps', () => {
  it('hold the newest lines of shared info', () => {
    const line = (n: number) => like('step.finished', { line: { role: 'reader', stage, content: `${n}` } })
    const contents = (world: World) => (world.info[task] ?? []).map(({ content }) => Number(content))
    expect(contents(times(base, INFO_LINES_KEPT, line))).toHaveLength(INFO_LINES_KEPT)
    const full = contents(times(base, INFO_LINES_KEPT + 2, line))
    expect([full.length, full[0], full.at(-1)]).toEqual([INFO_LINES_KEPT, 2, INFO_LINES_KEPT + 1])
  })

  it("hold the newest notices of a person, each once and others' apart", () => {
    const { notice } = sampleShapeOf('notice.given')
    const given = (n: number, to = person) => like('notice.given', { agent: to, notice: { ...notice, id: `n${n}` } })
    const ids = (world: World, to = person) => (world.notices[to] ?? []).map(({ id }) => id)
    const full = times(base, NOTICES_KEPT + 2, given)
    expect([ids(full).length, ids(full)[0], ids(full).at(-1)]).toEqual([NOTICES_KEPT, 'n2', `n${NOTICES_KEPT + 1}`])
    expect(ids(having(base, given(1), given(2), given(1)))).toEqual(['n2', 'n1'])
    expect(ids(having(full, given(7, other)), other)).toEqual(['n7'])
  })

  it('hold the newest tries to reach somebody', () => {
    const { attempt } = sampleShapeOf('notice.attempted')
    const tried = (n: number) => like('notice.attempted', { attempt: { ...attempt, id: asId<AttemptId>(`a${n}`) } })
    const ids = (world: World) => (requestOf(world).attempts ?? []).map(({ id }) => id)
    const full = times(base, ATTEMPTS_KEPT + 2, tried)
    expect([ids(full).length, ids(full)[0], ids(full).at(-1)]).toEqual([ATTEMPTS_KEPT, 'a2', `a${ATTEMPTS_KEPT + 1}`])
  })

  it('hold the newest notes beside a request', () => {
    const noted = (n: number) => like('request.reminded', { by: asId<AgentId>(`p${n}`) })
    const by = (world: World) => (requestOf(world).notes ?? []).map((note) => note.by)
    const full = by(times(base, 52, noted))
    expect([full.length, full[0], full.at(-1)]).toEqual([50, 'p2', 'p51'])
  })

  it('hold the newest checkpoints of an agent, each once', () => {
    const reported = (n: number) => like('checkpoint.reported', { checkpoint: `c${n}` })
    const ids = (world: World) => Object.values(world.checkpoints).flatMap((all) => all.map(({ id }) => id))
    const full = ids(times(base, CHECKPOINTS_KEPT + 2, reported))
    expect([full.length, full[0], full.at(-1)]).toEqual([CHECKPOINTS_KEPT, 'c2', `c${CHECKPOINTS_KEPT + 1}`])
    expect(ids(having(base, reported(1), reported(2), reported(1)))).toEqual(['c2', 'c1'])
  })

  it("hold the newest envelopes that were taken from a peer, others' apart", () => {
    const { peer } = sampleShapeOf('envelope.taken')
    const took = (n: number) => like('envelope.taken', { theirs: `${n}` })
    const full = times(base, TAKEN_KEPT + 2, took).taken[peer] ?? []
    expect([full.length, full[0]?.theirs, full.at(-1)?.theirs]).toEqual([TAKEN_KEPT, '2', `${TAKEN_KEPT + 1}`])
  })
})

describe('a try to reach somebody', () => {
  const { attempt } = sampleShapeOf('notice.attempted')
  const began = like('notice.attempted')
  const tries = (world: World) => requestOf(world).attempts ?? []

  it('that began has no end yet; one that was sent at once has', () => {
    expect(tries(apply(base, began, 2_000))).toMatchObject([{ outcome: 'began', at: 2_000, endedAt: null }])
    const sent = like('notice.attempted', { attempt: { ...attempt, outcome: 'sent' } })
    expect(tries(apply(base, sent, 2_000))).toMatchObject([{ outcome: 'sent', endedAt: 2_000 }])
  })

  it('is written down once, and ends once', () => {
    const once = apply(base, began)
    expect(tries(apply(once, began, 5_000))).toBe(tries(once))
    const second = like('notice.attempted', { attempt: { ...attempt, id: asId<AttemptId>('second') } })
    const both = apply(once, second)
    expect(tries(both)).toHaveLength(2)
    const ended = apply(both, like('notice.attemptEnded'), 3_000)
    expect(tries(ended)).toMatchObject([
      { outcome: 'failed', note: 'the push service does not answer', endedAt: 3_000 },
      { outcome: 'began', endedAt: null },
    ])
    expect(tries(apply(ended, like('notice.attemptEnded', { outcome: 'sent' }), 4_000))).toBe(tries(ended))
    expect(tries(apply(both, like('notice.attemptEnded', { attempt: asId<AttemptId>('none') })))).toBe(tries(both))
  })
})

describe('memory and locks of an agent', () => {
  it('lose the note of that key only', () => {
    const { note } = sampleShapeOf('memory.added')
    const noted = having(base, like('memory.added'), like('memory.added', { note: { ...note, key: 'kept' } }))
    const left = having(noted, like('memory.removed', { key: note.key }))
    expect(left.memory[agent]?.map(({ key }) => key)).toEqual(['kept'])
  })

  it('hold a lock once, and release that one only', () => {
    const { lock } = sampleShapeOf('lock.added')
    const second = like('lock.added', { lock: { ...lock, id: asId<WaitingId>('second') } })
    const two = having(base, like('lock.added'), second, like('lock.added'))
    expect(two.work[agent]?.locks.map(({ id }) => id)).toEqual(['second', lock.id])
    const left = having(two, like('lock.released'))
    expect(left.work[agent]?.locks.map(({ id }) => id)).toEqual(['second'])
    expect(having(left, like('lock.released')).work).toBe(left.work)
  })
})

describe('a step that is over', () => {
  const over = having(base, like('step.started'), like('step.finished'))

  it.each([
    'step.instructed',
    'step.approved',
    'step.prioritized',
    'lock.bypassed',
    'step.held',
    'step.requeued',
  ] as const)('stays as it is when %s comes late', (type) =>
    expect(stepOf(apply(over, sampleOf(type)))).toEqual(stepOf(over)),
  )

  it('keeps its end, its time and its result when another end comes', () => {
    for (const type of ['step.failed', 'step.cancelled', 'step.interrupted', 'step.finished'] as const)
      expect(stepOf(apply(over, sampleOf(type), 9_000))).toEqual(stepOf(over))
  })
})

describe('a step', () => {
  const tool = asId<StepId>('the-tool')
  const call = sampleShapeOf('step.instructed').instruction
  const withTool = having(base, like('step.added', { step: tool, kind: 'tool', executor: 'files' }))
  const toolOf = (world: World) => only(world.steps[task] ?? {})[tool]

  it('that writes a call makes its tool step pending, another skill and another step do not', () => {
    const writer = asId<StepId>('writer')
    const begins = (executor: string, boundTo: StepId | null) =>
      toolOf(
        having(
          withTool,
          like('step.added', { step: writer, executor, boundTo }),
          like('step.started', { step: writer }),
        ),
      )?.state
    expect(begins('instruction_generation', tool)).toBe('pending')
    expect(begins('instruction_generation', null)).toBe('init')
    expect(begins('think', tool)).toBe('init')
  })

  it('of a tool that runs or is over is not made pending again', () => {
    const writer = asId<StepId>('writer')
    const running = having(
      withTool,
      like('step.added', { step: writer, executor: 'instruction_generation', boundTo: tool }),
      like('step.started', { step: tool }),
    )
    expect(toolOf(apply(running, like('step.started', { step: writer })))?.state).toBe('running')
  })

  it('that is held stays held by the same arguments only', () => {
    const held = having(withTool, like('step.instructed', { step: tool }), like('step.held', { step: tool }))
    expect(toolOf(held)?.held).toBe(request)
    expect(toolOf(apply(held, like('step.instructed', { step: tool })))?.held).toBe(request)
    const none = { kind: 'none', reason: 'there is nothing to call' } as const
    expect(toolOf(apply(held, like('step.instructed', { step: tool, instruction: none })))?.held).toBeNull()
    if (call.kind !== 'call') throw new Error('the sample is no call')
    const others = { ...call, arguments: { ...call.arguments, sha: 'other' } }
    expect(toolOf(apply(held, like('step.instructed', { step: tool, instruction: others })))?.held).toBeNull()
  })

  it('[R540] names who changed its arguments until its call is written anew', () => {
    const editedBy = asId<AgentId>('ana')
    const edited = apply(withTool, like('step.instructed', { step: tool, editedBy }))
    expect(toolOf(edited)?.editedBy).toBe(editedBy)
    expect(toolOf(apply(edited, like('step.instructed', { step: tool })))).not.toHaveProperty('editedBy')
  })

  it('is approved with the arguments that came, or as it was', () => {
    const instructed = apply(withTool, like('step.instructed', { step: tool }))
    const edited = { ...bodyOf('{}', 'application/json').ref, sha: 'edited' }
    expect(
      toolOf(apply(instructed, like('step.approved', { step: tool, arguments: edited })))?.instruction,
    ).toMatchObject({
      kind: 'call',
      arguments: { sha: 'edited' },
    })
    expect(toolOf(apply(instructed, like('step.approved', { step: tool, arguments: null })))?.instruction).toEqual(call)
    expect(toolOf(apply(withTool, like('step.approved', { step: tool, arguments: edited })))?.instruction).toBeNull()
  })

  it('goes to the head of the list when it is prioritized, if it stands there', () => {
    const two = asId<StepId>('two')
    const listed = having(base, like('step.added', { step: two }))
    const todo = (world: World) => world.work[agent]?.todo.map((ref) => ref.step)
    expect(todo(listed)).toEqual([step, two])
    expect(todo(apply(listed, like('step.prioritized', { step: two })))).toEqual([two, step])
    const gone = apply(listed, like('step.cancelled', { step: two }))
    expect(todo(apply(gone, like('step.prioritized', { step: two })))).toEqual([step])
    const once = apply(listed, like('step.prioritized', { step: two }))
    expect(apply(once, like('step.prioritized', { step: two })).steps).toBe(once.steps)
    const bypassed = apply(listed, like('lock.bypassed', { step: two }))
    expect(apply(bypassed, like('lock.bypassed', { step: two })).steps).toBe(bypassed.steps)
  })

  it('stands in the list once, and only its own entry leaves', () => {
    const todo = (world: World) => world.work[agent]?.todo.map((ref) => ref.step)
    expect(todo(apply(base, like('step.requeued')))).toEqual([step])
    const two = asId<StepId>('two')
    const running = having(base, like('step.added', { step: two }), like('step.started'))
    expect([todo(running), running.work[agent]?.running?.step]).toEqual([[two], step])
    const ended = apply(running, like('step.cancelled', { step: two }))
    expect([todo(ended), ended.work[agent]?.running?.step]).toEqual([[], step])
    expect(apply(ended, like('step.cancelled', { step: two })).work).toBe(ended.work)
  })

  it('is paid for once for each call, with all of its tokens, and keeps the newest word on it', () => {
    const { call: paidCall } = sampleShapeOf('model.called')
    const called = (change: Partial<typeof paidCall>) => like('model.called', { call: { ...paidCall, ...change } })
    const first = apply(base, called({ costUsd: 2, promptTokens: 10, completionTokens: 3 }))
    expect(first.budgets[task]).toMatchObject({ tokens: 13, costUsd: 2 })
    const again = apply(first, called({ costUsd: 2, outcome: 'failed' as typeof paidCall.outcome }))
    expect(again.budgets[task]).toMatchObject({ tokens: 13, costUsd: 2 })
    expect(stepOf(again).calls).toHaveLength(1)
    const second = apply(again, called({ id: 'second', costUsd: 1, promptTokens: null, completionTokens: null }))
    expect(second.budgets[task]).toMatchObject({ tokens: 13, costUsd: 3 })
    expect(stepOf(second).calls.map(({ id }) => id)).toEqual([paidCall.id, 'second'])
  })

  it('of a tool ends a row of talk when it is finished, one of a skill does not', () => {
    const talked = having(withTool, like('message.sent', { message: asId<MessageId>('said') }))
    expect(talked.budgets[task]?.talk).toBeGreaterThan(0)
    expect(apply(talked, like('step.finished')).budgets).toBe(talked.budgets)
    const ended = apply(talked, like('step.finished', { step: tool }))
    expect(ended.budgets[task]?.talk).toBe(0)
    expect(apply(ended, like('step.finished', { step: tool })).budgets).toBe(ended.budgets)
  })
})

describe('what stands at a limit', () => {
  const one = like('budget.reached', { key: 'one' })
  const two = like('budget.reached', { key: 'two' })
  it('goes on alone, the other stays', () => {
    const both = having(base, one, two)
    const left = apply(both, like('budget.lifted', { key: 'one', allowed: null }))
    expect(Object.keys(left.budgets[task]?.stops ?? {})).toEqual(['two'])
    expect(apply(left, like('budget.lifted', { key: 'one', allowed: null })).budgets).toBe(left.budgets)
    expect(apply(left, like('budget.lifted', { key: 'two', allowed: null })).budgets[task]?.stops).toBeNull()
  })

  it('comes to no budget of a task that has left the world', () => {
    const gone = apply(base, like('task.archived'))
    expect(apply(gone, like('model.called')).budgets[task]).toBeUndefined()
  })
})

describe('a stage', () => {
  const submitted = apply(base, like('stage.completionSubmitted'))

  it('keeps what its part ended with', () => {
    const late = having(
      submitted,
      like('stage.agentStateChanged', { state: 'failed', reason: 'too late' }),
      like('stage.completionSubmitted', { summary: 'another' }),
    )
    expect(stageOf(late)).toEqual(stageOf(submitted))
    expect(apply(late, like('stage.completionSubmitted', { summary: 'another' })).stages).toBe(late.stages)
  })

  it('makes no part for somebody who has none in it', () => {
    const strange = having(
      base,
      like('stage.agentStateChanged', { agent: other }),
      like('stage.completionSubmitted', { agent: other }),
    )
    expect(stageOf(strange)).toEqual(stageOf(base))
  })

  it('keeps the reason of a part, where there is one', () => {
    const without = apply(base, like('stage.agentStateChanged', { state: 'failed', reason: null }))
    expect(stageOf(without).partReasons).toEqual({})
    const withOne = apply(base, like('stage.agentStateChanged', { state: 'failed', reason: 'ill' }))
    expect(stageOf(withOne).partReasons).toEqual({ [agent]: 'ill' })
  })

  it('hands the part over to somebody who has none in it, and no part that is over or of a stranger', () => {
    const two = having(
      base,
      like('stage.added', { stage: asId<StageId>('two'), allocation: { [agent]: 'read', [third]: 'look' } }),
    )
    const of = (world: World) => world.stages[task]?.[asId<StageId>('two')]
    const hand = (from: AgentId, to: AgentId) =>
      like('stage.partHanded', { stage: asId<StageId>('two'), agent: from, to })
    expect(of(apply(two, hand(agent, person)))).toMatchObject({
      parts: { [person]: 'idle', [third]: 'idle' },
      allocation: { [person]: 'read', [third]: 'look' },
    })
    expect(Object.keys(of(apply(two, hand(agent, person)))?.parts ?? {})).toEqual([person, third])
    expect(apply(two, hand(agent, third)).stages).toBe(two.stages)
    expect(apply(two, hand(other, person)).stages).toBe(two.stages)
    const ended = apply(two, like('stage.completionSubmitted', { stage: asId<StageId>('two') }))
    expect(apply(ended, hand(agent, person)).stages).toBe(ended.stages)
  })

  it('stands behind the one that it names, at the end without one, and once', () => {
    const ids = (world: World) => world.tasks[task]?.stageOrder
    const [b, c] = [asId<StageId>('b'), asId<StageId>('c')]
    const two = apply(base, like('stage.added', { stage: b, after: null }))
    expect(ids(two)).toEqual([stage, b])
    expect(ids(apply(two, like('stage.added', { stage: c, after: stage })))).toEqual([stage, c, b])
    expect(ids(apply(two, like('stage.added', { stage: c, after: asId<StageId>('none') })))).toEqual([stage, b, c])
    expect(ids(apply(two, like('stage.added', { stage: b, after: null })))).toEqual([stage, b])
  })
})

describe('a task', () => {
  it('has each member once, and a member who comes back is no former one; the others stay former', () => {
    const left = having(base, like('task.participantsChanged', { added: [], removed: [person, other] }))
    expect([left.tasks[task]?.group, Object.keys(left.tasks[task]?.former ?? {})]).toEqual([[agent], [person, other]])
    const back = having(left, like('task.participantsChanged', { added: [person, agent, third], removed: [] }))
    expect(back.tasks[task]?.group).toEqual([agent, person, third])
    expect(Object.keys(back.tasks[task]?.former ?? {})).toEqual([other])
  })

  it('that is over keeps its end', () => {
    const done = apply(base, like('task.finished', { summary: 'first' }), 2_000)
    expect(apply(done, like('task.finished', { state: 'failed', summary: 'second' }), 3_000).tasks).toBe(done.tasks)
    const failed = apply(base, like('task.finished', { state: 'failed', summary: 'first' }), 2_000)
    expect(apply(failed, like('task.finished', { summary: 'second' }), 3_000).tasks).toBe(failed.tasks)
  })

  it('is a conversation where its event says so, and has no such word elsewhere', () => {
    expect('conversation' in only(base.tasks)).toBe(false)
    expect(apply(emptyWorld, like('task.added', { conversation: true })).tasks[task]?.conversation).toBe(true)
  })
})

describe('a delivery', () => {
  it('is not seen by what ends it without its receiver, and keeps its first times', () => {
    const shown = apply(base, like('message.delivery', { state: 'shown' }), 2_000)
    expect(deliveryOf(shown)).toMatchObject({ deliveredAt: 1_000, shownAt: 2_000, acknowledgedAt: null })
    const taken = apply(shown, like('message.delivery', { state: 'acknowledged' }), 3_000)
    expect(deliveryOf(taken)).toMatchObject({ shownAt: 2_000, acknowledgedAt: 3_000, settledAt: null })
    expect(apply(taken, like('message.delivery', { state: 'acknowledged' }), 4_000).deliveries).toBe(taken.deliveries)
    expect(apply(taken, like('message.delivery', { state: 'shown' }), 4_000).deliveries).toBe(taken.deliveries)
  })

  it('acknowledged at once was seen then', () => {
    expect(deliveryOf(apply(base, like('message.delivery', { state: 'acknowledged' }), 2_000))).toMatchObject({
      shownAt: 2_000,
      acknowledgedAt: 2_000,
    })
  })

  it('that was held back is delivered later, with the time of then', () => {
    const held = apply(base, like('message.delivery', { state: 'queued' }))
    expect(deliveryOf(held)).toMatchObject({ state: 'queued', deliveredAt: null })
    expect(deliveryOf(apply(held, like('message.delivery', { state: 'delivered' }), 5_000))?.deliveredAt).toBe(5_000)
    expect(deliveryOf(apply(held, like('message.delivery', { state: 'expired' }), 5_000))?.deliveredAt).toBeNull()
    expect(deliveryOf(apply(held, like('message.delivery', { state: 'shown' }), 5_000))?.deliveredAt).toBe(5_000)
  })

  it('that is done is outranked by a late answer, and by nothing else', () => {
    const done = apply(base, like('message.delivery', { state: 'done' }))
    expect(deliveryOf(apply(done, like('message.delivery', { state: 'answered' })))?.state).toBe('answered')
    expect(deliveryOf(apply(done, like('message.delivery', { state: 'expired' })))?.state).toBe('done')
    const expired = apply(base, like('message.delivery', { state: 'expired' }))
    expect(deliveryOf(apply(expired, like('message.delivery', { state: 'answered' })))?.state).toBe('expired')
  })
})

describe('a reminder of a message', () => {
  const own = (world: World) => world.reminders[task]?.[person]
  it('is its time, until that has come', () => {
    const later = apply(base, like('reminder.set', { until: 900_000 }))
    expect(own(later)).toEqual({ [message]: 900_000 })
    const rung = apply(later, like('reminder.set', { until: null }))
    expect(own(rung)).toEqual({})
    expect(apply(rung, like('reminder.set', { until: null })).reminders).toBe(rung.reminders)
    expect(apply(base, like('reminder.set', { until: null })).reminders).toBe(base.reminders)
  })
})

describe('a message', () => {
  const said = (change: Partial<EventShape<'message.sent'>> = {}) =>
    like('message.sent', { message: asId<MessageId>('said'), ...change })
  const talk = (world: World) => world.budgets[task]?.talk ?? 0

  it('of an agent counts as talk; of a person, of the system and one that was imported does not', () => {
    const before = talk(base)
    const people = apply(
      base,
      like('agent.created', {
        agent: other,
        config: { ...sampleShapeOf('agent.created').config, id: other, kind: 'human' },
      }),
    )
    expect(talk(apply(base, said()))).toBe(before + 1)
    expect(talk(apply(base, said({ sender: 'system:task' })))).toBe(before)
    expect(
      talk(apply(base, said({ imported: { role: 'user', name: null, body: bodyOf('old', 'text/plain').ref } }))),
    ).toBe(before)
    expect(talk(apply(people, said({ sender: other })))).toBe(0)
  })
})

describe('what a person asks', () => {
  const [ask, beside] = [asId<RequestId>('ask'), asId<RequestId>('beside')]
  const { message } = sampleShapeOf('message.sent')
  const asks = [
    { request: ask, person, message },
    { request: beside, person: other, message },
  ]
  const opened = apply(base, like('message.asked', { asks }), 2_000)
  const of = (world: World) => world.requests[task]?.[ask]
  const done = like('request.answered', {
    request: ask,
    answer: { by: person, for: null, decision: 'done', text: '', arguments: null },
  })

  it('[R574] has the text of its message as its question, and takes no number', () => {
    expect(of(opened)?.question).toBe(sampleShapeOf('message.sent').text)
    expect(of(opened)).toMatchObject({ number: null, state: 'open', asked: [person], openedAt: 2_000 })
    expect(opened.requestCounts).toBe(base.requestCounts)
  })

  it('[R647] is a request for each person, and what one does with theirs changes that of no other', () => {
    expect(opened.requests[task]?.[beside]).toMatchObject({ asked: [other], state: 'open' })
    const later = having(opened, done, like('request.claimed', { request: ask }))
    expect(later.requests[task]?.[beside]).toBe(opened.requests[task]?.[beside])
    expect(apply(opened, like('message.asked', { asks })).requests).toBe(opened.requests)
    const unknown = like('message.asked', {
      asks: [{ request: asId<RequestId>('new'), person, message: asId<MessageId>('gone') }],
    })
    expect(apply(opened, unknown).requests).toBe(opened.requests)
  })

  it('[R573] is open again when acknowledged or done was undone; what was answered in words stays', () => {
    const again = like('request.reopened', { request: ask })
    const whole = { state: 'open', claimed: null, answer: null, endedAt: null }
    expect(of(apply(apply(opened, done), again))).toMatchObject(whole)
    const acknowledged = apply(opened, like('request.claimed', { request: ask, until: null }), 3_000)
    expect(of(acknowledged)?.claimed).toEqual({ by: person, at: 3_000, until: 3_000 })
    expect(of(apply(acknowledged, again))).toMatchObject(whole)
    const answered = apply(opened, like('request.answered', { request: ask }))
    expect(apply(answered, again).requests).toBe(answered.requests)
  })
})

describe('a request', () => {
  it('counts the highest number of its task', () => {
    const { seed } = sampleShapeOf('request.opened')
    const opened = (id: string, number: number) =>
      like('request.opened', { request: asId(id), seed: { ...seed, number } })
    expect(having(base, opened('r5', 5), opened('r3', 3)).requestCounts[task]).toBe(5)
  })

  it('is asked again later by each one for themselves', () => {
    const later = (until: number | null, agent = person) => event('reminder.set', { task, request, agent, until })
    const two = having(base, later(5), later(7, other))
    expect(requestOf(two).snoozed).toEqual({ [person]: 5, [other]: 7 })
    const left = apply(two, later(null))
    expect(requestOf(left).snoozed).toEqual({ [other]: 7 })
    expect(apply(left, later(null)).requests).toBe(left.requests)
  })

  it('is transferred by its own offer only, with the draft of an answer', () => {
    const { to } = sampleShapeOf('request.transferOffered')
    const offered = apply(base, like('request.transferOffered'))
    expect(requestOf(offered)).toMatchObject({ asked: [person, to] })
    expect('draft' in requestOf(offered)).toBe(false)
    expect(requestOf(apply(base, like('request.transferOffered', { draft: 'So far' }))).draft).toMatchObject({
      by: person,
      text: 'So far',
    })
    const foreign = like('request.transferSettled', { handOver: asId<HandOverId>('another') })
    expect(apply(offered, foreign).requests).toBe(offered.requests)
    expect(requestOf(apply(offered, like('request.transferSettled')))).toMatchObject({
      asked: [to],
      transferredBy: [person],
    })
    expect(requestOf(apply(offered, like('request.transferSettled', { accepted: false }))).asked).toEqual([person])
  })

  it('has an effect that begins and ends by its own key', () => {
    const two = having(base, like('effect.started', { key: 'one' }), like('effect.started', { key: 'two' }))
    expect(Object.keys(having(two, like('effect.finished', { key: 'one' })).effects[task] ?? {})).toEqual(['two'])
  })
})

describe('another system', () => {
  const { peer } = sampleShapeOf('peer.added')
  const { conversation } = sampleShapeOf('conversation.opened')
  const known = having(base, like('peer.added'), like('conversation.opened'))
  const talk = (world: World) => only(world.conversations[peer])

  it('keeps when it was named first and when it was seen, whatever is said of it later', () => {
    const seen = apply(apply(emptyWorld, like('peer.added'), 100), like('peer.seen'), 200)
    expect(apply(seen, like('peer.added'), 300).peers[peer]).toMatchObject({ addedAt: 100, seenAt: 200 })
    expect(apply(emptyWorld, like('peer.added'), 100).peers[peer]).toMatchObject({ addedAt: 100, seenAt: null })
  })

  it('closes a conversation once', () => {
    const closed = apply(known, like('conversation.closed', { reason: 'done' }), 2_000)
    expect(apply(closed, like('conversation.closed', { reason: 'again' }), 3_000).conversations).toBe(
      closed.conversations,
    )
  })

  it('renews a conversation by an envelope that was taken, and no other', () => {
    const came = (change: Partial<EventShape<'envelope.taken'>>) =>
      apply(known, like('envelope.taken', { conversation, ours: null, callback: null, ...change }), 9_000)
    expect(talk(came({}))).toEqual({ ...talk(known), lastMessageAt: 9_000 })
    expect(talk(came({ ours: other, callback: 'https://back' }))).toMatchObject({
      ours: other,
      callback: 'https://back',
    })
    expect(came({ conversation: null }).conversations).toBe(known.conversations)
  })

  it('is sent a message again at the time that was set, and not any more when that is none', () => {
    const queued = apply(known, like('envelope.queued'))
    const { task: of, message: id, agent: to } = sampleShapeOf('envelope.queued')
    const sent = (next: number | null) => like('envelope.sent', { task: of, message: id, agent: to, next })
    expect(only(apply(queued, sent(7_000)).outbox[of])).toMatchObject({ nextAt: 7_000 })
    expect(apply(queued, sent(null)).outbox[of]).toEqual({})
  })
})

describe('what leaves the world', () => {
  it('is the thread alone: its messages, requests and steps, and the deliveries of those', () => {
    const thread = asId<MessageId>('thread')
    const inIt = having(
      base,
      like('message.sent', { message: thread, thread: null }),
      like('message.sent', { message: asId<MessageId>('reply'), thread }),
      like('step.added', { step: asId<StepId>('in-thread'), thread }),
      like('request.opened', { request: asId('in-thread'), seed: { ...sampleShapeOf('request.opened').seed, thread } }),
    )
    const left = apply(inIt, like('thread.retired', { thread }))
    expect(Object.keys(left.messages[task] ?? {})).toEqual([message])
    expect(Object.keys(left.deliveries[task]?.[person] ?? {})).toEqual([message])
    expect(Object.keys(left.requests[task] ?? {})).toEqual([request])
    expect(Object.keys(only(left.steps[task]))).toEqual([step])
  })

  it('is a task with its closed conversations, and no conversation of another task or that may go on', () => {
    const ids = ['open', 'closed', 'of another'].map((id) => asId<ConversationId>(id))
    const [open, closed, another] = ids
    if (!open || !closed || !another) throw new Error('there are three')
    const { peer } = sampleShapeOf('conversation.opened')
    const talks = having(
      base,
      like('conversation.opened', { conversation: open }),
      like('conversation.opened', { conversation: closed }),
      like('conversation.opened', { conversation: another, task: asId<TaskId>('elsewhere') }),
      like('conversation.closed', { conversation: closed }),
      like('conversation.closed', { conversation: another }),
    )
    const left = apply(talks, like('task.archived'))
    expect(Object.keys(left.conversations[peer] ?? {})).toEqual([open, another])
    expect([left.tasks, left.messages, left.stages]).toEqual([{}, {}, {}])
  })

  it('takes the branch of an agent with it when nothing is left, and touches nobody else', () => {
    const two = having(base, like('step.added', { step: asId<StepId>('kept'), agent: other }))
    const left = apply(two, like('records.evicted'))
    expect(Object.keys(left.steps[task] ?? {})).toEqual([other])
    expect(left.steps[task]?.[other]).toBe(two.steps[task]?.[other])
    expect(left.deliveries[task]).toEqual({})
    const none = apply(two, like('records.evicted', { steps: {}, messages: [], requests: [] }))
    expect([none.steps, none.deliveries, none.messages, none.requests]).toEqual([
      two.steps,
      two.deliveries,
      two.messages,
      two.requests,
    ])
    expect(none.deliveries).toBe(two.deliveries)
    expect(none.steps).toBe(two.steps)
  })

  it('comes back with what its piece has, and keeps what the piece says nothing of', () => {
    const { piece, ...rest } = sampleShapeOf('task.woken')
    const woken = apply(base, like('task.woken', { ...rest, piece: { messages: {}, deliveries: {}, steps: {} } }))
    for (const branch of ['tasks', 'stages', 'requestCounts', 'budgets'] as const)
      expect(woken[branch]).toBe(base[branch])
    const budget = { tokens: 7, costUsd: 1, talk: 0, allowed: {}, stops: null, warned: [] }
    const whole = apply(
      emptyWorld,
      like('task.woken', {
        ...rest,
        piece: { ...piece, stages: base.stages[task], requestCounts: 4, budgets: budget },
      }),
    )
    expect(whole.stages[task]).toBe(base.stages[task])
    expect([whole.requestCounts[task], whole.budgets[task]]).toEqual([4, budget])
  })
})

describe('entries one after the other', () => {
  it('must not leave out or repeat one', () => {
    const entry = (seq: number) => ({ seq, at: 1, by: 'test', cause: 'test', event: sampleOf('node.started') })
    expect(reduceAll(emptyWorld, [entry(1), entry(2)]).seq).toBe(2)
    expect(() => reduceAll(emptyWorld, [entry(1), entry(3)])).toThrow()
    expect(() => reduceAll(emptyWorld, [entry(1), entry(1)])).toThrow()
  })
})
