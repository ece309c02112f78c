/** Reminding others and oneself: how often, for how long, of what, and by whom. */

import { describe, expect, it } from 'vitest'
import type { MessageType } from '@/lib/mas/records'
import { ANA, BEN, goals, LEE, must, READER, stageAt, storyOf } from '@/test/stories'
import { asks, teamOf } from '@/test/waitStories'
import { BASE_TASK, Story, send } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { Command } from '../../commands/command'
import type { AgentId, MessageId, RequestId } from '../../ids'
import type { MessageRecord } from '../../records'
import { REMIND_MS } from './remind'
import { REMIND_ME_MINUTES } from './schemas'

const decided = (story: Story, by: string, command: Command, at = story.world.at + 1) =>
  decide(story.world, { id: 'a-try', by, command }, at)
const refusal = (story: Story, by: string, command: Command, at?: number): string | null => {
  const found = decided(story, by, command, at)
  return found.ok ? null : found.fault.code
}
const sends = (story: Story, receivers: AgentId[], kind: MessageType = 'action'): MessageRecord[] => {
  const { events } = must(story.put(ANA, send(ANA, receivers, { kind })), 'decision')
  return events.flatMap((event) =>
    event.type === 'message.sent' ? must(story.world.messages[BASE_TASK]?.[event.message], 'message') : [],
  )
}
const reminds = ({ id }: Pick<MessageRecord, 'id'>): Command => ({ type: 'remind', message: id })

describe('[R28] reminding others', () => {
  it('is for the sender and operators, of what asked for something', () => {
    const story = new Story()
    const question = must(sends(story, [BEN, LEE])[0], 'message')
    story.put(BEN, send(BEN, [LEE], { kind: 'action', text: 'of Ben' }))
    const ofBen = must(
      Object.values(story.world.messages[BASE_TASK] ?? {}).find(({ text }) => text === 'of Ben'),
      'message',
    )
    expect(refusal(story, BEN, reminds(question))).toBe('NOT_ALLOWED')
    expect(refusal(story, BEN, reminds(ofBen))).toBeNull()
    expect(refusal(story, LEE, reminds(ofBen))).toBe('NOT_ALLOWED')
    expect(refusal(story, ANA, reminds(ofBen))).toBeNull()
    expect(refusal(story, ANA, reminds(must(sends(story, [BEN], 'fyi')[0], 'message')))).toBe('ALREADY_SO')
  })

  it('happens again after five minutes, counted from the last time that one of them was reminded', () => {
    const story = new Story()
    const [toBen, toLee] = sends(story, [BEN, LEE])
    expect(refusal(story, ANA, reminds(must(toBen, 'message')))).toBeNull()
    story.put(ANA, reminds(must(toBen, 'message')))
    const since = story.world.at
    const again = reminds(must(toLee, 'message'))
    expect(decided(story, ANA, again, since + REMIND_MS - 1)).toMatchObject({
      fault: { code: 'TOO_MANY', data: { seconds: 1 } },
    })
    expect(decided(story, ANA, again, since + REMIND_MS - 1_001)).toMatchObject({ fault: { data: { seconds: 2 } } })
    expect(refusal(story, ANA, again, since + REMIND_MS)).toBeNull()
    // Another message is another matter, and so is what somebody wants to be asked about later.
    const other = must(sends(story, [BEN])[0], 'message')
    story.put(BEN, { type: 'remindMe', about: { message: other.id }, minutes: 5 })
    expect(refusal(story, ANA, reminds(other))).toBeNull()
  })

  it('reaches the people who have not settled it, with a notice, and nobody when all have', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(ANA, send(ANA, [BEN, READER], { task, kind: 'action', text: 'Look' }))
    const [toBen, toReader] = Object.values(story.world.messages[task] ?? {}).filter(({ text }) => text === 'Look')
    const notices = () => story.world.notices[BEN]?.filter(({ kind }) => kind === 'reply_needed').length
    const before = notices()
    const { reply, events } = must(story.put(ANA, reminds(must(toReader, 'message'))), 'decision')
    // An agent works off what it was sent: it need not be reminded.
    expect(reply).toEqual({ reminded: [BEN] })
    expect(events.filter(({ type }) => type === 'notice.given')).toHaveLength(1)
    expect(notices()).toBe((before ?? 0) + 1)
    story.put(BEN, { type: 'markDone', message: must(toBen, 'message').id })
    story.pass(REMIND_MS)
    expect(refusal(story, ANA, reminds(must(toBen, 'message')), story.world.at + REMIND_MS)).toBe('ALREADY_SO')
  })

  it('is told with the stage of what was asked', () => {
    const { story, task } = storyOf(goals('read', READER))
    const stage = stageAt(story.world, 0).id
    story.put(ANA, send(ANA, [BEN], { task, stage, kind: 'action', text: 'Look' }))
    const asked = Object.values(story.world.messages[task] ?? {}).find(({ text }) => text === 'Look')
    story.put(ANA, reminds(must(asked, 'message')))
    expect(story.world.notices[BEN]?.at(-1)).toMatchObject({ kind: 'reply_needed', stage })
  })

  it('is refused when all have settled it', () => {
    const story = new Story()
    const question = must(sends(story, [BEN])[0], 'message')
    story.put(BEN, { type: 'markDone', message: question.id })
    expect(refusal(story, ANA, reminds(question))).toBe('ALREADY_SO')
  })

  it('goes to the one who took it over, and not to the one who handed it on', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(ANA, { type: 'changeParticipants', task, add: [LEE], remove: [], reason: 'he helps' })
    story.put(ANA, send(ANA, [BEN], { task, kind: 'action', text: 'Look' }))
    const { id } = must(
      Object.values(story.world.messages[task] ?? {}).find(({ text }) => text === 'Look'),
      'message',
    )
    const offer: Command = { type: 'handOver', to: LEE, requests: [], messages: [id], sentence: 'I am away' }
    const { handOver } = must(story.put(BEN, offer), 'decision').reply as { handOver: never }
    story.put(LEE, { type: 'settleHandOver', handOver, accept: true })
    expect(must(story.put(ANA, reminds({ id })), 'decision').reply).toEqual({ reminded: [LEE] })
  })
})

