/** Sign-ins at a provider that were begun: kept in the store, so that any node takes the answer, once, from the same browser. */
import * as z from 'zod'
import { Fault } from '@/lib/faults'
import type { SignInChecks } from '@/server/companySignIn'
import { sha256 } from '@/server/shared/sha256'
import type { GatewayParts } from '../../ports'

/** So long a person may take to sign in there. */
export const BEGUN_MS = 10 * 60_000
const SWEEP_MS = 60_000
const PERSON = 'system:sign-in'
const PREFIX = 'begun/'

const begun = z.object({
  provider: z.string(),
  checks: z.object({
    state: z.string(),
    nonce: z.string(),
    verifier: z.string(),
    redirectUri: z.string(),
    isAgain: z.boolean(),
  }),
  browser: z.string(),
  back: z.string(),
  expiresAt: z.number(),
})
type Begun = z.infer<typeof begun>

export function openBegunSignIns({
  store: { people },
  now,
  random,
}: Pick<GatewayParts, 'now' | 'random'> & { store: Pick<GatewayParts['store'], 'people'> }) {
  let sweptAt = 0

  /** Rows stay until they expire, since a row that is gone could be written again by a second use. */
  async function sweep(): Promise<void> {
    if (now() - sweptAt < SWEEP_MS) return
    sweptAt = now()
    for (const { key, at } of await people.list(PERSON, PREFIX))
      if (now() - at > 2 * BEGUN_MS) await people.remove(PERSON, key)
  }

  return {
    /** in: browser: the secret in its cookie. back: a path of ours */
    async keep(provider: string, checks: SignInChecks, browser: string, back: string): Promise<void> {
      await sweep()
      const row: Begun = { provider, checks, browser: sha256(browser), back, expiresAt: now() + BEGUN_MS }
      await people.put(PERSON, PREFIX + sha256(checks.state), row, null)
    },
    /** Throws SIGN_IN_STALE: unknown, used, too old, of another provider or another browser. */
    async take(provider: string, state: string, browser: string | null): Promise<Pick<Begun, 'checks' | 'back'>> {
      const key = PREFIX + sha256(state)
      const row = await people.get(PERSON, key)
      const found = begun.safeParse(row?.value).data
      const isIts =
        row !== null &&
        found !== undefined &&
        found.provider === provider &&
        browser !== null &&
        found.browser === sha256(browser) &&
        now() < found.expiresAt
      if (!isIts) throw new Fault('SIGN_IN_STALE')
      // Another value at each use: of two at once only one changes the version that both read.
      const used = { used: Buffer.from(random(16)).toString('base64url') }
      if (!(await people.put(PERSON, key, used, row.version)).ok) throw new Fault('SIGN_IN_STALE')
      return found
    },
  }
}
