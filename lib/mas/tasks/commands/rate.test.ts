/** Ratings of results: who may give them, and what stays known of them. */
import { expect, it } from 'vitest'
import { ANA, BEN, goals, LEE, MANAGER, must, READER, storyOf, submits } from '@/test/stories'
import { Story } from '@/test/worldHistories'
import { decide } from '../../commands'
import type { AgentId, TaskId } from '../../ids'
import { isTaskOver } from '../../statuses'
import { selectRatings } from '../ratings'
import { RATINGS_KEPT } from '../reduce'
import { RATING_CHARACTERS } from './rate'

const reason = 'it is done'
const end = (story: Story, task: TaskId) =>
  story.put(ANA, { type: 'finishTask', task, state: 'finished', summary: 'Done.', reason })
const rate = (story: Story, by: AgentId, task: TaskId, rating: 'up' | 'down', sentence = ''): string => {
  const command = { type: 'rateTask', task, rating, sentence } as const
  const decided = decide(story.world, { id: 'asked first', by, command }, story.world.at)
  if (!decided.ok) return decided.fault.code
  story.put(by, command)
  return 'done'
}

/** A task that Ben asked for, with Lee as a member; Ana is an operator. */
function askedByBen() {
  const told = storyOf(goals('read', READER, BEN, LEE))
  const { story, task } = told
  const record = story.world.tasks[task]
  if (record) story.world = { ...story.world, tasks: { ...story.world.tasks, [task]: { ...record, requestedBy: BEN } } }
  return told
}

it('[R483] the person who asked and an operator rate an ended task, each once, and change it; nobody else does', () => {
  const { story, task } = askedByBen()
  submits(story, READER)
  expect(rate(story, BEN, task, 'up')).toBe('BAD_INPUT')
  end(story, task)
  expect(rate(story, LEE, task, 'up')).toBe('NOT_ALLOWED')
  expect(rate(story, BEN, task, 'up', ' Short\n and right. ')).toBe('done')
  expect(rate(story, ANA, task, 'down')).toBe('done')
  expect(rate(story, BEN, task, 'up', 'Short and right.')).toBe('ALREADY_SO')
  expect(rate(story, BEN, task, 'down', 'The total is wrong.')).toBe('done')
  expect(story.world.tasks[task]?.ratings).toMatchObject([
    { by: ANA, rating: 'down', sentence: '' },
    { by: BEN, rating: 'down', sentence: 'The total is wrong.' },
  ])
})

it('[R483] who asked and was removed before the end does not rate what they cannot read', () => {
  const { story, task } = askedByBen()
  story.put(ANA, { type: 'changeParticipants', task, add: [], remove: [BEN], reason })
  end(story, task)
  expect(rate(story, BEN, task, 'up')).toBe('NOT_ALLOWED')
  expect(rate(story, ANA, task, 'up')).toBe('done')
})

it('[R483] a sentence has its limit', () => {
  const { story, task } = askedByBen()
  end(story, task)
  expect(rate(story, BEN, task, 'up', 'x'.repeat(RATING_CHARACTERS + 1))).toBe('TOO_LARGE')
  expect(rate(story, BEN, task, 'up', 'x'.repeat(RATING_CHARACTERS))).toBe('done')
})

it('[R484] the last ratings of what a person asked for stay known when the tasks have left the world, a changed one once', () => {
  const story = new Story()
  const tasks = Array.from({ length: RATINGS_KEPT + 1 }, () => {
    story.put(ANA, {
      type: 'makeTask',
      name: 'A',
      intention: 'a',
      manager: MANAGER,
      members: [ANA],
      stages: [],
      reason,
    })
    const task = must(
      Object.values(story.world.tasks).find((one) => !one.base && !isTaskOver(one)),
      'task',
    )
    end(story, task.id)
    return task.id
  })
  for (const task of tasks) rate(story, ANA, task, 'up', `of ${task}`)
  const [, second, third, last] = tasks
  if (!second || !third || !last) throw new Error('too few tasks')
  const asker = story.world.tasks[last]?.requestedBy
  if (!asker) throw new Error('nobody asked')
  expect(selectRatings(story.world, asker, null).map(({ task }) => task)).toEqual([last, third, second])
  rate(story, ANA, third, 'down', 'on a second look')
  expect(selectRatings(story.world, asker, null).map(({ task, rating }) => [task, rating])).toEqual([
    [third, 'down'],
    [last, 'up'],
    [second, 'up'],
  ])
  const { [last]: _, ...left } = story.world.tasks
  expect(selectRatings({ ...story.world, tasks: left }, asker, null)).toHaveLength(RATINGS_KEPT)
  expect(selectRatings(story.world, LEE, null)).toEqual([])
})
