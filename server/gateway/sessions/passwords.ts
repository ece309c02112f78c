import { hash, verify } from '@node-rs/argon2'
import { Fault } from '@/lib/faults'
import type { WeakPassword } from '@/messages/program.en'
import { isCommon } from './commonPasswords'

export const SHORTEST_PASSWORD = 12
/** Longer ones are refused: hashing them would be costly for the server and free for the client. */
export const LONGEST_PASSWORD = 1024

/** Hashes that are computed at the same time: each takes a core and 19 MiB. */
const MOST_AT_ONCE = 2
/** Checks that may be queued. */
export const MOST_PENDING_CHECKS = 100
let running = 0
const waiting: (() => void)[] = []

/** Run when fewer than MOST_AT_ONCE run. first: ahead of the queue, and never refused. Throws TOO_MANY. */
async function inTurn<T>(work: () => Promise<T>, first = false): Promise<T> {
  if (running < MOST_AT_ONCE) running += 1
  else {
    if (!first && waiting.length >= MOST_PENDING_CHECKS) throw new Fault('TOO_MANY', { seconds: 5 })
    await new Promise<void>((resolve) => {
      if (first) waiting.unshift(resolve)
      else waiting.push(resolve)
    })
  }
  try {
    return await work()
  } finally {
    // The slot passes to the next in the queue.
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** A hash that no password matches: checked where an account has none, so that both answers take the same time. */
let dummy: Promise<string> | null = null
const dummyHash = (): Promise<string> => {
  dummy ??= hash(`nobody ${Math.PI}`)
  return dummy
}

/** argon2id with the defaults of the package: 19 MiB, 2 passes, 1 lane. */
export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password), true)

/**
 * in      stored: null when there is no such person or no password; the check then takes as long and says no
 *         first: ahead of the queue
 * faults  TOO_MANY when the queue is full
 */
export async function checkPassword(stored: string | null, password: string, first = false): Promise<boolean> {
  const known = stored ?? (await dummyHash())
  const matches = await inTurn(() => verify(known, password).catch(() => false), first)
  return stored !== null && matches
}

/** Compute the dummy hash before the first try, or the first unknown id would take longer than later ones. */
export const preparePasswords = async (): Promise<void> => {
  await dummyHash()
}

/**
 * Throws WEAK_PASSWORD.
 *
 * in      own: words that belong to the person and are no secret
 */
export async function assertUsable(password: string, own: readonly string[]): Promise<void> {
  const why = await weaknessOf(password, own)
  if (why !== null) throw new Fault('WEAK_PASSWORD', { why })
}

/** null: it may be a password. */
export async function weaknessOf(password: string, own: readonly string[] = []): Promise<WeakPassword | null> {
  if ([...password].length < SHORTEST_PASSWORD) return 'short'
  if (password.length > LONGEST_PASSWORD) return 'long'
  return (await isCommon(password, own)) ? 'common' : null
}
