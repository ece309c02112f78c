/** What work took and touched: figures that are not known are left out. */
import { describe, expect, it } from 'vitest'
import { sampleShapeOf } from '@/test/samples'
import { makeStep, READER, stepId, TASK, testWorld, withSteps } from '@/test/skillWorld'
import { bodyOf } from '../bodies'
import type { FileVersion, ModelCall, StepRecord, World } from '../records'
import { selectEffortOfSteps, selectEffortOfTask } from './effort'

const { call } = sampleShapeOf('model.called')
const calling = (...calls: Partial<ModelCall>[]): StepRecord =>
  makeStep(1, { state: 'finished', calls: calls.map((change) => ({ ...call, estimated: false, ...change })) })
const reading = (n: number, path: string, state: 'finished' | 'failed' = 'finished'): StepRecord =>
  makeStep(n, {
    state,
    instruction: {
      kind: 'call',
      target: 'tool',
      name: 'read',
      arguments: bodyOf(JSON.stringify({ path }), 'application/json').ref,
    },
  })
const version = (n: number): FileVersion => ({
  change: 'changed',
  before: null,
  now: null,
  shared: false,
  step: stepId(n),
  task: TASK,
  agent: READER,
  at: 1,
  seq: n,
  thread: null,
})
const files = (of: Record<string, number[]>): World => ({
  ...testWorld,
  files: Object.fromEntries(Object.entries(of).map(([path, steps]) => [path, steps.map(version)])),
})

describe('the effort of steps', () => {
  it('sums what is known of tokens and prices', () => {
    const used = (...calls: Partial<ModelCall>[]) => selectEffortOfSteps(testWorld, [calling(...calls)])
    const none = { promptTokens: null, completionTokens: null, costUsd: null }
    expect(used()).toEqual({ filesTouched: [], sourcesConsulted: [] })
    expect(used(none)).toEqual({ filesTouched: [], sourcesConsulted: [] })
    expect(used({ ...none, promptTokens: 10 }, none).tokenUsage).toEqual({ inputTokens: 10, totalTokens: 10 })
    expect(used({ ...none, completionTokens: 2 }).tokenUsage).toEqual({ outputTokens: 2, totalTokens: 2 })
    const both = { promptTokens: 10, completionTokens: 2, costUsd: 0.5 }
    expect(used(both, both)).toMatchObject({
      tokenUsage: { inputTokens: 20, outputTokens: 4, totalTokens: 24 },
      costUsd: 1,
    })
    expect(used(both).tokenUsage).not.toHaveProperty('isEstimated')
    expect(used(both, { ...both, estimated: true }).tokenUsage).toMatchObject({ isEstimated: true })
    expect(used({ ...none, costUsd: 0 })).toEqual({ costUsd: 0, filesTouched: [], sourcesConsulted: [] })
  })

  it('names files that these steps changed, by name, and sources that they left as they were, each once', () => {
    const world = files({ 'b.md': [2], 'a.md': [9, 1], 'c.md': [9] })
    const steps = [reading(1, 'z.md'), reading(2, 'b.md'), reading(3, 'y.md'), reading(4, 'z.md')]
    expect(selectEffortOfSteps(world, steps)).toEqual({
      filesTouched: ['a.md', 'b.md'],
      sourcesConsulted: ['y.md', 'z.md'],
    })
    expect(selectEffortOfSteps(world, [reading(3, 'y.md', 'failed')]).sourcesConsulted).toEqual([])
  })
})

describe('the effort of a task', () => {
  it('has figures above nothing, and its files by name', () => {
    const world = withSteps(files({ 'b.md': [1], 'a.md': [2] }), [makeStep(1, { state: 'finished' })])
    const budget = (tokens: number, costUsd: number): World => ({
      ...world,
      budgets: { [TASK]: { tokens, costUsd, talk: 0, allowed: {}, stops: null, warned: [] } },
    })
    const filesTouched = ['a.md', 'b.md']
    expect(selectEffortOfTask(budget(0, 0), TASK)).toEqual({ filesTouched })
    expect(selectEffortOfTask(budget(5, 0), TASK)).toEqual({ tokenUsage: { totalTokens: 5 }, filesTouched })
    expect(selectEffortOfTask(budget(0, 2), TASK)).toEqual({ costUsd: 2, filesTouched })
  })
})
