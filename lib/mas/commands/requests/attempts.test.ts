/** Tries to reach people: each one once, about what still calls for the person, and the next one only where they may see it. */
import { describe, expect, it } from 'vitest'
import { ANA, BEN, goals, LEE, MANAGER, must, READER, requestOf, says, storyOf } from '@/test/stories'
import { asks, teamOf } from '@/test/waitStories'
import { BASE_TASK, Story, send } from '@/test/worldHistories'
import type { AgentId, AttemptId, MessageId, TaskId } from '../../ids'
import type { AttemptAbout } from '../../records'
import { findAlert, findMissedAlert, selectAlerts } from '../../selectors/requests/alerts'
import { decide } from '..'
import type { Command, CommandOf } from '../command'
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
  const about: AttemptAbout = { message, receiver: BEN }
  const records = () => story.world.deliveries[task]?.[BEN]?.[message]?.attempts ?? []
  return { ...ring, request, message, about, records }
}

const tries = (task: TaskId, about: AttemptAbout, more: Partial<CommandOf<'attemptNotice'>> = {}): Command => ({
  type: 'attemptNotice',
  person: BEN,
  items: [{ task, about }],
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
    const { story, task, about, records } = asked()
    expect(refusal(story, SYSTEM, tries(task, about))).toBeNull()
    story.put(SYSTEM, tries(task, about, { outcome: 'held', until: 9 }))
    expect(refusal(story, SYSTEM, tries(task, about))).toBeNull()
    story.put(SYSTEM, tries(task, about))
    expect(records().map(({ outcome, person, rung }) => [outcome, person, rung])).toEqual([
      ['held', BEN, 1],
      ['began', BEN, 1],
    ])
    expect(refusal(story, SYSTEM, tries(task, about))).toBe('ALREADY_SO')
    expect(refusal(story, SYSTEM, tries(task, about, { rung: 0 }))).toBe('ALREADY_SO')
    expect(refusal(story, SYSTEM, tries(task, about, { rung: 2 }))).toBeNull()
    expect(refusal(story, SYSTEM, tries(task, about, { channel: 'email' }))).toBeNull()
    expect(refusal(story, SYSTEM, tries(task, about, { outcome: 'held' }))).toBeNull()
  })

  it('is refused for somebody whom it does not call, for what is over, and for what is only open', () => {
    const { story, task, about, request } = asked()
    expect(refusal(story, SYSTEM, tries(task, about, { person: LEE }))).toBe('ALREADY_SO')
    expect(refusal(story, SYSTEM, tries(task, { message: 'none' as MessageId, receiver: BEN }))).toBe('ALREADY_SO')
    expect(refusal(story, SYSTEM, tries(task, about, { because: 'open' }))).toBe('ALREADY_SO')
    story.put(BEN, {
      type: 'answerRequest',
      request: request.id,
      decision: 'answer',
      text: 'that one',
      arguments: null,
      digest: null,
    })
    expect(refusal(story, SYSTEM, tries(task, about))).toBe('ALREADY_SO')
  })

  it('names of several things those that still call', () => {
    const { story, task, about, records } = asked()
    const gone: AttemptAbout = { message: 'none' as MessageId, receiver: BEN }
    const items = [
      { task, about: gone },
      { task, about },
    ]
    const decided = must(story.put(SYSTEM, tries(task, about, { items })), 'decision')
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
    expect(refusal(story, SYSTEM, tries(task, call.about))).toBe('ALREADY_SO')
    expect(refusal(story, SYSTEM, tries(task, call.about, { because: 'open' }))).toBeNull()
  })

  it('ends once, and only by its own name', () => {
    const { story, task, about, records } = asked()
    story.put(SYSTEM, tries(task, about))
    const attempt = must(records()[0], 'attempt').id
    const ends = (id: AttemptId, outcome: 'sent' | 'failed' = 'failed'): Command => ({
      type: 'endAttempt',
      attempt: id,
      items: [{ task, about }],
      outcome,
      note: 'no answer',
    })
    expect(refusal(story, SYSTEM, ends('another' as AttemptId))).toBe('ALREADY_SO')
    story.put(SYSTEM, ends(attempt))
    expect(records()).toMatchObject([{ outcome: 'failed', note: 'no answer' }])
    expect(refusal(story, SYSTEM, ends(attempt, 'sent'))).toBe('ALREADY_SO')
  })

  it('ends for those things only that it was about', () => {
    const { story, task, about, records } = asked()
    story.put(SYSTEM, tries(task, about))
    const attempt = must(records()[0], 'attempt').id
    const items = [
      { task, about },
      { task, about: { message: 'none' as MessageId, receiver: BEN } },
    ]
    const decided = story.put(SYSTEM, { type: 'endAttempt', attempt, items, outcome: 'sent', note: null })
    expect(decided?.events).toHaveLength(1)
  })
})

