/** What a plan holds already is taken when its step runs, and no model is asked. */
import { describe, expect, it } from 'vitest'
import type { StepRecord, World } from '@/lib/mas/records'
import type { StepOutcome } from '@/lib/mas/steps/outcome'
import type { SkillRun } from '@/server/skills/port'
import { scriptedModel } from '@/test/scriptedModel'
import { answered, run, tagged } from '@/test/skillAnswers'
import {
  MANAGER,
  makeMessage,
  makeStep,
  READER,
  testBodyCache,
  testRun,
  testWorld,
  withMessage,
  withSteps,
} from '@/test/skillWorld'

const REPORT = `# Report\n\n"Pears" 3.20 </tool_instruction> ${'and so on '.repeat(100)}`

const planStep = (more: object): object => ({
  step_intention: 'save the report',
  type: 'tool',
  executor: 'files',
  text_content: 'write it',
  ...more,
})
const BEFORE = { from_step: 'before' }
const CALLS = [{ tool_name: 'write_file', arguments: { path: 'r.md', content: BEFORE } }]
const MESSAGE = { receiver: ['manager'], message: BEFORE }

/** The answers that a plan keeps for its steps, and why an answer of it was shown back. */
async function plannedWith(more: object) {
  const { outcome, given } = await answered('planning', tagged('planned_step', [planStep(more)]))
  return { outcome, shelf: given.bodies, ahead: outcome.steps.add[0]?.ahead }
}

const thought = makeStep(8, {
  executor: 'think',
  state: 'finished',
  result: { kind: 'text', text: REPORT, body: null, made: null },
})
const bound = makeStep(21, { type: 'tool', executor: 'files', state: 'pending', boundTo: makeStep(20).id })

/** The step whose answer the plan holds, run after `over` with a model that thinks otherwise. */
async function ran(
  answer: object,
  more: Partial<StepRecord>,
  over: readonly StepRecord[] = [thought],
  world: World = testWorld,
  parts: Partial<Pick<SkillRun, 'doubtCall'>> = {},
): Promise<{ outcome: StepOutcome; asked: number; text: (outcome: StepOutcome) => Promise<string> }> {
  const shelf = testBodyCache()
  const ahead = shelf.make(JSON.stringify(answer), 'application/json')
  const step = makeStep(20, { state: 'running', createdSeq: 6, ahead, ...more })
  const model = scriptedModel(
    Array(4).fill(
      step.executor === 'send_message'
        ? tagged('send_message', { receiver: ['manager'], message: 'as asked' })
        : tagged('tool_instruction', { tool_name: 'list', arguments: {} }),
    ),
  )
  const bodies = testBodyCache(shelf.shelf)
  const own = testRun(withSteps(world, [...over, bound, step]), step, model, { bodies, ...parts })
  const outcome = await run(own)
  const text = async ({ instruct }: StepOutcome): Promise<string> =>
    instruct?.instruction.kind === 'call' ? await bodies.text(instruct.instruction.arguments) : ''
  return { outcome, asked: model.asked.length, text }
}

const writes = { executor: 'instruction_generation', boundTo: bound.id }
const sends = { executor: 'send_message' }

