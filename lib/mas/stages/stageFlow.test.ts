/** Stages one after the other, and the judge between them. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  ANALYST,
  addTask,
  BEN,
  failed,
  goals,
  judges,
  LEE,
  MANAGER,
  managerSays,
  messagesOf,
  must,
  plans,
  READER,
  stageAt,
  stagesOf,
  stepNow,
  stepsOf,
  storyOf,
  submits,
  tell,
  todo,
  workTask,
} from '@/test/stories'
import { Story, send, teamConfig } from '@/test/worldHistories'

describe('stages', () => {
  it('finish_stage starts the next, and with none left the manager is asked to judge the task', () => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', ANALYST))
    expect(stagesOf(story.world).map((stage) => stage.state)).toEqual(['running', 'init'])
    submits(story, READER)
    expect(messagesOf(story.world, task).at(-1)).toMatchObject({
      sender: 'system:task',
      receivers: [MANAGER],
      instruction: { type: 'judge_stage' },
    })
    judges(story, stageAt(story.world, 0))
    expect(stagesOf(story.world).map((stage) => stage.state)).toEqual(['finished', 'running'])
    expect(todo(story.world, ANALYST)).toEqual(['planning'])
    submits(story, ANALYST)
    judges(story, stageAt(story.world, 1))
    expect(messagesOf(story.world, task).at(-1)).toMatchObject({
      receivers: [MANAGER],
      instruction: { type: 'judge_task' },
    })
    expect(todo(story.world, MANAGER)).toEqual(['task_manager'])
    expect(workTask(story.world).state).toBe('running')
  })

  it('add_stage on a task without a running stage starts the first new one', () => {
    const { story, task } = storyOf(goals('read', READER))
    submits(story, READER)
    judges(story, stageAt(story.world, 0))
    managerSays(story, { action: 'add_stage', task_id: task, stages: [goals('check', LEE), goals('write', ANALYST)] })
    expect(stagesOf(story.world).map((stage) => stage.state)).toEqual(['finished', 'running', 'init'])
    expect(workTask(story.world).group).toContain(LEE)
  })

  it('retry_stage places the new stage directly behind, fails the old one first, and names who is left out', () => {
    const { story, task } = storyOf(goals('read', READER, BEN), goals('compare', ANALYST))
    const part = must(
      story.openRequests().find((request) => request.kind === 'part'),
      'part of Ben',
    )
    submits(story, READER)
    const old = stageAt(story.world, 0)
    story.ask('try again')
    const step = managerSays(story, {
      action: 'retry_stage',
      task_id: task,
      stage_id: old.id,
      stages: [goals('read better', READER)],
    })
    const [first, second, third] = stagesOf(story.world)
    expect([first?.state, second?.state, third?.state]).toEqual(['failed', 'running', 'init'])
    expect(first).toMatchObject({ id: old.id, replacedBy: second?.id })
    expect(second).toMatchObject({ intention: 'read better', retryOf: old.id })
    expect(step.result?.made).toMatchObject({ stage_ids: ['stage 1 try 2'], not_in_the_new_stage: ['Ben'] })
    expect(story.world.requests[task]?.[part.id]?.state).toBe('superseded')
    // The chat counts the two as one place (R309).
    expect(messagesOf(story.world, task).map(({ text }) => text)).toContain('Stage 1 of 2 started: read better')
    // Its agents are told to end the old one before anyone is told to start the new one.
    const orders = messagesOf(story.world, task).flatMap(({ instruction }) => instruction?.type ?? [])
    expect(orders.slice(-2)).toEqual(['finish_stage', 'start_stage'])
    expect(todo(story.world, READER)).toEqual(['planning'])
  })

  it('only the manager of a task may instruct it', () => {
    const { story, task } = storyOf(goals('read', READER))
    plans(story, READER, 'task_manager')
    const step = must(
      story.run(READER, () =>
        tell({ action: 'finish_task', task_id: task, state: 'failed', task_summary: 'mine now' }),
      ),
      'step',
    )
    expect(stepNow(story.world, step)).toMatchObject({ state: 'failed', reason: 'You do not manage this task.' })
    expect(workTask(story.world).state).toBe('running')
  })

  it('a stage whose agents are all gone is judged at once, not waited for', () => {
    const { story } = storyOf(goals('read', READER), goals('compare', ANALYST))
    const { world } = story
    story.world = {
      ...world,
      agents: { ...world.agents, [ANALYST]: { ...must(world.agents[ANALYST], 'analyst'), removed: true } },
    }
    submits(story, READER)
    judges(story, stageAt(story.world, 0))
    expect(stageAt(story.world, 1)).toMatchObject({ state: 'running', judging: true })
    expect(todo(story.world, MANAGER)).toEqual(['task_manager'])
  })

  it('in a Chinese team the goals that an agent plans from are told in Chinese', () => {
    const story = new Story()
    const config = teamConfig()
    story.put('system:start', { ...config, team: { ...config.team, language: 'zh' } })
    addTask(story, [goals('read', READER)])
    expect(stepsOf(story.world, READER)[0]).toMatchObject({
      executor: 'planning',
      text: expect.stringContaining('阶段目标：read\n\n你的目标：\nread it'),
    })
  })
})

describe('a judge that fails', () => {
  it('leaves its task to the operators, as something to be done, and what they write reaches it', () => {
    const { story, task } = storyOf(goals('read', READER))
    submits(story, READER)
    story.run(MANAGER, () => failed('no format at all'))
    const told = must(messagesOf(story.world, task).at(-1), 'message')
    expect(told).toMatchObject({ sender: 'system:task', receivers: [ANA], type: 'action', waiting: null })
    expect(told.text).toContain('Compare has no manager right now')
    expect(told.text).toContain('no format at all')
    expect(story.world.deliveries[task]?.[ANA]?.[told.id]?.state).toBe('delivered')
    expect(stageAt(story.world, 0).state).toBe('running')
    story.put(ANA, send(ANA, [MANAGER], { task, kind: 'action', text: 'finish it' }))
    judges(story, stageAt(story.world, 0))
    expect(stageAt(story.world, 0).state).toBe('finished')
  })

  it('is no matter for them when it only failed at something else', () => {
    const { story, task } = storyOf(goals('read', READER))
    story.ask('how is it going?')
    const before = messagesOf(story.world, task).length
    story.run(MANAGER, () => failed('no format at all'))
    expect(messagesOf(story.world, task)).toHaveLength(before)
  })
})
