/** Servers of the stateless revision of 2026-07-28, and of older ones, each in its own way. */
import { afterEach, describe, expect, test } from 'vitest'
import { faultOf, resultText, testPools, testServer, tool, until } from '@/test/toolPools'
import type { ToolPool } from '../types'

const pools = testPools()
afterEach(pools.closeAll)

const namesIn = async (pool: ToolPool): Promise<string[]> => {
  const described = await pool.describe('stateless')
  if (!described.ok) throw new Error(described.message)
  return described.description.tools.map(({ name }) => name)
}

describe('[R845] a server of the stateless revision', () => {
  test('is asked without `initialize`, and may ask for forms and pages, not for a model or folders', async () => {
    const pool = pools.open([testServer('stateless', { sampling: 'always', root: '/tmp' })])
    expect(await namesIn(pool)).toEqual(['wishes', 'paint', 'later', 'grow'])
    const wishes = JSON.parse(resultText(await pool.call('stateless', tool('wishes'), {})))
    expect(wishes).toEqual({ elicitation: { form: {}, url: {} } })
  })

  test('says on a stream of its own that a list has changed', async () => {
    const pool = pools.open([testServer('stateless')])
    expect(await namesIn(pool)).not.toContain('grown')
    await pool.call('stateless', tool('grow'), {})
    await until(async () => (await namesIn(pool)).includes('grown'))
  })

  test('[R846] that needs input says what and is told it in another call, of any connection', async () => {
    const first = pools.open([testServer('stateless')])
    const paint = tool('paint', { what: 'door' })
    const { code, input, message } = faultOf(await first.call('stateless', paint, {}))
    expect([code, message]).toEqual([
      'TOOL_INPUT_REQUIRED',
      'stateless needs input from people before it answers paint',
    ])
    expect(input).toEqual({
      questions: [
        { key: 'colour', question: { mode: 'form', message: 'Which colour for the door?', schema: expect.anything() } },
      ],
      state: 'asked:door',
    })
    await first.close()
    const second = pools.open([testServer('stateless')])
    const answers = { colour: { action: 'accept', content: { colour: 'red' } } } as const
    const outcome = await second.call('stateless', paint, { answers: { answers, state: input?.state ?? null } })
    expect(resultText(outcome)).toBe('door accept red asked:door')
  })
})

describe('[R845] a server of an older revision', () => {
  test('that ends at a request which it does not know is started again, and asked by `initialize`', async () => {
    const pool = pools.open([testServer('stateless', { args: ['--ends'] })])
    expect(await namesIn(pool)).toEqual(['pid', 'echo'])
  })

  test('that never answers such a request is asked by `initialize` after half of the time limit', async () => {
    const pool = pools.open([testServer('stateless', { args: ['--silent'] })], { connectTimeLimitMs: 2_000 })
    expect(await namesIn(pool)).toEqual(['pid', 'echo'])
  })
})
