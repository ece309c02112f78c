/** Sign-in by the providers that the configuration names. */
import { Fault } from '@/lib/faults'
import type { CompanySignIn, CompanySignInParts } from '@/server/companySignIn'
import type { PackageSections } from '@/server/shared/packages'
import { openProvider } from './provider'

/** out: null: no provider is configured */
export function openCompanySignIn(
  { signIn: { passwords, providers } }: PackageSections,
  parts: CompanySignInParts,
): CompanySignIn | null {
  if (providers.length === 0) return null
  const opened = new Map(providers.map((settings) => [settings.id, openProvider(settings, parts)]))
  /** Throws NOT_FOUND. */
  function named(id: string) {
    const found = opened.get(id)
    if (found === undefined) throw new Fault('NOT_FOUND', { what: 'provider', id: id.slice(0, 100) })
    return found
  }
  return {
    passwords,
    providers: providers.map(({ id, name }) => ({ id, name })),
    reports: (id) => opened.get(id)?.settings.reportsSignOut === true,
    begin: async (id, asked) => named(id).begin(asked),
    finish: async (id, query, checks) => named(id).finish(query, checks),
    // A provider that the configuration does not name any more vouches for nobody.
    confirm: async (id, of) =>
      opened.get(id)?.confirm(of) ?? { is: 'refused', why: `${id} is not configured any more` },
    reported: async (id, token) => named(id).reported(token),
    signOutUrl: async (id, back) => opened.get(id)?.signOutUrl(back) ?? null,
    trouble: async (id) => named(id).trouble(),
  }
}
