/** The end of a task, and what a walk begins with. */
import { describe, expect, it } from 'vitest'
import {
  ANALYST,
  BEN,
  goals,
  judges,
  locksOf,
  MANAGER,
  managerSays,
  messagesOf,
  must,
  plans,
  READER,
  says,
  stageAt,
  stepsOf,
  storyOf,
  submits,
  todo,
  workTask,
} from '@/test/stories'
import { openTask, outcomeOf, planned, Story, send } from '@/test/worldHistories'

describe('the end of a task', () => {
  it('[R6] finish_task while a stage runs fails the stage, and nothing of it is left', () => {
    const { story, task } = storyOf(goals('read', READER, BEN), goals('compare', ANALYST))
    plans(story, READER, 'send_message', 'think', 'reflection')
    story.run(READER, (step) => says([BEN], { stage_relative: must(step.stage, 'stage') }))
    story.ask('stop it')
    managerSays(story, { action: 'finish_task', task_id: task, state: 'failed', task_summary: 'Stopped.' })
    expect(workTask(story.world)).toMatchObject({ state: 'failed', summary: 'Stopped.' })
    expect(stageAt(story.world, 0).state).toBe('failed')
    expect(locksOf(story.world, READER)).toEqual([])
    expect(todo(story.world, READER)).toEqual([])
    expect(story.openRequests()).toEqual([])
    const unsettled = Object.values(story.world.deliveries[task]?.[BEN] ?? {}).filter(
      (delivery) => story.world.messages[task]?.[delivery.message]?.type === 'action' && delivery.settledAt === null,
    )
    expect(unsettled).toEqual([])
    expect(story.put(BEN, send(BEN, [READER], { task }))).toBeNull()
  })

  it('[R6] an outcome that comes in after the end is kept and causes nothing', () => {
    const { story, task } = storyOf(goals('read', READER))
    const late = must(story.start(READER), 'planning')
    story.ask('stop it')
    managerSays(story, { action: 'finish_task', task_id: task, state: 'failed', task_summary: 'Stopped.' })
    const { world } = story
    expect(story.finish(late, outcomeOf({ steps: { insert: [], add: [planned('think')] } }))?.reply).toEqual({
      late: true,
    })
    expect(story.world).toEqual({ ...world, seq: story.world.seq, at: story.world.at })
    expect(story.entries.at(-1)?.event.type).toBe('effect.lateOutcome')
  })

  it('[R342] finish_stage, finish_task and add_stage without a task mean the one at hand, and its running stage', () => {
    const { story, task } = storyOf(goals('read', READER))
    submits(story, READER)
    managerSays(story, { action: 'finish_stage' })
    expect(stageAt(story.world, 0).state).toBe('finished')
    managerSays(story, { action: 'add_stage', stages: [goals('check', READER)] })
    expect(stageAt(story.world, 1).state).toBe('running')
    submits(story, READER)
    managerSays(story, { action: 'finish_task', state: 'finished', task_summary: 'Done.' })
    expect(story.world.tasks[task]?.state).toBe('finished')
  })

  it('[R6] takes every step out of the live list, also the one that ended the task', () => {
    const { story, task } = storyOf(goals('read', READER))
    submits(story, READER)
    judges(story, stageAt(story.world, 0))
    managerSays(story, { action: 'finish_task', task_id: task, state: 'finished', task_summary: 'Done.' })
    const live = [MANAGER, READER].flatMap((agent) => stepsOf(story.world, agent, task).filter((step) => !step.retired))
    expect(live.map((step) => step.executor)).toEqual([])
  })
})

describe('the walk that other tests take', () => {
  it('begins with a running stage', () => {
    const story = new Story()
    expect(openTask(story)).toBe(workTask(story.world).id)
    expect(stageAt(story.world, 0).state).toBe('running')
  })
})

it('[R345] finish_task finishes a last stage whose parts are all over, and fails one in which somebody works', () => {
  for (const isOver of [true, false]) {
    const { story, task } = storyOf(goals('read', READER, ANALYST))
    submits(story, READER)
    if (isOver) submits(story, ANALYST)
    else story.ask('end it')
    managerSays(story, { action: 'finish_task', state: 'finished', task_summary: 'Done.' })
    expect(story.world.tasks[task]?.state).toBe('finished')
    expect(stageAt(story.world, 0).state).toBe(isOver ? 'finished' : 'failed')
  }
})

it('[R480] the record of an ended task keeps headline, facts and what was left out; its message begins with the headline', () => {
  const { story, task } = storyOf(goals('read', READER, BEN))
  submits(story, READER)
  story.ask('end it')
  managerSays(story, {
    action: 'finish_task',
    state: 'finished',
    task_summary: 'Read whole.',
    headline: 'Seven lines.',
    facts: [
      { label: 'Lines', value: '7', source: 'a.csv' },
      { label: 'Lists', value: '1' },
    ],
  })
  expect(story.world.tasks[task]).toMatchObject({
    summary: 'Read whole.',
    result: {
      headline: 'Seven lines.',
      facts: [
        { label: 'Lines', value: '7', source: 'a.csv' },
        { label: 'Lists', value: '1', source: null },
      ],
      leftOut: [],
    },
  })
  expect(messagesOf(story.world, task).at(-1)?.text).toContain('Seven lines.\n\nRead whole.')
  expect(story.world.notices[BEN]?.at(-1)).toMatchObject({ kind: 'task_finished', words: { about: 'Seven lines.' } })
})

it('[R480] a result of a free text alone has no structured parts, and its message says it once', () => {
  const { story, task } = storyOf(goals('read', READER))
  submits(story, READER)
  managerSays(story, { action: 'finish_task', state: 'finished', task_summary: 'Read whole.' })
  expect(story.world.tasks[task]).not.toHaveProperty('result')
  expect(messagesOf(story.world, task).at(-1)?.text).toMatch(/finished\. Read whole\.$/)
})
