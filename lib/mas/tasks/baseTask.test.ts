/** The base task: where people ask, what it never does, how its threads stay apart. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  BEN,
  goals,
  judges,
  LEE,
  MANAGER,
  managerSays,
  messagesOf,
  must,
  READER,
  says,
  stageAt,
  stepNow,
  stepsOf,
  storyOf,
  submits,
  tell,
  todo,
  workTask,
} from '@/test/stories'
import { BASE_TASK, outcomeOf, planned, Story } from '@/test/worldHistories'
import type { StageId } from '../ids'
import type { TaskInstruction } from '../steps/outcome'

describe('the base task', () => {
  it.each<[string, (stage: StageId) => TaskInstruction]>([
    ['finish_task', () => ({ action: 'finish_task', task_id: BASE_TASK, state: 'finished', task_summary: 'over' })],
    ['finish_stage', (stage) => ({ action: 'finish_stage', task_id: BASE_TASK, stage_id: stage })],
    [
      'retry_stage',
      (stage) => ({ action: 'retry_stage', task_id: BASE_TASK, stage_id: stage, stages: [goals('again', READER)] }),
    ],
  ])('[R6] refuses %s and stays as it is', (_, instruction) => {
    const story = new Story()
    const [stage] = Object.values(story.world.stages[BASE_TASK] ?? {})
    story.ask()
    const before = story.world.tasks[BASE_TASK]
    const step = must(
      story.run(MANAGER, () => tell(instruction(must(stage, 'stage of the base task').id))),
      'step',
    )
    expect(stepNow(story.world, step)).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining('BASE_TASK_STAYS'),
    })
    expect(story.world.tasks[BASE_TASK]).toEqual(before)
    expect(story.world.stages[BASE_TASK]).toEqual({ [must(stage, 'stage').id]: stage })
  })

  it('asks no one to plan when its stage starts, and holds the managers and all people', () => {
    const { world } = new Story()
    expect(todo(world, MANAGER)).toEqual([])
    expect(world.tasks[BASE_TASK]?.group).toEqual([MANAGER, ANA, BEN, LEE])
  })

  it('[R10] a reply stays in its thread, any other message of a person begins one, steps and answers inherit it', () => {
    const story = new Story()
    story.ask('first wish')
    story.ask('second wish')
    const [first, second] = messagesOf(story.world, BASE_TASK)
    expect(first?.thread).toBe(first?.id)
    expect(second?.thread).toBe(second?.id)
    expect(second?.thread).not.toBe(first?.thread)
    const step = must(
      story.run(MANAGER, () => outcomeOf({ steps: { add: [], insert: [planned('think')] } })),
      'step',
    )
    const thought = stepsOf(story.world, MANAGER, BASE_TASK).find((one) => one.executor === 'think')
    expect([step.thread, thought?.thread]).toEqual([first?.id, first?.id])
    story.run(MANAGER, () => outcomeOf({}))
    // The manager asks back in the second thread; the answer stays there.
    story.run(MANAGER, () => says([ANA], { waiting: false }))
    const asked = must(story.openRequests()[0], 'request')
    expect(asked.thread).toBe(second?.id)
    story.put(ANA, {
      type: 'answerRequest',
      request: asked.id,
      decision: 'answer',
      text: 'that one',
      arguments: null,
      digest: null,
    })
    expect(messagesOf(story.world, BASE_TASK).at(-1)).toMatchObject({ text: 'that one', thread: second?.id })
    const own = stepsOf(story.world, ANA, BASE_TASK).filter((one) => one.createdSeq > asked.openedSeq)
    expect(own.map((one) => one.thread)).toEqual([second?.id])
  })

  it('[R10] the one who asked for a task is its member, and is told of its end where they asked', () => {
    const { story, task } = storyOf(goals('read', READER))
    expect(workTask(story.world)).toMatchObject({ requestedBy: ANA, state: 'running' })
    expect(workTask(story.world).group).toContain(ANA)
    const asked = workTask(story.world).requestedIn
    submits(story, READER)
    judges(story, stageAt(story.world, 0))
    managerSays(story, { action: 'finish_task', task_id: task, state: 'finished', task_summary: 'No difference.' })
    const told = messagesOf(story.world, BASE_TASK).at(-1)
    expect(told).toMatchObject({ sender: 'system:task', receivers: [ANA], thread: asked?.thread })
    expect(told?.text).toContain('No difference.')
    expect(messagesOf(story.world, task).at(-1)).toMatchObject({ instruction: { type: 'finish_task' } })
  })
})
