/** What people do about waits: release, answer for somebody, ask back, hand over, take over, remind, due times. */
import { describe, expect, it } from 'vitest'
import { ANA, actsOf, BEN, goals, LEE, linesOf, locksOf, must, outcomeAt, says, stepsOf, storyOf } from '@/test/stories'
import { asks, edgesOf, lockOf, type Ring, teamOf } from '@/test/waitStories'
import { outcomeOf, type Story, send } from '@/test/worldHistories'
import { selectDue } from '../../asks/due'
import { changedSince } from '../../asks/requests'
import { decide } from '../../commands'
import type { Command } from '../../commands/command'
import type { AgentId, MessageId, TaskId } from '../../ids'
import { selectNextStep } from '../../members'
import type { DeliveryState, LockOutcome, RequestRecord } from '../../records'

const first = ({ members }: Ring): AgentId => must(members[0], 'first member')
const second = ({ members }: Ring): AgentId => must(members[1], 'second member')
const requestsTo = (story: Story, person: AgentId): RequestRecord[] =>
  story.openRequests().filter((one) => one.kind === 'answer' && one.asked.includes(person))
const requestTo = (story: Story, person: AgentId): RequestRecord => must(requestsTo(story, person)[0], 'request')
const answer = (request: RequestRecord, text = 'that one'): Command => ({
  type: 'answerRequest',
  request: request.id,
  decision: 'answer',
  text,
  arguments: null,
  digest: null,
})
/** The code of the refusal, or null when it would be done. */
function refusal(story: Story, by: AgentId, command: Command): string | null {
  const decided = decide(story.world, { id: 'a-try', by, command }, story.world.at + 1)
  return decided.ok ? null : decided.fault.code
}
const deliveryOf = (story: Story, task: TaskId, person: AgentId, message: MessageId | null) =>
  message === null ? null : outcomeAt(story.world, task, message, person)
/** What the system told the agent with that waiting id. */
const heard = ({ story, task }: Ring, waiting: string): string[] =>
  Object.values(story.world.messages[task] ?? {}).flatMap((message) =>
    message.sender === 'system:task' && message.returnWaiting === waiting ? [message.text] : [],
  )
const join = ({ story, task }: Ring, ...people: AgentId[]): void => {
  story.put(ANA, { type: 'changeParticipants', task, add: people, remove: [], reason: 'they help' })
}

describe('several waits of one agent', () => {
  it('[R27] each answer releases its own id and no other, from people and from agents', () => {
    const ring = teamOf(2)
    const { story } = ring
    join(ring, LEE)
    asks(ring, BEN, LEE, second(ring))
    expect(locksOf(story.world, first(ring)).map(({ on }) => on)).toEqual([BEN, LEE, second(ring)])
    story.put(LEE, answer(requestTo(story, LEE)))
    expect(locksOf(story.world, first(ring)).map(({ on }) => on)).toEqual([BEN, second(ring)])
    story.run(second(ring), () => says([], { need_reply: false, waiting: false }))
    expect(locksOf(story.world, first(ring)).map(({ on }) => on)).toEqual([BEN])
    expect(selectNextStep(story.world, first(ring))).toBeNull()
    story.put(BEN, answer(requestTo(story, BEN)))
    expect(locksOf(story.world, first(ring))).toEqual([])
    // What came back stands in the order in which it came.
    const taken = stepsOf(story.world, first(ring), ring.task)
      .filter(({ executor, state }) => executor === 'process_message' && state === 'finished')
      .sort((a, b) => a.createdSeq - b.createdSeq)
    const senders = taken.map(({ cause }) => cause.message && story.world.messages[ring.task]?.[cause.message]?.sender)
    expect(senders).toEqual([LEE, second(ring), BEN])
  })

  it('[R27] a reply that fails ends its own wait alone, and the asker hears who and why', () => {
    const ring = teamOf(2)
    const { story } = ring
    asks(ring, BEN, second(ring))
    const lock = must(
      locksOf(story.world, first(ring)).find(({ on }) => on === second(ring)),
      'lock',
    )
    story.run(second(ring), () => outcomeOf({ state: 'failed', reason: 'no words' }))
    expect(locksOf(story.world, first(ring)).map(({ on }) => on)).toEqual([BEN])
    expect(heard(ring, lock.id)).toEqual([expect.stringMatching(/Member 1.*failed.*no words/)])
  })

  it('[R27] ends in one of five ways, and a delivery in one of those of its list', () => {
    const lock: Record<LockOutcome, true> = { answered: true, released: true, expired: true, failed: true, ended: true }
    const delivery: Record<DeliveryState, true> = {
      queued: true,
      delivered: true,
      shown: true,
      acknowledged: true,
      done: true,
      answered: true,
      released: true,
      expired: true,
      failed: true,
      superseded: true,
    }
    expect(Object.keys(lock)).toHaveLength(5)
    expect(Object.keys(delivery)).toHaveLength(10)
  })
})

