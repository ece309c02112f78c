import { describe, expect, it } from 'vitest'
import type { RequestRecord, StageRecord } from '@/lib/mas/records'
import {
  isOffered,
  openLimitRequest,
  openOf,
  readTaskActName,
  retriableStages,
  shownRunningStage,
  TASK_ACT_NAMES,
  whyOff,
} from './taskActs'

const stage = (state: StageRecord['state']): StageRecord => ({ id: state, retryOf: null, state }) as StageRecord
const limit = (state: RequestRecord['state']): RequestRecord => ({ kind: 'limit', state }) as RequestRecord

describe('what can be done to a task', () => {
  const running = { state: 'running', paused: null } as const

  it('finishing and retrying need a stage for it', () => {
    expect(whyOff('finishStage', running, [stage('finished'), stage('init')])).toBe('noStage')
    expect(whyOff('retryStage', running, [stage('running')])).toBeNull()
    expect(whyOff('addStage', running, [])).toBeNull()
    expect(shownRunningStage([stage('finished')])).toBeNull()
  })

  it('a stage that runs or is over can be retried, unless a retry of it is open', () => {
    const one = (id: string, state: StageRecord['state'], retryOf: string | null = null) =>
      ({ id, state, retryOf }) as StageRecord
    const stages = [one('a', 'failed'), one('b', 'running', 'a'), one('c', 'init'), one('d', 'finished')]
    expect(retriableStages(stages).map(({ id }) => id)).toEqual(['b', 'd'])
    expect(whyOff('retryStage', running, [one('c', 'init')])).toBe('noStage')
    expect(whyOff('retryStage', running, [one('d', 'finished')])).toBeNull()
  })

  it('rules of tools are offered to operators, adding somebody to who knows the team, a limit where one is reached', () => {
    const offered = (access: 'participant' | 'developer' | 'operator', reached: RequestRecord | null) =>
      (['toolRules', 'eraseTask', 'addPeople', 'allowMore', 'rename'] as const).filter((act) =>
        isOffered(act, access, reached),
      )
    expect(offered('participant', null)).toEqual(['rename'])
    expect(offered('developer', null)).toEqual(['addPeople', 'rename'])
    expect(offered('operator', limit('open'))).toEqual(['toolRules', 'eraseTask', 'addPeople', 'allowMore', 'rename'])
  })

  it('the open part of a stage that replaced another one has the number of its place in the plan', () => {
    const running = { id: 'b', state: 'running', replacedBy: null, parts: { ana: 'running' } } as never as StageRecord
    const plan = [{ id: 'a', state: 'failed', replacedBy: 'b', parts: {} } as never as StageRecord, running]
    expect(openOf('ana', plan, []).parts).toEqual([1])
  })

  it('a task that is over can be renamed or erased, and nothing else', () => {
    const able = TASK_ACT_NAMES.filter(
      (act) => whyOff(act, { state: 'failed', paused: null }, [stage('running')]) === null,
    )
    expect(able).toEqual(['rename', 'eraseTask'])
  })

  it('of a member the open requests count that only they were asked, and their parts', () => {
    const asks = (asked: string[], more: Partial<RequestRecord> = {}): RequestRecord =>
      ({ kind: 'answer', state: 'open', asked, ...more }) as RequestRecord
    const running = { ...stage('running'), parts: { ben: 'working', ana: 'finished' } as StageRecord['parts'] }
    const requests = [
      asks(['ben']),
      asks(['ben', 'ana']),
      asks(['ben'], { state: 'answered' }),
      asks(['ben'], { kind: 'part' }),
    ]
    expect(openOf('ben', [{ ...running, ...stage('finished') }, running], requests)).toEqual({
      asked: 1,
      parts: [2],
      isAny: true,
    })
    expect(openOf('ana', [running], requests).isAny).toBe(false)
  })

  it('the address names an act by its name alone', () => {
    expect(readTaskActName('finishStage')).toBe('finishStage')
    expect(readTaskActName('constructor')).toBeNull()
    expect(readTaskActName(null)).toBeNull()
  })

  it('a limit is raised only while a request asks for it', () => {
    expect(openLimitRequest([limit('answered')])).toBeNull()
    expect(openLimitRequest([limit('answered'), limit('claimed')])?.state).toBe('claimed')
  })
})
