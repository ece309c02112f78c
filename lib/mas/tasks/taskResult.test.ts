/** What a finished task came to: from what is recorded, and nothing where it is not known. */
import { describe, expect, it } from 'vitest'
import { sampleOf, sampleShapeOf } from '@/test/samples'
import { apply, having, sampleWorld } from '@/test/sampleWorld'
import type { TaskId } from '../ids'
import type { StageRecord, TaskRecord, World } from '../records'
import { stepsIn, withChangedSteps } from '../steps/ownSteps'
import { selectTaskResult } from './taskResult'

const ended = apply(sampleWorld, sampleOf('task.finished'))
const [task] = Object.values<TaskRecord>(ended.tasks).filter(({ state }) => state === 'finished')
const id = task?.id ?? ('' as TaskId)
const withStage = (world: World, change: Partial<StageRecord>): World => {
  const stages = world.stages[id] ?? {}
  const [stage] = Object.values<StageRecord>(stages)
  if (!stage) throw new Error('no stage')
  const tasks = { ...world.tasks, [id]: { ...task, stageOrder: [stage.id] } }
  return { ...world, tasks, stages: { [id]: { [stage.id]: { ...stage, ...change } } } } as World
}

describe('the result of a task', () => {
  it('[R113] is none while the task goes on', () => {
    expect(selectTaskResult(sampleWorld, id)).toBeNull()
    expect(selectTaskResult(ended, 'none' as TaskId)).toBeNull()
  })

  it('[R113] is its summary and figures; what cannot be counted here is unknown', () => {
    const result = selectTaskResult(ended, id)
    expect(result).toMatchObject({ state: 'finished', summary: 'All compared.', tookMs: expect.any(Number) })
    expect(result?.calls).toEqual(expect.any(Number))
    const evicted = { ...ended, stepCounts: { ...ended.stepCounts, [id]: 1_000 } }
    expect(selectTaskResult(evicted, id)).toMatchObject({ steps: 1_000, calls: null })
  })

  it('[R801] names the last step of a failed task that failed for a known cause; of a finished one none', () => {
    const [agent, own] = Object.entries(ended.steps[id] ?? {}).find(([, steps]) => stepsIn(steps).length > 0) ?? []
    const [step] = stepsIn(own)
    if (agent === undefined || own === undefined || step === undefined || !task) throw new Error('no step')
    const call = { ...sampleShapeOf('model.called').call, model: 'tiny-7b' }
    const failing = (cause: 'format' | undefined, state: TaskRecord['state']): World => {
      const held = withChangedSteps(own, [step.id], (old) => ({
        ...old,
        state: 'failed',
        calls: [call],
        ...(cause === undefined ? {} : { failureCause: cause }),
      }))
      return { ...ended, tasks: { ...ended.tasks, [id]: { ...task, state } }, steps: { [id]: { [agent]: held } } }
    }
    expect(selectTaskResult(failing('format', 'failed'), id)?.failure).toEqual({
      ...{ step: step.id, agent: step.agent, cause: 'format', model: 'tiny-7b' },
      server: step.type === 'tool' ? step.executor : null,
    })
    expect(selectTaskResult(failing(undefined, 'failed'), id)?.failure).toBeNull()
    expect(selectTaskResult(failing('format', 'finished'), id)?.failure).toBeNull()
  })

  it('[R113] has no price where nothing was priced', () => {
    const [budget] = Object.values(having(sampleWorld, sampleOf('model.called')).budgets)
    if (!budget) throw new Error('no budget')
    const priced = (costUsd: number): World => ({ ...ended, budgets: { [id]: { ...budget, tokens: 12, costUsd } } })
    expect(selectTaskResult(priced(0), id)).toMatchObject({ tokens: 12, costUsd: null })
    expect(selectTaskResult(priced(0.25), id)).toMatchObject({ tokens: 12, costUsd: 0.25 })
    // A model that is free has a price, as the list of tasks says.
    const [agent, own] = Object.entries(ended.steps[id] ?? {}).find(([, steps]) => stepsIn(steps).length > 0) ?? []
    const [step] = stepsIn(own)
    if (agent === undefined || own === undefined || step === undefined) throw new Error('no step')
    const call = { ...sampleShapeOf('model.called').call, costUsd: 0 }
    const held = withChangedSteps(own, [step.id], (old) => ({ ...old, calls: [call] }))
    const free: World = { ...priced(0), steps: { [id]: { [agent]: held } } }
    expect(selectTaskResult(free, id)).toMatchObject({ costUsd: 0 })
  })

  it('[R113] says what was not done, with the reason that was given; a stage that was replaced is done', () => {
    const notDone = (change: Partial<StageRecord>) => selectTaskResult(withStage(ended, change), id)?.notDone
    const base = { parts: {}, partReasons: {}, replacedBy: null } as const
    expect(notDone({ ...base, state: 'failed', reason: 'west.csv is missing', name: 'Read both' })).toMatchObject([
      { why: 'failed', reason: 'west.csv is missing', agent: null, stageName: 'Read both' },
    ])
    expect(notDone({ ...base, state: 'init' })).toMatchObject([{ why: 'notStarted', reason: '' }])
    expect(notDone({ ...base, state: 'finished' })).toEqual([])
    const [stage] = Object.values<StageRecord>(ended.stages[id] ?? {})
    expect(notDone({ ...base, state: 'failed', reason: 'again', replacedBy: stage?.id ?? null })).toEqual([])
    const agent = task?.manager
    if (!agent) throw new Error('no manager')
    const part = { parts: { [agent]: 'failed' }, partReasons: { [agent]: 'no access' } } as const
    expect(notDone({ ...base, ...part, state: 'finished' })).toMatchObject([
      { why: 'part', agent, reason: 'no access' },
    ])
    const other = 'other' as typeof agent
    const done = { parts: { [other]: 'finished', ...part.parts }, partReasons: part.partReasons } as const
    expect(notDone({ ...base, ...done, state: 'finished' })).toMatchObject([{ agent }])
    expect(notDone({ ...base, parts: { [agent]: 'failed' }, partReasons: {}, state: 'finished' })).toMatchObject([
      { agent, reason: '' },
    ])
  })
})
