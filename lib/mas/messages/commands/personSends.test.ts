/** What people send, see, acknowledge and mark as done: what is refused, at which limit, and what settles what. */

import { describe, expect, it } from 'vitest'
import type { DeliveryState, MessageType } from '@/lib/mas/records'
import {
  ANA,
  answers,
  BEN,
  goals,
  LEE,
  MANAGER,
  must,
  outcomeAt,
  READER,
  says,
  stageAt,
  stepsOf,
  storyOf,
} from '@/test/stories'
import { asks, teamOf } from '@/test/waitStories'
import { BASE_TASK, Story, send, teamConfig } from '@/test/worldHistories'
import { selectAlerts } from '../../asks/alerts'
import { decide } from '../../commands'
import type { Command, CommandOf } from '../../commands/command'
import { MESSAGE_MAX_BYTES } from '../../commands/texts'
import type { AgentId, MessageId, RequestId, StageId, TaskId } from '../../ids'
import type { Attachment, MessageRecord, RequestRecord } from '../../records'
import { UNDO_MS } from './personSends'

/** The code of the refusal; null: it would be done. */
const refusal = (story: Story, by: string, command: Command, at = story.world.at + 1): string | null => {
  const decided = decide(story.world, { id: 'a-try', by, command }, at)
  return decided.ok ? null : decided.fault.code
}
const FILE: Attachment = {
  name: 'list.txt',
  savedAs: null,
  body: { sha: 'a'.repeat(64), bytes: 3, mime: 'text/plain', preview: 'abc' },
}
type Wish = Partial<CommandOf<'sendMessage'>>
/** Send; out: the messages that were made, in the order of the receivers. */
const sends = (story: Story, by: AgentId, to: AgentId[], more: Wish = {}): MessageRecord[] => {
  const decided = must(story.put(by, send(by, to, more)), 'decision')
  const made = decided.events.flatMap((event) => (event.type === 'message.sent' ? [event.message] : []))
  const { task = BASE_TASK } = more
  return made.map((id) => must(story.world.messages[task]?.[id], 'message'))
}
const sendsOne = (story: Story, by: AgentId, to: AgentId, more: Wish = {}): MessageRecord =>
  must(sends(story, by, [to], more)[0], 'message')
const stateOf = (story: Story, person: AgentId, { id, task }: MessageRecord): DeliveryState | undefined =>
  outcomeAt(story.world, task, id, person)?.state
const asked = (story: Story, person: AgentId): RequestRecord[] =>
  story
    .openRequests()
    .filter((one) => one.kind === 'answer' && one.asked.includes(person))
    .sort((a, b) => a.openedSeq - b.openedSeq)

