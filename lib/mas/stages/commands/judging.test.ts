/** Who is asked to judge or to plan when the manager changes or the task rests, and what of it is settled. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  BEN,
  failed,
  goals,
  MANAGER,
  messagesOf,
  must,
  outcomeAt,
  READER,
  stageAt,
  storyOf,
  submits,
  todo,
} from '@/test/stories'
import { outcomeOf, type Story } from '@/test/worldHistories'
import type { AgentId, TaskId } from '../../ids'

const judges = (story: Story) => story.openRequests().filter(({ kind }) => kind === 'judge')
const manages = (story: Story, task: TaskId, agent: AgentId): void => {
  story.put(ANA, { type: 'changeManager', task, agent, reason: 'they know it' })
}

describe('a new manager', () => {
  it.each([
    ['an agent', READER],
    ['a person', BEN],
  ])('as %s is asked to plan a task that has no stages yet', (_, agent) => {
    const { story } = storyOf(goals('read', READER))
    while (story.run(READER, () => failed('no')) !== null) {}
    const { task } = must(
      story.put(ANA, {
        type: 'makeTask',
        name: 'Form',
        intention: 'Count them',
        manager: MANAGER,
        members: [],
        stages: [],
        reason: 'a test',
      }),
      'decision',
    ).reply as { task: never }
    manages(story, task, agent)
    const asked = messagesOf(story.world, task).filter(({ instruction }) => instruction?.type === 'judge_task')
    expect(asked.map(({ receivers }) => receivers)).toEqual([[MANAGER], [agent]])
    expect(asked[1]?.text).toContain('Count them')
    if (agent === BEN) expect(judges(story)).toMatchObject([{ asked: [BEN], task, stage: null }])
    else expect(todo(story.world, READER)).toContain('task_manager')
  })

  it('is asked nothing where nothing is to be judged', () => {
    const { story, task } = storyOf(goals('read', READER))
    manages(story, task, BEN)
    expect(judges(story)).toEqual([])
  })

  it('is asked nothing about a task without stages that nobody was still to plan', () => {
    const { story } = storyOf(goals('read', READER))
    const { task } = must(
      story.put(ANA, {
        type: 'makeTask',
        name: 'Form',
        intention: 'Count them',
        manager: MANAGER,
        members: [],
        stages: [],
        reason: 'a test',
      }),
      'decision',
    ).reply as { task: never }
    while (story.run(MANAGER, () => outcomeOf({})) !== null) {}
    for (const request of judges(story)) expect(request.asked).toEqual([ANA])
    const before = messagesOf(story.world, task).filter(({ instruction }) => instruction?.type === 'judge_task')
    story.put(ANA, { type: 'pauseTask', task, reason: 'lunch' })
    story.put(ANA, { type: 'resumeTask', task, reason: '' })
    expect(messagesOf(story.world, task).filter(({ instruction }) => instruction?.type === 'judge_task')).toEqual(
      before,
    )
  })

  it('of a task that rests is asked when it goes on', () => {
    const { story, task } = storyOf(goals('read', READER))
    submits(story, READER)
    story.put(ANA, { type: 'pauseTask', task, reason: 'lunch' })
    manages(story, task, BEN)
    expect(judges(story)).toEqual([])
    story.put(ANA, { type: 'resumeTask', task, reason: '' })
    expect(judges(story)).toMatchObject([{ asked: [BEN], stage: stageAt(story.world, 0).id }])
    expect(judges(story)[0]?.question).toContain('1')
  })
})

describe('a judgement that a person makes themselves', () => {
  it('is done for the one who was asked to', () => {
    const { story, task } = storyOf(goals('read', READER))
    manages(story, task, BEN)
    submits(story, READER)
    const { message } = must(judges(story)[0], 'request')
    story.put(ANA, { type: 'finishStage', stage: stageAt(story.world, 0).id, reason: 'good' })
    expect(outcomeAt(story.world, task, must(message, 'message'), BEN)?.state).toBe('done')
  })
})

it('operators are asked about the stage that runs when nobody judges it', () => {
  const { story } = storyOf(goals('read', READER), goals('read more', READER), goals('compare', READER))
  story.put(ANA, { type: 'finishStage', stage: stageAt(story.world, 0).id, reason: 'good' })
  submits(story, READER)
  story.run(MANAGER, () => failed('no model'))
  expect(judges(story)).toMatchObject([{ asked: [ANA], stage: stageAt(story.world, 1).id }])
})
