/** A call that its server would not take is shown back before it becomes a step. */
import { describe, expect, it } from 'vitest'
import type { ToolCall } from '@/server/tools'
import { scriptedModel } from '@/test/scriptedModel'
import { makeStep, testRun, testWorld, withSteps } from '@/test/skillWorld'
import { loadPrompts } from './prompts'
import { runSkill } from './run'

const run = runSkill(loadPrompts('prompts'), { sleep: async () => undefined })
const call = (path: unknown) => ({
  instruction_type: 'function_call',
  tool_name: 'read_text_file',
  arguments: { path },
})
const bound = makeStep(91, { type: 'tool', executor: 'files', state: 'pending' })

/** As a server that takes a text only. */
const WRONG = 'read_text_file: path must be a string, not an array'
async function written(answers: string[]) {
  const step = makeStep(90, { executor: 'instruction_generation', state: 'running', startedSeq: 90, boundTo: bound.id })
  const model = scriptedModel(answers)
  const asked: [string, ToolCall][] = []
  const given = testRun(withSteps(testWorld, [bound, step]), step, model, {
    doubtCall: async (server, one) => {
      asked.push([server, one])
      return typeof one.arguments.path === 'string' ? null : WRONG
    },
  })
  return { outcome: await run(given), asked, turns: model.asked }
}
const answer = (...calls: unknown[]): string => `<tool_instruction>${JSON.stringify(calls)}</tool_instruction>`

describe('the arguments of a call', () => {
  it('are asked about at the server of the tool step, for every call of the answer', async () => {
    const { outcome, asked } = await written([answer(call('a.csv'), call('b.csv'))])
    expect(asked).toEqual(
      ['a.csv', 'b.csv'].map((path) => ['files', { kind: 'tool', name: 'read_text_file', arguments: { path } }]),
    )
    expect(outcome.repairs).toEqual([])
  })

  it('are shown back with the reason when they do not fit, and the next answer counts', async () => {
    const { outcome, turns } = await written([answer(call('a.csv'), call(['b.csv'])), answer(call('a.csv'))])
    expect(outcome.repairs).toEqual([WRONG])
    expect(turns[1]?.at(-1)?.content).toContain(WRONG)
    expect([outcome.state, outcome.calls]).toEqual(['finished', []])
  })

  it('are taken when the model insists: the server then says what it says', async () => {
    const same = answer(call(['a.csv']))
    const { outcome } = await written([same, same, same])
    expect([outcome.state, outcome.repairs, outcome.instruct?.step]).toEqual(['finished', [WRONG, WRONG], bound.id])
  })
})
