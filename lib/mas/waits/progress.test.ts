/** What tasks, stages, parts and agents say of their progress, each reason alone: docs/rules R135. */
import { describe, expect, it } from 'vitest'
import { asId, type StageId } from '@/lib/mas/ids'
import {
  ANA,
  ANALYST,
  addTask,
  BEN,
  goals,
  MANAGER,
  must,
  plans,
  READER,
  says,
  stageAt,
  stepsOf,
  storyOf,
} from '@/test/stories'
import { outcomeOf } from '@/test/worldHistories'
import { selectOpenWaits } from './openWaits'
import {
  selectAgentProgress,
  selectPartProgress,
  selectStageProgress,
  selectStepsProgress,
  selectTaskProgress,
  selectTaskStop,
} from './progress'

const asksBen = () => says([BEN], { message: 'Which price holds?' })
const taskOf = (story: { world: Parameters<typeof selectTaskProgress>[0] }, id: string) =>
  must(
    Object.values(story.world.tasks).find((task) => task.id === id),
    'task',
  )

describe('[R135] progress', () => {
  it('of a second task whose agent is held in the first waits for whom the agent waits for', () => {
    const { story, task: first } = storyOf(goals('read', READER))
    plans(story, READER, 'send_message')
    const second = addTask(story, [goals('read again', READER)], 'Again')
    story.run(READER, asksBen)
    const stop = { state: 'waiting', on: [BEN], task: first, agent: READER }
    expect(selectTaskProgress(story.world, taskOf(story, first))).toMatchObject(stop)
    expect(selectTaskProgress(story.world, taskOf(story, second))).toMatchObject(stop)
    const stage = stageAt(story.world, 0, second)
    expect(selectStageProgress(story.world, stage)).toMatchObject(stop)
    expect(selectPartProgress(story.world, stage, READER)).toMatchObject(stop)
    expect(selectAgentProgress(story.world, READER)).toMatchObject(stop)
    const request = must(story.openRequests()[0], 'request')
    story.put(BEN, {
      type: 'answerRequest',
      request: request.id,
      decision: 'answer',
      text: 'the new one',
      arguments: null,
      digest: null,
    })
    expect(selectTaskProgress(story.world, taskOf(story, second))).toEqual({ state: 'running' })
  })

  it('of a stage that another agent still works on is running, and the task says all the same who is asked', () => {
    const { story, task } = storyOf(goals('read', READER, ANALYST))
    plans(story, READER, 'send_message')
    plans(story, ANALYST, 'think')
    story.run(READER, asksBen)
    const stage = stageAt(story.world, 0)
    expect(selectStageProgress(story.world, stage)).toEqual({ state: 'running' })
    expect(selectPartProgress(story.world, stage, READER)).toMatchObject({ state: 'waiting', on: [BEN] })
    expect(selectPartProgress(story.world, stage, ANALYST)).toEqual({ state: 'running' })
    expect(selectTaskStop(story.world, taskOf(story, task))).toMatchObject({ state: 'waiting', on: [BEN] })
  })

  it('of an agent that waits for one at work is waiting for that one, and blocks no task', () => {
    const { story, task } = storyOf(goals('read', READER, ANALYST))
    plans(story, READER, 'send_message')
    story.run(READER, () => says([ANALYST]))
    expect(selectAgentProgress(story.world, READER)).toMatchObject({ state: 'waiting', on: [ANALYST] })
    expect(selectTaskProgress(story.world, taskOf(story, task))).toEqual({ state: 'running' })
    expect(selectTaskStop(story.world, taskOf(story, task))).toBeNull()
  })

  it('of a task whose manager asked without waiting is waiting once nothing else is left to do', () => {
    const { story, task } = storyOf(goals('read', READER))
    plans(story, READER, 'summary')
    story.run(READER, () => outcomeOf({ state: 'failed', reason: 'west.csv is missing' }))
    const [stage] = [stageAt(story.world, 0)]
    while (!stageAt(story.world, 0).judging) story.run(READER, () => outcomeOf({}))
    story.run(MANAGER, () => says([BEN], { message: 'Leave west.csv out?', waiting: false }))
    while (story.run(MANAGER, () => outcomeOf({}))) {}
    const stop = { state: 'waiting', on: [BEN], task, agent: MANAGER }
    expect(selectTaskProgress(story.world, taskOf(story, task))).toMatchObject(stop)
    expect(selectStageProgress(story.world, must(story.world.stages[task]?.[stage.id], 'stage'))).toMatchObject({
      state: 'waiting',
    })
    expect(selectOpenWaits(story.world)).toMatchObject([{ who: MANAGER, on: [BEN], lock: null, isBlocked: false }])
  })

  it('of a part that a person has waits for them, and is done when they say so', () => {
    const { story, task } = storyOf(goals('check', ANA))
    const stage = () => stageAt(story.world, 0)
    expect(selectPartProgress(story.world, stage(), ANA)).toMatchObject({ state: 'waiting', on: [ANA] })
    expect(selectTaskProgress(story.world, taskOf(story, task))).toMatchObject({ state: 'waiting', on: [ANA] })
    const request = must(story.openRequests()[0], 'request')
    story.put(ANA, {
      type: 'answerRequest',
      request: request.id,
      decision: 'done',
      text: 'checked',
      arguments: null,
      digest: null,
    })
    expect(selectPartProgress(story.world, stage(), ANA)).toEqual({ state: 'done' })
    expect(selectTaskProgress(story.world, taskOf(story, task))).toEqual({ state: 'running' })
  })

  it('is blocked by a pause of the agent or of the task, with since when, until it is resumed', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.put(ANA, { type: 'pauseAgent', agent: READER, reason: 'look first' })
    const at = story.world.agents[READER]?.paused?.at
    const paused = { state: 'blocked', cause: 'paused', since: at }
    expect(selectTaskProgress(story.world, taskOf(story, task))).toMatchObject(paused)
    expect(selectPartProgress(story.world, stageAt(story.world, 0), READER)).toMatchObject(paused)
    story.put(ANA, { type: 'resumeAgent', agent: READER, reason: '' })
    expect(selectTaskProgress(story.world, taskOf(story, task))).toEqual({ state: 'running' })
    story.put(ANA, { type: 'pauseTask', task, reason: 'lunch' })
    expect(selectTaskProgress(story.world, taskOf(story, task))).toMatchObject({
      state: 'blocked',
      cause: 'paused',
      task,
    })
    expect(selectAgentProgress(story.world, READER)).toMatchObject({ state: 'blocked', cause: 'paused', task })
  })

  it('of steps outside all stages is done once each is over, also when they were put away, and idle before the first', () => {
    const { story, task } = storyOf(goals('read', READER))
    const steps = () => stepsOf(story.world, READER, task)
    const progress = (count?: number) => selectStepsProgress(story.world, taskOf(story, task), steps(), count)
    expect(selectStepsProgress(story.world, taskOf(story, task), [])).toEqual({ state: 'idle' })
    expect(selectStepsProgress(story.world, taskOf(story, task), [], 3)).toEqual({ state: 'done' })
    expect(progress()).toEqual({ state: 'running' })
    while (story.run(READER, () => outcomeOf({}))) {}
    expect(progress()).toEqual({ state: 'done' })
  })

  it('is done or failed by how it ended, and idle before it begins', () => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', ANALYST))
    expect(selectStageProgress(story.world, stageAt(story.world, 1))).toEqual({ state: 'idle' })
    expect(selectPartProgress(story.world, stageAt(story.world, 1), ANALYST)).toEqual({ state: 'idle' })
    story.put(ANA, { type: 'finishTask', task, state: 'failed', summary: 'enough', reason: 'late' })
    expect(selectTaskProgress(story.world, taskOf(story, task))).toEqual({ state: 'failed' })
    expect(selectAgentProgress(story.world, ANALYST)).toEqual({ state: 'idle' })
  })

  it('[R435] of a stage and its parts that were sent back is redone, not failed, whatever became of the next try', () => {
    const { story } = storyOf(goals('read', READER))
    const stage = stageAt(story.world, 0)
    const failed = { ...stage, state: 'failed', parts: { ...stage.parts, [READER]: 'failed' } } as const
    const sentBack = { ...failed, replacedBy: asId<StageId>('stage-again') }
    expect(selectStageProgress(story.world, sentBack)).toEqual({ state: 'redone' })
    expect(selectPartProgress(story.world, sentBack, READER)).toEqual({ state: 'redone' })
    expect(selectStageProgress(story.world, failed)).toEqual({ state: 'failed' })
    expect(selectPartProgress(story.world, failed, READER)).toEqual({ state: 'failed' })
    const done = { ...sentBack, parts: { ...stage.parts, [READER]: 'finished' } } as const
    expect(selectPartProgress(story.world, done, READER)).toEqual({ state: 'done' })
  })
})