describe('releasing', () => {
  const releaseOf = (ring: Ring, reason = 'it is late'): Command => ({
    type: 'releaseWait',
    agent: first(ring),
    waiting: lockOf(ring).id,
    reason,
  })

  it('[R28] ends the request, tells the asker who and why, and says so in the chat', () => {
    const ring = teamOf(1)
    const { story, task } = ring
    asks(ring, BEN)
    const [lock, request] = [lockOf(ring), requestTo(story, BEN)]
    expect(story.put(ANA, releaseOf(ring))).not.toBeNull()
    expect(locksOf(story.world, first(ring))).toEqual([])
    expect(story.world.requests[task]?.[request.id]).toMatchObject({ state: 'released', endReason: 'it is late' })
    expect(deliveryOf(story, task, BEN, request.message)).toMatchObject({ state: 'released', note: 'it is late' })
    expect(heard(ring, lock.id)).toEqual([expect.stringMatching(/Ana.*released.*it is late/)])
    expect(actsOf(story).at(-1)).toMatchObject({ act: 'releaseWait', agent: ANA, on: lock.id, reason: 'it is late' })
    expect(linesOf(story.world, task).at(-1)).toBe("Ana released Member 0's wait for Ben · it is late")
    expect(refusal(story, BEN, answer(request))).toBe('REQUEST_OVER')
  })

  it('[R28] needs an operator and a reason', () => {
    const ring = teamOf(1)
    asks(ring, BEN)
    expect(refusal(ring.story, BEN, releaseOf(ring))).toBe('NOT_MANAGER')
    expect(refusal(ring.story, ANA, releaseOf(ring, '  '))).toBe('REASON_MISSING')
    const again = releaseOf(ring)
    ring.story.put(ANA, again)
    expect(refusal(ring.story, ANA, again)).toBe('NOT_FOUND')
  })
})

