/** Prompts for a model that reads 8,192 tokens: what must be there is, what may be left out is named. */
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '@/lib/language'
import { type Language, SKILLS, type StepRecord, type World } from '@/lib/mas/records'
import { scriptedModel } from '@/test/scriptedModel'
import { makeMessage, makeStep, READER, stepId, testRun, testWorld, withMessage, withSteps } from '@/test/skillWorld'
import { buildPrompt } from './prompt'
import { shortAbilities } from './prompt/fittingLists'
import { loadPrompts } from './prompts'

const prompts = loadPrompts('prompts')
const CONTEXT = 8_192
const PROMPT_TOKENS = CONTEXT * 0.75
const TOOLS = Array.from(
  { length: 90 },
  (_, n) => `tool_${n}(path: string, tail?: number): Does thing ${n} to ${'x'.repeat(80)}`,
)

/** Much of everything: notes, messages, steps that ran, steps to come. */
function fullWorld(language: Language): World {
  const notes = Array.from({ length: 40 }, (_, n) => ({
    key: `k${n}`,
    text: `note ${n} ${'n'.repeat(400)}`,
    task: null,
  }))
  const world: World = {
    ...testWorld,
    team: { ...testWorld.team, language },
    memory: { ...testWorld.memory, [READER]: notes.map((note) => ({ ...note, at: 0 })) },
  }
  const messages = Array.from({ length: 60 }, (_, n) =>
    makeMessage(`m${n}`, { text: `message ${n} ${'m'.repeat(900)}`, seq: n }),
  )
  return messages.reduce(withMessage, world)
}

async function promptIn(language: Language, skill: (typeof SKILLS)[number], contextTokens: number) {
  const step = makeStep(900, { executor: skill, state: 'running', startedSeq: 900, boundTo: stepId(901) })
  const over = Array.from({ length: 30 }, (_, n): StepRecord => {
    const result = { kind: 'text' as const, text: `result ${n} ${'r'.repeat(900)}`, body: null, made: null }
    const tool = { type: 'tool' as const, executor: 'files' }
    return makeStep(n + 1, { state: 'finished', result, ...(skill === 'tool_decision' ? tool : {}) })
  })
  const coming = Array.from({ length: 20 }, (_, n) =>
    makeStep(901 + n, { intention: `later ${n} ${'c'.repeat(900)}`, type: 'tool', executor: 'files' }),
  )
  const world = withSteps(fullWorld(language), [...over, step, ...coming])
  const run = testRun(world, step, scriptedModel([], contextTokens), { abilities: async () => TOOLS.join('\n') })
  const prompt = await buildPrompt(run, skill, prompts[language])
  return { tokens: prompt.tokens, text: prompt.turns.map(({ content }) => content).join('\n') }
}

describe.each(LANGUAGES)('with 8,192 tokens, in %s', (language) => {
  it.each(SKILLS)('the prompt of %s fits, with all that must be in it', async (skill) => {
    const { tokens, text } = await promptIn(language, skill, CONTEXT)
    expect(tokens).toBeLessThanOrEqual(PROMPT_TOKENS)
    const rules = prompts[language].skills[skill]
    for (const part of [prompts[language].system, rules.rules, rules.format])
      expect(text).toContain(part.trim().slice(0, 80))
    if (skill === 'planning') expect(text).toContain(prompts[language].planning.trim().slice(0, 80))
    if (skill === 'instruction_generation' || skill === 'tool_decision')
      for (const n of [0, 89]) expect(text).toContain(`tool_${n}`)
  })

  it('notes, messages, steps to come and abilities that are left out are named, and the newest or next stay', async () => {
    const { text } = await promptIn(language, 'instruction_generation', CONTEXT)
    expect(text).toMatch(language === 'en' ? /\(\d+ older notes are left out/ : /较早的 \d+ 条笔记/)
    expect(text).toContain('note 39 ')
    expect(text).toMatch(language === 'en' ? /\(\d+ later steps are left out/ : /之后的 \d+ 个步骤/)
    expect(text).toContain('later 1 ')
    expect(text).toMatch(language === 'en' ? /\(\d+ older messages are left out/ : /较早的 \d+ 条消息/)
    expect(text).toContain('message 59 ')
    expect(text).toContain(language === 'en' ? 'what each does is left out' : '各项说明已略去')
  })
})

it('a model that reads much sees all of it', async () => {
  const { text } = await promptIn('en', 'instruction_generation', 400_000)
  for (const part of ['note 0 ', 'later 19 ', 'message 0 ', 'Does thing 89']) expect(text).toContain(part)
  expect(text).not.toMatch(/left out/)
})

describe('abilities in few tokens', () => {
  const does = 'Does one thing, at length '.repeat(6)
  const calls = ['read(path: string, how?: {from: (number)[]})', 'resource Prices(uri: "x://p")', 'prompt ask(what)']
  const list = calls.map((call) => `${call}: ${does}`).join('\n')
  const lines = (tokens: number) => shortAbilities(list, tokens, 'en').split('\n')

  it('lose first what each does, then their arguments, then the last of them', () => {
    expect(lines(500)).toEqual(list.split('\n'))
    expect(lines(60)).toEqual([...calls, expect.stringContaining('what each does is left out')])
    expect(lines(40).slice(0, 3)).toEqual(['read', 'resource Prices', 'prompt ask'])
    expect(lines(27)).toEqual(['read', '(2 more, arguments and descriptions are left out; get_description shows them)'])
  })
})
