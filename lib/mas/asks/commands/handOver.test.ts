/** Handing over whole: requests, parts and what people wrote, in one go, by one acceptance. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  BEN,
  goals,
  LEE,
  linesOf,
  MANAGER,
  messagesOf,
  must,
  outcomeAt,
  READER,
  requestOf,
  says,
  stageAt,
  storyOf,
} from '@/test/stories'
import { asks, type Ring, teamOf } from '@/test/waitStories'
import { outcomeOf, planned, type Story, send, teamConfig } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { Command, CommandOf } from '../../commands/command'
import { MESSAGE_MAX_BYTES } from '../../commands/texts'
import type { AgentId, HandOverId, MessageId, TaskId } from '../../ids'
import { selectAlerts } from '../alerts'
import { selectDue } from '../due'
import type { MessageOutcome } from '../outcomes'
import { SENTENCE_CHARACTERS } from './schemas'

const sentence = 'I am away until Monday.'

function refusal(story: Story, by: AgentId, command: Command): string | null {
  const decided = decide(story.world, { id: 'a-try', by, command }, story.world.at + 1)
  return decided.ok ? null : decided.fault.code
}
const textsFor = (story: Story, task: TaskId, person: AgentId): string[] =>
  story
    .openRequests()
    .flatMap((one) => (one.task === task && one.asked.includes(person) ? [one.question] : []))
    .sort()
const ringsFor = (story: Story, person: AgentId): number =>
  selectAlerts(story.world).rings.filter((call) => call.person === person).length
const messageOf = (story: Story, task: TaskId, text: string): MessageId =>
  must(
    Object.values(story.world.messages[task] ?? {}).find((message) => message.text === text),
    text,
  ).id
const outcomeOfText = (story: Story, task: TaskId, person: AgentId, text: string): MessageOutcome | null =>
  outcomeAt(story.world, task, messageOf(story, task, text), person)
const handingTo = (story: Story, person: AgentId): HandOverId =>
  must(
    story
      .openRequests()
      .map(({ transfer }) => transfer)
      .find((transfer) => transfer?.to === person),
    'hand-over',
  ).id

/** Ben is asked by an agent, and has an Urgent and an Action of Ana's; Lee is in the task too. */
function busy(): Ring {
  const ring = teamOf(1)
  const { story, task } = ring
  story.put(ANA, { type: 'changeParticipants', task, add: [LEE, ANA], remove: [], reason: 'they help' })
  asks(ring, BEN)
  story.put(ANA, send(ANA, [BEN], { task, text: 'The lamp burns', kind: 'urgent' }))
  story.put(ANA, send(ANA, [BEN], { task, text: 'Check the list', kind: 'action' }))
  return ring
}
const offer = (story: Story, more: Partial<CommandOf<'handOver'>> = {}): void => {
  story.put(BEN, { type: 'handOver', to: LEE, requests: 'all', sentence, ...more })
}
const settle = (story: Story, by: AgentId, accept: boolean): void => {
  story.put(by, { type: 'settleHandOver', handOver: handingTo(story, LEE), accept })
}

