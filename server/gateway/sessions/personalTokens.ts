/** Personal access tokens: made, shown, listed, ended; what they may be used for. They are sessions of the store. */
import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '@/lib/faults'
import type { AgentId } from '@/lib/mas/ids'
import type { Scope } from '@/lib/wire/scopes'
import type { Accounts, StoredSession } from '@/server/store'
import type { SignedInCaller } from './sessions'

/** Tells our tokens from those that a proxy adds to each request, and lets scanners of source code find them. */
const PREFIX = 'convene_'
const SHOWN = new RegExp(`^Bearer +${PREFIX}([\\w-]{20,100})$`, 'i')

/** Tokens of one person that are not over. */
export const MOST_TOKENS = 50

/** The token of a session in these headers; null: none of ours. */
export const tokenIn = ({ authorization }: Pick<IncomingHttpHeaders, 'authorization'>): string | null =>
  SHOWN.exec(authorization ?? '')?.[1] ?? null

type Caller = Pick<SignedInCaller, 'session'>

/** Whether this may be done by the caller's token; true for a browser. in: scope: null: no token does it */
export const hasScope = ({ session: { token } }: Caller, scope: Scope | null): boolean =>
  token === undefined || (scope !== null && token.scopes.includes(scope))

/** Throws TOKEN_SCOPE. */
export function assertScope(caller: Caller, scope: Scope | null): void {
  if (!hasScope(caller, scope)) throw new Fault('TOKEN_SCOPE', { scope })
}

type EndOneOf = (open: readonly StoredSession[], what: string, person: AgentId, id: string) => Promise<void>

/** in: endOneOf: ends a session that is among these */
export function openPersonalTokens(accounts: Pick<Accounts, 'sessionsOf' | 'startSession'>, endOneOf: EndOneOf) {
  const tokensOf = async (person: AgentId): Promise<StoredSession[]> =>
    (await accounts.sessionsOf(person)).filter(({ token }) => token !== undefined)

  return {
    /** Those of a person that are not over, newest first. */
    tokensOf,
    /** A token of the person. out: as it is shown, which is known only here. Throws QUOTA. */
    async makeToken(
      person: AgentId,
      { name, scopes, ...made }: { name: string; scopes: readonly Scope[]; expiresAt: number; address: string },
    ): Promise<string> {
      if ((await tokensOf(person)).length >= MOST_TOKENS)
        throw new Fault('QUOTA', { what: 'tokens', limit: MOST_TOKENS, mib: false })
      return PREFIX + (await accounts.startSession(person, { ...made, token: { name, scopes } }))
    },
    /** One of the person's own. Throws NOT_FOUND. */
    endToken: async (person: AgentId, id: string): Promise<void> =>
      endOneOf(await tokensOf(person), 'token', person, id),
  }
}
