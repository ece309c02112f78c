/** Signing in by password and by link; changing passwords; links. */
import type { IncomingMessage } from 'node:http'
import { Fault } from '@/lib/faults'
import { type AgentId, asId } from '@/lib/mas/ids'
import type { AgentRecord } from '@/lib/mas/records'
import { mayAct } from '@/lib/mas/team/agents'
import { ACCOUNT_PAUSES, assertWithin, LIMITS, openPauses, openRateLimit, PAIR_PAUSES } from '../../shared/limits'
import type { GatewayParts } from '../ports'
import { resolveAgentId } from '../records/resolve'
import type { AccessLog } from './accessLog'
import { configuredPasswords, ownWords } from './configuredPasswords'
import type { KnownBrowsers } from './knownBrowsers'
import { openLinks } from './links'
import { assertUsable, checkPassword, hashPassword } from './passwords'

/** By which passwords count. takesPasswords: for that person: whom a provider vouches for signs in there alone */
export type PasswordRules = { hasPasswords: boolean; takesPasswords: (person: AgentId) => Promise<boolean> }

type Needs = Pick<GatewayParts, 'engine' | 'store' | 'publicUrl' | 'clients' | 'meter' | 'now'> &
  PasswordRules & {
    accessLog: AccessLog
    browsers: KnownBrowsers
  }
type Try = { key: string; stored: string | null; password: string }

/** Sign-in by password and by link, with pauses after failures; what each way refuses it throws as a Fault. */
export function openPersonSignIn(needs: Needs) {
  const { engine, store, now, clients, meter, accessLog, browsers } = needs
  const { takesPasswords } = needs
  const { accounts } = store
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

  async function byPassword(request: IncomingMessage, id: string, password: string): Promise<AgentRecord> {
    if (!needs.hasPasswords) throw new Fault('PASSWORDS_OFF')
    const person = resolveAgentId(engine.world(), id)
    const known = mayAct(person)
    // Unknown ids are counted too, so that a refusal does not tell which ids exist.
    const key = person ? person.id : `?${id.slice(0, 100)}`
    const stored = known && (await takesPasswords(person.id)) ? await accounts.passwordHash(person.id) : null
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

  /** out: the same, with its outcome counted and logged */
  function counted(
    request: IncomingMessage,
    way: 'password' | 'link',
    named: AgentId | null,
    signingIn: Promise<AgentRecord>,
  ) {
    signingIn.then(
      ({ id }) => {
        meter.signedIn(way, 'done')
        accessLog.signedIn(request, way, id)
      },
      (error: unknown) => {
        meter.signedIn(way, error instanceof Fault ? error.code : 'INTERNAL')
        accessLog.signInRefused(request, way, named, error)
      },
    )
    return signingIn
  }

  /** session: its wrong tries pause that session only. Throws WRONG_PASSWORD where there is another, TOO_MANY. */
  async function checkOwn(session: string, person: AgentId, password: string | null): Promise<void> {
    const stored = await accounts.passwordHash(person)
    if (stored !== null && !(await knownMatches(session, { key: person, stored, password: password ?? '' })))
      throw new Fault('WRONG_PASSWORD')
  }

  return {
    /** The person. Throws SIGN_IN_FAILED (the same for an unknown id and a wrong password), PASSWORDS_OFF, TOO_MANY. */
    byPassword: (request: IncomingMessage, id: string, password: string): Promise<AgentRecord> =>
      counted(request, 'password', resolveAgentId(engine.world(), id)?.id ?? null, byPassword(request, id, password)),
    /** The link's person. Throws LINK_USED, TOO_MANY. */
    byLink: (request: IncomingMessage, token: string): Promise<AgentRecord> =>
      counted(request, 'link', null, byLink(request, token)),
    /** Throws PASSWORDS_OFF, WEAK_PASSWORD, and WRONG_PASSWORD where there is one and `current` is not it. */
    async changePassword(session: string, person: AgentRecord, current: string | null, next: string): Promise<void> {
      if (!(await takesPasswords(person.id))) throw new Fault('PASSWORDS_OFF')
      await assertUsable(next, ownWords(engine.world(), person.id))
      await checkOwn(session, person.id, current)
      await accounts.setPassword(person.id, await hashPassword(next))
    },
    /** The caller's password, typed again in their session. Throws PASSWORDS_OFF, WRONG_PASSWORD, CONFIRM_PASSWORD where there is none. */
    async confirm(request: IncomingMessage, session: string, person: AgentId, password: string): Promise<void> {
      if (!(await takesPasswords(person))) throw new Fault('PASSWORDS_OFF')
      if ((await accounts.passwordHash(person)) === null) throw new Fault('CONFIRM_PASSWORD', { hasPassword: false })
      await checkOwn(session, person, password).catch((error: unknown) => {
        accessLog.signInRefused(request, 'confirm', person, error)
        throw error
      })
      accessLog.signedIn(request, 'confirm', person)
    },
    ...openLinks(needs),
    ...configuredPasswords(needs),
  }
}

export type PersonSignIn = ReturnType<typeof openPersonSignIn>