describe('answering', () => {
  it('[R28] for somebody else needs a reason, which is recorded and told', () => {
    const ring = teamOf(1)
    const { story, task } = ring
    asks(ring, BEN)
    const request = requestTo(story, BEN)
    expect(refusal(story, ANA, answer(request))).toBe('REASON_MISSING')
    expect(refusal(story, LEE, answer(request))).toBe('NOT_FOUND')
    story.put(ANA, { ...answer(request), reason: 'Ben is ill' } as Command)
    expect(story.world.requests[task]?.[request.id]?.answer).toMatchObject({ by: ANA, for: BEN })
    expect(linesOf(story.world, task).at(-1)).toContain('Ana answered request 1 for Ben · Ben is ill')
    expect(locksOf(story.world, first(ring))).toEqual([])
  })

  it('[R28] a claim is visible, holds nobody out, and is taken over with a reason only', () => {
    const ring = teamOf(1)
    const { story, task } = ring
    asks(ring, BEN)
    const { id } = requestTo(story, BEN)
    story.put(BEN, { type: 'claimRequest', request: id })
    expect(refusal(story, BEN, { type: 'claimRequest', request: id })).toBeNull()
    expect(refusal(story, ANA, { type: 'claimRequest', request: id })).toBe('REQUEST_CLAIMED')
    story.put(ANA, { type: 'claimRequest', request: id, reason: 'Ben is away' })
    expect(story.world.requests[task]?.[id]?.claimed?.by).toBe(ANA)
    expect(linesOf(story.world, task).at(-1)).toContain('Ana took request 1 over from Ben · Ben is away')
    expect(story.put(BEN, answer(requestTo(story, BEN)))).not.toBeNull()
  })

  it('[R28] a claim holds for ten minutes, and then anybody who may answer claims without a reason', () => {
    const ring = teamOf(1)
    const { story, task } = ring
    asks(ring, BEN)
    const { id } = requestTo(story, BEN)
    story.put(BEN, { type: 'claimRequest', request: id })
    const until = must(story.world.requests[task]?.[id]?.claimed, 'claim').until
    expect(until - story.world.at).toBe(600_000)
    const claim = { id: 'a-claim', by: ANA, command: { type: 'claimRequest', request: id } } as const
    const held = decide(story.world, claim, until - 1)
    expect(held.ok ? null : held.fault.code).toBe('REQUEST_CLAIMED')
    const over = decide(story.world, claim, until)
    if (!over.ok) throw over.fault
    expect(over.world.requests[task]?.[id]?.claimed).toMatchObject({ by: ANA, until: until + 600_000 })
    // Nothing was taken from anybody: no line says so.
    expect(over.events.map(({ type }) => type)).toEqual(['request.claimed'])
  })

  it('[R106] marks an act that an agent asks for as done without words, and the asker is told', () => {
    const ring = teamOf(1)
    const { story, task } = ring
    const long = `Look at ${'x'.repeat(300)}`
    story.run(first(ring), () => says([BEN], { message: long, waiting: false }))
    const action = requestTo(story, BEN)
    expect([action.type, action.lock]).toEqual(['action', null])
    story.put(BEN, { type: 'markDone', message: must(action.message, 'message') })
    expect(story.world.requests[task]?.[action.id]).toMatchObject({
      state: 'answered',
      answer: { by: BEN, for: null, decision: 'done', text: '' },
    })
    const told = Object.values(story.world.messages[task] ?? {}).filter(
      ({ sender, receivers }) => sender === 'system:task' && receivers.includes(first(ring)),
    )
    expect(told.at(-1)?.text).toContain(long.slice(0, 200))
    expect(told.at(-1)?.text).not.toContain(long.slice(0, 201))
  })

  it.each([
    ['that the agent waits for', () => says([BEN], { message: 'Tell me the price', waiting: true })],
    ['with choices', () => says([BEN], { message: 'Tell me the price', waiting: false, choices: ['1.10', '1.30'] })],
    ['that says so', () => says([BEN], { message: 'Is it 1.10? Look at a.html?b=1', waiting: false })],
    ['in Chinese', () => says([BEN], { message: '哪一个是对的？', waiting: false })],
  ])('[R106] a question %s is settled by an answer, never by done', (_, says) => {
    const ring = teamOf(1)
    const { story, task } = ring
    join(ring, LEE)
    story.run(first(ring), says)
    const question = requestTo(story, BEN)
    const done: Command = { type: 'markDone', message: must(question.message, 'message') }
    expect(refusal(story, BEN, done)).toBe('ANSWER_NEEDED')
    // A person who handed it over cannot settle it either.
    const offer: Command = { type: 'handOver', to: LEE, requests: [question.id], sentence: 'I am away' }
    const { handOver } = must(story.put(BEN, offer), 'decision').reply as { handOver: never }
    story.put(LEE, { type: 'settleHandOver', handOver, accept: true })
    expect(refusal(story, BEN, done)).toBe('ANSWER_NEEDED')
    expect(refusal(story, LEE, done)).toBe('ANSWER_NEEDED')
    story.put(LEE, answer(requestTo(story, LEE)))
    expect(outcomeAt(story.world, task, done.message, BEN)?.state).toBe('answered')
  })

  it('[R106] an address with a question mark is no question, and a part is not settled by done', () => {
    const ring = teamOf(1)
    const { story } = ring
    story.run(first(ring), () => says([BEN], { message: 'Read https://a.test/?q=1', waiting: false }))
    expect(
      refusal(story, BEN, { type: 'markDone', message: must(requestTo(story, BEN).message, 'message') }),
    ).toBeNull()
    const other = storyOf(goals('check', BEN)).story
    const part = must(
      other.openRequests().find(({ kind }) => kind === 'part'),
      'part',
    )
    const done: Command = { type: 'markDone', message: must(part.message, 'message') }
    expect(refusal(other, BEN, done)).toBe('DECISION_UNFIT')
  })

  it('[R28] nobody claims or answers what is not put to them, and an empty reason is none', () => {
    const ring = teamOf(1)
    const { story } = ring
    join(ring, LEE)
    asks(ring, BEN)
    const request = requestTo(story, BEN)
    expect(refusal(story, LEE, { type: 'claimRequest', request: request.id })).toBe('NOT_ASKED')
    expect(refusal(story, BEN, answer(request, ' '))).toBe('EMPTY_TEXT')
    story.put(BEN, { type: 'claimRequest', request: request.id })
    expect(refusal(story, ANA, { type: 'claimRequest', request: request.id, reason: ' ' })).toBe('REQUEST_CLAIMED')
    story.put(BEN, answer(request))
    expect(refusal(story, BEN, answer(request))).toBe('REQUEST_OVER')
    expect(refusal(story, BEN, { type: 'claimRequest', request: request.id })).toBe('REQUEST_OVER')
  })
})

