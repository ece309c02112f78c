import { describe, expect, it } from 'vitest'
import type { RequestRecord, StageRecord } from '@/lib/mas/records'
import { openLimitRequest, readTaskAct, retriableStages, shownRunningStage, TASK_ACTS, whyOff } from './taskActs'

const stage = (state: StageRecord['state']): StageRecord => ({ id: state, retryOf: null, state }) as StageRecord
const limit = (state: RequestRecord['state']): RequestRecord => ({ kind: 'limit', state }) as RequestRecord

describe('what can be done to a task', () => {
  const running = { state: 'running', paused: null } as const

  it('needs a stage that runs where a stage is meant', () => {
    expect(whyOff('finishStage', running, [stage('finished'), stage('init')])).toBe('noStage')
    expect(whyOff('retryStage', running, [stage('running')])).toBeNull()
    expect(whyOff('addStage', running, [])).toBeNull()
    expect(shownRunningStage([stage('finished')])).toBeNull()
  })

  it('tries a stage again that runs or is over, unless another try of it is under way', () => {
    const one = (id: string, state: StageRecord['state'], retryOf: string | null = null) =>
      ({ id, state, retryOf }) as StageRecord
    const stages = [one('a', 'failed'), one('b', 'running', 'a'), one('c', 'init'), one('d', 'finished')]
    expect(retriableStages(stages).map(({ id }) => id)).toEqual(['b', 'd'])
    expect(whyOff('retryStage', running, [one('c', 'init')])).toBe('noStage')
    expect(whyOff('retryStage', running, [one('d', 'finished')])).toBeNull()
  })

  it('is nothing once it is over', () => {
    for (const act of TASK_ACTS)
      expect(whyOff(act, { state: 'failed', paused: null }, [stage('running')]), act).toBe('taskOver')
  })

  it('is named by the address, and nothing else there is an act', () => {
    expect(readTaskAct('finishStage')).toBe('finishStage')
    expect(readTaskAct('constructor')).toBeNull()
    expect(readTaskAct(null)).toBeNull()
  })

  it('allows more only while a request asks for it', () => {
    expect(openLimitRequest([limit('answered')])).toBeNull()
    expect(openLimitRequest([limit('answered'), limit('claimed')])?.state).toBe('claimed')
  })
})
