/** What an answer clearly means is taken without a turn: executors of planned steps, one text for a list of texts. */
import { describe, expect, it } from 'vitest'
import { fieldsIn, jsonValueOf } from '@/lib/json'
import type { AgentRecord } from '@/lib/mas/records'
import type { ToolInfo } from '@/server/tools'
import { scriptedModel } from '@/test/scriptedModel'
import { makeStep, READER, testRun, testWorld, withSteps } from '@/test/skillWorld'
import { must } from '@/test/stories'
import { loadPrompts } from './prompts'
import { runSkill } from './run'

const run = runSkill(loadPrompts('prompts'), { sleep: async () => undefined })
const tool = (name: string, properties: object = {}): ToolInfo => ({
  server: '',
  name,
  inputSchema: { type: 'object', properties },
  required: [],
  readOnly: true,
  destructive: false,
  idempotent: true,
  openWorld: false,
  confirm: false,
  confirmRule: 'risky',
  confirmByHand: false,
  repeatable: true,
})
const OFFERS: Record<string, ToolInfo[]> = {
  files: [
    tool('read_text_file'),
    tool('search'),
    tool('read_multiple_files', { paths: { type: 'array', items: { type: 'string' } }, note: { type: 'string' } }),
  ],
  mail: [tool('send'), tool('search')],
}
const toolsOf = async (server: string) => OFFERS[server] ?? []

async function planned(type: string, executor: string, tools: AgentRecord['tools'] = ['files', 'mail']) {
  const reader = must(testWorld.agents[READER], 'reader')
  const world = { ...testWorld, agents: { ...testWorld.agents, [READER]: { ...reader, tools } } }
  const step = makeStep(90, { executor: 'planning', state: 'running', startedSeq: 90 })
  const plan = `<planned_step>${JSON.stringify([{ step_intention: 'do it', type, executor, text_content: 'x' }])}</planned_step>`
  const model = scriptedModel([plan, plan, plan])
  const outcome = await run(testRun(withSteps(world, [step]), step, model, { toolsOf }))
  const [first] = outcome.steps.add
  return { step: [first?.type, first?.executor], turns: model.asked.length, repairs: outcome.repairs }
}

describe('the executor of a planned step', () => {
  it.each([
    ['skill', 'files', ['tool', 'files']],
    ['tool', 'think', ['skill', 'think']],
    ['tool', 'read_text_file', ['tool', 'files']],
    ['skill', 'send', ['tool', 'mail']],
  ])('[R336] %s %s is taken for what it can only mean', async (type, executor, meant) => {
    expect(await planned(type, executor)).toEqual({ step: meant, turns: 1, repairs: ['mended:value_spelling'] })
  })

  it('[R336] is left as it is where it is right, also where a server is called as a skill is', async () => {
    expect(await planned('tool', 'files')).toEqual({ step: ['tool', 'files'], turns: 1, repairs: [] })
    expect((await planned('tool', 'think', ['think'])).step).toEqual(['tool', 'think'])
  })

  it.each([
    ['tool', 'search', 'two servers have it'],
    ['tool', 'nothing', 'nobody has it'],
  ])('[R336] %s %s is shown back: %s', async (type, executor) => {
    const { turns, repairs } = await planned(type, executor)
    expect([turns, repairs[0]]).toEqual([3, expect.stringContaining(`${executor} is no tool of yours`)])
  })
})

describe('the arguments of a call', () => {
  const bound = makeStep(91, { type: 'tool', executor: 'files', state: 'pending' })
  async function written(args: object) {
    const step = makeStep(90, {
      executor: 'instruction_generation',
      state: 'running',
      startedSeq: 90,
      boundTo: bound.id,
    })
    const call = { instruction_type: 'function_call', tool_name: 'read_multiple_files', arguments: args }
    const model = scriptedModel([`<tool_instruction>${JSON.stringify([call, call])}</tool_instruction>`])
    const given = testRun(withSteps(testWorld, [bound, step]), step, model, { toolsOf })
    const outcome = await run(given)
    const all = [outcome.instruct?.instruction, ...outcome.calls.map((one) => one.instruction)]
    const texts = all.map((one) => (one?.kind === 'call' ? given.bodies.text(one.arguments) : ''))
    return { args: (await Promise.all(texts)).map((text) => fieldsIn(jsonValueOf(text))), repairs: outcome.repairs }
  }

  it.each([
    [{ paths: 'a.md' }, { paths: ['a.md'] }],
    [
      { paths: '["a.md", "b.md"]', note: 'a' },
      { paths: ['a.md', 'b.md'], note: 'a' },
    ],
    [{ paths: '[draft].md' }, { paths: ['[draft].md'] }],
  ])(
    '[R337] hold a list where one text stands for a list of texts, before anybody is asked: %j',
    async (args, meant) => {
      expect(await written(args)).toEqual({ args: [meant, meant], repairs: ['mended:list_missing'] })
    },
  )

  it('[R337] stay as they are where they fit, or where another kind is asked for', async () => {
    for (const args of [{ paths: ['a.md'] }, { note: 'a' }, { paths: 4 }, { other: 'x' }])
      expect(await written(args)).toEqual({ args: [args, args], repairs: [] })
  })
})