describe('asking back', () => {
  it('[R26] the asker replies though it waits, and the request stays open', () => {
    const ring = teamOf(1)
    const { story, task } = ring
    asks(ring, BEN)
    const request = requestTo(story, BEN)
    expect(selectNextStep(story.world, first(ring))).toBeNull()
    story.put(BEN, { type: 'askBack', request: request.id, text: 'Which of the two do you mean?' })
    expect(requestTo(story, BEN).state).toBe('open')
    const reply = must(
      story.run(first(ring), () => says([], { message: 'The north one.', need_reply: false, waiting: false })),
      'reply',
    )
    expect(reply).toMatchObject({ text: 'Which of the two do you mean?', answers: { to: BEN } })
    const said = Object.values(story.world.messages[task] ?? {}).find(({ text }) => text === 'The north one.')
    expect(said).toMatchObject({ sender: first(ring), receivers: [BEN] })
    expect(locksOf(story.world, first(ring))).toHaveLength(1)
    expect(selectNextStep(story.world, first(ring))).toBeNull()
    story.put(BEN, answer(requestTo(story, BEN)))
    expect(locksOf(story.world, first(ring))).toEqual([])
  })

  it('[R26] what was asked back about a request that is over is no way past another lock', () => {
    const ring = teamOf(1)
    const { story } = ring
    join(ring, LEE)
    asks(ring, BEN, LEE)
    story.put(BEN, { type: 'askBack', request: requestTo(story, BEN).id, text: 'Why?' })
    expect(selectNextStep(story.world, first(ring))).not.toBeNull()
    story.put(BEN, answer(requestTo(story, BEN)))
    expect(selectNextStep(story.world, first(ring))).toBeNull()
  })
})

