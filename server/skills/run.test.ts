import { describe, expect, it } from 'vitest'
import { asId, type MessageId } from '@/lib/mas/ids'
import type { StepRecord } from '@/lib/mas/records'
import type { SyncOutput } from '@/lib/mas/steps/outcome'
import { TAG_SAMPLES } from '@/test/formatSamples'
import { type ScriptLine, scriptedModel } from '@/test/scriptedModel'
import { ANA, makeStep, READER, testRun, testWorld, withSteps } from '@/test/skillWorld'
import { ModelError } from '../models/model'
import { loadPrompts } from './prompts'
import { runSkill } from './run'
import { storedTurns } from './test/promptParts'

const prompts = loadPrompts('prompts')
const waits: number[] = []
const run = runSkill(prompts, { sleep: async (ms) => void waits.push(ms), random: () => 0 })

const PLAN = `I plan.\n<planned_step>${JSON.stringify(TAG_SAMPLES.planned_step)}</planned_step> done`

async function runStep(
  executor: string,
  lines: ScriptLine[],
  more: Partial<StepRecord> = {},
  others: StepRecord[] = [],
) {
  const step = makeStep(90, { executor, state: 'running', startedSeq: 90, ...more })
  const model = scriptedModel(lines)
  const given = testRun(withSteps(testWorld, [...others, step]), step, model)
  waits.length = 0
  return { outcome: await run(given), given, model }
}

