/** Answers by calls of functions: what a model may call, what its calls become, and what it is told when they fit no step. */

import { describe, expect, it } from 'vitest'
import type { AgentId } from '@/lib/mas/ids'
import type { ModelCall, StepRecord } from '@/lib/mas/records'
import { TAG_SAMPLES } from '@/test/formatSamples'
import { MANAGER, makeStep, READER, testRun, testWorld, withSteps } from '@/test/skillWorld'
import type { FunctionCall, FunctionTool, Model, ModelPiece, Turn } from '../models/model'
import type { ToolInfo } from '../tools'
import { functionsOf } from './functions'
import { loadPrompts } from './prompts'
import { runSkill } from './run'
import { storedTurns } from './test/promptParts'

const run = runSkill(loadPrompts('prompts'), { sleep: async () => {}, random: () => 0 })

const tool = (name: string, properties: object): ToolInfo => ({
  server: 'files',
  name,
  description: `does ${name}`,
  inputSchema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object', properties },
  required: [],
  readOnly: true,
  destructive: false,
  idempotent: true,
  openWorld: false,
  ...{ confirm: false, confirmRule: 'risky', confirmByHand: false, repeatable: true },
})
const TOOLS = [tool('read_file', { path: { type: 'string' } }), tool('sort', { last: { type: 'boolean' } })]

type Answer = { words?: string; calls?: [name: string, args: unknown][] }

/** A model that gives these answers, and keeps what it was asked with. */
function caller(answers: readonly Answer[]) {
  const asked: { turns: Turn[]; functions: readonly FunctionTool[] }[] = []
  const noted: string[] = []
  const model: Model = {
    name: 'caller',
    provider: 'test',
    contextTokens: 32_000,
    takesFunctions: true,
    answeredBy: (what) => void noted.push(what),
    async *call(turns, { functions = [] }): AsyncGenerator<ModelPiece> {
      const { words = '', calls = [] } = answers[asked.length] ?? {}
      asked.push({ turns, functions })
      if (words !== '') yield { type: 'text', text: words }
      for (const [name] of calls) yield { type: 'calling', text: `${name} …` }
      const made = calls.map(([name, args], at): FunctionCall => {
        return { id: `c${asked.length}_${at}`, name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }
      })
      const usage = { promptTokens: 1, completionTokens: 1, estimated: false, costUsd: 0 }
      yield { type: 'end', finish: made.length > 0 ? 'calls' : 'stop', modelVersion: 'm-1', usage, calls: made }
    },
  }
  return { model, asked, noted }
}

async function runStep(
  executor: string,
  answers: readonly Answer[],
  more: Partial<StepRecord> = {},
  others: StepRecord[] = [],
) {
  const step = makeStep(90, { executor, state: 'running', startedSeq: 90, ...more })
  const { model, asked, noted } = caller(answers)
  const given = testRun(withSteps(testWorld, [...others, step]), step, model, { toolsOf: async () => TOOLS })
  return { outcome: await run(given), given, asked, noted }
}

const PLAN: Answer = { calls: [['planned_step', { value: TAG_SAMPLES.planned_step }]] }
const bound = makeStep(91, { type: 'tool', executor: 'files', state: 'pending' })
const OF_TOOL = { boundTo: bound.id }

