/** What the core needs of the package that signs people in by their company, and what it gives to it. */
import type { Access } from '@/lib/mas/records'
import { extensionPoint, type PackageSections } from '../shared/packages'

/** id: of the configuration */
export type CompanyProvider = { id: string; name: string }

/**
 * What a sign-in that was begun expects of its answer.
 *
 * redirectUri  where the provider sends the browser back to
 * isAgain      the person must have shown the provider just now who they are, although they are signed in there
 */
export type SignInChecks = { state: string; nonce: string; verifier: string; redirectUri: string; isAgain: boolean }

/** Of the configured groups of a provider: which the person is in, as groups of the team. managed: all that it may give. */
export type GivenGroups = { given: readonly string[]; managed: readonly string[] }

/** What the provider's groups give. access: null: none of them may use this team */
export type Admission = { access: Exclude<Access, 'none'> | null; groups: GivenGroups }

/**
 * A person as their provider knows them.
 *
 * subject   permanent there, within its issuer
 * session   of the browser at the provider; null: it does not say
 * username  what their id in the team is made of
 * joins     an address that the provider verified, by which they may be joined to a person of the configuration; null: they may not
 * refresh   the secret with which the provider is asked again; null: it gave none
 */
export type Identified = {
  issuer: string
  subject: string
  session: string | null
  name: string
  username: string
  joins: string | null
  admission: Admission
  refresh: string | null
}

/** refused: the person is disabled there, or the sign-in was ended. unreachable: nothing is known. */
export type Confirmation =
  | { is: 'confirmed'; admission: Admission; refresh: string }
  | { is: 'refused'; why: string }
  | { is: 'unreachable'; why: string }

/** A provider reports that a person signed out: in one session, or (null) in all. at: epoch ms by its clock */
export type ReportedSignOut = { issuer: string; subject: string | null; session: string | null; at: number }

export type CompanySignInParts = {
  /** The value of an environment variable that the file names; undefined: not set. */
  secret(name: string): string | undefined
  /** Epoch ms as providers have it. */
  outside(): number
}

/** Sign-in by providers. In all calls: provider: the id of one of `providers`. */
export type CompanySignIn = {
  /** false: nobody signs in by a password. */
  passwords: boolean
  providers: readonly CompanyProvider[]
  /** Does that provider report sign-outs, so that nobody has to ask it again? */
  reports(provider: string): boolean
  /** out: where the browser goes. faults: PROVIDER_UNREACHABLE */
  begin(
    provider: string,
    asked: Pick<SignInChecks, 'redirectUri' | 'isAgain'>,
  ): Promise<{ url: string; checks: SignInChecks }>
  /** in: query: of the answer. faults: PROVIDER_UNREACHABLE, PROVIDER_REFUSED, SIGN_IN_UNFIT */
  finish(provider: string, query: string, checks: SignInChecks): Promise<Identified>
  /** Is it still so? Rejects with nothing. */
  confirm(provider: string, of: { subject: string; refresh: string }): Promise<Confirmation>
  /** in: the token that a provider posts. faults: SIGN_IN_UNFIT, PROVIDER_UNREACHABLE */
  reported(provider: string, token: string): Promise<ReportedSignOut>
  /** Where a person who signed out here signs out of the provider; null: nowhere, or not known now. back: a page of ours */
  signOutUrl(provider: string, back: string): Promise<string | null>
  /** Tries a provider. out: null: it can be used; else why not, in words */
  trouble(provider: string): Promise<string | null>
}

/** Filled by packages/oidc. in: the sections of the configuration file, of which it reads its own. out: null: no provider is configured */
export const COMPANY_SIGN_IN =
  extensionPoint<(sections: PackageSections, parts: CompanySignInParts) => CompanySignIn | null>('oidc')