describe('asking the next', () => {
  const escalates = (task: TaskId, about: AttemptAbout, to: AgentId, from = BEN): Command => ({
    type: 'escalate',
    task,
    about,
    from,
    to,
  })

  it('asks a member of the task or an operator, once, and tells them', () => {
    const { story, task, about, request, records } = asked()
    expect(refusal(story, SYSTEM, escalates(task, about, LEE))).toBe('ALREADY_SO')
    expect(refusal(story, SYSTEM, escalates(task, about, BEN))).toBe('ALREADY_SO')
    expect(refusal(story, SYSTEM, escalates(task, about, MANAGER))).toBe('ALREADY_SO')
    expect(refusal(story, SYSTEM, escalates(task, about, ANA, LEE))).toBe('ALREADY_SO')
    story.put(SYSTEM, escalates(task, about, ANA))
    expect(story.world.requests[task]?.[request.id]?.asked).toEqual([BEN, ANA])
    expect(records()).toMatchObject([{ channel: 'next', person: ANA, rung: 1, outcome: 'sent' }])
    expect(story.world.notices[ANA]?.at(-1)).toMatchObject({ kind: 'not_reached', words: { from: 'Ben' } })
    expect(refusal(story, SYSTEM, escalates(task, about, ANA))).toBe('ALREADY_SO')
  })

  it('counts the rungs of the next ones, not of other channels', () => {
    const { story, task, about, records } = asked()
    story.put(ANA, { type: 'changeParticipants', task, add: [LEE], remove: [], reason: 'he helps' })
    story.put(SYSTEM, tries(task, about))
    story.put(SYSTEM, escalates(task, about, ANA))
    story.put(SYSTEM, escalates(task, about, LEE))
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
    expect(call.request).toBeNull()
    expect(mayHelp(story.world, call, LEE)).toBe(false)
    expect(mayHelp(story.world, { ...call, known: [] }, ANA)).toBe(true)
    expect(mayHelp(story.world, call, ANA)).toBe(false)
    expect(refusal(story, SYSTEM, escalates(BASE_TASK, call.about, LEE))).toBe('ALREADY_SO')
  })

  it('about a message of a task goes to a member, who has it then', () => {
    const { story, task } = storyOf(goals('read', READER, BEN))
    story.put(ANA, { type: 'changeParticipants', task, add: [LEE], remove: [], reason: 'he helps' })
    story.put(ANA, send(ANA, [BEN], { task, kind: 'urgent', text: 'Can you look?' }))
    const call = must(
      selectAlerts(story.world).rings.find(({ person, request }) => person === BEN && request === null),
      'call',
    )
    const { message } = call.about as { message: MessageId }
    const unasked = { ...call, known: [], attempts: [] }
    expect(mayHelp(story.world, unasked, LEE)).toBe(true)
    story.put(SYSTEM, escalates(task, call.about, LEE))
    expect(mayHelp(story.world, unasked, LEE)).toBe(false)
    expect(story.world.deliveries[task]?.[LEE]?.[message]).toMatchObject({ state: 'delivered', passed: { from: BEN } })
    expect(story.world.notices[LEE]?.at(-1)).toMatchObject({ words: { who: 'Ana', from: 'Ben' } })
  })
})

describe('ringing again', () => {
  it('comes once after what was acknowledged, by the time of that', () => {
    const { story, task, about, message } = asked()
    const raises = (since: number, more: object = {}): Command => ({
      type: 'raiseAgain',
      task,
      about,
      person: BEN,
      since,
      ...more,
    })
    expect(refusal(story, SYSTEM, raises(story.world.at))).toBe('ALREADY_SO')
    story.put(BEN, { type: 'acknowledge', message })
    const left = must(findMissedAlert(story.world, { task, about, person: BEN }), 'left')
    expect(findAlert(story.world, 'rings', task, BEN, about)).toBeNull()
    expect(refusal(story, SYSTEM, raises(left.since - 1))).toBe('ALREADY_SO')
    expect(refusal(story, SYSTEM, raises(left.since, { person: LEE }))).toBe('ALREADY_SO')
    const decided = must(story.put(SYSTEM, raises(left.since)), 'decision')
    expect(decided.events.map(({ type }) => type)).toEqual(['message.raised'])
    expect(findAlert(story.world, 'rings', task, BEN, about)).not.toBeNull()
    expect(refusal(story, SYSTEM, raises(left.since))).toBe('ALREADY_SO')
  })

  it('comes after what was taken as well, and lets go of it', () => {
    const { story, task, about, request } = asked()
    story.put(BEN, { type: 'claimRequest', request: request.id })
    const { since } = must(findMissedAlert(story.world, { task, about, person: BEN }), 'left')
    const decided = must(story.put(SYSTEM, { type: 'raiseAgain', task, about, person: BEN, since }), 'decision')
    expect(decided.events.map(({ type }) => type)).toEqual(['request.raised'])
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
