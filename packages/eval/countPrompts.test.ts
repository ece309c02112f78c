/** How calls are counted: every beginning that an agent had before is cached. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { estimateTokens } from '@/lib/mas/formats'
import { type CountedCall, countPrompts } from './countPrompts'

const call = (agent: string, prompt: string[], answer = ''): CountedCall => ({ agent, prompt, answer })

it('[R680] of a prompt, what an earlier one of the same agent began with is cached, also an older one', () => {
  const [rules, one, other] = ['r'.repeat(400), 'a'.repeat(80), 'b'.repeat(120)]
  const calls = [call('A', [rules, one]), call('A', [one]), call('A', [rules, other], 'done')]
  expect(countPrompts(calls)).toEqual({
    calls: 3,
    characters: 481 + 80 + 521,
    input: 121 + 20 + 131,
    // The joint of the third prompt is equal too.
    uncached: 121 + 20 + 30,
    output: 1,
  })
})

it('[R680] an agent has nothing of what another one began with', () => {
  const shared = ['r'.repeat(400)]
  expect(countPrompts([call('A', shared), call('B', shared)]).uncached).toBe(200)
  expect(countPrompts([call('A', shared), call('A', shared)]).uncached).toBe(100)
})

it('[R680] a conversation that only grows is uncached once, whatever its parts are', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 40 }), { minLength: 1, maxLength: 12 }), (parts) => {
      const calls = parts.map((_, at) => call('A', parts.slice(0, at + 1)))
      const { input, uncached, characters } = countPrompts(calls)
      const whole = estimateTokens(parts.join('\n'))
      expect(uncached).toBeGreaterThanOrEqual(whole)
      // Each call rounds up once.
      expect(uncached).toBeLessThanOrEqual(whole + calls.length)
      expect(uncached).toBeLessThanOrEqual(input)
      expect(characters).toBe(calls.reduce((sum, { prompt }) => sum + prompt.join('\n').length, 0))
    }),
  )
})
