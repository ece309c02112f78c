/** <skip>: a step that is not needed any more is left out, unless somebody depends on it. */
import { describe, expect, it } from 'vitest'
import { asId, type MessageId } from '@/lib/mas/ids'
import type { StepRecord } from '@/lib/mas/records'
import { answered, tagged } from '@/test/skillAnswers'
import { ANA, MANAGER, makeMessage, makeStep, STAGE, TASK, testWorld, withMessage } from '@/test/skillWorld'

describe('a step that is not needed any more', () => {
  const SKIP = tagged('skip', 'Ana has answered already.')
  const REPLY: Partial<StepRecord> = {
    answers: { message: asId<MessageId>('m1'), to: ANA, waiting: null, stage: null },
  }

  it.each(['send_message', 'think', 'process_message', 'decision', 'ask_info', 'tool_decision', 'task_manager'])(
    '%s is left out with the reason, and does nothing',
    async (skill) => {
      const { outcome, calls } = await answered(skill, SKIP)
      expect([outcome.state, calls, outcome.repairs]).toEqual(['finished', 1, []])
      expect(outcome.result).toEqual({
        kind: 'none',
        text: 'Not needed: Ana has answered already.',
        body: null,
        made: null,
      })
      expect([outcome.steps, outcome.calls, outcome.instruct]).toEqual([{ add: [], insert: [] }, [], null])
      expect(Object.keys(outcome.sync).sort()).toEqual(['send_shared_info', 'update_stage_agent_state'])
    },
  )

  it.each<[string, string, Partial<StepRecord>]>([
    ['summary', 'your part of the stage would never end', {}],
    ['reflection', 'your part of the stage would never end', {}],
    ['send_message', 'the asker is to get an answer', REPLY],
  ])('%s is not left out where somebody depends on it: %s', async (skill, reason, more) => {
    const { outcome } = await answered(skill, SKIP, more)
    expect([outcome.state, outcome.repairs[0]]).toEqual(['failed', expect.stringContaining(reason)])
  })

  it('instruction_generation says so with the type none, which ends its tool step too', async () => {
    const bound = makeStep(91, { type: 'tool', executor: 'files', state: 'pending' })
    const { outcome } = await answered('instruction_generation', SKIP, { boundTo: bound.id }, [bound])
    expect([outcome.state, outcome.repairs[0]]).toEqual(['failed', expect.stringContaining('instruction_type none')])
  })

  it('task_manager cannot leave out a judgement', async () => {
    const notice = makeMessage('m1', {
      task: TASK,
      sender: 'system:task',
      receivers: [MANAGER],
      stage: STAGE,
      instruction: { type: 'judge_stage', stage: STAGE },
    })
    const more = { agent: MANAGER, cause: { message: notice.id, step: null } }
    const { outcome } = await answered('task_manager', SKIP, more, [], withMessage(testWorld, notice))
    expect([outcome.state, outcome.repairs[0]]).toEqual(['failed', expect.stringContaining('nobody else judges it')])
  })

  it('counts only where the answer holds nothing that the skill asks for, and keeps its notes', async () => {
    const { outcome: done } = await answered('think', `${SKIP}${tagged('result', 'found')}`)
    expect(done.result.text).toBe('found')
    const { outcome } = await answered('think', `${SKIP}${tagged('persistent_memory', [{ add: 'a' }])}`)
    expect(outcome).toMatchObject({ result: { kind: 'none' }, memory: [{ add: 'a' }] })
  })
})
