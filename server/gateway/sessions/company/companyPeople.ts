/** What providers mean for a person of the team, and for their sessions and tokens. */
import type { AgentId } from '@/lib/mas/ids'
import type { CompanySignIn } from '@/server/companySignIn'
import type { Sessions } from '../sessions'
import type { Identities } from './identities'

/** A personal access token acts for so long after its person was last confirmed. */
const TOKEN_AFTER_MS = 14 * 24 * 60 * 60_000

type Needs = {
  signIn: CompanySignIn
  identities: Pick<Identities, 'ofPerson'>
  sessions: Pick<Sessions, 'companySessions'>
  now: () => number
}

export function openCompanyPeople({ signIn, identities, sessions, now }: Needs) {
  const configured = (id: string | undefined) => signIn.providers.find((one) => one.id === id) ?? null

  /** undefined: the session was begun another way */
  async function beganBy(person: AgentId, session: string): Promise<string | undefined> {
    return (await sessions.companySessions(person)).find(({ id }) => id === session)?.company.provider
  }

  return {
    /** Where the browser of this session signs out of its provider too; null: nowhere. back: a page of ours */
    async signOutUrl(person: AgentId, session: string, back: string): Promise<string | null> {
      const provider = await beganBy(person, session)
      return provider === undefined ? null : signIn.signOutUrl(provider, back)
    },
    /** By which providers a person signs in, by name; one that is not configured any more by its id. */
    async providersOf(person: AgentId): Promise<string[]> {
      return (await identities.ofPerson(person)).map(({ provider }) => configured(provider)?.name ?? provider)
    },
    /** Does a provider of the configuration say who this person is? They sign in there alone: it may disable them. */
    async vouchesFor(person: AgentId): Promise<boolean> {
      return (await identities.ofPerson(person)).some(({ provider }) => configured(provider) !== null)
    },
    /** The provider of a session; null: it was begun another way, or its provider is not configured any more. */
    async providerOfSession(person: AgentId, session: string) {
      return configured(await beganBy(person, session))
    },
    /** May tokens of this person act? Whom providers name must have been confirmed lately. */
    async mayUseTokens(person: AgentId): Promise<boolean> {
      const known = await identities.ofPerson(person)
      return known.length === 0 || known.some(({ confirmedAt }) => now() - confirmedAt < TOKEN_AFTER_MS)
    },
  }
}
