/** What a call cost: counted by the server, or estimated from its texts. */
import { expect, it } from 'vitest'
import type { Turn } from './model'
import { NOT_COUNTED, usageOf } from './usage'

const TURNS: Turn[] = [{ role: 'user', content: 'x'.repeat(40) }]
const usage = (counted: Partial<typeof NOT_COUNTED>, text: string) => {
  const { promptTokens, completionTokens, estimated } = usageOf({ ...NOT_COUNTED, ...counted }, TURNS, text, null)
  return [promptTokens, completionTokens, estimated]
}

it('a count that the server leaves out is estimated and marked, except none for an answer without text', () => {
  expect(usage({}, 'y'.repeat(8))).toEqual([10, 2, true])
  expect(usage({ prompt: 7, completion: 3 }, 'y'.repeat(8))).toEqual([7, 3, false])
  expect(usage({ prompt: 7 }, 'y'.repeat(8))).toEqual([7, 2, true])
  expect(usage({ completion: 3 }, 'y'.repeat(8))).toEqual([10, 3, true])
  expect(usage({ prompt: 7 }, '')).toEqual([7, 0, false])
})
