/** What an end takes with it: all of its own, and nothing of another task, stage, agent or step. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  ANALYST,
  addTask,
  BEN,
  goals,
  LEE,
  locksOf,
  must,
  plans,
  READER,
  says,
  stageAt,
  stepNow,
  stepsOf,
  storyOf,
  todo,
} from '@/test/stories'
import { outcomeOf, planned, type Story, send } from '@/test/worldHistories'
import type { AgentId, TaskId } from '../../ids'
import { selectNextStep } from '../../members'

/** The agent sends to Ben in its part and waits. */
const waitsForBen = (story: Story, agent: AgentId): void => {
  plans(story, agent, 'send_message', 'think')
  story.run(agent, (step) => says([BEN], { stage_relative: must(step.stage, 'stage') }))
}
const requestsOf = (story: Story, task: TaskId): string[] =>
  Object.values(story.world.requests[task] ?? {}).flatMap(({ kind, asker, state }) =>
    kind === 'answer' ? [`${asker === READER ? 'reader' : 'analyst'} ${state}`] : [],
  )

describe('the end of a task', () => {
  const two = () => {
    const { story, task } = storyOf(goals('read', READER))
    const other = addTask(story, [goals('look', ANALYST)], 'Other')
    waitsForBen(story, READER)
    waitsForBen(story, ANALYST)
    return { story, task, other }
  }

  it('releases its own waits, withdraws its own requests and cancels its own steps', () => {
    const { story, task, other } = two()
    story.put(ANA, { type: 'finishTask', task, state: 'failed', summary: 'enough', reason: 'enough' })
    expect([locksOf(story.world, READER), locksOf(story.world, ANALYST).length]).toEqual([[], 1])
    expect([requestsOf(story, task), requestsOf(story, other)]).toEqual([['reader superseded'], ['analyst open']])
    expect(todo(story.world, READER)).toEqual([])
    expect(todo(story.world, ANALYST)).toEqual(['think'])
    expect(stepsOf(story.world, READER, task).every(({ state }) => state === 'finished' || state === 'failed')).toBe(
      true,
    )
  })

  it('ends what waited in its own queue, and nothing in that of another', () => {
    const { story, task, other } = two()
    story.put(ANA, { type: 'pauseTask', task, reason: 'wait' })
    story.put(ANA, { type: 'pauseTask', task: other, reason: 'wait' })
    story.put(ANA, send(ANA, [READER], { task, text: 'one' }))
    story.put(ANA, send(ANA, [ANALYST], { task: other, text: 'two' }))
    const stateOf = (of: TaskId, agent: AgentId) =>
      Object.values(story.world.deliveries[of]?.[agent] ?? {}).find(
        ({ message }) => story.world.messages[of]?.[message]?.sender === ANA,
      )?.state
    expect([stateOf(task, READER), stateOf(other, ANALYST)]).toEqual(['queued', 'queued'])
    story.put(ANA, { type: 'finishTask', task, state: 'failed', summary: 'enough', reason: 'enough' })
    expect([stateOf(task, READER), stateOf(other, ANALYST)]).toEqual(['superseded', 'queued'])
  })
})

describe('the end of a stage', () => {
  it('ends what its agents do in it, and leaves what they do elsewhere', () => {
    const { story, task } = storyOf(goals('read', READER, ANALYST), goals('compare', READER))
    const other = addTask(story, [goals('look', READER)], 'Other')
    waitsForBen(story, ANALYST)
    const elsewhere = stepsOf(story.world, READER, other).length
    story.put(ANA, { type: 'finishStage', stage: stageAt(story.world, 0, task).id, reason: 'it will do' })
    expect(locksOf(story.world, ANALYST)).toEqual([])
    expect(requestsOf(story, task)).toEqual(['analyst superseded'])
    expect(stepsOf(story.world, READER, other)).toHaveLength(elsewhere)
    expect(stepsOf(story.world, READER, other).some(({ state }) => state === 'failed')).toBe(false)
    expect(selectNextStep(story.world, READER)).not.toBeNull()
  })
})

describe('a member who leaves a task', () => {
  it('takes along what they do in it, the others go on, and so do they elsewhere', () => {
    const { story, task } = storyOf(goals('read', READER, ANALYST))
    const other = addTask(story, [goals('look', READER)], 'Other')
    waitsForBen(story, ANALYST)
    const before = stepsOf(story.world, READER, other).map(({ state }) => state)
    story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [READER], reason: 'elsewhere' })
    expect(stepsOf(story.world, READER, task).every(({ state }) => state === 'failed' || state === 'finished')).toBe(
      true,
    )
    expect(stepsOf(story.world, READER, other).map(({ state }) => state)).toEqual(before)
    expect(locksOf(story.world, ANALYST)).toHaveLength(1)
    expect(requestsOf(story, task)).toEqual(['analyst open'])
  })
})

describe('a step that is cancelled', () => {
  it('lets nothing else of its agent go, in its part or beside it', () => {
    const { story } = storyOf(goals('read', READER, ANALYST))
    plans(story, READER, 'send_message', 'think', 'reflection')
    plans(story, ANALYST, 'think')
    story.run(READER, () => says([BEN]))
    const [think] = stepsOf(story.world, READER).filter(({ executor }) => executor === 'think')
    story.put(ANA, { type: 'cancelStep', step: must(think, 'step').id, reason: 'not needed' })
    expect(stepNow(story.world, must(think, 'step'))).toMatchObject({ state: 'failed' })
    expect(locksOf(story.world, READER)).toHaveLength(1)
    expect(todo(story.world, READER)).toEqual(['reflection'])
    expect(todo(story.world, ANALYST)).toEqual(['think'])
  })

  it('takes the tool step along whose call it was to write, and no other', () => {
    const { story } = storyOf(goals('read', READER))
    story.run(READER, () =>
      outcomeOf({ steps: { insert: [], add: [planned('files', 'tool'), planned('files', 'tool'), planned('think')] } }),
    )
    const steps = stepsOf(story.world, READER)
    const writers = steps.filter(({ executor }) => executor === 'instruction_generation')
    const writer = must(writers[0], 'writer')
    story.put(ANA, { type: 'cancelStep', step: writer.id, reason: 'not needed' })
    const tools = stepsOf(story.world, READER).filter(({ type }) => type === 'tool')
    const own = tools.find(({ id }) => id === writer.boundTo)
    const another = tools.find(({ id }) => id !== writer.boundTo)
    expect([own?.state, another?.state]).toEqual(['failed', 'init'])
  })
})

it('somebody outside of it has no part in the end of a task', () => {
  const { story, task } = storyOf(goals('read', READER))
  story.put(ANA, send(ANA, [LEE], { text: 'Can you look?', kind: 'urgent' }))
  const before = JSON.stringify(story.world.deliveries[must(story.world.baseTask, 'base task')]?.[LEE])
  story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'done', reason: 'done' })
  expect(JSON.stringify(story.world.deliveries[must(story.world.baseTask, 'base task')]?.[LEE])).toBe(before)
})
