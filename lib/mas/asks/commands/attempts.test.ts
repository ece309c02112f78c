/** Tries to reach people: each one once, about what still calls for the person, and the next one only where they may see it. */
import { describe, expect, it } from 'vitest'
import { ANA, BEN, goals, LEE, MANAGER, must, outcomeAt, READER, requestOf, says, storyOf } from '@/test/stories'
import { asks, teamOf } from '@/test/waitStories'
import { BASE_TASK, Story, send } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { Command, CommandOf } from '../../commands/command'
import type { AgentId, AttemptId, MessageId, RequestId, TaskId } from '../../ids'
import { findAlert, findMissedAlert, selectAlerts } from '../alerts'
import { mayHelp } from './attempts'

const SYSTEM = 'system:notify'
/** The code of the refusal; null: it would be done. */
const refusal = (story: Story, by: string, command: Command): string | null => {
  const decided = decide(story.world, { id: 'a-try', by, command }, story.world.at + 1)
  return decided.ok ? null : decided.fault.code
}

/** A member of a team asks Ben and waits. */
function asked() {
  const ring = teamOf(1)
  asks(ring, BEN)
  const { story, task } = ring
  const request = must(requestOf(story, 'answer'), 'request')
  const message = must(request.message, 'message')
  const records = () => story.world.requests[task]?.[request.id]?.attempts ?? []
  return { ...ring, request, message, id: request.id, records }
}

const tries = (task: TaskId, request: RequestId, more: Partial<CommandOf<'attemptNotice'>> = {}): Command => ({
  type: 'attemptNotice',
  person: BEN,
  items: [{ task, request }],
  channel: 'push',
  because: 'rings',
  rung: 1,
  outcome: 'began',
  until: null,
  node: 'n1',
  ...more,
})

describe('a try to reach somebody', () => {
  it('is written down once for each channel and rung; what was only held counts for nothing', () => {
    const { story, task, id, records } = asked()
    expect(refusal(story, SYSTEM, tries(task, id))).toBeNull()
    story.put(SYSTEM, tries(task, id, { outcome: 'held', until: 9 }))
    expect(refusal(story, SYSTEM, tries(task, id))).toBeNull()
    story.put(SYSTEM, tries(task, id))
    expect(records().map(({ outcome, person, rung }) => [outcome, person, rung])).toEqual([
      ['held', BEN, 1],
      ['began', BEN, 1],
    ])
    expect(refusal(story, SYSTEM, tries(task, id))).toBe('ALREADY_SO')
    expect(refusal(story, SYSTEM, tries(task, id, { rung: 0 }))).toBe('ALREADY_SO')
    expect(refusal(story, SYSTEM, tries(task, id, { rung: 2 }))).toBeNull()
    expect(refusal(story, SYSTEM, tries(task, id, { channel: 'email' }))).toBeNull()
    expect(refusal(story, SYSTEM, tries(task, id, { outcome: 'held' }))).toBeNull()
  })

  it('is refused for somebody whom it does not call, for what is over, and for what is only open', () => {
    const { story, task, id, request } = asked()
    expect(refusal(story, SYSTEM, tries(task, id, { person: LEE }))).toBe('ALREADY_SO')
    expect(refusal(story, SYSTEM, tries(task, 'none' as RequestId))).toBe('ALREADY_SO')
    expect(refusal(story, SYSTEM, tries(task, id, { because: 'open' }))).toBe('ALREADY_SO')
    story.put(BEN, {
      type: 'answerRequest',
      request: request.id,
      decision: 'answer',
      text: 'that one',
      arguments: null,
      digest: null,
    })
    expect(refusal(story, SYSTEM, tries(task, id))).toBe('ALREADY_SO')
  })

  it('names of several things those that still call', () => {
    const { story, task, id, records } = asked()
    const gone = 'none' as RequestId
    const items = [
      { task, request: gone },
      { task, request: id },
    ]
    const decided = must(story.put(SYSTEM, tries(task, id, { items })), 'decision')
    expect(decided.events).toHaveLength(1)
    expect(records()).toHaveLength(1)
  })

  it('for what has been open for long is of another kind than for what rings', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(ANA, send(ANA, [BEN], { task, text: 'Look at it, please', kind: 'action' }))
    const call = must(
      selectAlerts(story.world).open.find(({ person }) => person === BEN),
      'call',
    )
    expect(refusal(story, SYSTEM, tries(task, call.request))).toBe('ALREADY_SO')
    expect(refusal(story, SYSTEM, tries(task, call.request, { because: 'open' }))).toBeNull()
  })

  it('ends once, and only by its own name', () => {
    const { story, task, id, records } = asked()
    story.put(SYSTEM, tries(task, id))
    const attempt = must(records()[0], 'attempt').id
    const ends = (ended: AttemptId, outcome: 'sent' | 'failed' = 'failed'): Command => ({
      type: 'endAttempt',
      attempt: ended,
      items: [{ task, request: id }],
      outcome,
      note: 'no answer',
    })
    expect(refusal(story, SYSTEM, ends('another' as AttemptId))).toBe('ALREADY_SO')
    story.put(SYSTEM, ends(attempt))
    expect(records()).toMatchObject([{ outcome: 'failed', note: 'no answer' }])
    expect(refusal(story, SYSTEM, ends(attempt, 'sent'))).toBe('ALREADY_SO')
  })

  it('ends for those things only that it was about', () => {
    const { story, task, id, records } = asked()
    story.put(SYSTEM, tries(task, id))
    const attempt = must(records()[0], 'attempt').id
    const items = [
      { task, request: id },
      { task, request: 'none' as RequestId },
    ]
    const decided = story.put(SYSTEM, { type: 'endAttempt', attempt, items, outcome: 'sent', note: null })
    expect(decided?.events).toHaveLength(1)
  })
})

