/** The time of the database, as a process with another clock reckons it. */
import { expect, it } from 'vitest'
import { databaseClock } from './databaseClock'

it('[R260] the time is that of the database as soon as it was heard, whatever the own clock says', () => {
  let own = 1_000_000
  const clock = databaseClock(() => own)
  expect(clock.now()).toBe(1_000_000)
  clock.heard(1_000_000, 1_005_001, 1_000_002)
  own += 10
  expect(clock.now()).toBe(1_005_009)
  // The own clock is set: the next answer says by how much.
  own -= 60_000
  clock.heard(own, 1_005_020, own + 2)
  expect(Math.abs(clock.now() - 1_005_020)).toBeLessThanOrEqual(2)
})

it('[R260] an answer that was long on its way moves no time, and one across which the own clock was set back counts not', () => {
  let own = 1_000
  const clock = databaseClock(() => own)
  clock.heard(1_000, 6_000, 1_000)
  expect(clock.now()).toBe(6_000)
  // Said at the beginning of a second, at its end, and anywhere in it.
  for (const at of [6_000, 6_400, 6_999]) clock.heard(1_000, at, 2_000)
  expect(clock.now()).toBe(6_000)
  clock.heard(1_000, 9_000, 500)
  expect(clock.now()).toBe(6_000)
  own = 1_500
  expect(clock.now()).toBe(6_500)
})
