/** Refusals in the reader's language. */
import { describe, expect, it } from 'vitest'
import { Fault } from '@/lib/faults'
import { refusalAnswerOf } from './refusals'

describe('a refusal', () => {
  it('a refusal is in the language of its reader, with the same code', () => {
    const fault = new Fault('NOT_A_MEMBER', { name: 'Lee', task: 'Prices' })
    expect(refusalAnswerOf(fault, 'en').body).toMatchObject({
      error: 'NOT_A_MEMBER',
      message: "Lee isn't in the task Prices.",
    })
    expect(refusalAnswerOf(fault, 'zh').body).toMatchObject({
      error: 'NOT_A_MEMBER',
      message: 'Lee 不在任务 Prices 里。',
    })
  })
})
