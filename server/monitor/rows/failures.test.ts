/** Which failures still matter: the last try of each call, and what a judgement or a submitted part settles. */
import { describe, expect, it } from 'vitest'
import type { AgentId, StageId, StepId } from '@/lib/mas/ids'
import type { StageRecord, StepRecord, TaskRecord } from '@/lib/mas/records'
import { AGENTS, beginning, idAt, TASKS } from '@/test/histories'
import { failedPartsOf, isTriedAgain, lastFailures, unsettledFailures } from './failures'
import { STAGE, stageWith } from './test/rowsWorld'

const [a, b, c] = [idAt<StepId>(201), idAt<StepId>(202), idAt<StepId>(203)]
/** Only what is looked at here. */
const stepOf = (id: StepId, more: Partial<StepRecord> = {}): StepRecord =>
  Object.assign({} as StepRecord, {
    id,
    type: 'tool',
    state: 'failed',
    executor: 'files',
    instruction: null,
    retryOf: null,
    startedAt: 5,
    ...more,
  })
const call = (name: string): Partial<StepRecord> => ({
  instruction: { kind: 'call', target: 'tool', name, arguments: { sha: '', bytes: 0, preview: '', mime: '' } },
})
const failuresOf = (...steps: StepRecord[]): StepId[] => [...lastFailures(steps)]

describe('the last failures of an agent', () => {
  it('[M4] are steps that failed, and not those that run, ended well, or wrote the call of a tool', () => {
    const states = ['init', 'pending', 'running', 'finished', 'failed'] as const
    expect(states.filter((state) => failuresOf(stepOf(a, { state })).length > 0)).toEqual(['failed'])
    expect(failuresOf(stepOf(a, { type: 'skill', executor: 'instruction_generation' }))).toEqual([])
    expect(failuresOf()).toEqual([])
  })

  it('[M4] of a tool end with the next call of the same ability that was begun, whatever became of it', () => {
    const first = stepOf(a, call('read'))
    for (const state of ['running', 'finished'] as const)
      expect(failuresOf(first, stepOf(b, { ...call('read'), state }))).toEqual([])
    expect(failuresOf(first, stepOf(b, call('read')))).toEqual([b])
    expect(failuresOf(first, stepOf(b, { ...call('read'), state: 'init', startedAt: null }))).toEqual([a])
    expect(failuresOf(first, stepOf(b, { ...call('list'), state: 'finished' }))).toEqual([a])
    expect(failuresOf(first, stepOf(b, { ...call('read'), executor: 'notes', state: 'finished' }))).toEqual([a])
    // What came before it is no next try.
    expect(failuresOf(stepOf(b, { ...call('read'), state: 'finished' }), first)).toEqual([a])
  })

  it('[M4] of a call that was never written end with whatever is called of its server', () => {
    expect(failuresOf(stepOf(a), stepOf(b, { ...call('list'), state: 'finished' }))).toEqual([])
    expect(failuresOf(stepOf(a), stepOf(b, { ...call('list'), executor: 'notes', state: 'finished' }))).toEqual([a])
    const none = { instruction: { kind: 'none', reason: 'no need' } } as const
    expect(failuresOf(stepOf(a, none), stepOf(b, { ...none, state: 'finished' }))).toEqual([])
    expect(failuresOf(stepOf(a, none), stepOf(b, { ...call('read'), state: 'finished' }))).toEqual([a])
  })

  it('[M4] of a skill end with its own retry only, begun or not, and another step of the skill is none', () => {
    const think = { type: 'skill', executor: 'think' } as const
    const retry = { ...think, retryOf: a, state: 'init', startedAt: null } as const
    expect(failuresOf(stepOf(a, think), stepOf(b, retry))).toEqual([])
    expect(failuresOf(stepOf(a, think), stepOf(c, think), stepOf(b, retry))).toEqual([c])
    expect(failuresOf(stepOf(a, think), stepOf(b, { ...think, state: 'finished' }))).toEqual([a])
    // A skill of a server's name tries no call of it again.
    expect(failuresOf(stepOf(a), stepOf(b, { type: 'skill', state: 'finished' }))).toEqual([a])
  })
})