describe('what a person sends', () => {
  it('has a text or a file, and is 64 KiB at most, counted in bytes', () => {
    const story = new Story()
    const says = (text: string, attachments: Attachment[] = []) =>
      refusal(story, ANA, send(ANA, [BEN], { text, attachments }))
    expect(says(' \n')).toBe('EMPTY_TEXT')
    expect(says(' ', [FILE])).toBeNull()
    expect(says('x'.repeat(MESSAGE_MAX_BYTES))).toBeNull()
    expect(says('x'.repeat(MESSAGE_MAX_BYTES + 1))).toBe('TOO_LARGE')
    expect(says('ü'.repeat(MESSAGE_MAX_BYTES / 2))).toBeNull()
    expect(says(`${'ü'.repeat(MESSAGE_MAX_BYTES / 2)}x`)).toBe('TOO_LARGE')
    const large = decide(
      story.world,
      { id: 'a-try', by: ANA, command: send(ANA, [BEN], { text: 'x'.repeat(MESSAGE_MAX_BYTES + 1) }) },
      story.world.at,
    )
    expect(large).toMatchObject({ fault: { data: { size: '65 KiB', limit: '64 KiB' } } })
  })

  it('is their own: nobody sends in the name of another', () => {
    const story = new Story()
    expect(refusal(story, BEN, send(ANA, [LEE]))).toBe('NOT_YOU')
    expect(refusal(story, 'system:adapter', send(ANA, [LEE]))).not.toBeNull()
  })

  it('goes to others who are there and in the task, to all of them or to none, once each', () => {
    const { story, task } = storyOf(goals('read', READER))
    const to = (receivers: AgentId[]) => refusal(story, ANA, send(ANA, receivers, { task }))
    expect(to([])).toBe('NO_RECEIVERS')
    expect(to([ANA])).toBe('NO_RECEIVERS')
    expect(to(['nobody' as AgentId])).toBe('RECEIVER_UNKNOWN')
    expect(to([BEN, LEE])).toBe('NOT_A_MEMBER')
    expect(to([BEN, ANA])).toBeNull()
    expect(sends(story, ANA, [BEN, ANA, READER, BEN], { task }).map(({ receivers }) => receivers)).toEqual([
      [BEN],
      [READER],
    ])
    const file = teamConfig()
    story.put('system:start', { ...file, agents: file.agents.filter(({ id }) => id !== BEN) })
    expect(to([READER, BEN])).toBe('RECEIVER_GONE')
  })

  it('is said in a task that goes on, by its members, operator or not', () => {
    const { story, task } = storyOf(goals('read', READER))
    expect(refusal(story, LEE, send(LEE, [BEN], { task }))).toBe('NOT_FOUND')
    story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [ANA], reason: 'she leaves' })
    expect(refusal(story, ANA, send(ANA, [BEN], { task }))).toBe('NOT_A_MEMBER')
    expect(refusal(story, BEN, send(BEN, [READER], { task }))).toBeNull()
    story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'done' })
    expect(refusal(story, BEN, send(BEN, [READER], { task }))).toBe('TASK_OVER')
  })

  it('can be due when it asks for something, and only in time to come', () => {
    const story = new Story()
    const now = story.world.at + 1
    const due = (more: Wish) => refusal(story, ANA, send(ANA, [BEN], more), now)
    expect(due({ kind: 'action', due: now })).toBe('DUE_PAST')
    expect(due({ kind: 'urgent', due: now })).toBe('DUE_PAST')
    expect(due({ kind: 'action', due: now + 1 })).toBeNull()
    expect(due({ due: now - 1 })).toBeNull()
    const later = story.world.at + 3_600_000
    expect(sendsOne(story, ANA, BEN, { due: later })).not.toHaveProperty('due')
    expect(sendsOne(story, ANA, BEN, { kind: 'action', due: later })).toMatchObject({ due: later })
    expect(sendsOne(story, ANA, BEN, { kind: 'urgent', due: later })).toMatchObject({ due: later })
    expect(sendsOne(story, ANA, BEN, { kind: 'action' })).not.toHaveProperty('due')
  })

  it('belongs to the stage that it names, if the task has it; nothing in the base task does', () => {
    const { story, task } = storyOf(goals('read', READER))
    const { id } = stageAt(story.world, 0)
    expect(sendsOne(story, ANA, BEN, { task, stage: id }).stage).toBe(id)
    expect(sendsOne(story, ANA, BEN, { task, stage: 'none' as StageId }).stage).toBeNull()
    expect(sendsOne(story, ANA, BEN, { task }).stage).toBeNull()
    const base = must(story.world.tasks[BASE_TASK], 'base task').stageOrder[0]
    expect(sendsOne(story, ANA, BEN, { stage: must(base, 'stage') }).stage).toBeNull()
    expect(new Set(stepsOf(story.world, ANA, BASE_TASK).map((step) => step.stage))).toEqual(new Set([null]))
  })

  it('asks for a reply when it waits, with an id of its own for each receiver', () => {
    const story = new Story()
    const [one, other] = sends(story, ANA, [BEN, MANAGER], { kind: 'urgent' })
    expect([one?.type, other?.type]).toEqual(['urgent', 'urgent'])
    expect(one?.waiting).toHaveLength(1)
    expect(one?.waiting).not.toEqual(other?.waiting)
    expect(one?.dispatch).toBe(other?.dispatch)
    expect(sendsOne(story, ANA, BEN, { kind: 'action' }).waiting).toBeNull()
    expect(sendsOne(story, ANA, BEN)).toMatchObject({ type: 'fyi', waiting: null })
  })

  it('[R10] begins one thread of the base task for all its receivers, stays in that of what it replies to, and has none elsewhere', () => {
    const { story, task } = storyOf(goals('read', READER))
    const [one, other] = sends(story, ANA, [BEN, MANAGER])
    expect([one?.thread, other?.thread]).toEqual([one?.id, one?.id])
    const replies = sends(story, BEN, [ANA, MANAGER], { replyTo: must(one, 'message').id })
    expect(replies.map(({ thread }) => thread)).toEqual([one?.id, one?.id])
    expect(sends(story, ANA, [BEN, MANAGER], { task }).map(({ thread }) => thread)).toEqual([null, null])
  })
})

