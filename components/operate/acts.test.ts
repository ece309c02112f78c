/** An act knows where its reason is kept: one place for each act upon each thing. */
import { describe, expect, it } from 'vitest'
import type { AgentId, RequestId, StageId, StepId, TaskId, WaitingId } from '@/lib/mas/ids'
import {
  addStage,
  allowMore,
  cancelStep,
  finishStage,
  finishTask,
  makeManager,
  pauseAgent,
  pauseTask,
  releaseWait,
  removeAgent,
  retryStage,
  retryStep,
} from './acts'

const a = 'a1' as AgentId
const [task, stage, step] = ['t1' as TaskId, 's1' as StageId, 'p1' as StepId]
const ACTS = [
  releaseWait(a, 'w1' as WaitingId),
  releaseWait(a, 'w2' as WaitingId),
  pauseAgent(a),
  removeAgent(a),
  pauseTask(task),
  cancelStep(step),
  retryStep(step),
  addStage(task, { intention: '', allocation: {} }),
  finishStage(stage),
  retryStage(stage, { intention: '', allocation: {} }),
  finishTask(task, 'finished', ''),
  makeManager(task, a),
  allowMore('r1' as RequestId, '60'),
]

describe('an act', () => {
  it('keeps its reason at a place of its own, whatever its form holds', () => {
    expect(new Set(ACTS.map(({ place }) => place)).size).toBe(ACTS.length)
    expect(finishTask(task, 'failed', 'no more').place).toBe(finishTask(task, 'finished', '').place)
  })

  it('names a place that the server keeps drafts at', () => {
    for (const { place } of ACTS) expect(place).toMatch(/^act:[0-9A-Za-z_.-]{1,200}$/)
  })
})
