/** A sign-out that a provider reports: its logout token (OpenID Connect Back-Channel Logout 1.0), checked. */
import { errors, type JWTPayload, jwtVerify } from 'jose'
import * as z from 'zod'
import { Fault } from '@/lib/faults'
import type { ReportedSignOut } from '@/server/companySignIn'
import { type Discovered, TOLERANCE_S } from './discovery'
import { whyOf } from './troubles'

/** A token that is older is refused, since anybody who saw it could send it again. */
const MOST_AGE_S = 300
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

const id = z.string().min(1).max(500).optional()
const logoutToken = z
  .object({
    sub: id,
    sid: id,
    iat: z.number(),
    /** An ID token has one: it is no logout token. */
    nonce: z.undefined().optional(),
    events: z.looseObject({ [EVENT]: z.looseObject({}) }),
  })
  .refine(({ sub, sid }) => sub !== undefined || sid !== undefined)

type Of = { name: string; clientId: string; now: number }

/** in: now: epoch ms. faults: SIGN_IN_UNFIT, PROVIDER_UNREACHABLE */
export async function readReportedSignOut(
  token: string,
  { config, keys }: Discovered,
  { name, clientId, now }: Of,
): Promise<ReportedSignOut> {
  if (keys === null) throw new Fault('SIGN_IN_UNFIT', { name, why: 'the provider names no keys' })
  const { issuer } = config.serverMetadata()
  let payload: JWTPayload
  try {
    const expected = { issuer, audience: clientId, clockTolerance: TOLERANCE_S, maxTokenAge: MOST_AGE_S }
    ;({ payload } = await jwtVerify(token, keys, { ...expected, currentDate: new Date(now) }))
  } catch (error) {
    const isOfToken = error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout)
    throw new Fault(isOfToken ? 'SIGN_IN_UNFIT' : 'PROVIDER_UNREACHABLE', { name, why: whyOf(error) })
  }
  const read = logoutToken.safeParse(payload)
  if (!read.success) throw new Fault('SIGN_IN_UNFIT', { name, why: 'it is no logout token' })
  const { sub = null, sid = null, iat } = read.data
  return { issuer, subject: sub, session: sid, at: iat * 1_000 }
}