describe('[R672] what a model may call', () => {
  it('is the same for every skill of an agent: its answers by name, then the tools of its servers', async () => {
    const names = async (executor: string, agent = READER) => {
      const step = makeStep(90, { executor, agent })
      const { list } = await functionsOf(
        testRun(withSteps(testWorld, [step]), step, caller([]).model, { toolsOf: async () => TOOLS }),
      )
      return list
    }
    const ofReader = await names('think')
    expect(await names('planning')).toEqual(ofReader)
    const known = ofReader.map(({ name }) => name)
    for (const name of [
      'planned_step',
      'summary',
      'send_message',
      'tool_decision',
      'skip',
      'persistent_memory',
      'more_history',
    ])
      expect(known).toContain(name)
    expect(known.slice(-2)).toEqual(['files__read_file', 'files__sort'])
    expect(known).not.toContain('task_instruction')
    expect((await names('think', MANAGER)).map(({ name }) => name)).toContain('task_instruction')
  })

  it('names no answers about tools for an agent that has none', async () => {
    const reader = testWorld.agents[READER]
    if (reader === undefined) throw new Error('no reader')
    const namesWith = async (tools: string[]) => {
      const world = { ...testWorld, agents: { ...testWorld.agents, [READER]: { ...reader, tools } } }
      const step = makeStep(90, { executor: 'think' })
      const { list } = await functionsOf(testRun(withSteps(world, [step]), step, caller([]).model))
      return list.map(({ name }) => name)
    }
    const none = await namesWith([])
    expect(none).toContain('planned_step')
    expect((await namesWith(['files'])).filter((name) => !none.includes(name))).toContain('tool_decision')
  })

  it('names what the agent may plan: the skills that are its own, and its servers', async () => {
    const executorsOf = async (agent: AgentId) => {
      const step = makeStep(90, { executor: 'planning', agent })
      const { list } = await functionsOf(testRun(withSteps(testWorld, [step]), step, caller([]).model))
      const said = list.flatMap(
        ({ schema }) => /"executor":\{"type":"string","enum":(\[[^\]]*\])/.exec(JSON.stringify(schema))?.[1] ?? [],
      )
      expect(new Set(said).size).toBe(1)
      return JSON.parse(said[0] ?? '[]') as string[]
    }
    const ofReader = await executorsOf(READER)
    expect(ofReader).toEqual(expect.arrayContaining(['think', 'reflection', 'files']))
    expect(ofReader).not.toContain('task_manager')
    expect(ofReader).not.toContain('planning')
    expect(await executorsOf(MANAGER)).toContain('task_manager')
  })

  it('has objects as arguments in a form that every provider takes', async () => {
    const { asked } = await runStep('planning', [PLAN])
    for (const { name, schema } of asked[0]?.functions ?? []) {
      expect([name, schema.type]).toEqual([name, 'object'])
      expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      expect(JSON.stringify(schema)).not.toMatch(/\$schema|\$ref|oneOf|"const"/)
    }
    const prompt = asked[0]?.turns.map(({ content }) => content).join('\n') ?? ''
    expect(prompt).not.toContain('<answer_format>')
    expect(prompt).not.toContain('<section name="mcp_base_prompt">')
    expect(prompt).toContain('\nanswer: planned_step\n')
  })
})

describe('[R672] an answer by calls', () => {
  it('is the step that its tag would make, and is stored with the words beside it', async () => {
    const { outcome, given } = await runStep('planning', [{ ...PLAN, words: 'I plan <summary>nothing</summary>.' }])
    expect(outcome).toMatchObject({ state: 'finished', repairs: [] })
    expect(outcome.steps.add).toEqual(TAG_SAMPLES.planned_step)
    expect(outcome.call?.answer?.preview).toBe('I plan <summary>nothing</summary>.')
    // Those who look on see the call as it is written.
    expect(given.streamed.join('')).toBe('I plan <summary>nothing</summary>.planned_step …')
    const [called] = JSON.parse(await given.bodies.text((outcome.call as ModelCall).calls as never)) as FunctionCall[]
    expect(called?.name).toBe('planned_step')
  })

  it('calls tools by their own functions, several at once, and says which is the last', async () => {
    const calls: Answer['calls'] = [
      ['files__read_file', { path: 'a.md' }],
      ['files__read_file', { path: 'b.md', last: true }],
    ]
    const { outcome } = await runStep('instruction_generation', [{ calls }], OF_TOOL, [bound])
    expect(outcome.repairs).toEqual([])
    expect(outcome.instruct?.instruction).toMatchObject({ kind: 'call', name: 'read_file' })
    expect(outcome.calls.map(({ instruction }) => instruction)).toMatchObject([{ name: 'read_file', last: true }])
    // An argument of the tool itself stays one.
    const own = await runStep('instruction_generation', [{ calls: [['files__sort', { last: true }]] }], OF_TOOL, [
      bound,
    ])
    expect(own.outcome.instruct?.instruction).not.toHaveProperty('last')
  })

  it('may come with notes, and JSON with one clear meaning is mended as in a tag', async () => {
    const notes: [string, unknown] = ['persistent_memory', { value: [{ add: '### x\ny' }] }]
    const { outcome } = await runStep('think', [{ calls: [notes, ['result', { value: '3.20' }]] }])
    expect(outcome.memory).toHaveLength(1)
    expect(outcome.result.text).toBe('3.20')
    const written = `{"value": ${JSON.stringify(TAG_SAMPLES.planned_step).replace(/\]$/, ',]')}}`
    const mended = await runStep('planning', [{ calls: [['planned_step', written]] }])
    expect(mended.outcome.steps.add).toEqual(TAG_SAMPLES.planned_step)
    expect(mended.outcome.repairs).toEqual(['mended:json_commas'])
  })

  it.each<[slip: string, executor: string, answer: Answer, reason: RegExp]>([
    ['a function of another skill', 'planning', { calls: [['summary', { value: 'done' }]] }, /planned_step/],
    ['a function that is not there', 'planning', { calls: [['plan', {}]] }, /no function plan/],
    [
      'arguments that are no JSON',
      'instruction_generation',
      { calls: [['files__read_file', 'path a']] },
      /no JSON object/,
    ],
    [
      'a tool where no tool is called',
      'planning',
      { calls: [['files__read_file', { path: 'a' }]] },
      /is not for this step/,
    ],
    ['no function at all', 'planning', { words: 'I would read the lists.' }, /planned_step/],
  ])(
    'that is %s is shown back as the result of each call, and mended by the next one',
    async (_, executor, slip, reason) => {
      const right: Answer = executor === 'planning' ? PLAN : { calls: [['files__read_file', { path: 'a.md' }]] }
      const { outcome, given, asked, noted } = await runStep(executor, [slip, right], OF_TOOL, [bound])
      expect(outcome.state).toBe('finished')
      expect(noted).toEqual([slip.calls === undefined ? 'words' : 'calls', 'calls'])
      expect(outcome.repairs).toHaveLength(1)
      expect(outcome.repairs[0]).toMatch(reason)
      const later = asked[1]?.turns.slice(2) ?? []
      const roles = slip.calls === undefined ? ['assistant', 'user'] : ['assistant', 'tool']
      expect(later.map(({ role }) => role)).toEqual(roles)
      expect(later[1]).toMatchObject(slip.calls === undefined ? {} : { isError: true, call: 'c1_0' })
      expect(asked[1]?.functions).toEqual(asked[0]?.functions)
      // The stored prompt shows the same turns.
      const shown = await storedTurns((outcome.call as ModelCall).prompt, (ref) => given.bodies.text(ref))
      expect(shown.map(({ role, content }) => [role, content])).toEqual(
        asked[1]?.turns.map(({ role, content }) => [role, content]),
      )
    },
  )

  it('calls the tools of the server that the step is for, and no other', async () => {
    const reader = testWorld.agents[READER]
    if (reader === undefined) throw new Error('no reader')
    const world = { ...testWorld, agents: { ...testWorld.agents, [READER]: { ...reader, tools: ['files', 'mail'] } } }
    const step = makeStep(90, { executor: 'instruction_generation', state: 'running', startedSeq: 90, ...OF_TOOL })
    const answers: Answer[] = ['mail', 'files'].map((server) => ({ calls: [[`${server}__read_file`, { path: 'a' }]] }))
    const { model } = caller(answers)
    const outcome = await run(
      testRun(withSteps(world, [bound, step]), step, model, {
        toolsOf: async (server) => TOOLS.map((one) => ({ ...one, server })),
      }),
    )
    expect(outcome.repairs).toEqual([expect.stringContaining('mail__read_file is of mail; this step calls files')])
    expect(outcome.instruct?.instruction).toMatchObject({ name: 'read_file' })
  })

  it('in tags is taken, too, and the model is told of it', async () => {
    const text = `<planned_step>${JSON.stringify(TAG_SAMPLES.planned_step)}</planned_step>`
    const { outcome, noted } = await runStep('planning', [{ words: text }])
    expect(outcome.steps.add).toEqual(TAG_SAMPLES.planned_step)
    expect(noted).toEqual(['tags'])
  })
})