describe('[R28] all that waits for a person', () => {
  it('goes over in one go: both have it until it is accepted, then only the other one', () => {
    const { story, task } = busy()
    const mine = textsFor(story, task, BEN)
    expect(mine).toHaveLength(3)
    offer(story)
    expect(textsFor(story, task, BEN)).toEqual(mine)
    expect(textsFor(story, task, LEE)).toEqual(mine)
    expect([ringsFor(story, BEN), ringsFor(story, LEE)]).toEqual([2, 2])
    expect(linesOf(story.world, task).at(-1)).toBe(`Ben hands over to Lee: request 1, 2 messages · ${sentence}`)
    settle(story, LEE, true)
    expect(textsFor(story, task, BEN)).toEqual([])
    expect(textsFor(story, task, LEE)).toEqual(mine)
    expect([ringsFor(story, BEN), ringsFor(story, LEE)]).toEqual([0, 2])
  })

  it('is settled for both by the one who has it, and says by whom; taken back, it is open for both again', () => {
    const { story, task } = busy()
    offer(story)
    settle(story, LEE, true)
    const message = messageOf(story, task, 'Check the list')
    story.put(LEE, { type: 'markDone', message })
    expect(outcomeOfText(story, task, BEN, 'Check the list')).toMatchObject({
      state: 'done',
      by: LEE,
      transferredTo: LEE,
    })
    story.put(LEE, { type: 'undoOutcome', message })
    expect(outcomeOfText(story, task, BEN, 'Check the list')?.state).toBe('delivered')
    expect(textsFor(story, task, LEE)).toContain('Check the list')
    const replyTo = messageOf(story, task, 'The lamp burns')
    story.put(LEE, send(LEE, [ANA], { task, text: 'It is out', replyTo }))
    expect(outcomeOfText(story, task, BEN, 'The lamp burns')).toMatchObject({ state: 'answered', by: LEE })
  })

  it('comes back with "not me", and what was seen to before the other answered is settled for both', () => {
    const { story, task } = busy()
    offer(story)
    const mine = textsFor(story, task, BEN)
    story.put(BEN, { type: 'markDone', message: messageOf(story, task, 'Check the list') })
    expect(outcomeOfText(story, task, LEE, 'Check the list')).toMatchObject({ state: 'done', by: BEN })
    settle(story, LEE, false)
    expect(textsFor(story, task, LEE)).toEqual([])
    expect(textsFor(story, task, BEN)).toEqual(mine.filter((text) => text !== 'Check the list'))
    expect(outcomeOfText(story, task, LEE, 'The lamp burns')).toBeNull()
    // Offered once more it is theirs to take again.
    offer(story)
    expect(textsFor(story, task, LEE)).toHaveLength(2)
  })

  it('is chosen one by one: messages and requests are named, each once, and only what is open', () => {
    const { story, task } = busy()
    const [urgent, action] = [messageOf(story, task, 'The lamp burns'), messageOf(story, task, 'Check the list')]
    offer(story, { requests: [], messages: [urgent, urgent] })
    expect(textsFor(story, task, LEE)).toEqual(['The lamp burns'])
    const input: Command = { type: 'handOver', to: LEE, requests: [], messages: [urgent], sentence }
    expect(refusal(story, BEN, input)).toBe('HANDOVER_UNFIT')
    expect(refusal(story, BEN, { ...input, messages: [] })).toBe('HANDOVER_UNFIT')
    expect(refusal(story, LEE, { ...input, to: BEN, messages: [action] })).toBe('NOT_FOUND')
    story.put(BEN, { type: 'markDone', message: action })
    expect(refusal(story, BEN, { ...input, messages: [action] })).toBe('HANDOVER_UNFIT')
  })

  it('goes back to the one who had it when the other one leaves the task', () => {
    const { story, task } = busy()
    const mine = textsFor(story, task, BEN)
    offer(story, { requests: [], messages: [messageOf(story, task, 'The lamp burns')] })
    settle(story, LEE, true)
    offer(story)
    story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [LEE], reason: 'he goes' })
    expect(textsFor(story, task, BEN)).toEqual(mine)
    expect(story.openRequests().map(({ asked, transfer }) => [asked, transfer ?? null])).toEqual([
      [[BEN], null],
      [[BEN], null],
      [[BEN], null],
    ])
  })

  it('is no longer taken by the one who handed it over', () => {
    const { story } = busy()
    const request = must(requestOf(story, 'answer'), 'request').id
    story.put(BEN, { type: 'claimRequest', request })
    offer(story)
    expect(must(requestOf(story, 'answer'), 'request').claimed?.by).toBe(BEN)
    settle(story, LEE, true)
    expect(must(requestOf(story, 'answer'), 'request')).toMatchObject({ state: 'open', claimed: null, asked: [LEE] })
  })

  it('takes what was begun along, for the one who goes on', () => {
    const { story } = busy()
    const request = must(requestOf(story, 'answer'), 'request').id
    offer(story, { requests: [request], begun: { [request]: ' Take the second ' } })
    expect(must(requestOf(story, 'answer'), 'request').draft).toMatchObject({ by: BEN, text: 'Take the second' })
    expect(
      refusal(story, BEN, {
        type: 'answerRequest',
        request,
        decision: 'answer',
        text: 'x',
        arguments: null,
        digest: null,
      }),
    ).toBeNull()
  })

  it('in the base task goes to those of its thread and to operators alone', () => {
    const { story } = storyOf(goals('read', READER))
    const base = must(story.world.baseTask, 'base task')
    story.put(LEE, send(LEE, [BEN], { task: base, text: 'Look here', kind: 'action' }))
    const input = { type: 'handOver', requests: 'all', sentence } as const
    expect(refusal(story, BEN, { ...input, to: ANA })).toBeNull()
    const other = teamOf(1).story
    const common = must(other.world.baseTask, 'base task')
    other.put(ANA, send(ANA, [BEN], { task: common, text: 'Look here', kind: 'action' }))
    expect(refusal(other, BEN, { ...input, to: LEE })).toBe('NOT_A_MEMBER')
  })

  it('expires for all who have it when its time is up', () => {
    const { story, task } = busy()
    story.put(ANA, send(ANA, [BEN], { task, text: 'Soon', kind: 'action', due: story.world.at + 60_000 }))
    offer(story, { requests: [], messages: [messageOf(story, task, 'Soon')] })
    settle(story, LEE, true)
    const due = must(
      selectDue(story.world).find(({ command }) => command.type === 'expireWait'),
      'due time',
    )
    const after = decide(story.world, { id: 'late', by: 'system:timer', command: due.command }, due.at)
    expect(after.ok && after.events).toMatchObject([{ type: 'request.ended', state: 'expired' }])
  })
})