describe('[R28] being reminded', () => {
  const me = (about: { request: RequestId } | { message: MessageId }, minutes: number): Command => ({
    type: 'remindMe',
    about,
    minutes,
  })

  it.each([
    [-1, 'BAD_INPUT'],
    [1, null],
    [1.5, 'BAD_INPUT'],
    [REMIND_ME_MINUTES, null],
    [REMIND_ME_MINUTES + 1, 'BAD_INPUT'],
    [Number.NaN, 'BAD_INPUT'],
  ])('in %d minutes: %s', (minutes, code) => {
    const story = new Story()
    const { id } = must(sends(story, [BEN])[0], 'message')
    expect(refusal(story, BEN, me({ message: id }, minutes))).toBe(code)
  })

  it('[R140] in no minutes ends it: the request and its message call again at once, and only once', () => {
    const ring = teamOf(1)
    const { story } = ring
    asks(ring, BEN)
    const { id, task } = must(
      Object.values(story.world.requests)
        .flatMap((all) => Object.values(all))
        .find(({ asked }) => asked.includes(BEN)),
      'request',
    )
    const snoozed = () => story.world.requests[task]?.[id]?.snoozed?.[BEN]
    expect(refusal(story, BEN, me({ request: id }, 0))).toBe('ALREADY_SO')
    story.put(BEN, me({ request: id }, 15))
    expect(snoozed()).toEqual(expect.any(Number))
    story.put(BEN, me({ request: id }, 0))
    expect(snoozed()).toBeUndefined()
    expect(refusal(story, BEN, me({ request: id }, 0))).toBe('ALREADY_SO')
  })

  it('[R140] a message is put off, and called for again at once by no minutes, once', () => {
    const story = new Story()
    const { id } = must(sends(story, [BEN])[0], 'message')
    expect(refusal(story, BEN, me({ message: id }, 0))).toBe('ALREADY_SO')
    story.put(BEN, me({ message: id }, 5))
    expect(refusal(story, BEN, me({ message: id }, 0))).toBeNull()
    story.put(BEN, me({ message: id }, 0))
    expect(refusal(story, BEN, me({ message: id }, 0))).toBe('ALREADY_SO')
  })

  it('is for what is mine and open', () => {
    const ring = teamOf(1)
    const { story } = ring
    const { id } = must(sends(story, [BEN])[0], 'message')
    expect(refusal(story, LEE, me({ message: id }, 5))).toBe('NOT_FOUND')
    story.put(BEN, { type: 'markDone', message: id })
    expect(refusal(story, BEN, me({ message: id }, 5))).toBe('ALREADY_SO')
    asks(ring, BEN)
    const request = must(
      story.openRequests().find(({ kind }) => kind === 'answer'),
      'request',
    )
    expect(refusal(story, LEE, me({ request: request.id }, 5))).toBe('NOT_FOUND')
    expect(refusal(story, BEN, me({ request: request.id }, 5))).toBeNull()
    expect(must(story.put(BEN, me({ request: request.id }, 5)), 'decision').events.map(({ type }) => type)).toEqual([
      'reminder.set',
    ])
  })

  it('of what has no time any more does nothing', () => {
    const story = new Story()
    const { id } = must(sends(story, [BEN])[0], 'message')
    const [asked] = Object.values(story.world.requests[BASE_TASK] ?? {})
    const due: Command = {
      type: 'remindDue',
      task: BASE_TASK,
      agent: BEN,
      about: { request: must(asked, 'request').id },
    }
    expect(story.put('system:timer', due)?.events).toEqual([])
    const none: Command = { type: 'remindDue', task: BASE_TASK, agent: BEN, about: { request: 'none' as RequestId } }
    expect(story.put('system:timer', none)?.events).toEqual([])
    const reply = must(story.put(BEN, me({ message: id }, 1)), 'decision').reply as { until: never }
    expect(reply.until).toBe(story.world.at + 60_000)
    expect(decided(story, 'system:timer', due, reply.until - 1)).toMatchObject({ events: [] })
    const [event] =
      must(decided(story, 'system:timer', due, reply.until) as { events?: unknown[] }, 'decision').events ?? []
    expect(event).toMatchObject({ type: 'reminder.set', until: null, agent: BEN })
  })

  it('[R572] of a message that asks nothing is a reminder of its own, which changes nothing else', () => {
    const story = new Story()
    const { id } = must(sends(story, [BEN], 'fyi')[0], 'message')
    expect(refusal(story, LEE, me({ message: id }, 5))).toBe('NOT_FOUND')
    const { deliveries } = story.world
    const { events } = must(story.put(BEN, me({ message: id }, 5)), 'decision')
    expect(events.map(({ type }) => type)).toEqual(['reminder.set'])
    expect(story.world.deliveries).toBe(deliveries)
    const until = must(story.world.reminders[BASE_TASK]?.[BEN]?.[id], 'reminder')
    const due: Command = { type: 'remindDue', task: BASE_TASK, agent: BEN, about: { message: id } }
    expect(decided(story, 'system:timer', due, until - 1)).toMatchObject({ events: [] })
    story.pass(5 * 60_000)
    story.put('system:timer', due)
    expect(story.world.reminders[BASE_TASK]?.[BEN]).toEqual({})
  })
})
