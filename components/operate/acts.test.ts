import { describe, expect, it } from 'vitest'
import type { AgentId, RequestId, StageId, StepId, TaskId, WaitingId } from '@/lib/mas/ids'
import {
  addParticipantsAct,
  addStageAct,
  allowMoreAct,
  cancelStepAct,
  finishStageAct,
  finishTaskAct,
  makeManagerAct,
  makeTaskAct,
  pauseAgentAct,
  pauseTaskAct,
  releaseWaitAct,
  removeAgentAct,
  removeParticipantsAct,
  renameAct,
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
  makeTaskAct({ name: '', intention: '', manager: '', members: [], stages: [] }),
  addParticipantsAct(task, [a]),
  removeParticipantsAct(task, [a], null),
  renameAct(task, { id: stage, intention: 'read' }, 'other'),
  allowMoreAct('r1' as RequestId, '60'),
]

describe('an act', () => {
  it('each act has a draft of its own for its reason, whatever its form holds', () => {
    expect(new Set(ACTS.map(({ place }) => place)).size).toBe(ACTS.length)
    expect(finishTaskAct(task, 'failed', 'no more').place).toBe(finishTaskAct(task, 'finished', '').place)
  })

  it('an act’s draft has a key that the server stores', () => {
    for (const { place } of ACTS) expect(place).toMatch(/^act:[0-9A-Za-z_.-]{1,200}$/)
  })
})