describe('asking the next', () => {
  const escalates = (task: TaskId, request: RequestId, to: AgentId, from = BEN): Command => ({
    type: 'escalate',
    task,
    request,
    from,
    to,
  })

  it('asks a member of the task or an operator, once, and tells them', () => {
    const { story, task, id, records } = asked()
    expect(refusal(story, SYSTEM, escalates(task, id, LEE))).toBe('ALREADY_SO')
    expect(refusal(story, SYSTEM, escalates(task, id, BEN))).toBe('ALREADY_SO')
    expect(refusal(story, SYSTEM, escalates(task, id, MANAGER))).toBe('ALREADY_SO')
    expect(refusal(story, SYSTEM, escalates(task, id, ANA, LEE))).toBe('ALREADY_SO')
    story.put(SYSTEM, escalates(task, id, ANA))
    expect(story.world.requests[task]?.[id]?.asked).toEqual([BEN, ANA])
    expect(records()).toMatchObject([{ channel: 'next', person: ANA, rung: 1, outcome: 'sent' }])
    expect(story.world.notices[ANA]?.at(-1)).toMatchObject({ kind: 'not_reached', words: { from: 'Ben' } })
    expect(refusal(story, SYSTEM, escalates(task, id, ANA))).toBe('ALREADY_SO')
  })

  it('counts the rungs of the next ones, not of other channels', () => {
    const { story, task, id, records } = asked()
    story.put(ANA, { type: 'changeParticipants', task, add: [LEE], remove: [], reason: 'he helps' })
    story.put(SYSTEM, tries(task, id))
    story.put(SYSTEM, escalates(task, id, ANA))
    story.put(SYSTEM, escalates(task, id, LEE))
    expect(records().map(({ channel, rung }) => [channel, rung])).toEqual([
      ['push', 1],
      ['next', 1],
      ['next', 2],
    ])
  })

  it('about a message of the base task asks those only who see its thread', () => {
    const story = new Story()
    story.put(ANA, send(ANA, [BEN], { kind: 'urgent', text: 'Can you look?' }))
    const call = must(
      selectAlerts(story.world).rings.find(({ person }) => person === BEN),
      'call',
    )
    expect(story.world.requests[BASE_TASK]?.[call.request]?.number).toBeNull()
    expect(mayHelp(story.world, call, LEE)).toBe(false)
    expect(mayHelp(story.world, { ...call, known: [] }, ANA)).toBe(true)
    expect(mayHelp(story.world, call, ANA)).toBe(false)
    expect(refusal(story, SYSTEM, escalates(BASE_TASK, call.request, LEE))).toBe('ALREADY_SO')
  })

  it('about a message of a task goes to a member, who has it then', () => {
    const { story, task } = storyOf(goals('read', READER, BEN))
    story.put(ANA, { type: 'changeParticipants', task, add: [LEE], remove: [], reason: 'he helps' })
    story.put(ANA, send(ANA, [BEN], { task, kind: 'urgent', text: 'Can you look?' }))
    const call = must(
      selectAlerts(story.world).rings.find(({ person }) => person === BEN),
      'call',
    )
    const unasked = { ...call, known: [], attempts: [] }
    expect(mayHelp(story.world, unasked, LEE)).toBe(true)
    story.put(SYSTEM, escalates(task, call.request, LEE))
    const record = must(story.world.requests[task]?.[call.request], 'request')
    expect(record.asked).toEqual([BEN, LEE])
    const outcome = outcomeAt(story.world, task, must(record.message, 'message'), LEE)
    expect(outcome).toMatchObject({ state: 'delivered', reassigned: { from: BEN, by: 'escalation' } })
    expect(story.world.notices[LEE]?.at(-1)).toMatchObject({ words: { who: 'Ana', from: 'Ben' } })
  })
})

