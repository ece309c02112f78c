/** Signing in by password and by link; changing passwords; links. */
import type { IncomingMessage } from 'node:http'
import { Fault } from '@/lib/faults'
import { type AgentId, asId } from '@/lib/mas/ids'
import type { AgentRecord } from '@/lib/mas/records'
import { mayAct, selectName } from '@/lib/mas/selectors/agents/agents'
import { selectOperators } from '@/lib/mas/selectors/agents/judge'
import { ACCOUNT_PAUSES, assertWithin, LIMITS, openPauses, openRateLimit, PAIR_PAUSES } from '../../shared/limits'
import type { GatewayParts } from '../ports'
import { resolveAgentId } from '../records/resolve'
import { openKnownBrowsers } from './knownBrowsers'
import { assertUsable, checkPassword, hashPassword } from './passwords'

const LINK_MS = 15 * 60_000

export type PasswordSetting = { id: AgentId; password: string | null; hash: string | null }

type Needs = Pick<GatewayParts, 'engine' | 'store' | 'publicUrl' | 'clients' | 'meter' | 'now' | 'random'>
type Try = { key: string; stored: string | null; password: string }

/** Sign-in by password and by link, with pauses after failures; what each way refuses it throws as a Fault. */
export function openPersonSignIn(needs: Needs) {
  const { engine, store, publicUrl, now, clients, meter } = needs
  const { accounts } = store
  const browsers = openKnownBrowsers(needs)
  const pairs = openPauses(PAIR_PAUSES, now)
  const onAccount = openPauses(ACCOUNT_PAUSES, now)
  const addresses = openRateLimit(LIMITS.signIns, now)

  /** A browser or session that is known to the account: only its own wrong tries pause it. */
  async function knownMatches(known: string, { key, stored, password }: Try): Promise<boolean> {
    const pair = `${known} ${key}`
    pairs.take(pair)
    const matches = await checkPassword(stored, password, true)
    if (matches) pairs.clear(pair)
    return matches
  }

  /** Any other browser: counted by account, together with all other unknown ones, and by address. */
  async function strangerMatches(request: IncomingMessage, { key, stored, password }: Try): Promise<boolean> {
    const address = clients.keyOf(request)
    const pair = `${address} ${key}`
    onAccount.check(key)
    pairs.take(pair)
    await assertWithin(addresses, address)
    onAccount.take(key)
    const matches = await checkPassword(stored, password)
    if (matches) {
      pairs.clear(pair)
      onAccount.clear(key)
    }
    return matches
  }

  /** A sign-in link for a person; their earlier links become invalid. address: of the pages, without PUBLIC_URL. */
  const makeLink = async (person: AgentId, address: string): Promise<{ url: string; expiresAt: number }> => {
    const expiresAt = now() + LINK_MS
    const token = await accounts.makeLink(person, expiresAt)
    // After '#', so that no server and no log sees the token.
    return { url: `${publicUrl?.replace(/\/$/, '') ?? address}/login#link=${token}`, expiresAt }
  }

  async function byPassword(request: IncomingMessage, id: string, password: string): Promise<AgentRecord> {
    const person = resolveAgentId(engine.world(), id)
    const known = mayAct(person)
    // Unknown ids are counted too, so that a refusal does not tell which ids exist.
    const key = person ? person.id : `?${id.slice(0, 100)}`
    const stored = known ? await accounts.passwordHash(person.id) : null
    const browser = await browsers.find(request, key)
    const one = { key, stored, password }
    const matches = await (browser === null ? strangerMatches(request, one) : knownMatches(browser, one))
    if (!matches || !known) throw new Fault('SIGN_IN_FAILED')
    return person
  }

  async function byLink(request: IncomingMessage, token: string): Promise<AgentRecord> {
    await assertWithin(addresses, clients.keyOf(request))
    const id = await accounts.useLink(token)
    const person = id === null ? null : (engine.world().agents[asId<AgentId>(id)] ?? null)
    if (!mayAct(person)) throw new Fault('LINK_USED')
    return person
  }

  /** out: the same, with its outcome counted */
  function counted(way: 'password' | 'link', signingIn: Promise<AgentRecord>): Promise<AgentRecord> {
    signingIn.then(
      () => meter.signedIn(way, 'done'),
      (error: unknown) => meter.signedIn(way, error instanceof Fault ? error.code : 'INTERNAL'),
    )
    return signingIn
  }

  return {
    /** The person. Throws SIGN_IN_FAILED (the same for an unknown id and a wrong password), TOO_MANY. */
    byPassword: (request: IncomingMessage, id: string, password: string): Promise<AgentRecord> =>
      counted('password', byPassword(request, id, password)),
    /** The link's person. Throws LINK_USED, TOO_MANY. */
    byLink: (request: IncomingMessage, token: string): Promise<AgentRecord> => counted('link', byLink(request, token)),
    /** session: of the caller; its wrong tries pause that session only */
    async changePassword(session: string, person: AgentId, current: string | null, next: string): Promise<void> {
      assertUsable(next)
      const stored = await accounts.passwordHash(person)
      if (stored !== null && !(await knownMatches(session, { key: person, stored, password: current ?? '' }))) {
        throw new Fault('NOT_ALLOWED', { what: 'change the password without the present one' })
      }
      await accounts.setPassword(person, await hashPassword(next))
    },
    /** Remember the browser: pauses of the account no longer apply to it. out: the value of Set-Cookie */
    remember: (request: IncomingMessage, person: AgentId): Promise<string> => browsers.remember(request, person),
    forgetBrowsers: (person: AgentId): Promise<void> => browsers.forget(person),
    makeLink,
    /** Apply the passwords of the configuration, which overrides the store at each start. */
    async applyPasswords(people: PasswordSetting[]): Promise<void> {
      for (const { id, password, hash } of people) {
        const stored = await accounts.passwordHash(id)
        if (password !== null && !(stored !== null && (await checkPassword(stored, password)))) {
          await accounts.setPassword(id, await hashPassword(password))
        } else if (password === null && hash !== null && hash !== stored) {
          await accounts.setPassword(id, hash)
        }
      }
    },
    /** A link for the first operator while no operator has a password; null otherwise. */
    async firstLink(address: string): Promise<{ url: string; name: string } | null> {
      // In the order of the configuration file, which is the order of their creation.
      const operators = selectOperators(engine.world())
      const [first] = operators
      if (first === undefined || (await accounts.anyPassword(operators))) return null
      return { url: (await makeLink(first, address)).url, name: selectName(engine.world(), first) }
    },
  }
}

export type PersonSignIn = ReturnType<typeof openPersonSignIn>