describe('a message that answers a request', () => {
  it('by its id is for those who are asked, in its task, and reaches only the one who asked', () => {
    const ring = teamOf(2)
    const { story, task } = ring
    story.put(ANA, { type: 'changeParticipants', task, add: [LEE], remove: [], reason: 'he helps' })
    asks(ring, BEN)
    const asker = must(ring.members[0], 'member')
    const request = must(asked(story, BEN)[0], 'request')
    const answering = (more: Wish = {}) => ({ task, answers: request.id, text: 'this one', ...more })
    expect(refusal(story, LEE, send(LEE, [asker], answering()))).toBe('NOT_ASKED')
    expect(refusal(story, BEN, send(BEN, [asker], answering({ answers: 'none' as RequestId })))).toBe('NOT_FOUND')
    expect(refusal(story, BEN, send(BEN, [ANA], answering({ task: BASE_TASK })))).toBe('NOT_FOUND')
    const other = must(ring.members[1], 'member')
    const made = sends(story, BEN, [other, asker], answering())
    expect(made.map(({ answersRequest, returnWaiting }) => [answersRequest, returnWaiting])).toEqual([
      [null, null],
      [request.id, request.lock],
    ])
    expect(made.map(({ replyTo }) => replyTo)).toEqual([null, request.message])
    expect(story.world.requests[task]?.[request.id]).toMatchObject({ state: 'answered', answer: { by: BEN } })
    expect(refusal(story, BEN, send(BEN, [asker], answering()))).toBe('REQUEST_OVER')
    expect(refusal(story, BEN, send(BEN, [other], answering()))).toBeNull()
  })

  it('is for questions: a part is not answered by a message', () => {
    const { story, task } = storyOf(goals('read', BEN))
    const part = must(
      story.openRequests().find(({ kind }) => kind === 'part'),
      'part',
    )
    expect(refusal(story, BEN, send(BEN, [READER], { task, answers: part.id }))).toBe('NOT_ASKED')
  })

  it('as the oldest ends the first wait of each receiver, and no other', () => {
    const ring = teamOf(2)
    const { story, task } = ring
    const [first, second] = [must(ring.members[0], 'member'), must(ring.members[1], 'member')]
    story.put(ANA, { type: 'changeParticipants', task, add: [LEE], remove: [], reason: 'he helps' })
    // A question without a wait is nobody's oldest wait.
    story.run(second, () => says([BEN], { waiting: false }))
    asks(ring, LEE, BEN)
    story.run(second, () => says([BEN]))
    const mine = asked(story, BEN)
    expect(mine.map(({ asker, lock }) => [asker, lock !== null])).toEqual([
      [second, false],
      [first, true],
      [second, true],
    ])
    const [one, other] = sends(story, BEN, [second, first], { task, answers: 'oldest' })
    expect([one?.answersRequest, other?.answersRequest]).toEqual([mine[2]?.id, mine[1]?.id])
    expect(asked(story, BEN).map(({ id }) => id)).toEqual([mine[0]?.id])
    expect(asked(story, LEE)).toHaveLength(1)
    // Nobody of them waits any more: it is a message like any other.
    expect(sendsOne(story, BEN, second, { task, answers: 'oldest' }).answersRequest).toBeNull()
    expect(sendsOne(story, BEN, first, { task }).answersRequest).toBeNull()
  })

  it('as the oldest answers a question that nobody waits for where a reply is asked for, after what is waited for', () => {
    const ring = teamOf(1)
    const { story, task } = ring
    const agent = must(ring.members[0], 'member')
    story.run(agent, () => says([BEN], { waiting: false }))
    asks(ring, BEN)
    const [question, wait] = asked(story, BEN)
    const replies = (kind: MessageType) =>
      must(story.put(BEN, send(BEN, [agent], { task, answers: 'oldest', kind })), 'decision').reply
    const settled = (request: RequestRecord | undefined) => ({ settled: [{ agent, request: request?.id }] })
    expect(replies('fyi')).toMatchObject(settled(wait))
    expect(replies('fyi')).toMatchObject({ settled: [] })
    expect(replies('action')).toMatchObject(settled(question))
    expect(replies('action')).toMatchObject({ settled: [] })
    expect(asked(story, BEN)).toEqual([])
  })

  it('as the oldest takes the request that was opened first', () => {
    const { story, task } = storyOf(goals('read', READER))
    const needs = { kind: 'action' } as const
    const [one, two] = [sendsOne(story, ANA, BEN, { task, ...needs }), sendsOne(story, ANA, BEN, { task, ...needs })]
    // What people ask of each other is answered by a reply to it, and by nothing else.
    expect(sendsOne(story, BEN, ANA, { task, answers: 'oldest' }).answersRequest).toBeNull()
    expect([stateOf(story, BEN, one), stateOf(story, BEN, two)]).toEqual(['delivered', 'delivered'])
  })
})

