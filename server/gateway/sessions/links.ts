/** Links that sign a person in, once. */
import type { IncomingMessage } from 'node:http'
import type { AgentId } from '@/lib/mas/ids'
import { selectOperators } from '@/lib/mas/stages/judge'
import { selectName } from '@/lib/mas/team/agents'
import { isLoopback } from '../../net'
import type { GatewayParts } from '../ports'
import type { PasswordRules } from './signIn'

const LINK_MS = 15 * 60_000
/** Of a link for somebody without a password: an invitation, read when they are next at a keyboard. */
const INVITATION_MS = 7 * 24 * 60 * 60_000

/** onlyHere: the address leads nowhere on another machine. */
type SignInLink = { url: string; expiresAt: number; onlyHere: boolean }

export function openLinks({
  engine,
  store: { accounts },
  publicUrl,
  now,
  takesPasswords,
}: Pick<GatewayParts, 'engine' | 'store' | 'publicUrl' | 'now'> & Pick<PasswordRules, 'takesPasswords'>) {
  /** A link that signs a person in; their earlier links become invalid. address: of the pages, without PUBLIC_URL. */
  async function linkUntil(person: AgentId, address: string, expiresAt: number): Promise<SignInLink> {
    const token = await accounts.makeLink(person, expiresAt)
    const root = publicUrl?.replace(/\/$/, '') ?? address
    // After '#', so that no server and no log sees the token.
    return { url: `${root}/login#link=${token}`, expiresAt, onlyHere: isLoopback(new URL(root).hostname) }
  }

  return {
    /** Earlier links of the person become invalid. One for somebody without a password is an invitation. */
    async makeLink(person: AgentId, address: string): Promise<SignInLink> {
      const isInvited = (await accounts.passwordHash(person)) === null
      return linkUntil(person, address, now() + (isInvited ? INVITATION_MS : LINK_MS))
    },
    /** A link for the first operator while no operator can sign in by a password; null otherwise. */
    async firstLink(address: string): Promise<{ url: string; name: string } | null> {
      // In the order of the configuration file, which is the order of their creation.
      const operators = selectOperators(engine.world())
      const [first] = operators
      if (first === undefined) return null
      for (const one of operators) if ((await takesPasswords(one)) && (await accounts.anyPassword([one]))) return null
      return { url: (await linkUntil(first, address, now() + LINK_MS)).url, name: selectName(engine.world(), first) }
    },
  }
}

type Asked = Pick<GatewayParts, 'clients' | 'publicUrl'> & { address: () => string }
/** The address by which the caller's browser reaches this server. With PUBLIC_URL links do not use it. */
export const addressFor = ({ clients, address, publicUrl }: Asked, request: IncomingMessage): string =>
  publicUrl === null ? `${clients.isHttps(request) ? 'https' : 'http'}://${request.headers.host}` : address()
