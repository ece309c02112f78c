/** A task without a judge: the operators are asked once per cause, and no longer when there is a judge again. */
import { describe, expect, it } from 'vitest'
import {
  ANA,
  ANALYST,
  failed,
  goals,
  judges,
  MANAGER,
  must,
  READER,
  requestOf,
  says,
  stageAt,
  stepsOf,
  storyOf,
  submits,
  workTask,
} from '@/test/stories'
import { outcomeOf, planned, Story, send, TEAM, teamConfig } from '@/test/worldHistories'
import type { AgentConfig } from '../../records'
import type { TaskInstruction } from '../../steps/outcome'

const reason = 'so I say'
const judgeRequests = (story: Story) =>
  Object.values(story.world.requests[workTask(story.world).id] ?? {}).filter((request) => request.kind === 'judge')
/** A task whose only stage is to be judged. */
const toBeJudged = () => {
  const { story, task } = storyOf(goals('read', READER))
  submits(story, READER)
  return { story, task }
}

describe('[R19] a task without a judge', () => {
  it('is put to the operators when the step that was to judge failed, and no longer once it runs again', () => {
    const { story } = toBeJudged()
    const step = must(
      story.run(MANAGER, () => failed('no format at all')),
      'step',
    )
    const request = must(requestOf(story, 'judge'), 'request')
    expect(request).toMatchObject({ asked: [ANA], step: step.id, stage: stageAt(story.world, 0).id, type: 'action' })
    expect(request.question).toContain('no format at all')
    story.put(ANA, { type: 'retryStep', step: step.id, reason })
    expect(requestOf(story, 'judge')).toBeNull()
    expect(judgeRequests(story).map((one) => one.state)).toEqual(['superseded'])
    judges(story, stageAt(story.world, 0))
    expect(stageAt(story.world, 0).state).toBe('finished')
  })

  it('is put to them when the step ended without a decision, and nothing can come back to it', () => {
    const { story } = toBeJudged()
    story.run(MANAGER, () => outcomeOf({}))
    expect(requestOf(story, 'judge')?.question).toContain('it ended without a decision')
  })

  it('is no matter for them while the manager looks something up, or waits for what it asked', () => {
    const { story } = toBeJudged()
    story.run(MANAGER, () => outcomeOf({ steps: { add: [], insert: [planned('send_message')] } }))
    expect(requestOf(story, 'judge')).toBeNull()
    story.run(MANAGER, () => says([ANA], { waiting: false }))
    expect(requestOf(story, 'judge')).toBeNull()
  })

  it('is put to them when its manager is paused as it is to judge, not before', () => {
    const { story } = storyOf(goals('read', READER))
    story.put(ANA, { type: 'pauseAgent', agent: MANAGER, reason })
    expect(requestOf(story, 'judge')).toBeNull()
    submits(story, READER)
    expect(requestOf(story, 'judge')?.question).toContain('paused')
    story.put(ANA, { type: 'resumeAgent', agent: MANAGER, reason: '' })
    expect(requestOf(story, 'judge')).toBeNull()
    judges(story, stageAt(story.world, 0))
    expect(stageAt(story.world, 0).state).toBe('finished')
  })

  it('is put to them at once when its manager is gone or its model is, and another manager ends it', () => {
    const gone = storyOf(goals('read', READER)).story
    const another: AgentConfig = { ...TEAM.analyst, manager: true }
    const config = teamConfig()
    const left = config.agents.filter((agent) => agent.id !== MANAGER && agent.id !== ANALYST)
    gone.put('system:start', { ...config, agents: [another, ...left] })
    expect(requestOf(gone, 'judge')?.question).toContain('was removed')
    gone.put(ANA, { type: 'changeManager', task: workTask(gone.world).id, agent: ANALYST, reason })
    expect(requestOf(gone, 'judge')).toBeNull()

    const { story } = storyOf(goals('read', READER))
    story.put('system:start', { ...config, team: { ...config.team, models: ['another'] } })
    expect(requestOf(story, 'judge')?.question).toContain('model')
    story.put('system:start', { ...config, team: { ...config.team, models: ['default'] } })
    expect(requestOf(story, 'judge')).toBeNull()
  })

  it('is asked about once per cause, whatever else happens', () => {
    const { story, task } = toBeJudged()
    story.run(MANAGER, () => failed('no format at all'))
    story.put(ANA, send(ANA, [TEAM.ben.id], { task, text: 'what now?' }))
    story.put(ANA, send(ANA, [READER], { task, text: 'have patience' }))
    story.run(READER, () => outcomeOf({}))
    expect(judgeRequests(story)).toHaveLength(1)
    story.put(ANA, send(ANA, [MANAGER], { task, text: 'try once more', kind: 'action' }))
    expect(requestOf(story, 'judge')).toBeNull()
    story.run(MANAGER, () => failed('again nothing'))
    expect(judgeRequests(story).map((one) => one.state)).toEqual(['superseded', 'open'])
  })

  it('is put to them when it was made and its planning failed: nobody would give it stages', () => {
    const story = new Story()
    story.ask()
    const made: TaskInstruction = { action: 'add_task', task_name: 'Count', task_intention: 'Count', members: [READER] }
    story.run(MANAGER, () =>
      outcomeOf({ sync: { task_instruction: made }, steps: { add: [], insert: [planned('task_manager')] } }),
    )
    expect(requestOf(story, 'judge')).toBeNull()
    const step = must(
      story.run(MANAGER, () => failed('no format at all')),
      'step',
    )
    const request = must(requestOf(story, 'judge'), 'request')
    expect(request).toMatchObject({ task: workTask(story.world).id, asked: [ANA], step: step.id })
    const stages = [{ intention: 'count', allocation: { [READER]: 'count it' } }]
    story.put(ANA, { type: 'addStages', task: request.task, stages, reason })
    expect(requestOf(story, 'judge')).toBeNull()
  })

  it('is settled by what an operator decides themselves', () => {
    const { story } = toBeJudged()
    story.run(MANAGER, () => failed('no format at all'))
    story.put(ANA, { type: 'finishStage', stage: stageAt(story.world, 0).id, reason })
    expect(judgeRequests(story)[0]).toMatchObject({ state: 'answered', answer: { by: ANA, decision: 'done' } })
    // With no stage left the manager is asked to judge the task.
    expect(stepsOf(story.world, MANAGER).at(-1)).toMatchObject({ executor: 'task_manager', state: 'init' })
  })
})