it('[R672] a model with a small context, for which the functions are too many, is asked with tags', async () => {
  const text = '<result>3.20</result>'
  const asked = async (contextTokens: number) => {
    const step = makeStep(90, { executor: 'think', state: 'running', startedSeq: 90 })
    const { model, asked: questions } = caller([{ words: text }])
    await run(testRun(withSteps(testWorld, [step]), step, { ...model, contextTokens }, { toolsOf: async () => TOOLS }))
    return (questions[0]?.functions.length ?? 0) > 0
  }
  expect([await asked(6_000), await asked(32_000)]).toEqual([false, true])
})

it('[R672] a model whose server turns out to take no functions is asked again in tags', async () => {
  const { model, asked } = caller([])
  let takes = true
  const step = makeStep(90, { executor: 'think', state: 'running', startedSeq: 90 })
  const refusing: Model = {
    ...model,
    get takesFunctions() {
      return takes
    },
    async *call(turns, options): AsyncGenerator<ModelPiece> {
      asked.push({ turns, functions: options.functions ?? [] })
      if (takes) {
        takes = false
        const { ModelError } = await import('../models/model')
        throw new ModelError('MODEL_REFUSED', 'tools are not supported', true, 0)
      }
      yield { type: 'text', text: '<result>3.20</result>' }
      const usage = { promptTokens: 1, completionTokens: 1, estimated: false, costUsd: 0 }
      yield { type: 'end', finish: 'stop', modelVersion: 'm-1', usage }
    },
  }
  const outcome = await run(testRun(withSteps(testWorld, [step]), step, refusing, { toolsOf: async () => TOOLS }))
  expect(outcome.result.text).toBe('3.20')
  expect(asked.map(({ functions }) => functions.length > 0)).toEqual([true, false])
  expect(asked[1]?.turns.map(({ content }) => content).join('\n')).toContain('<answer_format>')
})
