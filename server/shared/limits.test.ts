/** Limits when they are reached and when their time has passed, with a clock that the test moves. */
import { describe, expect, it } from 'vitest'
import { FAULT_STATUS, Fault } from '@/lib/faults'
import { ACCOUNT_PAUSES, assertWithin, LIMITS, openPauses, openRateLimit, PAIR_PAUSES } from './limits'

const START = Date.UTC(2026, 10, 21, 10)
const clockAt = (at = START) => {
  const clock = { at, now: () => clock.at }
  return clock
}
const secondsOf = (run: () => void): number => {
  try {
    run()
  } catch (error) {
    if (error instanceof Fault && error.code === 'TOO_MANY') return Number(Object(error.data).seconds)
    throw error
  }
  return 0
}

describe('a limit', () => {
  it.each(Object.entries(LIMITS))(
    '[R66] %s: all that it allows pass, the next waits for the window’s end, another key does not',
    async (_, rule) => {
      const clock = clockAt(Math.ceil(START / rule.windowMs) * rule.windowMs)
      const limit = openRateLimit(rule, clock.now)
      for (let n = 0; n < rule.most; n++) expect(await limit.take('one')).toBe(0)
      expect(await limit.take('one')).toBe(rule.windowMs / 1_000)
      expect(await limit.take('another')).toBe(0)
      clock.at += rule.windowMs - 1
      expect(await limit.take('one')).toBe(1)
      clock.at += 1
      expect(await limit.take('one')).toBe(0)
    },
  )

  it('[R66] counts what comes side by side', async () => {
    const limit = openRateLimit({ most: 3, windowMs: 60_000 }, clockAt().now)
    const taken = await Promise.all(Array.from({ length: 5 }, () => limit.take('one')))
    expect(taken.filter((seconds) => seconds === 0)).toHaveLength(3)
  })

  it('[R66] refuses with the seconds to wait, which the answer carries', async () => {
    const limit = openRateLimit({ most: 1, windowMs: 60_000 }, clockAt(START + 20_500).now)
    await assertWithin(limit, 'one')
    await expect(assertWithin(limit, 'one')).rejects.toMatchObject({ code: 'TOO_MANY', data: { seconds: 40 } })
    expect(FAULT_STATUS.TOO_MANY).toBe(429)
  })
})

describe('pauses after wrong tries', () => {
  it.each([
    ['of one account from one address', PAIR_PAUSES, [60, 120, 240, 480, 900, 900]],
    ['of one account from everywhere', ACCOUNT_PAUSES, [30, 60, 120, 240, 480, 900, 900]],
  ])('[R66] %s double up to 15 minutes', (_, rule, expected) => {
    const clock = clockAt()
    const pauses = openPauses(rule, clock.now)
    for (let n = 1; n < rule.free; n++) pauses.take('ana')
    expect(secondsOf(() => pauses.check('ana'))).toBe(0)
    const seen = expected.map(() => {
      pauses.take('ana')
      const seconds = secondsOf(() => pauses.check('ana'))
      clock.at += seconds * 1_000 - 1
      expect(secondsOf(() => pauses.take('ana'))).toBe(1)
      clock.at += 1
      return seconds
    })
    expect(seen).toEqual(expected)
    expect(secondsOf(() => pauses.take('ben'))).toBe(0)
  })

  it('[R66] a refused try does not make the pause longer; a right one and enough time forget', () => {
    const clock = clockAt()
    const pauses = openPauses(ACCOUNT_PAUSES, clock.now)
    const untilPaused = () => {
      let tries = 0
      for (; secondsOf(() => pauses.check('ana')) === 0; tries++) pauses.take('ana')
      return tries
    }
    expect(untilPaused()).toBe(ACCOUNT_PAUSES.free)
    for (let n = 0; n < 20; n++) expect(secondsOf(() => pauses.take('ana'))).toBe(30)
    pauses.clear('ana')
    expect(untilPaused()).toBe(ACCOUNT_PAUSES.free)
    clock.at += ACCOUNT_PAUSES.forgetMs - 1
    expect(untilPaused()).toBe(1)
    clock.at += ACCOUNT_PAUSES.forgetMs
    expect(untilPaused()).toBe(ACCOUNT_PAUSES.free)
  })
})