describe('[R28] a part of a stage', () => {
  const withPart = (...more: AgentId[]) => {
    const { story, task } = storyOf(goals('check', BEN, ...more), goals('write', READER))
    return { story, task }
  }

  it('is the other one’s when they accept: in the stage, in the request, in the judging', () => {
    const { story, task } = withPart()
    story.put(ANA, { type: 'changeParticipants', task, add: [LEE], remove: [], reason: 'he helps' })
    offer(story)
    expect(Object.keys(stageAt(story.world, 0, task).parts)).toEqual([BEN])
    settle(story, LEE, true)
    const stage = stageAt(story.world, 0, task)
    expect([stage.parts, Object.keys(stage.allocation)]).toEqual([{ [LEE]: 'idle' }, [LEE]])
    expect(linesOf(story.world, task).at(-1)).toBe('Lee took over the part of Ben in stage 1')
    const request = must(requestOf(story, 'part'), 'part').id
    const done = { decision: 'done', text: 'It is right', arguments: null, digest: null } as const
    expect(refusal(story, BEN, { type: 'answerRequest', request, ...done })).toBe('NOT_ASKED')
    story.put(LEE, { type: 'answerRequest', request, ...done })
    expect(stageAt(story.world, 0, task)).toMatchObject({
      parts: { [LEE]: 'finished' },
      summaries: { [LEE]: 'It is right' },
    })
    expect(story.world.work[MANAGER]?.todo).toHaveLength(1)
    const starts = messagesOf(story.world, task).filter(({ instruction }) => instruction?.type === 'start_stage')
    const outcomes = starts.flatMap(({ id }) => outcomeAt(story.world, task, id, BEN) ?? [])
    expect(outcomes.filter(({ state }) => state === 'done')).toHaveLength(1)
  })

  it('of an operator who is not in the task makes them a member; a second part in one stage nobody can have', () => {
    const { story, task } = withPart()
    story.put(BEN, { type: 'handOver', to: ANA, requests: 'all', sentence })
    story.put(ANA, { type: 'settleHandOver', handOver: handingTo(story, ANA), accept: true })
    expect(story.world.tasks[task]?.group).toContain(ANA)
    expect(stageAt(story.world, 0, task).parts).toEqual({ [ANA]: 'idle' })

    const both = storyOf(goals('check', BEN))
    both.story.put(ANA, {
      type: 'retryStage',
      stage: stageAt(both.story.world, 0, both.task).id,
      better: { intention: 'check', allocation: { [BEN]: 'check', [ANA]: 'check' } },
      reason: 'two are better',
    })
    expect(refusal(both.story, BEN, { type: 'handOver', to: ANA, requests: 'all', sentence })).toBe('HANDOVER_UNFIT')
  })

  it('done by the other one before they accepted is the part of the one who has it', () => {
    const { story, task } = withPart()
    story.put(BEN, { type: 'handOver', to: ANA, requests: 'all', sentence })
    const request = must(requestOf(story, 'part'), 'part').id
    story.put(ANA, { type: 'answerRequest', request, decision: 'done', text: 'Right', arguments: null, digest: null })
    expect(stageAt(story.world, 0, task).parts).toEqual({ [BEN]: 'finished' })
  })
})