describe('what is to be judged', () => {
  it('is told with the number of its stage', () => {
    const { story } = toBeJudged()
    expect(stepsOf(story.world, MANAGER).at(-1)?.text).toContain('All parts of stage 1 have ended.')
  })

  it('is asked of another manager where the one before had not planned', () => {
    const story = new Story()
    const about = { name: 'Count', intention: 'count', manager: MANAGER, members: [READER], stages: [], reason }
    story.put(ANA, { type: 'makeTask', ...about })
    story.put(ANA, { type: 'changeManager', task: workTask(story.world).id, agent: READER, reason })
    const asked = stepsOf(story.world, READER).filter(({ executor }) => executor === 'task_manager')
    expect(asked).toMatchObject([{ text: 'The task is new and has no stages. Plan them: count' }])
  })

  it('stays what it is when an operator retries an earlier stage', () => {
    const { story, task } = storyOf(goals('read', READER), goals('compare', ANALYST))
    submits(story, READER)
    judges(story, stageAt(story.world, 0))
    submits(story, ANALYST)
    const toJudge = () =>
      stepsOf(story.world, MANAGER, task).filter(
        ({ executor, state }) => executor === 'task_manager' && state === 'init',
      )
    expect(toJudge()).toHaveLength(1)
    const better = { intention: 'read better', allocation: { [READER]: 'read it again' } }
    story.put(ANA, { type: 'retryStage', stage: stageAt(story.world, 0).id, better, reason })
    expect(toJudge()).toHaveLength(1)
    expect(toJudge()[0]?.text).toContain('All parts of stage 2 have ended.')
  })
})