describe('a reply of a person', () => {
  it('settles what it replies to for the one who replies, when it goes to the one who asked', () => {
    const story = new Story()
    const [toBen] = sends(story, ANA, [BEN, LEE], { kind: 'action' })
    const question = must(toBen, 'message')
    sends(story, BEN, [LEE], { replyTo: question.id })
    expect(stateOf(story, BEN, question)).toBe('delivered')
    sends(story, BEN, [ANA], { replyTo: question.id })
    expect(stateOf(story, BEN, question)).toBe('answered')
    const before = story.world.deliveries[BASE_TASK]?.[BEN]?.[question.id]
    sends(story, BEN, [ANA], { replyTo: question.id })
    expect(story.world.deliveries[BASE_TASK]?.[BEN]?.[question.id]).toEqual(before)
  })

  it('settles nothing that asked for no reply, or was not sent to them', () => {
    const story = new Story()
    const told = sendsOne(story, ANA, BEN)
    sends(story, BEN, [ANA], { replyTo: told.id })
    expect(stateOf(story, BEN, told)).toBe('delivered')
    sends(story, ANA, [BEN], { replyTo: told.id })
    expect(stateOf(story, BEN, told)).toBe('delivered')
  })
})

describe('what becomes of a message', () => {
  const openAsk = (story: Story, { task, id }: MessageRecord): RequestRecord | undefined =>
    Object.values(story.world.requests[task] ?? {}).find((one) => one.message === id)
  const shows = (...messages: MessageId[]): Command => ({ type: 'markShown', messages })

  it('[R645] asked of several people in one act, is one entry with a request for each of them', () => {
    const story = new Story()
    const ask = send(ANA, [BEN, LEE, MANAGER], { task: BASE_TASK, text: 'Look', kind: 'urgent' })
    const { events } = must(story.put(ANA, ask), 'decision')
    const asked = events.filter((event) => event.type === 'message.asked')
    expect(asked).toMatchObject([{ asker: ANA, asks: [{ person: BEN }, { person: LEE }] }])
    expect(events.some(({ type }) => type === 'request.opened')).toBe(false)
    const open = Object.values(story.world.requests[BASE_TASK] ?? {})
    expect(open).toMatchObject([BEN, LEE].map((one) => ({ asked: [one], question: 'Look', type: 'urgent' })))
  })

  it('[R647] rings for each until they acknowledged it themselves', () => {
    const story = new Story()
    const [toBen] = sends(story, ANA, [BEN, LEE], { kind: 'urgent' })
    const rings = () => selectAlerts(story.world).rings.map(({ person }) => person)
    expect(rings()).toEqual([BEN, LEE])
    story.put(BEN, { type: 'acknowledge', message: must(toBen, 'message').id })
    expect(rings()).toEqual([LEE])
    story.put(BEN, { type: 'markDone', message: must(toBen, 'message').id })
    expect(rings()).toEqual([LEE])
  })

  it('is shown once, for the one who saw it, and never goes back', () => {
    const story = new Story()
    const [toBen, toLee] = sends(story, ANA, [BEN, LEE], { kind: 'urgent' }).map((one) => one)
    const [mine, other] = [must(toBen, 'message'), must(toLee, 'message')]
    expect(story.put(BEN, shows(mine.id, other.id, 'none' as MessageId))?.events).toHaveLength(1)
    expect([stateOf(story, BEN, mine), stateOf(story, LEE, other)]).toEqual(['shown', 'delivered'])
    expect(story.put(BEN, shows(mine.id))?.events).toEqual([])
    story.put(BEN, { type: 'acknowledge', message: mine.id })
    expect(stateOf(story, BEN, mine)).toBe('acknowledged')
    expect(story.put(BEN, shows(mine.id))?.events).toEqual([])
    expect(story.put(BEN, { type: 'acknowledge', message: mine.id })?.events).toEqual([])
    story.put(BEN, { type: 'markDone', message: mine.id })
    expect(stateOf(story, BEN, mine)).toBe('done')
    expect(story.put(BEN, { type: 'markDone', message: mine.id })?.events).toEqual([])
    expect(story.put(BEN, { type: 'acknowledge', message: mine.id })?.events).toEqual([])
  })

  it('[R573] of what asks nothing ends with being seen, whatever its receiver says of it', () => {
    for (const type of ['acknowledge', 'markDone'] as const) {
      const story = new Story()
      const message = sendsOne(story, ANA, BEN)
      expect(story.put(BEN, { type, message: message.id })?.events.map((one) => one.type)).toEqual(['message.delivery'])
      expect(stateOf(story, BEN, message)).toBe('shown')
      expect(refusal(story, BEN, { type: 'undoOutcome', message: message.id })).toBe('NOTHING_TO_UNDO')
    }
  })

  it('belongs to its receiver: another can neither acknowledge nor settle it', () => {
    const story = new Story()
    const { id } = sendsOne(story, ANA, BEN, { kind: 'action' })
    for (const type of ['acknowledge', 'markDone', 'undoOutcome'] as const)
      for (const by of [ANA, LEE]) expect(refusal(story, by, { type, message: id })).toBe('NOT_FOUND')
  })

  it.each(['acknowledge', 'markDone'] as const)('%s can be taken back for five minutes', (type) => {
    const story = new Story()
    const message = sendsOne(story, ANA, BEN, { kind: 'urgent' })
    const undo: Command = { type: 'undoOutcome', message: message.id }
    expect(refusal(story, BEN, undo)).toBe('NOTHING_TO_UNDO')
    story.put(BEN, { type, message: message.id })
    const since = story.world.at
    expect(refusal(story, BEN, undo, since + UNDO_MS)).toBeNull()
    expect(refusal(story, BEN, undo, since + UNDO_MS + 1)).toBe('NOTHING_TO_UNDO')
    story.put(BEN, undo)
    expect(stateOf(story, BEN, message)).toBe('delivered')
    expect(openAsk(story, message)).toMatchObject({ state: 'open', claimed: null, answer: null, endedAt: null })
    expect(refusal(story, BEN, undo)).toBe('NOTHING_TO_UNDO')
  })

  it('counts five minutes from being done, not from being acknowledged', () => {
    const story = new Story()
    const message = sendsOne(story, ANA, BEN, { kind: 'action' })
    story.put(BEN, { type: 'acknowledge', message: message.id })
    const since = story.world.at
    story.pass(UNDO_MS)
    story.put(BEN, { type: 'markDone', message: message.id })
    expect(refusal(story, BEN, { type: 'undoOutcome', message: message.id }, since + UNDO_MS + 2_000)).toBeNull()
  })

  it('is not taken back when an agent has been told of it', () => {
    const { story, task, members } = teamOf(1)
    story.run(must(members[0], 'member'), () => says([BEN], { message: 'Water the plants', waiting: false }))
    const request = must(asked(story, BEN)[0], 'request')
    const message = must(request.message, 'message')
    const undo: Command = { type: 'undoOutcome', message }
    story.put(BEN, { type: 'acknowledge', message })
    expect(refusal(story, BEN, undo)).toBeNull()
    story.put(BEN, { type: 'markDone', message })
    expect(story.world.requests[task]?.[request.id]).toMatchObject({ state: 'answered', answer: { by: BEN } })
    expect(refusal(story, BEN, undo)).toBe('NOTHING_TO_UNDO')
  })

  it('that is done ends the request of its own message for them alone', () => {
    const { story, task, members } = teamOf(1)
    story.put(ANA, { type: 'changeParticipants', task, add: [LEE], remove: [], reason: 'he helps' })
    story.run(must(members[0], 'member'), () => says([BEN, LEE], { message: 'Water the plants', waiting: false }))
    const [mine, other] = [must(asked(story, BEN)[0], 'request'), must(asked(story, LEE)[0], 'request')]
    story.put(BEN, { type: 'markDone', message: must(mine.message, 'message') })
    expect(story.world.requests[task]?.[mine.id]?.state).toBe('answered')
    expect(story.world.requests[task]?.[other.id]?.state).toBe('open')
    story.put(LEE, answers(other, 'answer', 'that one'))
    expect(story.world.requests[task]?.[other.id]).toMatchObject({ state: 'answered', answer: { by: LEE } })
  })
})

