import { expect, it } from 'vitest'
import { oneAtATime } from './oneAtATime'

it('[R115] one of each reader is under way at a time; one whose end nobody told ends by itself', () => {
  let now = 0
  const turns = oneAtATime<string>(() => now)
  const end = turns.begin('ana')
  expect([turns.begin('ana'), typeof turns.begin('ben')]).toEqual([null, 'function'])
  end?.()
  const again = turns.begin('ana')
  expect(again).not.toBeNull()
  // The end of the first one, told twice, does not end the second.
  end?.()
  expect(turns.begin('ana')).toBeNull()
  now = 30 * 60_000
  expect(turns.begin('ana')).not.toBeNull()
})