describe('[R28] handing over is refused', () => {
  const input = (more: Partial<CommandOf<'handOver'>> = {}): Command => ({
    type: 'handOver',
    to: LEE,
    requests: 'all',
    sentence,
    ...more,
  })

  it('without a sentence, with one of over 1,000 characters, or with 64 KiB begun', () => {
    const { story } = busy()
    const { id } = must(requestOf(story, 'answer'), 'request')
    expect(refusal(story, BEN, input({ sentence: ' \n' }))).toBe('REASON_MISSING')
    expect(refusal(story, BEN, input({ sentence: ` ${'x'.repeat(SENTENCE_CHARACTERS)} ` }))).toBeNull()
    expect(refusal(story, BEN, input({ sentence: 'x'.repeat(SENTENCE_CHARACTERS + 1) }))).toBe('TOO_LARGE')
    expect(refusal(story, BEN, input({ begun: { [id]: 'x'.repeat(MESSAGE_MAX_BYTES) } }))).toBeNull()
    expect(refusal(story, BEN, input({ begun: { [id]: 'x'.repeat(MESSAGE_MAX_BYTES + 1) } }))).toBe('TOO_LARGE')
    expect(refusal(story, BEN, input({ begun: { [id]: `${'ü'.repeat(MESSAGE_MAX_BYTES / 2)}x` } }))).toBe('TOO_LARGE')
    // What has only spaces was not begun.
    offer(story, { begun: { [id]: '  ' } })
    expect(must(requestOf(story, 'answer'), 'request')).not.toHaveProperty('begun')
  })

  it('to nobody, to an agent, to oneself, to who left or may not sign in', () => {
    const { story } = busy()
    expect(refusal(story, BEN, input())).toBeNull()
    expect(refusal(story, BEN, input({ to: 'nobody' as AgentId }))).toBe('RECEIVER_UNKNOWN')
    expect(refusal(story, BEN, input({ to: READER }))).toBe('HANDOVER_UNFIT')
    expect(refusal(story, BEN, input({ to: BEN }))).toBe('HANDOVER_UNFIT')
    const file = teamConfig()
    const may = (access: 'none' | 'participant') =>
      story.put('system:start', {
        ...file,
        agents: file.agents.map((one) => (one.id === LEE ? { ...one, access } : one)),
      })
    may('none')
    expect(refusal(story, BEN, input())).toBe('RECEIVER_GONE')
    may('participant')
    expect(refusal(story, BEN, input())).toBeNull()
    story.put('system:start', { ...file, agents: file.agents.filter(({ id }) => id !== LEE) })
    expect(refusal(story, BEN, input())).toBe('RECEIVER_GONE')
  })

  it('of what is not put to me, is over, or is on its way', () => {
    const { story, task } = busy()
    const { id } = must(requestOf(story, 'answer'), 'request')
    const one = input({ requests: [id] })
    expect(refusal(story, ANA, one)).toBe('NOT_ASKED')
    expect(refusal(story, LEE, { ...one, to: BEN } as Command)).toBe('NOT_ASKED')
    offer(story, { requests: [id, id] })
    expect(refusal(story, BEN, one)).toBe('HANDOVER_UNFIT')
    settle(story, BEN, false)
    expect(refusal(story, BEN, one)).toBeNull()
    story.put(BEN, {
      type: 'answerRequest',
      request: id,
      decision: 'answer',
      text: 'this one',
      arguments: null,
      digest: null,
    })
    const answeredAt = story.world.at
    story.pass(60_000)
    story.put(ANA, send(ANA, [BEN], { task, text: 'something later' }))
    const over = decide(story.world, { id: 'a-try', by: BEN, command: one }, story.world.at + 1)
    expect(over).toMatchObject({ fault: { code: 'REQUEST_OVER', data: { by: 'Ben', at: answeredAt } } })
    expect(Object.keys(story.world.requests[task] ?? {})).toContain(id)
  })

  it('of what was released, with why', () => {
    const { story } = busy()
    const { id } = must(requestOf(story, 'answer'), 'request')
    const [agent, waiting] = must(
      Object.entries(story.world.work).flatMap(([who, { locks }]) =>
        locks.flatMap((lock) => (lock.request === id || lock.on === BEN ? [[who, lock.id] as const] : [])),
      )[0],
      'wait',
    )
    story.put(ANA, { type: 'releaseWait', agent: agent as AgentId, waiting, reason: 'it is late' })
    const command = input({ requests: [id] })
    expect(decide(story.world, { id: 'a-try', by: BEN, command }, story.world.at + 1)).toMatchObject({
      fault: { code: 'REQUEST_OVER', data: { by: 'it is late', how: 'released' } },
    })
  })

  it('of a message that asks for nothing, is settled, or was sent to the other one as well', () => {
    const { story, task } = busy()
    story.put(ANA, send(ANA, [BEN], { task, text: 'By the way' }))
    const of = (text: string) => input({ requests: [], messages: [messageOf(story, task, text)] })
    expect(refusal(story, BEN, of('By the way'))).toBe('HANDOVER_UNFIT')
    expect(refusal(story, BEN, of('Check the list'))).toBeNull()
    story.put(BEN, { type: 'markDone', message: messageOf(story, task, 'Check the list') })
    expect(refusal(story, BEN, of('Check the list'))).toBe('HANDOVER_UNFIT')
    expect(refusal(story, ANA, of('The lamp burns'))).toBe('NOT_FOUND')
  })

  it('to somebody outside of the task, unless they are an operator', () => {
    const ring = teamOf(1)
    const { story } = ring
    asks(ring, BEN)
    expect(refusal(story, BEN, input())).toBe('NOT_A_MEMBER')
    expect(refusal(story, BEN, input({ to: ANA }))).toBeNull()
  })

  it('is settled by the one it was offered to, or taken back by the one who offered it, and by nobody else', () => {
    const { story } = busy()
    offer(story)
    const handOver = handingTo(story, LEE)
    const settles = (accept: boolean): Command => ({ type: 'settleHandOver', handOver, accept })
    expect([refusal(story, LEE, settles(true)), refusal(story, LEE, settles(false))]).toEqual([null, null])
    expect([refusal(story, BEN, settles(true)), refusal(story, BEN, settles(false))]).toEqual(['NOT_ASKED', null])
    expect([refusal(story, ANA, settles(true)), refusal(story, ANA, settles(false))]).toEqual([
      'NOT_ASKED',
      'NOT_ASKED',
    ])
    const { story: base } = busy()
    expect(refusal(base, LEE, settles(true))).toBe('NOT_FOUND')
    settle(story, LEE, true)
    expect(refusal(story, LEE, settles(true))).toBe('NOT_FOUND')
  })
})