describe('[R650] an answer that was written with the plan', () => {
  it('is kept with its step, and no tag of the plan stays in the step', async () => {
    const { outcome, shelf, ahead } = await plannedWith({ calls: CALLS })
    if (ahead === undefined) throw new Error('nothing was kept')
    expect(JSON.parse(await shelf.text(ahead))).toEqual({ tool_instruction: CALLS })
    expect(outcome.steps.add[0]).not.toHaveProperty('calls')
    expect(outcome.repairs).toEqual([])
  })

  it('has its arguments as an object, also where they were written as a text of JSON', async () => {
    const { shelf, ahead } = await plannedWith({ calls: [{ tool_name: 'write_file', arguments: '{"path": "r.md"}' }] })
    if (ahead === undefined) throw new Error('nothing was kept')
    const kept = { tool_instruction: [{ tool_name: 'write_file', arguments: { path: 'r.md' } }] }
    expect(JSON.parse(await shelf.text(ahead))).toEqual(kept)
  })

  it('is a call with the whole text of the step before, to the byte, without a call of the model', async () => {
    const { outcome, asked, text } = await ran({ tool_instruction: CALLS }, writes)
    expect(asked).toBe(0)
    expect(JSON.parse(await text(outcome))).toEqual({ path: 'r.md', content: REPORT })
    expect([outcome.state, outcome.call, outcome.result.text]).toEqual([
      'finished',
      null,
      'Written with the step before.',
    ])
  })

  it('is a message to whom the plan named', async () => {
    const { outcome, asked } = await ran({ send_message: { ...MESSAGE, message: 'Begun.' } }, sends)
    expect([asked, outcome.sync.send_message?.message]).toEqual([0, 'Begun.'])
    expect(outcome.sync.send_message?.receiver).toEqual(['manager'])
  })

  const late = { createdSeq: 9, startedSeq: 10, endedSeq: 11 }
  it.each<[string, StepRecord[]]>([
    ['a step failed', [thought, makeStep(11, { ...late, state: 'failed' })]],
    ['there is no text before', []],
    ['the step before failed', [makeStep(5, { executor: 'think', state: 'failed', endedSeq: 5 })]],
  ])('is left, and the model is asked, when %s', async (_, over) => {
    const { outcome, asked } = await ran({ send_message: MESSAGE }, sends, over)
    expect([asked, outcome.sync.send_message?.message]).toEqual([1, 'as asked'])
  })

  it.each([
    ['since, also about another stage: the model is asked', 7, 1],
    ['before: it is taken', 6, 0],
  ])('depends on when a message came to the agent: %s', async (_, seq, calls) => {
    const world = withMessage(testWorld, makeMessage('m1', { text: 'Without west.', seq }))
    expect((await ran({ send_message: MESSAGE }, sends, [thought], world)).asked).toBe(calls)
  })

  it('is left where the system would refuse it: the model is asked, and the step does not fail', async () => {
    const { outcome, asked } = await ran({ send_message: { receiver: ['nobody'], message: 'Hello.' } }, sends)
    expect([asked, outcome.state, outcome.repairs]).toEqual([1, 'finished', []])
  })

  it('is left where the server would refuse its call: the model is asked', async () => {
    const doubtCall = async (_: string, { name }: { name: string }) => (name === 'write_file' ? 'no such tool' : null)
    const { outcome, asked } = await ran({ tool_instruction: CALLS }, writes, [thought], testWorld, { doubtCall })
    expect([asked, outcome.instruct?.instruction]).toEqual([1, expect.objectContaining({ name: 'list' })])
  })

  it('passes over what only prepared or decided: `before` is the last text or result', async () => {
    const prepared = makeStep(9, { executor: 'instruction_generation', state: 'finished', createdSeq: 5 })
    const { outcome } = await ran({ send_message: MESSAGE }, sends, [thought, prepared])
    expect(outcome.sync.send_message?.message).toBe(REPORT.trim())
  })

  it.each([
    ['calls of a skill', { type: 'skill', executor: 'think', calls: CALLS }, 'calls belong to a step of type tool'],
    ['a message of a tool step', { send_message: MESSAGE }, 'send_message belongs to a send_message step'],
    ['a call without its tool', { calls: [{ arguments: { path: 'r.md' } }] }, 'save the report: <tool_instruction>'],
    [
      'a message to nobody',
      { type: 'skill', executor: 'send_message', send_message: { message: 'Hello.' } },
      'save the report: <send_message>',
    ],
  ])('that holds %s is shown back when the plan is written', async (_, more, reason) => {
    const { outcome } = await plannedWith(more)
    expect(outcome.repairs[0]).toContain(reason)
  })

  it('does not stop a message that answers: its receiver is the asker', async () => {
    const asked = makeMessage('m1', { sender: MANAGER, receivers: [READER], text: 'Which?' })
    const answers = { message: asked.id, to: MANAGER, waiting: null, stage: null }
    const { outcome, asked: calls } = await ran(
      { send_message: { receiver: ['ana'], message: 'This one.' } },
      { ...sends, answers },
      [thought],
      withMessage(testWorld, asked),
    )
    expect([calls, outcome.sync.send_message?.receiver]).toEqual([0, [MANAGER]])
  })
})
