/** Passwords: length, the queue of checks, and that the time of a check tells nothing. */
import { describe, expect, it, vi } from 'vitest'
import { openDouble, PASSWORD } from '../test/gatewayDouble'
import { ID } from '../test/world'
import {
  assertUsable,
  checkPassword,
  hashPassword,
  LONGEST_PASSWORD,
  MOST_PENDING_CHECKS,
  SHORTEST_PASSWORD,
} from './passwords'

/** The hashes that were checked, and how many checks run and ran at the same time. */
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
/** The head of a hash: algorithm and cost. */
const costOf = (hash: string): string => hash.split('$').slice(0, 4).join('$')

describe('a password', () => {
  it('[R354] a password of 12 to 1024 characters is accepted, and one character fewer or more is refused', async () => {
    const long = 'rain lamp copper '.repeat(100)
    for (const length of [SHORTEST_PASSWORD, LONGEST_PASSWORD]) await assertUsable(long.slice(0, length), [])
    for (const length of [SHORTEST_PASSWORD - 1, LONGEST_PASSWORD + 1])
      await expect(assertUsable(long.slice(0, length), [])).rejects.toMatchObject({ code: 'WEAK_PASSWORD' })
    expect([SHORTEST_PASSWORD, LONGEST_PASSWORD]).toEqual([12, 1024])
  })

  it('a password matches its own hash, no other, none that is unreadable, and never a missing one', async () => {
    const stored = await hashPassword('right horse')
    expect(await checkPassword(stored, 'right horse')).toBe(true)
    expect(await checkPassword(stored, WRONG)).toBe(false)
    expect(await checkPassword('no hash', WRONG)).toBe(false)
    // The password of the dummy hash, too.
    expect(await checkPassword(null, `nobody ${Math.PI}`)).toBe(false)
  })
})

describe('checks of passwords', () => {
  it('[R66] password checks run two at a time; a full queue refuses others, but not a known browser', async () => {
    Object.assign(checks, { running: 0, most: 0, done: 0 })
    const all = Array.from({ length: MOST_PENDING_CHECKS + 2 }, () => checkPassword(null, WRONG))
    await expect(checkPassword(null, WRONG)).rejects.toMatchObject({ code: 'TOO_MANY' })
    expect(await checkPassword(null, WRONG, true)).toBe(false)
    // It was ahead of the queue.
    expect(checks.done).toBeLessThan(MOST_PENDING_CHECKS)
    await Promise.all(all)
    expect(checks.most).toBe(2)
    expect(await checkPassword(null, WRONG)).toBe(false)
  })

  it('an unknown id is checked against a hash of the same cost, so that the time tells nothing', async () => {
    const { call, store } = await openDouble()
    // As the program keeps it: those of the double cost less.
    await store.accounts.setPassword(ID.ben, await hashPassword(PASSWORD))
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
