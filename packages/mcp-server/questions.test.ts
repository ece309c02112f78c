import { expect, it } from 'vitest'
import { answerInForm, formOf, type ShownQuestion } from './questions'

const PLAN: ShownQuestion = {
  id: 'r1',
  task: 'Requests',
  kind: 'plan',
  question: 'Plan for Compare: 1 stage',
  choices: [],
  arguments: '{"stages": []}',
  digest: 'd',
  due: null,
}

it('[R831] a plan is approved or sent back by a form of the client, which shows its stages', () => {
  expect(JSON.stringify(formOf(PLAN))).toContain('Requests: Plan for Compare: 1 stage')
  expect(JSON.stringify(formOf(PLAN))).toContain('stages')
  const back = { decision: 'refuse', reason: 'One stage is enough.' }
  expect(answerInForm('plan', 'd', back)).toMatchObject({ decision: 'refuse', text: 'One stage is enough.' })
  expect(answerInForm('plan', 'd', { answer: 'yes' })).toBeNull()
})
