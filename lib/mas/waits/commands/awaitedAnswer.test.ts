/** An answer that ends a wait and wants a reply itself: it is taken in at once, the steps before it go on, the reply follows. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  ANALYST,
  answers,
  BEN,
  goals,
  locksOf,
  messagesOf,
  must,
  plans,
  READER,
  requestOf,
  says,
  stepsOf,
  storyOf,
  todo,
} from '@/test/stories'
import { type Story, send } from '@/test/worldHistories'
import type { AgentId, TaskId } from '../../ids'
import { ADAPTER, comesIn, delivered, readerWaits } from '../../outside/commands/test/outsideStories'

const ANSWER = 'MARMALADE'

/** Reader has asked these and waits; then it is to think, and to check. */
function waiting(...receivers: AgentId[]): { story: Story; task: TaskId } {
  const { story, task } = storyOf(goals('read', READER), goals('compare', ANALYST))
  plans(story, READER, 'send_message', 'think', 'reflection')
  story.run(READER, () => says(receivers))
  expect(locksOf(story.world, READER)).toHaveLength(receivers.length)
  return { story, task }
}

const inWords = (task: TaskId, more: Partial<Parameters<typeof send>[2]> = {}) =>
  send(BEN, [READER], { task, text: ANSWER, kind: 'action', answers: 'oldest', ...more })

/** Taken in before anything else runs, and the reply to come. */
function expectTaken(story: Story, task: TaskId, rest = ['think', 'reflection', 'send_message']): void {
  expect(locksOf(story.world, READER)).toEqual([])
  const message = must(
    messagesOf(story.world, task).findLast(({ text }) => text === ANSWER),
    'answer',
  )
  const own = stepsOf(story.world, READER, task).filter(({ cause }) => cause.message === message.id)
  const taken = own.filter(({ executor }) => executor === 'process_message')
  expect(taken.map(({ state, text }) => [state, text])).toEqual([['finished', ANSWER]])
  expect(todo(story.world, READER)).toEqual(rest)
  const reply = own.find(({ executor }) => executor === 'send_message')
  expect(reply?.answers).toMatchObject({ message: message.id, to: message.sender })
  // It is not settled before the reply is sent.
  expect(story.world.deliveries[task]?.[READER]?.[message.id]?.state).toBe('acknowledged')
}

describe('[R332] an answer that wants a reply is taken in at once, and the reply follows', () => {
  it('when a person answers in the chat, by the oldest question or by its id', () => {
    const one = waiting(BEN)
    one.story.put(BEN, inWords(one.task))
    expectTaken(one.story, one.task)
    const other = waiting(BEN)
    other.story.put(BEN, inWords(other.task, { answers: must(requestOf(other.story, 'answer'), 'question').id }))
    expectTaken(other.story, other.task)
  })

  it('when the person waits for the reply: it is the next step', () => {
    const { story, task } = waiting(BEN)
    story.put(BEN, inWords(task, { kind: 'urgent' }))
    expectTaken(story, task, ['send_message', 'think', 'reflection'])
  })

  it('when another agent answers', () => {
    const { story, task } = waiting(ANALYST)
    story.run(ANALYST, () => says([READER], { message: ANSWER, waiting: false, need_reply: true }))
    expectTaken(story, task)
  })

  it('when an agent of another system answers', () => {
    const { story, task, message } = readerWaits()
    delivered(story, { shared: 'conv-1' })
    const said = { shared: 'conv-1', theirs: 'answer', text: ANSWER, needReply: true, inReplyTo: message }
    story.put(ADAPTER, comesIn(said))
    expectTaken(story, task, ['send_message'])
  })

  it.each(['the agent', 'the task'] as const)('when %s is paused as it comes, as soon as that goes on', (what) => {
    const { story, task } = waiting(BEN)
    const reason = 'look first'
    story.put(
      ANA,
      what === 'the task' ? { type: 'pauseTask', task, reason } : { type: 'pauseAgent', agent: READER, reason },
    )
    story.put(BEN, inWords(task))
    expect(locksOf(story.world, READER)).toEqual([])
    expect(story.start(READER)).toBeNull()
    story.put(
      ANA,
      what === 'the task' ? { type: 'resumeTask', task, reason } : { type: 'resumeAgent', agent: READER, reason },
    )
    expectTaken(story, task)
  })

  it('when others are still waited for', () => {
    const { story, task } = waiting(BEN, ANALYST)
    story.put(BEN, inWords(task))
    expect(story.start(READER)).toBeNull()
    story.run(ANALYST, () => says([READER], { message: 'mine', waiting: false, need_reply: false }))
    expectTaken(story, task)
  })

  it('when the reply is cancelled: the answer stays', () => {
    const { story, task } = waiting(BEN)
    story.put(BEN, inWords(task))
    const reply = must(
      stepsOf(story.world, READER, task).find((step) => step.answers !== null),
      'reply',
    )
    story.put(ANA, { type: 'cancelStep', step: reply.id, reason: 'no reply is needed' })
    expect(todo(story.world, READER)).toEqual(['think', 'reflection'])
    const taken = stepsOf(story.world, READER, task).filter(({ executor }) => executor === 'process_message')
    expect(taken.map(({ text, state }) => [text, state])).toEqual([[ANSWER, 'finished']])
  })

  it('when nothing else is planned: the reply is next', () => {
    const { story, task } = storyOf(goals('read', READER))
    plans(story, READER, 'send_message')
    story.run(READER, () => says([BEN]))
    story.put(BEN, inWords(task))
    expectTaken(story, task, ['send_message'])
  })
})

it('a message that wants a reply and ends no wait is answered in its turn, and nothing is recorded beside it', () => {
  const { story, task } = waiting(BEN)
  story.put(ANA, { type: 'changeParticipants', task, add: [ANA], remove: [], reason: 'for the test' })
  story.put(BEN, send(BEN, [READER], { task, text: 'And another thing?', kind: 'action' }))
  expect(todo(story.world, READER)).toEqual(['think', 'reflection', 'send_message'])
  expect(stepsOf(story.world, READER, task).filter(({ executor }) => executor === 'process_message')).toEqual([])
})

it('the answer on the card is taken in too', () => {
  const { story, task } = waiting(BEN)
  story.put(BEN, answers(must(requestOf(story, 'answer'), 'question'), 'answer', ANSWER))
  expect(todo(story.world, READER)).toEqual(['think', 'reflection'])
  const taken = stepsOf(story.world, READER, task).filter(({ executor }) => executor === 'process_message')
  expect(taken.map(({ text, state }) => [text, state])).toEqual([[ANSWER, 'finished']])
})