describe('[R28] what was handed over', () => {
  it('as a question is no share of a stage: anyone who has one may take it, and no part changes hands', () => {
    const { story, task } = storyOf(goals('read', READER, BEN, LEE))
    story.run(READER, () => outcomeOf({ steps: { insert: [], add: [planned('send_message')] } }))
    story.run(READER, (step) => says([BEN], { stage_relative: must(step.stage, 'stage') }))
    const { id } = must(requestOf(story, 'answer'), 'request')
    const parts = stageAt(story.world, 0).parts
    offer(story, { requests: [id] })
    const decided = must(
      story.put(LEE, { type: 'settleHandOver', handOver: handingTo(story, LEE), accept: true }),
      'decision',
    )
    expect(decided.events.map(({ type }) => type)).toEqual(['request.transferSettled'])
    expect(stageAt(story.world, 0).parts).toEqual(parts)
    expect(story.world.requests[task]?.[id]?.asked).toEqual([LEE])
  })

  it('goes back to whom it came from, when they are asked for that', () => {
    const { story, task } = busy()
    const message = messageOf(story, task, 'The lamp burns')
    offer(story, { requests: [], messages: [message] })
    settle(story, LEE, true)
    const back: Command = { type: 'handOver', to: BEN, requests: [], messages: [message], sentence }
    expect(refusal(story, LEE, back)).toBeNull()
  })

  it('is hidden from those who cannot read it, and not theirs for those who can', () => {
    const { story, task } = busy()
    offer(story, { requests: [], messages: [messageOf(story, task, 'The lamp burns')] })
    const settles: Command = { type: 'settleHandOver', handOver: handingTo(story, LEE), accept: true }
    expect(refusal(story, ANA, settles)).toBe('NOT_ASKED')
    story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [ANA], reason: 'she goes' })
    const file = teamConfig()
    const spy = { ...must(file.agents.at(-1), 'person'), id: 'spy' as AgentId, configId: 'spy', name: 'Spy' }
    const { agents } = story.world
    story.world = { ...story.world, agents: { ...agents, [spy.id]: { ...must(agents[LEE], 'Lee'), ...spy } } }
    expect(refusal(story, spy.id, settles)).toBe('NOT_FOUND')
  })
})
