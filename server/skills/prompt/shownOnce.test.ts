/** What a history leaves out, since another of its items says it. */
import { describe, expect, it } from 'vitest'
import type { StepRecord } from '@/lib/mas/records'
import { scriptedModel } from '@/test/scriptedModel'
import { makeMessage, makeStep, testRun, testWorld, withMessage, withSteps } from '@/test/skillWorld'
import { buildPrompt } from '../prompt'
import { loadPrompts } from '../prompts'

const prompts = loadPrompts('prompts')

/** Executors of the history of a think step behind these. */
async function historyOf(steps: StepRecord[], world = testWorld): Promise<string[]> {
  const step = makeStep(90, { state: 'running' })
  const run = testRun(withSteps(world, [...steps, step]), step, scriptedModel([]))
  const { turns } = await buildPrompt(run, 'think', prompts.en)
  const items = turns
    .map(({ content }) => content)
    .join('\n')
    .matchAll(/<history_item n="\d+" state="(?:finished|failed)"[^>]* executor="(\w+)"/g)
  return [...items].map(([, executor = '']) => executor)
}

const over = (n: number, executor: string, more: Partial<StepRecord> = {}): StepRecord =>
  makeStep(n, { executor, state: 'finished', ...more })
const call = (n: number, more: Partial<StepRecord> = {}): StepRecord => over(n, 'files', { type: 'tool', ...more })
const decided = (goesOn: boolean): Partial<StepRecord> => ({
  result: { kind: 'text', text: 'x', body: null, made: { continue: goesOn } },
})

describe('a history shows once', () => {
  it('a call: in its tool step, with the decision that ended the run behind it', async () => {
    const steps = [
      over(1, 'instruction_generation'),
      call(2),
      over(3, 'tool_decision', decided(true)),
      over(4, 'instruction_generation'),
      call(5),
      over(6, 'tool_decision', decided(false)),
    ]
    expect(await historyOf(steps)).toEqual(['files', 'files', 'tool_decision'])
  })

  it('a call that could not be written or decided about: in the step that failed', async () => {
    const failed = { state: 'failed', reason: 'no format' } as const
    const steps = [over(1, 'instruction_generation', failed), call(2, failed), over(3, 'tool_decision', failed)]
    expect(await historyOf(steps)).toEqual(['instruction_generation', 'files', 'tool_decision'])
  })

  it('the answer to ask_info: in that step, and not in the message that brought it', async () => {
    const asked = over(1, 'ask_info')
    const taken = over(2, 'process_message', { cause: { message: null, step: asked.id } })
    expect(await historyOf([asked, taken])).toEqual(['ask_info'])
  })

  it('the answer of another member: in the step that took it in', async () => {
    const message = makeMessage('m1')
    const sent = over(1, 'send_message')
    const theirs = makeStep(80).id
    const taken = over(2, 'process_message', { cause: { message: message.id, step: theirs } })
    expect(await historyOf([sent, taken], withMessage(testWorld, message))).toEqual(['send_message', 'process_message'])
  })
})