describe('what was handed over', () => {
  const handsOver = (story: Story, { id }: MessageRecord): void => {
    const command: Command = { type: 'handOver', to: LEE, requests: [], messages: [id], sentence: 'I am away' }
    const reply = must(story.put(BEN, command), 'decision').reply as { handOver: never }
    story.put(LEE, { type: 'settleHandOver', handOver: reply.handOver, accept: true })
  }
  const inTask = (): { story: Story; question: MessageRecord; task: TaskId } => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(ANA, { type: 'changeParticipants', task, add: [LEE], remove: [], reason: 'he helps' })
    const question = sendsOne(story, ANA, BEN, { task, kind: 'action' })
    handsOver(story, question)
    return { story, question, task }
  }

  it.each([
    ['done', (id: MessageId): Command => ({ type: 'markDone', message: id })],
    ['answered', (id: MessageId, task: TaskId): Command => send(LEE, [ANA], { task, replyTo: id, text: 'this one' })],
  ] as const)('is %s for both, and says by whom', (state, command) => {
    const { story, question, task } = inTask()
    story.put(LEE, command(question.id, task))
    expect(stateOf(story, LEE, question)).toBe(state)
    expect(outcomeAt(story.world, task, question.id, BEN)).toMatchObject({ state, by: LEE, transferredTo: LEE })
  })

  it('and done is open for the one who has it when they undo it; the other cannot do it for them', () => {
    const { story, question } = inTask()
    story.put(LEE, { type: 'markDone', message: question.id })
    story.put(LEE, { type: 'undoOutcome', message: question.id })
    expect([stateOf(story, LEE, question), stateOf(story, BEN, question)]).toEqual(['delivered', 'delivered'])
    expect(refusal(story, BEN, { type: 'markDone', message: question.id })).toBe('NOT_ASKED')
  })
})

it('what was acknowledged is taken back though another question was answered', () => {
  const { story, task, members } = teamOf(1)
  const agent = must(members[0], 'member')
  story.run(agent, () => says([BEN], { message: 'Water the plants', waiting: false }))
  story.run(agent, () => says([BEN], { message: 'Water the plants', waiting: false }))
  const [one, other] = asked(story, BEN)
  story.put(BEN, { type: 'markDone', message: must(one?.message, 'message') })
  story.put(BEN, { type: 'acknowledge', message: must(other?.message, 'message') })
  expect(refusal(story, BEN, { type: 'undoOutcome', message: must(other?.message, 'message') })).toBeNull()
  expect(refusal(story, BEN, { type: 'undoOutcome', message: must(one?.message, 'message') })).toBe('NOTHING_TO_UNDO')
  expect(Object.keys(story.world.requests[task] ?? {})).toHaveLength(2)
})
