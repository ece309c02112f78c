/** Limits on how often something may be done: requests per person, address and peer, and pauses after wrong passwords. */
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { Fault } from '@/lib/faults'
import { recentMap } from './recentMap'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

export type LimitRule = { most: number; windowMs: number }

/** What is counted, by whom. No page, script or test of ordinary use comes near these. */
export const LIMITS = {
  /** Commands (every method but GET) of one person, in all of their sessions: 50 a second. */
  commands: { most: 3_000, windowMs: MINUTE_MS },
  /** Reads of one person: 200 a second. */
  reads: { most: 12_000, windowMs: MINUTE_MS },
  /** Reads of one person, here or at an adapter, that go through much data: search, states, archives, exports. */
  costlyReads: { most: 600, windowMs: MINUTE_MS },
  /** Requests without a session from one address. */
  strangers: { most: 3_000, windowMs: MINUTE_MS },
  /** Tries to sign in from one address, over all accounts, by browsers that are not known: a house gets in. */
  signIns: { most: 60, windowMs: 5 * MINUTE_MS },
  /** Lines of the log about sign-ins and refused rights, by one address, and in all. */
  accessLinesOfAddress: { most: 30, windowMs: MINUTE_MS },
  accessLines: { most: 300, windowMs: MINUTE_MS },
  /** Envelopes and calls of one peer. */
  envelopes: { most: 600, windowMs: MINUTE_MS },
  /** Refused keys from one address. */
  refusedKeys: { most: 60, windowMs: MINUTE_MS },
  /** Tests of a person's own channels: each sends a notice. */
  channelTests: { most: 1, windowMs: 3 * SECOND_MS },
  /** Messages on the socket of one page: 50 a second. */
  pageMessages: { most: 200, windowMs: 4 * SECOND_MS },
} as const satisfies Record<string, LimitRule>

export type LimitName = keyof typeof LIMITS

/** What one person may have at a time, in all of their sessions, unless the configuration says otherwise. */
export const PERSON_LIMITS = {
  /** Commands and reads in a minute. */
  commandsPerPerson: LIMITS.commands.most as number,
  readsPerPerson: LIMITS.reads.most as number,
  /** Pages that are connected to one node. */
  socketsPerPerson: 20,
  /** Uploaded files that no message carries yet, and their size. */
  uploadsPerPerson: 500,
  uploadsPerPersonMib: 200,
  draftsPerPerson: 500,
  draftsPerPersonMib: 20,
}
export type PersonLimits = typeof PERSON_LIMITS

/** Nothing is ever too often: for load and fault tests of a whole server (CONVENE_BENCH). */
export const NO_LIMITS = Object.fromEntries(
  Object.keys(LIMITS).map((name) => [name, { most: Number.MAX_SAFE_INTEGER, windowMs: MINUTE_MS }]),
) as Record<LimitName, LimitRule>
export const NO_PERSON_LIMITS: PersonLimits = {
  commandsPerPerson: Number.MAX_SAFE_INTEGER,
  readsPerPerson: Number.MAX_SAFE_INTEGER,
  socketsPerPerson: Number.MAX_SAFE_INTEGER,
  uploadsPerPerson: Number.MAX_SAFE_INTEGER,
  uploadsPerPersonMib: Number.MAX_SAFE_INTEGER,
  draftsPerPerson: Number.MAX_SAFE_INTEGER,
  draftsPerPersonMib: Number.MAX_SAFE_INTEGER,
}

/** The limits with those of the configuration. */
export const limitsWith = ({ commandsPerPerson, readsPerPerson }: PersonLimits): Record<LimitName, LimitRule> => ({
  ...LIMITS,
  commands: { ...LIMITS.commands, most: commandsPerPerson },
  reads: { ...LIMITS.reads, most: readsPerPerson },
})

export interface RateLimit {
  /** Count one. out: whole seconds to wait, 0: it may be done */
  take(key: string): Promise<number>
}

/**
 * So many of one key in a window of time. Windows begin at multiples of their length, for all keys together, so what was counted
 * is dropped as a whole.
 *
 * in  now: epoch ms
 */
export function openRateLimit({ most, windowMs }: LimitRule, now: () => number): RateLimit {
  // Without a duration of its own it reads no clock and sets no timers.
  const counterOf = () => new RateLimiterMemory({ points: most, duration: 0 })
  let window = Number.NaN
  let counter = counterOf()
  return {
    async take(key) {
      const at = now()
      const current = Math.floor(at / windowMs)
      if (current !== window) {
        window = current
        counter = counterOf()
      }
      return counter.consume(key).then(
        () => 0,
        (refused: unknown) => {
          if (refused instanceof Error) throw refused
          return Math.ceil(((current + 1) * windowMs - at) / SECOND_MS)
        },
      )
    },
  }
}

/** Count one; throws TOO_MANY with the seconds to wait. */
export async function assertWithin(limit: RateLimit, key: string): Promise<void> {
  const seconds = await limit.take(key)
  if (seconds > 0) throw new Fault('TOO_MANY', { seconds })
}

/** free: wrong tries without a pause. The first pause doubles with each further wrong try, up to the longest. */
type PauseRule = { free: number; firstMs: number; longestMs: number; forgetMs: number }

/** One account from one address, or from one known browser. */
export const PAIR_PAUSES: PauseRule = {
  free: 5,
  firstMs: MINUTE_MS,
  longestMs: 15 * MINUTE_MS,
  forgetMs: 60 * MINUTE_MS,
}
/** One account from all browsers that are not known to it. */
export const ACCOUNT_PAUSES: PauseRule = {
  free: 10,
  firstMs: 30 * SECOND_MS,
  longestMs: 15 * MINUTE_MS,
  forgetMs: 24 * 60 * MINUTE_MS,
}

/** More keys than this are never kept: the one used longest ago goes first. */
const MOST_KEYS = 10_000

/** now: epoch ms. What it gives throws TOO_MANY, by check and take, while a key is paused. */
export function openPauses({ free, firstMs, longestMs, forgetMs }: PauseRule, now: () => number) {
  const counts = recentMap<string, { tries: number; last: number; pausedUntil: number }>(MOST_KEYS)
  /** Throws TOO_MANY with the seconds to wait, and counts nothing. */
  const check = (key: string): void => {
    const leftMs = (counts.get(key)?.pausedUntil ?? 0) - now()
    if (leftMs > 0) throw new Fault('TOO_MANY', { seconds: Math.ceil(leftMs / SECOND_MS) })
  }
  return {
    check,
    /** Count one try before it is made, so that tries side by side count too. Throws TOO_MANY with the seconds to wait. */
    take(key: string): void {
      check(key)
      const at = now()
      const had = counts.get(key)
      const tries = had && at - had.last < forgetMs ? had.tries + 1 : 1
      // The last free try is still made; the pause is for the one after it.
      const pauseMs = tries < free ? 0 : Math.min(longestMs, firstMs * 2 ** (tries - free))
      counts.set(key, { tries, last: at, pausedUntil: at + pauseMs })
    },
    /** The try was right: forget the key. */
    clear: (key: string) => counts.delete(key),
  }
}
