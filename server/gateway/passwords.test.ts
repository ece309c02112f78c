/** Passwords: their bounds, how many are checked at once, and that the time of a check tells nothing. */
import { describe, expect, it, vi } from 'vitest'
import {
  assertUsable,
  checkPassword,
  hashPassword,
  LONGEST_PASSWORD,
  MOST_PENDING_CHECKS,
  SHORTEST_PASSWORD,
} from './passwords'
import { openDouble } from './test/gatewayDouble'

/** The hashes that passwords were checked against; how many checks run, and ran at the same time at most. */
const checks = vi.hoisted(() => ({ running: 0, most: 0, done: 0, hashes: [] as string[] }))
vi.mock('@node-rs/argon2', async (original) => {
  const real = await original<typeof import('@node-rs/argon2')>()
  const verify: typeof real.verify = async (hashed, ...rest) => {
    checks.hashes.push(String(hashed))
    checks.running += 1
    checks.most = Math.max(checks.most, checks.running)
    try {
      return await real.verify(hashed, ...rest)
    } finally {
      checks.running -= 1
      checks.done += 1
    }
  }
  return { ...real, verify }
})

const WRONG = 'wrong horse'
/** The head of a hash: its kind and what a check of it takes. */
const costOf = (hash: string): string => hash.split('$').slice(0, 4).join('$')

describe('a password', () => {
  it('is taken with 8 to 1024 characters, and refused with one fewer or one more', () => {
    for (const length of [SHORTEST_PASSWORD, LONGEST_PASSWORD]) {
      expect(() => assertUsable('x'.repeat(length))).not.toThrow()
    }
    for (const length of [SHORTEST_PASSWORD - 1, LONGEST_PASSWORD + 1]) {
      expect(() => assertUsable('x'.repeat(length))).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }))
    }
  })

  it('matches its own hash, no other, none that cannot be read, and never where there is none', async () => {
    const stored = await hashPassword('right horse')
    expect(await checkPassword(stored, 'right horse')).toBe(true)
    expect(await checkPassword(stored, WRONG)).toBe(false)
    expect(await checkPassword('no hash', WRONG)).toBe(false)
    // The very password of the dummy, too.
    expect(await checkPassword(null, `nobody ${Math.PI}`)).toBe(false)
  })
})

describe('checks of passwords', () => {
  it('[R66] run two at a time; too many that wait are refused, but not for a known browser', async () => {
    Object.assign(checks, { running: 0, most: 0, done: 0 })
    const all = Array.from({ length: MOST_PENDING_CHECKS + 2 }, () => checkPassword(null, WRONG))
    await expect(checkPassword(null, WRONG)).rejects.toMatchObject({ code: 'TOO_MANY' })
    expect(await checkPassword(null, WRONG, true)).toBe(false)
    // It passed those that waited.
    expect(checks.done).toBeLessThan(MOST_PENDING_CHECKS)
    await Promise.all(all)
    expect(checks.most).toBe(2)
    expect(await checkPassword(null, WRONG)).toBe(false)
  })

  it('are made for an unknown id too, against a hash as dear, so that the time tells nothing', async () => {
    const { call } = await openDouble()
    const checksOf = async (id: string): Promise<string[]> => {
      checks.hashes.length = 0
      await call('POST', '/api/bind_human_agent', { body: { human_agent_id: id, password: WRONG } })
      return checks.hashes.map(costOf)
    }
    const known = await checksOf('ben')
    expect(known).toEqual([expect.stringMatching(/^\$argon2id\$v=\d+\$m=\d+,t=\d+,p=\d+$/)])
    expect(await checksOf('nobody')).toEqual(known)
  })
})
