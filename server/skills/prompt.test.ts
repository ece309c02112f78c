import { describe, expect, it } from 'vitest'
import { scriptedModel } from '@/test/scriptedModel'
import { makeStep, testRun, testWorld, withSteps } from '@/test/skillWorld'
import { buildPrompt } from './prompt'
import { loadPrompts } from './prompts'

const prompts = loadPrompts('prompts')

describe('a prompt', () => {
  it('shows the rules of its skill', async () => {
    const step = makeStep(3, { executor: 'reflection', state: 'running' })
    const world = withSteps(testWorld, [
      makeStep(1, { state: 'finished', executor: 'planning' }),
      makeStep(2, { state: 'failed' }),
      step,
      makeStep(4),
    ])
    const prompt = await buildPrompt(testRun(world, step, scriptedModel([])), 'reflection', 'history', prompts.en)
    expect(prompt.turns).toHaveLength(2)
  })
})