describe('running a skill', () => {
  it('takes the plan, and sets the part to working', async () => {
    const { outcome, given } = await runStep('planning', [PLAN])
    expect(outcome.state).toBe('finished')
    expect(outcome.steps.add).toEqual(TAG_SAMPLES.planned_step)
    expect(outcome.sync satisfies SyncOutput).toEqual({
      send_shared_info: { content: 'planning: intention 90 – finished' },
      update_stage_agent_state: { state: 'working' },
    })
    expect(outcome.call).toMatchObject({ outcome: 'taken', model: 'scripted', modelVersion: 'scripted-1', costUsd: 0 })
    expect(given.streamed.join('')).toBe(PLAN)
    expect(given.calls).toEqual([])
  })

  it('shows an answer that cannot be parsed back with the reason, and takes the mended one', async () => {
    const { outcome, given, model } = await runStep('planning', ['<planned_step>[{]</planned_step>', PLAN])
    expect(outcome.state).toBe('finished')
    expect(outcome.repairs).toHaveLength(1)
    expect(given.calls.map((call) => call.outcome)).toEqual(['repaired'])
    const second = model.asked[1] ?? []
    expect(second.map((turn) => turn.role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(second[2]?.content).toBe('<planned_step>[{]</planned_step>')
    expect(second[3]?.content).toContain('does not hold strict JSON')
    const shown = outcome.call ? await storedTurns(outcome.call.prompt, (ref) => given.bodies.text(ref)) : null
    expect(shown).toEqual(second)
  })

  it('begins the step once more afresh after two repairs, without the answers that could not be taken', async () => {
    const { outcome, given, model } = await runStep('planning', ['no', 'not yet', 'never', PLAN])
    expect(model.asked.map((turns) => turns.length)).toEqual([2, 4, 6, 2])
    expect(model.asked[3]).toEqual(model.asked[0])
    expect(outcome.state).toBe('finished')
    expect(outcome.repairs).toHaveLength(3)
    expect(given.calls.map((call) => call.outcome)).toEqual(['repaired', 'repaired', 'repaired'])
    const shown = outcome.call ? await storedTurns(outcome.call.prompt, (ref) => given.bodies.text(ref)) : null
    expect(shown).toEqual(model.asked[0])
  })

  it('gives up after two repairs of the second try, and the part fails with planning', async () => {
    const { outcome, given, model } = await runStep('planning', [...Array(6).fill('no'), PLAN])
    expect(model.asked.map((turns) => turns.length)).toEqual([2, 4, 6, 2, 4, 6])
    expect(outcome.state).toBe('failed')
    expect(outcome.reason).toContain('6 times: there is no <planned_step> in the answer')
    expect(outcome.call).toBeNull()
    // The reason of the last one is the step's own.
    expect(outcome.repairs).toHaveLength(5)
    expect(given.calls.map((call) => call.outcome)).toEqual([...Array(5).fill('repaired'), 'failed'])
    expect(outcome.sync.update_stage_agent_state).toEqual({ state: 'failed', reason: outcome.reason })
  })

  it('takes at its third showing what is only doubted, without beginning again', async () => {
    const unknown = `<planned_step>${JSON.stringify([{ ...TAG_SAMPLES.planned_step[0], executor: 'fly' }])}</planned_step>`
    const { outcome, model } = await runStep('planning', [unknown, unknown, unknown])
    expect(model.asked).toHaveLength(3)
    expect(outcome.state).toBe('finished')
    expect(outcome.repairs).toHaveLength(2)
    expect(outcome.repairs[0]).toContain('fly is no tool of yours')
  })

  it('keeps the part working when another skill fails', async () => {
    const { outcome } = await runStep('think', Array(6).fill('<summary>no</summary>'))
    expect(outcome.state).toBe('failed')
    expect(outcome.sync.update_stage_agent_state).toEqual({ state: 'working' })
  })

  it('repeats a call after a fault that may pass, and waits as long as it was told', async () => {
    const busy = new ModelError('MODEL_RATE_LIMITED', 'slow down', true, 7_000)
    const { outcome, given } = await runStep('planning', [{ fault: busy }, { fault: busy }, PLAN])
    expect(outcome.state).toBe('finished')
    expect(waits).toEqual([7_000, 7_000])
    expect(given.did.filter(({ what }) => what === 'repeating')).toHaveLength(2)
    expect(given.calls.map((call) => [call.outcome, call.promptTokens])).toEqual([
      ['failed', null],
      ['failed', null],
    ])
  })

  it('fails at once after a fault that will not pass', async () => {
    const { outcome, model } = await runStep('planning', [
      { fault: new ModelError('MODEL_REFUSED', 'no such key', false) },
    ])
    expect(model.asked).toHaveLength(1)
    expect(outcome.reason).toBe('scripted: no such key')
  })

  it.each([
    ['keyRefused', 'key'],
    ['outOfCredit', 'limit'],
    ['promptTooLong', 'limit'],
    ['serverBroken', 'model'],
  ] as const)('[R801] names why it failed by what a person can do: %s is %s', async (trouble, cause) => {
    const fault = new ModelError('MODEL_REFUSED', 'no', false, null, { trouble })
    expect((await runStep('planning', [{ fault }])).outcome.failureCause).toBe(cause)
  })

  it('[R801] names the form of the answers when none could be taken, and nothing when one was', async () => {
    const { outcome } = await runStep('planning', Array(6).fill('no'))
    expect(outcome.failureCause).toBe('format')
    expect((await runStep('planning', ['no', PLAN])).outcome.failureCause).toBeUndefined()
  })

  it('never takes an answer that was cut, though it could be parsed', async () => {
    const { outcome, given } = await runStep('planning', [
      { text: PLAN, finish: 'length' },
      { text: PLAN, finish: 'broken' },
      PLAN,
    ])
    expect(outcome.state).toBe('finished')
    expect(given.calls.map((call) => call.outcome)).toEqual(['cut', 'cut'])
  })

  it('keeps reasoning that came apart beside the call, and never sends it again', async () => {
    const { outcome, given, model } = await runStep('planning', [{ text: 'no tag', reasoning: 'step by step' }, PLAN])
    const [first] = given.calls
    expect(first?.reasoning && (await given.bodies.text(first.reasoning))).toBe('step by step')
    expect(outcome.call).not.toHaveProperty('reasoning')
    expect(JSON.stringify(model.asked)).not.toContain('step by step')
  })

  it('takes an answer that is an object of tags, and the stored prompt shows that it was asked for', async () => {
    const object = { planned_step: TAG_SAMPLES.planned_step, skip: null, persistent_memory: [{ add: 'noted' }] }
    const { outcome, given, model } = await runStep('planning', [{ object: { planned_step: 'none' } }, { object }])
    expect([outcome.steps.add, outcome.memory]).toEqual([TAG_SAMPLES.planned_step, [{ add: 'noted' }]])
    expect(given.calls.map((call) => call.outcome)).toEqual(['repaired'])
    expect(outcome.repairs).toHaveLength(1)
    const calls = [...given.calls, ...(outcome.call ? [outcome.call] : [])]
    const shown = await Promise.all(calls.map((call) => storedTurns(call.prompt, (ref) => given.bodies.text(ref))))
    expect(shown).toEqual(model.asked)
    expect(model.asked[1]?.at(-1)?.content).toContain('one JSON object')
  })

  it('takes a think block with more behind it for reasoning, unless the reasoning came apart', async () => {
    const text = '<think>apple costs 3.20</think> That is all.'
    const apart = await runStep('think', [{ text, reasoning: 'hm' }])
    expect(apart.outcome.result.text).toBe('apple costs 3.20')
    const { outcome } = await runStep('think', [text])
    expect([outcome.result.text, outcome.repairs]).toEqual(['That is all.', ['mended:tag_missing']])
  })

  it('stops when the step is aborted, and leaves a record of the call', async () => {
    const step = makeStep(90, { executor: 'think', state: 'running' })
    const stop = new AbortController()
    const given = testRun(withSteps(testWorld, [step]), step, scriptedModel([{ hangs: true }]), { signal: stop.signal })
    const outcome = run(given)
    stop.abort(new Error('cancelled by Ana'))
    await expect(outcome).rejects.toThrow('cancelled by Ana')
    expect(given.calls.map((call) => call.outcome)).toEqual(['cancelled'])
  })
})

describe('an answer that the length limit cut', () => {
  const cut = (text: string): ScriptLine => ({ text, finish: 'length' })

  it('is continued exactly where it broke off, and taken as one', async () => {
    const pieces = [PLAN.slice(0, 40), PLAN.slice(40, 90), PLAN.slice(90)]
    const { outcome, given, model } = await runStep('planning', [
      cut(pieces[0] ?? ''),
      cut(pieces[1] ?? ''),
      pieces[2] ?? '',
    ])
    expect(outcome.steps.add).toEqual(TAG_SAMPLES.planned_step)
    expect([outcome.repairs, given.calls.map((call) => call.outcome)]).toEqual([[], ['cut', 'cut']])
    expect(model.asked[2]?.slice(2)).toMatchObject([
      { role: 'assistant', content: PLAN.slice(0, 90) },
      { role: 'user' },
    ])
    expect(model.asked[2]?.at(-1)?.content).toContain('exactly where it broke off')
    const shown = outcome.call ? await storedTurns(outcome.call.prompt, (ref) => given.bodies.text(ref)) : null
    expect(shown).toEqual(model.asked[2])
  })

  it('is continued four times at most, then it is to be written in parts', async () => {
    const lines = ['a', 'b', 'c', 'd', 'e'].map((sign) => cut(`<planned_step>${sign} `))
    const { outcome, given, model } = await runStep('planning', [...lines, PLAN])
    expect(outcome.state).toBe('finished')
    expect(given.calls.map((call) => call.outcome)).toEqual(['cut', 'cut', 'cut', 'cut', 'cut'])
    expect(outcome.repairs).toHaveLength(1)
    expect(model.asked[5]?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
    expect(model.asked[5]?.[2]?.content).toBe('<planned_step>a b c d e ')
    expect(model.asked[5]?.[3]?.content).toContain('Write it in parts')
  })

  it('is asked for again when all of it was thoughts', async () => {
    const { outcome, model } = await runStep('planning', [cut('<think>first I'), PLAN])
    expect(outcome.state).toBe('finished')
    expect(model.asked[1]?.at(-1)?.content).toContain('think in a few words')
  })

  it('is continued as text when it is an object, and read as an object then', async () => {
    const object = { planned_step: TAG_SAMPLES.planned_step, skip: null, persistent_memory: null }
    const { outcome, model } = await runStep('planning', [{ object, cutAt: 60 }, JSON.stringify(object).slice(60)])
    expect(outcome.steps.add).toEqual(TAG_SAMPLES.planned_step)
    expect(model.asked[1]?.at(-1)?.content).not.toContain('one JSON object')
  })

  it('is shown back as a whole when what it comes to cannot be taken', async () => {
    const { model } = await runStep('planning', [cut('<planned_step>[{'), ']</planned_step>', PLAN])
    expect(model.asked[2]?.[2]?.content).toBe('<planned_step>[{]</planned_step>')
  })
})

describe('a reply step', () => {
  it('goes to its asker whatever the model wrote', async () => {
    const message = TAG_SAMPLES.send_message
    const wrong = `<send_message>${JSON.stringify({ ...message, receiver: [READER] })}</send_message>`
    const answers = { message: asId<MessageId>('m1'), to: ANA, waiting: null, stage: null }
    const { outcome } = await runStep('send_message', [wrong], { answers })
    expect(outcome.sync.send_message?.receiver).toEqual([ANA])
  })
})