describe('handing over', () => {
  const offer = (story: Story, more: Partial<Extract<Command, { type: 'handOver' }>> = {}) =>
    story.put(BEN, { type: 'handOver', to: LEE, requests: 'all', sentence: 'I am away until Monday.', ...more })
  const idOf = (story: Story): never => (requestTo(story, LEE).transfer?.id ?? 'none') as never
  const prepared = (): Ring => {
    const ring = teamOf(1)
    join(ring, LEE)
    asks(ring, BEN)
    return ring
  }

  it('[R28] until it is accepted both are asked; then only the other one is', () => {
    const ring = prepared()
    const { story, task } = ring
    const request = requestTo(story, BEN)
    offer(story)
    expect(requestsTo(story, BEN)).toHaveLength(1)
    expect(requestTo(story, LEE).transfer).toMatchObject({ from: BEN, to: LEE, sentence: 'I am away until Monday.' })
    expect(refusal(story, ANA, { type: 'settleHandOver', handOver: idOf(story), accept: true })).toBe('NOT_ASKED')
    story.put(LEE, { type: 'settleHandOver', handOver: idOf(story), accept: true })
    expect(requestsTo(story, BEN)).toEqual([])
    expect(edgesOf(ring)[0]?.on).toEqual([LEE])
    expect(refusal(story, BEN, answer(request))).toBe('NOT_ASKED')
    story.put(LEE, answer(requestTo(story, LEE)))
    expect(locksOf(story.world, first(ring))).toEqual([])
    expect(deliveryOf(story, task, BEN, request.message)?.state).toBe('answered')
  })

  it('[R28] "not me" leaves it where it was, and it can be taken back', () => {
    const { story } = prepared()
    offer(story)
    story.put(LEE, { type: 'settleHandOver', handOver: idOf(story), accept: false })
    expect(requestsTo(story, LEE)).toEqual([])
    expect(requestTo(story, BEN).transfer).toBeNull()
    offer(story)
    expect(refusal(story, BEN, { type: 'settleHandOver', handOver: idOf(story), accept: true })).toBe('NOT_ASKED')
    expect(story.put(BEN, { type: 'settleHandOver', handOver: idOf(story), accept: false })).not.toBeNull()
    expect(requestsTo(story, LEE)).toEqual([])
  })

  it('[R28] the first of both who answers counts, and the hand-over ends with it', () => {
    const { story } = prepared()
    offer(story)
    const id = idOf(story)
    story.put(BEN, answer(requestTo(story, BEN)))
    expect(refusal(story, LEE, { type: 'settleHandOver', handOver: id, accept: true })).toBe('NOT_FOUND')
  })

  it('[R28] goes to a person of the task alone, with a sentence, all of it or none', () => {
    const ring = teamOf(1)
    const { story } = ring
    asks(ring, BEN)
    const input = { type: 'handOver', to: LEE, requests: 'all', sentence: 'take it' } as const
    expect(refusal(story, BEN, input)).toBe('NOT_A_MEMBER')
    expect(refusal(story, BEN, { ...input, sentence: ' ' })).toBe('REASON_MISSING')
    expect(refusal(story, BEN, { ...input, to: first(ring) })).toBe('HANDOVER_UNFIT')
    expect(refusal(story, BEN, { ...input, to: BEN })).toBe('HANDOVER_UNFIT')
    expect(refusal(story, LEE, { ...input, to: BEN })).toBe('HANDOVER_UNFIT')
    expect(refusal(story, BEN, { ...input, to: ANA })).toBeNull()
  })
})

