/** What a message brings to its receiver, and how the steps that it makes stand among the others. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  ANALYST,
  BEN,
  failed,
  goals,
  LEE,
  locksOf,
  MANAGER,
  messagesOf,
  must,
  plans,
  READER,
  says,
  saysFyi,
  stepsOf,
  storyOf,
  todo,
} from '@/test/stories'
import { asks, teamOf } from '@/test/waitStories'
import { outcomeOf, planned, Story, send } from '@/test/worldHistories'
import type { TaskId } from '../../ids'
import { stepIn } from '../../steps/ownSteps'

describe('a question to a person', () => {
  const aboutFor = (story: Story, person: typeof ANA) => story.world.notices[person]?.at(-1)?.words.about
  const asksBoth = (to: (typeof ANA)[]) => {
    const story = new Story()
    story.put(ANA, send(ANA, to, { text: 'Compare the lists, please', kind: 'action' }))
    story.run(MANAGER, () => outcomeOf({ steps: { insert: [planned('send_message')], add: [] } }))
    story.run(MANAGER, () => says([ANA, BEN], { message: 'Which currency?', waiting: false }))
    return story
  }

  it('is told by how its thread began where they wrote or read that, else by its own words', () => {
    const story = asksBoth([MANAGER])
    expect(aboutFor(story, ANA)).toBe('Compare the lists, please')
    expect(aboutFor(story, BEN)).toBe('Which currency?')
    expect(story.world.notices[BEN]?.at(-1)?.words).toMatchObject({ task: 'MAS base task', who: 'Manager' })
    const read = asksBoth([BEN, MANAGER])
    expect([aboutFor(read, ANA), aboutFor(read, BEN)]).toEqual(Array(2).fill('Compare the lists, please'))
  })
})

it('who joins a task is told of it, and who gets a part in a stage of that with its goal', () => {
  const { story, task } = storyOf(goals('read the lists', READER))
  const told = Object.values(story.world.messages[task] ?? {}).filter(
    ({ instruction, receivers }) => instruction?.type === 'update_working_memory' && receivers.includes(READER),
  )
  expect(told.map(({ text }) => text)).toEqual([
    expect.stringContaining('Compare'),
    expect.stringMatching(/1.*read the lists/),
  ])
})

describe('the steps of an agent', () => {
  it('have numbers one after another, a call behind the step that writes it', () => {
    const { story, task } = storyOf(goals('read', READER))
    const add = [planned('files', 'tool'), planned('think')]
    story.run(READER, () => outcomeOf({ steps: { insert: [], add } }))
    const own = stepsOf(story.world, READER, task)
    const first = must(own[0]?.number, 'number')
    expect(own.map(({ executor, number }) => [executor, must(number, 'number') - first])).toEqual([
      ['planning', 0],
      ['instruction_generation', 1],
      ['files', 2],
      ['think', 3],
    ])
  })

  it('that are tried again answer what they answered, without the wait that is over; others answer nothing', () => {
    const { story, task } = storyOf(goals('read', READER))
    const retried = (): unknown => {
      const step = must(
        story.run(READER, () => failed('no words')),
        'step',
      )
      story.put(ANA, { type: 'retryStep', step: step.id, reason: 'again' })
      return stepsOf(story.world, READER, task).find(({ retryOf }) => retryOf === step.id)?.answers
    }
    story.put(ANA, { type: 'changeParticipants', task, add: [MANAGER], remove: [], reason: 'for the test' })
    expect(retried()).toBeNull()
    const other = storyOf(goals('read', READER))
    other.story.put(ANA, send(ANA, [READER], { task: other.task, text: 'Which?', kind: 'urgent' }))
    const question = must(
      Object.values(other.story.world.messages[other.task] ?? {}).find(({ text }) => text === 'Which?'),
      'question',
    )
    const step = must(
      other.story.run(READER, () => failed('no words')),
      'reply',
    )
    expect(step.answers).toMatchObject({ message: question.id, waiting: expect.any(String) })
    other.story.put(ANA, { type: 'retryStep', step: step.id, reason: 'again' })
    const again = stepsOf(other.story.world, READER, other.task).find(({ retryOf }) => retryOf === step.id)
    expect(again?.answers).toMatchObject({ message: question.id, to: ANA, waiting: null })
  })

  it('take in what came of their waits in the order in which it came', () => {
    const { story, task, members } = teamOf(1)
    const [agent] = members
    const waiter = must(agent, 'member')
    story.put(ANA, { type: 'changeParticipants', task, add: [LEE], remove: [], reason: 'he helps' })
    asks({ story, task, members }, BEN, LEE)
    for (const [n, { id }] of locksOf(story.world, waiter).entries())
      story.put(ANA, { type: 'releaseWait', agent: waiter, waiting: id, reason: `reason ${n}` })
    const texts = (story.world.work[waiter]?.todo ?? []).flatMap((ref) => {
      const step = stepIn(story.world.steps[ref.task]?.[waiter], ref.step)
      return step?.executor === 'process_message' ? [/reason \d/.exec(step.text)?.[0]] : []
    })
    expect(texts).toEqual(['reason 0', 'reason 1'])
  })
})

describe('[R651] a message that asks for nothing is taken in without a call', () => {
  /** The steps of the receiver that take it in, and what it has to do after. */
  function received(story: Story, agent: typeof READER, task: TaskId, text: string) {
    const taken = stepsOf(story.world, agent, task).filter(
      (step) => step.executor === 'process_message' && step.text === text,
    )
    return { states: taken.map(({ state }) => state), todo: todo(story.world, agent) }
  }

  it('of an agent, whether the receiver works or its part is still to come', () => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', ANALYST))
    plans(story, READER, 'send_message', 'think')
    story.run(READER, () => saysFyi([ANALYST], 'Apples cost 3.20.'))
    expect(received(story, ANALYST, task, 'Apples cost 3.20.')).toEqual({ states: ['finished'], todo: [] })
    const [message] = messagesOf(story.world, task).filter(({ sender }) => sender === READER)
    expect(story.world.deliveries[task]?.[ANALYST]?.[must(message, 'message').id]?.state).toBe('done')
  })

  it('of a person while the agent works: its next step shows it', () => {
    const { story, task } = storyOf(goals('read', READER))
    plans(story, READER, 'think')
    story.put(BEN, send(BEN, [READER], { task, text: 'Without west.' }))
    expect(received(story, READER, task, 'Without west.')).toEqual({ states: ['finished'], todo: ['think'] })
  })

  it('but a person who writes to an agent without work gets one call, in which it may act', () => {
    const story = new Story()
    story.put(BEN, send(BEN, [MANAGER], { text: 'The lists came.' }))
    expect(todo(story.world, MANAGER)).toEqual(['process_message'])
  })

  it('and what asks for an answer or an act is a step as before', () => {
    const { story, task } = storyOf(goals('read', READER))
    plans(story, READER, 'think')
    story.put(BEN, send(BEN, [READER], { task, text: 'Which?', kind: 'action' }))
    expect(todo(story.world, READER)).toEqual(['think', 'send_message'])
  })
})
