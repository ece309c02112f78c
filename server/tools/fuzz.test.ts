/** Answers that no server should give: each call still ends as a result or a fault in words, and nothing is thrown. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LONGEST_BLOCK_MS } from '@/test/loopBlocks'
import { callMangled, connectMangled, mangling } from '@/test/mangledResults'
import { abilitiesList } from './servers/abilitiesList'
import type { ServerConnection } from './servers/serverLink'
import { readMessages } from './transports/messages'

const RUNS = process.env.CONVENE_ALL === '1' ? 100_000 : 1_000

test(`[R75] ${RUNS} mangled answers end as a result or a fault in words, are read everywhere, and none blocks the loop`, {
  timeout: 600_000,
}, async () => {
  expect((await callMangled(RUNS)).longestMs).toBeLessThan(LONGEST_BLOCK_MS)
})

test('mangled descriptions are refused in words, or are a description that prompts can show', {
  timeout: 600_000,
}, async () => {
  const { connection, answerWith } = await connectMangled()
  await fc.assert(
    fc.asyncProperty(mangling, async (mangling) => {
      answerWith(mangling)
      const described = await connection.describe().catch((error: unknown) => error)
      if (described instanceof Error) expect(described.message).not.toBe('')
      else expect(typeof abilitiesList(described as Awaited<ReturnType<ServerConnection['describe']>>)).toBe('string')
    }),
    { numRuns: Math.floor(RUNS / 4) },
  )
})

test('lines that are no answer at all are noise or broken, never thrown', { timeout: 600_000 }, () => {
  const kinds = new Set<string>()
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (line) => {
      for (const { kind } of readMessages(line)) kinds.add(kind)
    }),
    { numRuns: Math.floor(RUNS / 4) },
  )
  expect([...kinds]).toEqual(['noise'])
})
