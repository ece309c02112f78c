/** What callers of the rehearsal rely on: streaming, stopping, honest refusals, faults on purpose. */
import { describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import type { SkillName } from '@/lib/mas/records'
import { ModelError, type ModelPiece, openModels, type Turn } from '@/server/models'
import { turnsOf } from '@/test/askedTurns'
import { makeStep, READER, STAGE, stepId, TASK, testWorld, withSteps } from '@/test/skillWorld'
import { withFaults } from './faults'
import { answer, REHEARSAL_VERSION } from './rehearsalModel'

/** A step of that skill, after one that called a tool; it writes the call of the tool step to come, where it writes one. */
function turnsFor(skill: SkillName): Promise<Turn[]> {
  const read = bodyOf('{"path":"notes/a.txt"}', 'application/json').ref
  const ran = makeStep(1, {
    state: 'finished',
    type: 'tool',
    executor: 'files',
    instruction: { kind: 'call', target: 'tool', name: 'read_text_file', arguments: read },
  })
  const due = makeStep(3, { type: 'tool', executor: 'files', text: 'Read notes/a.txt' })
  const boundTo = skill === 'instruction_generation' ? due.id : null
  return turnsOf(makeStep(2, { executor: skill, boundTo, cause: { message: null, step: stepId(1) } }), [ran, due])
}

/** A planning step of an agent whose part has that goal. */
function planningFor(goal: string): Promise<Turn[]> {
  const stage = testWorld.stages[TASK]?.[STAGE]
  if (stage === undefined) throw new Error('no stage')
  const step = makeStep(2, { executor: 'planning' })
  const stages = { [TASK]: { [STAGE]: { ...stage, allocation: { [READER]: goal } } } }
  return turnsOf(step, [], { world: withSteps({ ...testWorld, stages }, [step]) })
}

const without = (turns: readonly Turn[], section: string): Turn[] =>
  turns.map((turn) => ({
    ...turn,
    content: turn.content.replace(`<section name="${section}">`, '<section name="other">'),
  }))

const PLAIN = { delayMs: 0, faults: [], load: false }
const models = (more: Partial<Parameters<typeof openModels>[0]> = {}) =>
  openModels({
    models: { default: { provider: 'rehearsal' } },
    ...more,
  })
const collect = async (call: AsyncIterable<ModelPiece>): Promise<ModelPiece[]> => {
  const pieces: ModelPiece[] = []
  for await (const piece of call) pieces.push(piece)
  return pieces
}
const signal = () => new AbortController().signal
const codeOf = async (work: () => Promise<unknown>): Promise<string> =>
  work().then(
    () => 'nothing was thrown',
    (error: unknown) => (error instanceof ModelError ? `${error.code}: ${error.message}` : String(error)),
  )

describe('the rehearsal', () => {
  it('streams pieces of 24 characters that together are the answer, then one end with estimated usage and no cost', async () => {
    const turns = await turnsFor('planning')
    const pieces = await collect(models().get('default').call(turns, { signal: signal() }))
    const texts = pieces.flatMap((piece) => (piece.type === 'text' ? [piece.text] : []))
    expect(texts.join('')).toBe(answer(turns))
    expect(texts.slice(0, -1).every((text) => Array.from(text).length === 24)).toBe(true)
    const promptTokens = Math.ceil(turns.reduce((sum, turn) => sum + turn.content.length, 0) / 4)
    expect(pieces.at(-1)).toEqual({
      type: 'end',
      finish: 'stop',
      modelVersion: REHEARSAL_VERSION,
      usage: { promptTokens, completionTokens: Math.ceil(answer(turns).length / 4), estimated: true, costUsd: 0 },
    })
  })

  it('gives the same bytes for the same prompt, and understands a goal in a person’s words', async () => {
    const goal = 'Count the lines of notes/a.txt'
    const turns = await planningFor(goal)
    expect(answer(turns)).toBe(answer(await planningFor(goal)))
    expect(answer(turns)).toContain('list and read notes/a.txt')
    expect(answer(await planningFor('Count the lines of notes/b.txt'))).toContain('list and read notes/b.txt')
  })

  it('waits the configured time before each piece, and stops when it is told to', async () => {
    const waits: number[] = []
    const stop = new AbortController()
    const sleep = async (ms: number): Promise<void> => {
      waits.push(ms)
      if (waits.length === 2) stop.abort()
    }
    const model = models({ sections: { rehearsal: { ...PLAIN, delayMs: 15 } }, sleep }).get('default')
    const turns = await turnsFor('planning')
    expect(await codeOf(async () => collect(model.call(turns, { signal: stop.signal })))).toContain('MODEL_ABORTED')
    expect(waits).toEqual([15, 15])
  })

  it.each(['system_prompt', 'agent_role', 'current_task', 'current_step'])(
    'refuses a prompt without %s, loudly',
    async (name) => {
      const turns = without(await turnsFor('think'), name)
      expect(await codeOf(async () => answer(turns))).toBe(`MODEL_PROMPT: the prompt has no section ${name}`)
    },
  )

  const needs: [SkillName, string[]][] = [
    ['planning', ['available_skills_and_tools']],
    ['decision', ['available_skills_and_tools']],
    ['reflection', ['available_skills_and_tools']],
    ['instruction_generation', ['tool_step', 'mcp_base_prompt']],
    ['tool_decision', ['history_step', 'tool_history', 'mcp_base_prompt']],
  ]
  it.each(needs.flatMap(([skill, names]) => names.map((name) => [skill, name] as const)))(
    'answers a prompt for %s, and refuses it without %s',
    async (skill, name) => {
      const turns = await turnsFor(skill)
      expect(answer(turns)).toContain('</')
      expect(await codeOf(async () => answer(without(turns, name)))).toBe(
        `MODEL_PROMPT: the prompt has no section ${name}`,
      )
    },
  )

  it('refuses a step without one of its fields, and a skill that it does not know', async () => {
    const turns = await turnsFor('think')
    const changed = (from: RegExp, to: string) =>
      turns.map((turn) => ({ ...turn, content: turn.content.replace(from, to) }))
    const said = (from: RegExp, to = '') => codeOf(async () => answer(changed(from, to)))
    expect(await said(/^task_goal: .*$/m)).toBe('MODEL_PROMPT: the prompt has no task_goal')
    expect(await said(/^stage_id: .*$/gm)).toBe('MODEL_PROMPT: the prompt has no stage_id')
    expect(await said(/^members:$/m)).toBe('MODEL_PROMPT: the prompt has no members')
    expect(await said(/^manages: .*$/m)).toBe('MODEL_PROMPT: the prompt has no field manages')
    expect(await said(/^skill: think$/m, 'skill: dream')).toBe('MODEL_PROMPT: the rehearsal knows no skill dream')
  })
})

describe('faults on purpose', () => {
  it('come on the call that they are planned for, of the agent that they are planned for', async () => {
    const model = models({
      sections: {
        rehearsal: {
          ...PLAIN,
          faults: [
            { call: 1, kind: 'malformed', agent: 'reader' },
            { call: 2, kind: 'rate_limited', agent: null },
            { call: 3, kind: 'malformed', agent: 'analyst' },
          ],
        },
      },
    }).get('default')
    const turns = await turnsFor('planning')
    const call = () => collect(model.call(turns, { signal: signal() }))
    const text = (pieces: ModelPiece[]) => pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('')
    expect(text(await call())).not.toContain('<planned_step>')
    expect(await codeOf(call)).toBe('MODEL_RATE_LIMITED: too many requests')
    expect(text(await call())).toContain('<planned_step>')
  })

  it('[R661] leave what the model says of itself as it is', () => {
    let takes = true
    const model = withFaults(
      {
        name: 'm',
        provider: 'test',
        contextTokens: 8_000,
        get takesFunctions() {
          return takes
        },
        async *call() {},
      },
      [],
      async () => {},
    )
    expect(model.takesFunctions).toBe(true)
    takes = false
    expect(model.takesFunctions).toBe(false)
  })

  it('can be slow, and stop then too', async () => {
    const waits: number[] = []
    const model = models({
      sections: { rehearsal: { ...PLAIN, faults: [{ call: 1, kind: 'slow', agent: null }] } },
      sleep: async (ms) => void waits.push(ms),
    }).get('default')
    await collect(model.call(await turnsFor('planning'), { signal: signal() }))
    expect(waits).toHaveLength(1)
  })
})
