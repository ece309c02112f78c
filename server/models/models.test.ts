/** What callers of the models rely on: lookup by name, streaming, stopping, honest refusals, faults on purpose. */

import { describe, expect, it } from 'vitest'
import { loadPrompts } from '@/server/skills'
import { ModelError, type ModelPiece, openModels, type Turn } from './index'
import { answer, REHEARSAL_VERSION } from './rehearsal'

const prompts = loadPrompts('prompts')
const turnsFor = (skill: string, sections: Record<string, string> = { history_step: '' }): Turn[] => [
  {
    role: 'system',
    content: `<section name="system_prompt">\n${prompts.en.system}\n</section>\n<section name="agent_role">\nname: Reader\nid: r\nrole: reads\nprofile: reads\nmanages: no\nskills:\n- think: thinks\ntools:\n- files: reads files\n</section>`,
  },
  {
    role: 'user',
    content: `<section name="current_step">\nskill: ${skill}\ntask: T\ntask_id: t\ntask_goal: g\nbase_task: no\nstage: 1 of 1\nstage_id: s\nstage_goal: g\nmembers:\n- Ana | person | operator | a | -\ntime: 2026-11-21T10:21:09Z\n<step_intention>i</step_intention>\n<step_text>stage goal: g\nyour goal: Count the lines of notes/a.txt</step_text>\n<rules>r</rules>\n<answer_format>f</answer_format>\n</section>\n${Object.entries(
      sections,
    )
      .map(([name, text]) => `<section name="${name}">\n${text}\n</section>`)
      .join('\n')}\n<section name="persistent_memory">\nrules\n</section>`,
  },
]
const models = (more: Partial<Parameters<typeof openModels>[0]> = {}) =>
  openModels({
    models: { default: { provider: 'rehearsal' }, big: { provider: 'telepathy' } },
    rehearsal: { delayMs: 0 },
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

describe('the configured models', () => {
  it('are one and the same for each name; an unknown name is refused', async () => {
    const all = models()
    expect(all.get('default')).toBe(all.get('default'))
    expect(await codeOf(async () => all.get('nobody'))).toBe('MODEL_REFUSED: no model nobody is configured')
    expect(await codeOf(async () => all.get('constructor'))).toContain('MODEL_REFUSED')
  })

  it('may name a provider that is not there: only its use says so', async () => {
    const model = models().get('big')
    expect(await codeOf(async () => collect(model.call([], { signal: signal() })))).toBe(
      'MODEL_REFUSED: model big: provider telepathy is not there yet',
    )
  })
})

describe('the rehearsal', () => {
  it('streams pieces of 24 characters that together are the answer, then one end with estimated usage and no cost', async () => {
    const turns = turnsFor('planning')
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

  it('gives the same bytes for the same prompt, and understands a goal in a person’s words', () => {
    const turns = turnsFor('planning')
    expect(answer(turns)).toBe(answer(turnsFor('planning')))
    expect(answer(turns)).toContain('list and read notes/a.txt')
  })

  it('waits the configured time before each piece, and stops when it is told to', async () => {
    const waits: number[] = []
    const stop = new AbortController()
    const sleep = async (ms: number): Promise<void> => {
      waits.push(ms)
      if (waits.length === 2) stop.abort()
    }
    const model = models({ rehearsal: { delayMs: 15 }, sleep }).get('default')
    expect(await codeOf(async () => collect(model.call(turnsFor('planning'), { signal: stop.signal })))).toContain(
      'MODEL_ABORTED',
    )
    expect(waits).toEqual([15, 15])
  })

  it.each(['system_prompt', 'agent_role', 'current_step', 'persistent_memory'])(
    'refuses a prompt without %s, loudly',
    async (name) => {
      const turns = turnsFor('think').map((turn) => ({
        ...turn,
        content: turn.content.replace(`<section name="${name}">`, '<section name="other">'),
      }))
      expect(await codeOf(async () => answer(turns))).toBe(`MODEL_PROMPT: the prompt has no section ${name}`)
    },
  )

  it.each([
    ['think', 'history_step'],
    ['tool_decision', 'tool_history'],
    ['instruction_generation', 'tool_step'],
  ])('refuses a prompt for %s without %s', async (skill, name) => {
    expect(await codeOf(async () => answer(turnsFor(skill, {})))).toBe(
      `MODEL_PROMPT: the prompt has no section ${name}`,
    )
  })

  it('refuses a step without its text, and a skill that it does not know', async () => {
    const bare = turnsFor('think').map((turn) => ({
      ...turn,
      content: turn.content.replace(/<step_text>[\s\S]*?<\/step_text>/, ''),
    }))
    expect(await codeOf(async () => answer(bare))).toContain('no step_text')
    expect(await codeOf(async () => answer(turnsFor('dream')))).toBe('MODEL_PROMPT: the rehearsal knows no skill dream')
  })
})

describe('faults on purpose', () => {
  it('come on the call that they are planned for, of the agent that they are planned for', async () => {
    const model = models({
      rehearsal: {
        delayMs: 0,
        faults: [
          { call: 1, kind: 'malformed', agent: 'reader' },
          { call: 2, kind: 'rate_limited' },
          { call: 3, kind: 'malformed', agent: 'analyst' },
        ],
      },
    }).get('default')
    const call = () => collect(model.call(turnsFor('planning'), { signal: signal() }))
    const text = (pieces: ModelPiece[]) => pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('')
    expect(text(await call())).not.toContain('<planned_step>')
    expect(await codeOf(call)).toBe('MODEL_RATE_LIMITED: too many requests')
    expect(text(await call())).toContain('<planned_step>')
  })

  it('can be slow, and stop then too', async () => {
    const waits: number[] = []
    const model = models({
      rehearsal: { delayMs: 0, faults: [{ call: 1, kind: 'slow' }] },
      sleep: async (ms) => void waits.push(ms),
    }).get('default')
    await collect(model.call(turnsFor('planning'), { signal: signal() }))
    expect(waits).toHaveLength(1)
  })
})
