/** What a step makes of a server that breaks off, refuses a prompt as too long, or never says that its answers end. */
import { afterEach, expect, it } from 'vitest'
import { TAG_SAMPLES } from '@/test/formatSamples'
import { modelAt } from '@/test/modelCalls'
import { type Answerer, type ModelPeer, openaiEnd, openaiText, openModelPeer, refuse } from '@/test/modelPeer'
import { makeStep, testRun, testWorld, withSteps } from '@/test/skillWorld'
import { loadPrompts } from './prompts'
import { runSkill } from './run'

const waits: number[] = []
const run = runSkill(loadPrompts('prompts'), { sleep: async (ms) => void waits.push(ms), random: () => 0 })
const PLAN = `<planned_step>${JSON.stringify(TAG_SAMPLES.planned_step)}</planned_step>`

let peer: ModelPeer | null = null
afterEach(() => peer?.close())

async function plan(answer: Answerer, intention = 'Plan it.', contextTokens = 32_000) {
  peer = await openModelPeer(answer)
  const step = makeStep(90, { executor: 'planning', state: 'running', startedSeq: 90, intention })
  const model = modelAt(peer.url, { contextTokens, form: 'tags' })
  const given = testRun(withSteps(testWorld, [step]), step, model)
  waits.length = 0
  return { outcome: await run(given), given, model, peer }
}
const plans: Answerer = (_, response) => void response.end(`${openaiText(PLAN)}${openaiEnd()}`)

it('[R410] an answer that the server broke off is asked for again after the usual waits, and never blamed on the model', async () => {
  const { outcome, given } = await plan((_, response) => {
    response.end(`${openaiText(PLAN.slice(0, 30))}${openaiEnd('insufficient_system_resource')}`)
  })
  expect(waits).toEqual([1_000, 4_000, 16_000])
  expect(outcome.reason).toBe(
    'real: the server broke off the answer and gave as the reason “insufficient_system_resource”',
  )
  expect(given.calls.map(({ outcome, error }) => [outcome, error?.includes('insufficient_system_resource')])).toEqual(
    Array(4).fill(['failed', true]),
  )
  expect(outcome.repairs).toEqual([])
})

it('[R412] an error inside a 200 is tried again after the wait that it names', async () => {
  const { outcome } = await plan((asked, response, number) =>
    number === 1
      ? refuse(response, 200, { error: { message: 'busy, try again in 3s', code: 429 } })
      : plans(asked, response, number),
  )
  expect([outcome.state, waits]).toEqual(['finished', [3_000]])
})

it('[R414] a prompt that the server finds too long is asked again at once, shorter, within what the server named', async () => {
  const lengths: number[] = []
  const { outcome, given, model } = await plan((asked, response, number) => {
    const characters = JSON.stringify(asked.body.messages).length
    lengths.push(characters)
    // This server counts a token for every two characters.
    const [tokens, limit] = [Math.ceil(characters / 2), Math.floor((lengths[0] ?? 0) / 2 - 200)]
    const message = `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens.`
    if (tokens > limit) refuse(response, 400, { error: { message, code: 'context_length_exceeded' } })
    else plans(asked, response, number)
  }, 'word '.repeat(2_000))
  expect(outcome.reason).toBeNull()
  expect(lengths[1]).toBeLessThan(lengths[0] ?? 0)
  expect(waits.every((ms) => ms === 0)).toBe(true)
  expect(given.calls[0]?.error).toContain('maximum context length')
  expect(model.contextTokens).toBeLessThan(32_000)
})

it('[R415] a server that never says that its answers end fails the step with that sentence after two calls', async () => {
  const { outcome, peer } = await plan((_, response) => void response.end(`${openaiText(PLAN)}data: [DONE]\n\n`))
  expect(outcome.reason).toContain('this server never says that its answers end')
  expect(peer.asked).toHaveLength(2)
})