describe('a failure that nothing mended', () => {
  const task = (state: TaskRecord['state']): TaskRecord => Object.assign({} as TaskRecord, { state })
  const stage = (state: StageRecord['state'], part: StageRecord['parts'][AgentId]): StageRecord =>
    Object.assign({} as StageRecord, { state, parts: { [AGENTS.coder]: part, [AGENTS.tester]: 'finished' } })
  const skill = stepOf(a, { type: 'skill', executor: 'think' })
  const lane = { steps: [skill, stepOf(b)], failures: new Set([a, b]) }
  const left = (of: TaskRecord, within: StageRecord | null, own = lane): StepId[] => [
    ...unsettledFailures(of, within, AGENTS.coder, own),
  ]

  it('[M4] is settled when the stage or the task was judged finished, not when either failed', () => {
    expect(left(task('running'), stage('running', 'working'))).toEqual([a, b])
    expect(left(task('running'), null)).toEqual([a, b])
    expect(left(task('finished'), stage('running', 'working'))).toEqual([])
    expect(left(task('finished'), null)).toEqual([])
    expect(left(task('running'), stage('finished', 'working'))).toEqual([])
    expect(left(task('failed'), stage('failed', 'failed'))).toEqual([a, b])
  })

  it('[M4] of a tool is settled when its own part was submitted; one of a skill is not', () => {
    expect(left(task('running'), stage('running', 'finished'))).toEqual([a])
    expect(left(task('running'), stage('running', 'failed'))).toEqual([a, b])
    const tools = { steps: [skill, stepOf(b)], failures: new Set([b]) }
    expect(left(task('running'), stage('running', 'finished'), tools)).toEqual([])
  })
})

describe('a stage that failed', () => {
  const other = idAt<StageId>(33)
  const { world } = beginning()
  const own = Object.assign({} as StageRecord, world.stages[TASKS.build]?.[STAGE])
  /** Two stages: the first, and one that may be its second try. */
  const tried = (first: Partial<StageRecord>, second: Partial<StageRecord>): boolean => {
    const failed = { ...own, ...first }
    const stages = { [STAGE]: failed, [other]: { ...own, id: other, ...second } }
    return isTriedAgain({ ...world, stages: { ...world.stages, [TASKS.build]: stages } }, failed)
  }

  it('[M4] is tried again while another try of it, or what replaced it, has not failed', () => {
    const failed = { state: 'failed' } as const
    for (const state of ['init', 'running', 'finished'] as const) {
      expect(tried(failed, { retryOf: STAGE, state })).toBe(true)
      expect(tried({ ...failed, replacedBy: other }, { state })).toBe(true)
    }
    expect(tried(failed, { retryOf: STAGE, state: 'failed' })).toBe(false)
    expect(tried({ ...failed, replacedBy: other }, { state: 'failed' })).toBe(false)
    expect(tried(failed, { state: 'running' })).toBe(false)
    expect(tried(failed, { retryOf: other, state: 'running' })).toBe(false)
  })

  it('[M4] is none while it runs or when it was judged finished, and none where no stage is known', () => {
    for (const state of ['init', 'running', 'finished'] as const)
      expect(tried({ state }, { retryOf: STAGE, state: 'running' })).toBe(false)
    const failed = { ...own, state: 'failed' } as const
    expect(isTriedAgain({ ...world, stages: {} }, failed)).toBe(false)
  })

  it('[M4] counts its failed parts, unless it was finished all the same', () => {
    const parts = { [AGENTS.coder]: 'failed', [AGENTS.tester]: 'failed', [AGENTS.manager]: 'finished' } as const
    const partsIn = (state: StageRecord['state']): number =>
      failedPartsOf(stageWith(world, { state, parts }).stages[TASKS.build]?.[STAGE] ?? null)
    expect([partsIn('running'), partsIn('failed'), partsIn('finished')]).toEqual([2, 2, 0])
    expect(failedPartsOf(null)).toBe(0)
  })
})
