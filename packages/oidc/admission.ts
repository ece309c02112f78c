/** What the claims of a provider mean here: who it is, what they may do, which groups they are in. */
import * as z from 'zod'
import { ACCESS_LEVELS } from '@/lib/mas/team/abilities'
import type { Admission } from '@/server/companySignIn'
import type { ProviderSettings } from './section'

type Claims = Readonly<Record<string, unknown>>
type Rules = Pick<ProviderSettings, 'groupsClaim' | 'everyone' | 'access' | 'groups'>

/** Operators may most; the others as they are listed, the last first. */
const BY_RANK = [...ACCESS_LEVELS].reverse().sort((a, b) => Number(b === 'operator') - Number(a === 'operator'))

const groupNames = z.union([z.array(z.string()), z.string().transform((one) => [one])])

/** in: claims: of the ID token and of userinfo. A claim of another form counts as no group. */
export function admissionOf({ groupsClaim, everyone, access, groups }: Rules, claims: Claims): Admission {
  const named = new Set(groupNames.safeParse(claimAt(claims, groupsClaim)).data)
  const levels = new Set(Object.entries(access).flatMap(([group, level]) => (named.has(group) ? [level] : [])))
  const given = Object.entries(groups).flatMap(([group, here]) => (named.has(group) ? [here] : []))
  return {
    access: BY_RANK.find((level) => levels.has(level) || level === everyone) ?? null,
    groups: { given: [...new Set(given)].sort(), managed: [...new Set(Object.values(groups))].sort() },
  }
}

/** By its name, else by a path of names with dots, such as realm_access.roles. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  return name.split('.').reduce<unknown>((at, part) => {
    const found = z.record(z.string(), z.unknown()).safeParse(at)
    return found.success && Object.hasOwn(found.data, part) ? found.data[part] : undefined
  }, claims)
}

const shown = z.string().trim().min(1).max(200)
const known = z.object({
  name: shown.optional().catch(undefined),
  preferred_username: shown.optional().catch(undefined),
  email: z.string().max(320).optional().catch(undefined),
  email_verified: z.boolean().optional().catch(undefined),
})

/** Name and user name, as far as the provider says them; joins: a verified address where those count. */
export function whoIsIn(subject: string, claims: Claims, joinByEmail: boolean) {
  const { name, preferred_username: username, email, email_verified: isVerified } = known.parse(claims)
  const mailbox = email?.split('@')[0]
  return {
    name: name ?? username ?? mailbox ?? subject.slice(0, 200),
    username: username?.split('@')[0] ?? mailbox ?? name ?? subject,
    joins: joinByEmail && isVerified === true && email !== undefined ? email.toLowerCase() : null,
  }
}