describe('ringing again', () => {
  it('comes once after what was acknowledged, by the time of that', () => {
    const { story, task, id, message } = asked()
    const raises = (since: number, more: object = {}): Command => ({
      type: 'raiseAgain',
      task,
      request: id,
      person: BEN,
      since,
      ...more,
    })
    expect(refusal(story, SYSTEM, raises(story.world.at))).toBe('ALREADY_SO')
    story.put(BEN, { type: 'acknowledge', message })
    const left = must(findMissedAlert(story.world, { task, request: id, person: BEN }), 'left')
    expect(findAlert(story.world, 'rings', { task, person: BEN, request: id })).toBeNull()
    expect(refusal(story, SYSTEM, raises(left.since - 1))).toBe('ALREADY_SO')
    expect(refusal(story, SYSTEM, raises(left.since, { person: LEE }))).toBe('ALREADY_SO')
    const decided = must(story.put(SYSTEM, raises(left.since)), 'decision')
    expect(decided.events).toMatchObject([{ type: 'request.reopened', because: 'raised' }])
    expect(findAlert(story.world, 'rings', { task, person: BEN, request: id })).not.toBeNull()
    expect(refusal(story, SYSTEM, raises(left.since))).toBe('ALREADY_SO')
  })

  it('comes after what was taken as well, and lets go of it', () => {
    const { story, task, id, request } = asked()
    story.put(BEN, { type: 'claimRequest', request: request.id })
    const { since } = must(findMissedAlert(story.world, { task, request: id, person: BEN }), 'left')
    const decided = must(story.put(SYSTEM, { type: 'raiseAgain', task, request: id, person: BEN, since }), 'decision')
    expect(decided.events).toMatchObject([{ type: 'request.reopened', because: 'raised' }])
    expect(story.world.requests[task]?.[request.id]).toMatchObject({ state: 'open', claimed: null })
  })

  it('a part that is put to somebody calls by its request', () => {
    const { story, task } = storyOf(goals('read', BEN))
    const request = must(requestOf(story, 'part'), 'request')
    const call = must(
      [...selectAlerts(story.world).rings, ...selectAlerts(story.world).open].find(({ person }) => person === BEN),
      'call',
    )
    expect([call.task, call.request]).toEqual([task, request.id])
  })
})

describe('what a page says that it told', () => {
  it('is written down for the person and channel, every ten seconds at most', () => {
    const { story, message, request, records } = asked()
    const told = (items: (MessageId | typeof request.id)[], channel: 'page' | 'desktop' = 'page'): Command => ({
      type: 'noteTold',
      items,
      channel,
    })
    story.put(BEN, told([message]))
    expect(records()).toMatchObject([{ person: BEN, channel: 'page', rung: 0, outcome: 'sent' }])
    const first = must(records()[0], 'attempt').at
    const events = (at: number, by: AgentId, command: Command): number => {
      const decided = decide(story.world, { id: 'a-try', by, command }, at)
      return decided.ok ? decided.events.length : -1
    }
    expect(events(first + 9_999, BEN, told([message]))).toBe(0)
    expect(events(first + 10_000, BEN, told([message]))).toBe(1)
    expect(events(first + 9_999, BEN, told([message], 'desktop'))).toBe(1)
    expect(events(first + 20_000, BEN, told([request.id]))).toBe(1)
    expect(events(first + 20_000, BEN, told(['none' as MessageId]))).toBe(0)
    expect(events(first + 20_000, ANA, told([message]))).toBe(0)
  })
})

it('a message that only tells something calls for nobody', () => {
  const { story } = storyOf(goals('read', READER))
  story.run(READER, () => says([BEN], { need_reply: false, waiting: false }))
  expect(selectAlerts(story.world).rings.filter(({ person }) => person === BEN)).toEqual([])
})
