/** A whole job on a model that reads 8,192 tokens: nothing of its prompts is cut away, and it comes to its end. */
import { expect, it } from 'vitest'
import { type Model, openModels } from '@/server/models'
import { turnTokens } from '@/server/models/usage'
import { CREW, openRehearsal } from '@/test/rehearsalTeam'

const CONTEXT = 8_192

it.each([
  ['en', 'Count the lines of notes/a.txt'],
  ['zh', '数一数 notes/a.txt 有多少行'],
] as const)('with 8,192 tokens a plan is made and a tool is used (%s)', async (language, wish) => {
  const rehearsal = openModels({ models: { default: { provider: 'rehearsal' } } }).get('default')
  const sizes = new Map<string, number>()
  const small: Model = {
    ...rehearsal,
    contextTokens: CONTEXT,
    call(turns, options) {
      const skill = options.about?.skill ?? ''
      sizes.set(
        skill,
        Math.max(
          sizes.get(skill) ?? 0,
          turns.reduce((sum, turn) => sum + turnTokens(turn), 0),
        ),
      )
      return rehearsal.call(turns, options)
    },
  }
  const team = await openRehearsal(
    { 'notes/a.txt': 'one\ntwo\nthree\n' },
    { language, models: { small }, team: Object.values(CREW).map((one) => ({ ...one, model: one.model && 'small' })) },
  )
  try {
    await team.ask(wish)
    expect((await team.finished()).state).toBe('finished')
    for (const skill of ['planning', 'tool_decision']) expect(sizes.get(skill)).toBeGreaterThan(1_000)
    for (const [skill, tokens] of sizes) expect(tokens, skill).toBeLessThanOrEqual(CONTEXT * 0.75)
    const steps = team.steps()
    expect(steps.filter(({ type }) => type === 'tool').map(({ state }) => state)).toContain('finished')
    expect(
      steps.flatMap(({ calls }) => calls.map((call) => call.leftOutTokens ?? 0)).every((tokens) => tokens === 0),
    ).toBe(true)
  } finally {
    await team.close()
  }
})
