/** An act knows where its reason is kept: one place for each act upon each thing. */
import { describe, expect, it } from 'vitest'
import type { AgentId, RequestId, StageId, StepId, TaskId, WaitingId } from '@/lib/mas/ids'
import {
  addStageAct,
  allowMoreAct,
  cancelStepAct,
  finishStageAct,
  finishTaskAct,
  makeManagerAct,
  pauseAgentAct,
  pauseTaskAct,
  releaseWaitAct,
  removeAgentAct,
  retryStageAct,
  retryStepAct,
} from './acts'

const a = 'a1' as AgentId
const [task, stage, step] = ['t1' as TaskId, 's1' as StageId, 'p1' as StepId]
const ACTS = [
  releaseWaitAct(a, 'w1' as WaitingId),
  releaseWaitAct(a, 'w2' as WaitingId),
  pauseAgentAct(a),
  removeAgentAct(a),
  pauseTaskAct(task),
  cancelStepAct(step),
  retryStepAct(step),
  addStageAct(task, { intention: '', allocation: {} }),
  finishStageAct(stage),
  retryStageAct(stage, { intention: '', allocation: {} }),
  finishTaskAct(task, 'finished', ''),
  makeManagerAct(task, a),
  allowMoreAct('r1' as RequestId, '60'),
]

describe('an act', () => {
  it('keeps its reason at a place of its own, whatever its form holds', () => {
    expect(new Set(ACTS.map(({ place }) => place)).size).toBe(ACTS.length)
    expect(finishTaskAct(task, 'failed', 'no more').place).toBe(finishTaskAct(task, 'finished', '').place)
  })

  it('names a place that the server keeps drafts at', () => {
    for (const { place } of ACTS) expect(place).toMatch(/^act:[0-9A-Za-z_.-]{1,200}$/)
  })
})