describe('reminders', () => {
  it('[R28] reach those who have not settled it, at most every five minutes, and stand beside the delivery', () => {
    const ring = teamOf(1)
    const { story, task } = ring
    join(ring, LEE, ANA)
    story.put(ANA, send(ANA, [BEN, LEE], { task, kind: 'action', text: 'Check it' }))
    const messages = Object.values(story.world.messages[task] ?? {}).filter(({ text }) => text === 'Check it')
    const [toBen, toLee] = [BEN, LEE].map((who) =>
      must(
        messages.find(({ receivers }) => receivers.includes(who)),
        'message',
      ),
    )
    story.put(LEE, { type: 'markDone', message: must(toLee, 'message').id })
    const remind: Command = { type: 'remind', message: must(toLee, 'message').id }
    expect(refusal(story, BEN, remind)).toBe('NOT_ALLOWED')
    story.put(ANA, remind)
    expect(deliveryOf(story, task, BEN, must(toBen, 'message').id)?.request?.notes).toMatchObject([
      { kind: 'reminded', by: ANA },
    ])
    expect(deliveryOf(story, task, LEE, must(toLee, 'message').id)?.request?.notes).toBeUndefined()
    expect(story.world.notices[BEN]?.at(-1)).toMatchObject({ kind: 'reply_needed' })
    expect(refusal(story, ANA, remind)).toBe('TOO_MANY')
    const later = decide(story.world, { id: 'later', by: ANA, command: remind }, story.world.at + 5 * 60_000)
    expect(later.ok).toBe(true)
  })

  it('[R28] of my own settle nothing, are seen by the sender, and end when their time comes', () => {
    const ring = teamOf(1)
    const { story, task } = ring
    asks(ring, BEN)
    const request = requestTo(story, BEN)
    story.put(BEN, { type: 'remindMe', about: { request: request.id }, minutes: 15 })
    const until = must(requestTo(story, BEN).snoozed?.[BEN], 'time')
    expect(until - story.world.at).toBe(15 * 60_000)
    expect(deliveryOf(story, task, BEN, request.message)).toMatchObject({
      state: 'delivered',
      request: { notes: [{ kind: 'remindLater', by: BEN, until }] },
    })
    const due = selectDue(story.world)
    expect(due.map(({ at }) => at)).toEqual([until])
    for (const { at, command } of due) {
      const early = decide(story.world, { id: `early-${command.type}`, by: 'system:timer', command }, at - 1)
      expect(early).toMatchObject({ ok: true, events: [] })
      const decided = decide(story.world, { id: `due-${command.type}`, by: 'system:timer', command }, at)
      if (!decided.ok) throw decided.fault
      for (const event of decided.events) story.happens(event)
      // Put twice, it does nothing more.
      expect(decide(story.world, { id: 'again', by: 'system:timer', command }, at)).toMatchObject({ events: [] })
    }
    expect(selectDue(story.world)).toEqual([])
    expect(requestTo(story, BEN).snoozed).toEqual({})
  })
})

describe('due times', () => {
  it('[R27] expire a wait: the id goes back, the request is over, the asker hears it; an answer then is late', () => {
    const ring = teamOf(1)
    const { story, task } = ring
    story.run(first(ring), () => says([BEN], { due_minutes: 30 }))
    const [lock, request] = [lockOf(ring), requestTo(story, BEN)]
    expect([lock.due, request.due]).toEqual([lock.at + 30 * 60_000, lock.at + 30 * 60_000])
    const [due] = selectDue(story.world)
    expect(due).toMatchObject({ at: lock.due, command: { type: 'expireWait', message: lock.message } })
    const { command, at } = must(due, 'due time')
    expect(decide(story.world, { id: 'early', by: 'system:timer', command }, at - 1)).toMatchObject({ events: [] })
    const decided = decide(story.world, { id: 'due', by: 'system:timer', command }, at)
    if (!decided.ok) throw decided.fault
    for (const event of decided.events) story.happens(event)
    expect(locksOf(story.world, first(ring))).toEqual([])
    expect(story.world.requests[task]?.[request.id]).toMatchObject({ state: 'expired', answer: null })
    expect(deliveryOf(story, task, BEN, request.message)).toMatchObject({ state: 'expired' })
    expect(heard(ring, lock.id)).toEqual([expect.stringContaining('expired')])
    expect(selectDue(story.world)).toEqual([])
    expect(refusal(story, BEN, answer(request))).toBe('REQUEST_OVER')
  })

  it('[R27] nothing expires without one, and what is answered has none any more', () => {
    const ring = teamOf(1)
    const { story, task } = ring
    asks(ring, BEN)
    expect(selectDue(story.world)).toEqual([])
    join(ring, ANA)
    const due = story.world.at + 60_000
    expect(refusal(story, ANA, send(ANA, [BEN], { task, kind: 'action', due: 1 }))).toBe('DUE_PAST')
    story.put(ANA, send(ANA, [BEN], { task, kind: 'action', due }))
    expect(selectDue(story.world)).toMatchObject([{ at: due }])
    const message = must(Object.values(story.world.messages[task] ?? {}).find((one) => one.due === due)?.id, 'message')
    story.put(BEN, { type: 'markDone', message })
    expect(selectDue(story.world)).toEqual([])
  })
})

