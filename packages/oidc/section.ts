/** The section `sign_in` of the configuration file. */
import { z } from 'zod'
import { orNone, setupId, shortText, variable, webAddress } from '@/lib/mas/setup/schemas/fields'
import { ACCESS_LEVELS } from '@/lib/mas/team/abilities'

const access = z.enum(ACCESS_LEVELS)
const claim = z.string().min(1).max(100)

const provider = z
  .strictObject({
    id: setupId,
    name: shortText,
    /** As the provider's discovery document says it. */
    issuer: webAddress.refine(isTrusted, 'must begin with https://, unless it is on this machine'),
    clientId: z.string().min(1).max(500),
    /** Left out: a public client, which PKCE protects. */
    clientSecretEnv: orNone(variable),
    /** null: openid, profile, email, and offline_access where the provider has it. */
    scopes: orNone(z.array(claim).min(1)),
    /** Sent with each sign-in, such as `prompt` or `access_type`. */
    parameters: z.record(claim, z.string().max(500)).default({}),
    groupsClaim: claim.default('groups'),
    /** What somebody in none of the groups below may do; null: not enter. */
    everyone: orNone(access),
    /** By the name of a group of the provider. Operators first: the highest counts. */
    access: z.record(claim, access).default({}),
    /** The group of the team, by the name of a group of the provider. */
    groups: z.record(claim, setupId).default({}),
    /** May a verified address be taken for that of a person of this file? */
    joinByEmail: z.boolean().default(false),
    /** The provider calls back at a sign-out, so that it is not asked again. */
    reportsSignOut: z.boolean().default(false),
  })
  .refine(({ everyone, access: rules }) => everyone !== null || Object.keys(rules).length > 0, {
    path: ['access'],
    error: 'nobody could enter: name groups under access, or what everyone may do',
  })

export const signInSection = z
  .strictObject({
    /** false: nobody signs in by a password. The link of the terminal stays. */
    passwords: z.boolean().default(true),
    providers: z
      .array(provider)
      .default([])
      .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'two providers have one id')
      .refine((all) => new Set(all.map(({ issuer }) => issuer)).size === all.length, 'two providers have one issuer'),
  })
  .refine(({ passwords, providers }) => passwords || providers.length > 0, {
    path: ['passwords'],
    error: 'without passwords somebody must be able to sign in by a provider',
  })
  .prefault({})

export type ProviderSettings = z.infer<typeof provider>

declare module '@/server/shared/packages' {
  interface PackageSections {
    signIn: z.infer<typeof signInSection>
  }
}

/** A password or a code must not cross a network in plain text. */
function isTrusted(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}
