/** The structured parts of a result, as a manager writes them with tags and as the object of a schema. */
import { expect, it } from 'vitest'
import { type ScriptLine, scriptedModel } from '@/test/scriptedModel'
import { tagged } from '@/test/skillAnswers'
import { MANAGER, makeStep, TASK, testBodyCache, testRun, testWorld, withSteps } from '@/test/skillWorld'
import { objectAnswer } from './answerObject'
import { loadPrompts } from './prompts'
import { SKILL_REGISTRY } from './registry'
import { runSkill } from './run'

const run = runSkill(loadPrompts('prompts'))
const END = { action: 'finish_task', task_id: TASK, state: 'finished', task_summary: 'Both lists are compared.' }

const forms = (value: object): [form: string, answer: ScriptLine][] => [
  ['tags', tagged('task_instruction', value)],
  ['object', { object: { notes: '', task_instruction: value } }],
]

async function ended(...answers: ScriptLine[]) {
  const own = makeStep(8, {
    agent: MANAGER,
    state: 'finished',
    executor: 'think',
    result: { kind: 'text', text: 'Seven lines.', body: null, made: null },
  })
  const step = makeStep(900, { executor: 'task_manager', state: 'running', agent: MANAGER })
  const model = scriptedModel(answers)
  const { sync, result } = await run(
    testRun(withSteps(testWorld, [own, step]), step, model, { bodies: testBodyCache() }),
  )
  const said = sync.task_instruction
  return {
    said: said?.action === 'finish_task' ? said : null,
    text: result.text,
    asked: model.asked.map((turns) => turns.map(({ content }) => content).join('\n')),
  }
}

const whole = {
  ...END,
  headline: 'Pears cost\n3.20.',
  facts: [
    { label: 'Pears', value: 3.2, source: 'prices/north.csv' },
    { label: 'Lists', value: '2', source: '' },
  ],
  left_out: 'west.csv was not there',
}

it.each(forms(whole))(
  '[R480] a result takes headline, facts and what was left out, each as one line (%s)',
  async (_, answer) => {
    const { said, text } = await ended(answer)
    expect(said).toMatchObject({
      task_summary: 'Both lists are compared.',
      headline: 'Pears cost 3.20.',
      facts: [
        { label: 'Pears', value: '3.2', source: 'prices/north.csv' },
        { label: 'Lists', value: '2' },
      ],
      left_out: ['west.csv was not there'],
    })
    for (const part of ['Pears cost 3.20.', '- Pears: 3.2 (prices/north.csv)', '- left_out: west.csv'])
      expect(text).toContain(part)
  },
)

it.each(forms(END))('[R480] a free text alone is a whole result (%s)', async (_, answer) => {
  const { said, asked } = await ended(answer)
  expect([said?.task_summary, said?.headline, said?.facts, asked.length]).toEqual([
    'Both lists are compared.',
    undefined,
    undefined,
    1,
  ])
})

it.each([
  ['headline must have at most 200 characters', { headline: 'x'.repeat(201) }],
  ['facts.0.value must have at most 400 characters', { facts: [{ label: 'a', value: 'x'.repeat(401) }] }],
  ['facts.0.label must have at most 80 characters', { facts: [{ label: 'x'.repeat(81), value: '1' }] }],
  ['facts must hold at most 30 facts', { facts: Array.from({ length: 31 }, () => ({ label: 'a', value: '1' })) }],
  ['facts.0.value is missing', { facts: [{ label: 'a' }] }],
  ['left_out.0 must have at most 400 characters', { left_out: ['x'.repeat(401)] }],
])('[R480] the model is shown which part is too long or missing: %s', async (reason, part) => {
  const { said, asked } = await ended(tagged('task_instruction', { ...END, ...part }), tagged('task_instruction', END))
  expect(said?.headline).toBeUndefined()
  expect(asked[1]).toContain(reason)
})

it('[R480] the schema of the object form names the parts, and all of them may be null', () => {
  const step = makeStep(900, { executor: 'task_manager', state: 'running', agent: MANAGER })
  const { schema } = objectAnswer(SKILL_REGISTRY.task_manager, testRun(testWorld, step, scriptedModel([]), {}), false)
  const text = JSON.stringify(schema)
  for (const key of ['headline', 'facts', 'left_out']) expect(text).toMatch(new RegExp(`"${key}":\\{"anyOf":.*"null"`))
})

it('[R480] a fact may be the text of a step, within its limit', async () => {
  const fact = (from: string) => ({ ...END, facts: [{ label: 'Found', value: { from_step: from } }] })
  const { said } = await ended(tagged('task_instruction', fact('#8')))
  expect(said?.facts).toEqual([{ label: 'Found', value: 'Seven lines.' }])
})