describe('what changed since a request was asked', () => {
  it('[R28] names what: its stage, its task, its asker', () => {
    const ring = teamOf(1)
    const { story } = ring
    asks(ring, BEN)
    const request = requestTo(story, BEN)
    expect(changedSince(story.world, request)).toEqual([])
    const { world } = story
    expect(
      changedSince(
        { ...world, work: { ...world.work, [first(ring)]: { todo: [], running: null, locks: [] } } },
        request,
      ),
    ).toEqual(['askerMovedOn'])
    const gone = { ...must(world.agents[first(ring)], 'agent'), removed: true }
    expect(changedSince({ ...world, agents: { ...world.agents, [gone.id]: gone } }, request)).toEqual(['askerGone'])
    const stage = must(Object.values(world.stages[ring.task] ?? {})[0], 'stage')
    const over = { ...world.stages, [ring.task]: { [stage.id]: { ...stage, state: 'finished' as const } } }
    expect(changedSince({ ...world, stages: over }, { ...request, stage: stage.id, fingerprint: 'running' })).toEqual([
      'stageOver',
    ])
    expect(changedSince(story.world, { ...request, state: 'answered' })).toEqual([])
  })
})

describe('what a wait leaves behind', () => {
  it('[R28] a released one settles the message for the one who was asked, an agent as well', () => {
    const ring = teamOf(2)
    const { story, task } = ring
    asks(ring, second(ring))
    const { message } = lockOf(ring)
    story.put(ANA, { type: 'releaseWait', agent: first(ring), waiting: lockOf(ring).id, reason: 'it is late' })
    expect(deliveryOf(story, task, second(ring), message)).toMatchObject({ state: 'released', note: 'it is late' })
  })

  it('[R27] one that is due ends alone: other waits of the asker, and what was settled before, stay', () => {
    const ring = teamOf(2)
    const { story, task } = ring
    join(ring, LEE)
    story.run(first(ring), () => says([BEN, LEE], { waiting: false, due_minutes: 30 }))
    asks(ring, second(ring))
    const [toBen, toLee] = [requestTo(story, BEN), requestTo(story, LEE)]
    story.put(LEE, answer(toLee))
    const { command, at } = must(selectDue(story.world)[0], 'due time')
    const decided = decide(story.world, { id: 'due', by: 'system:timer', command }, at)
    if (!decided.ok) throw decided.fault
    for (const event of decided.events) story.happens(event)
    expect(story.world.requests[task]?.[toBen.id]?.state).toBe('expired')
    expect(story.world.requests[task]?.[toLee.id]?.state).toBe('answered')
    expect(deliveryOf(story, task, LEE, toLee.message)?.state).toBe('answered')
    expect(locksOf(story.world, first(ring)).map(({ on }) => on)).toEqual([second(ring)])
  })
})

describe('what is over', () => {
  const faultOf = (story: Story, by: AgentId, command: Command) => {
    const decided = decide(story.world, { id: 'a-try', by, command }, story.world.at + 1)
    return decided.ok ? null : decided.fault
  }

  it('[R28] is refused with why it ended, or how where nobody ended it', () => {
    const ring = teamOf(1)
    const { story } = ring
    asks(ring, BEN)
    const released = requestTo(story, BEN)
    story.put(ANA, { type: 'releaseWait', agent: first(ring), waiting: lockOf(ring).id, reason: 'it is late' })
    expect(faultOf(story, BEN, answer(released))).toMatchObject({
      code: 'REQUEST_OVER',
      data: { by: 'it is late', how: 'released' },
    })
    const other = teamOf(1)
    other.story.run(first(other), () => says([BEN], { due_minutes: 5 }))
    const due = requestTo(other.story, BEN)
    other.story.pass(6 * 60_000)
    const { task, message } = due
    other.story.put('system:timer', { type: 'expireWait', task, message: must(message, 'message') })
    expect(faultOf(other.story, BEN, answer(due))).toMatchObject({ data: { by: 'expired', how: 'expired' } })
  })
})
