/**
 * Getting in: by id and password, by a link that works once, and the passwords themselves.
 *
 * Owns: the limits on tries, one answer for unknown id and wrong password, links, setting passwords.
 * Not here: sessions once they are there (sessions.ts). Used by: routes/session.ts, routes/me.ts, routes/people.ts, server/main.ts.
 */
import type { IncomingMessage } from 'node:http'
import { Fault } from '@/lib/faults'
import { type AgentId, asId } from '@/lib/mas/ids'
import type { AgentRecord, World } from '@/lib/mas/records'
import { Attempts } from './attempts'
import { addressOf } from './origin'
import type { GatewayParts } from './parts'
import { assertUsable, checkPassword, hashPassword } from './passwords'
import { agentOf } from './resolve'

/** Five tries for one account from one address, then a minute's pause. */
export const PAIR_RULE = { tries: 5, windowMs: 5 * 60_000, pauseMs: 60_000 }
/** Over all accounts from one address: a house behind one address still gets in. */
export const ADDRESS_RULE = { tries: 60, windowMs: 5 * 60_000, pauseMs: 5 * 60_000 }
/** On one account from everywhere: many addresses guessing together are slowed as well. */
export const ACCOUNT_RULE = { tries: 60, windowMs: 15 * 60_000, pauseMs: 60_000 }
export const LINK_MS = 15 * 60_000

export type PasswordSetting = { id: AgentId; password: string | null; hash: string | null }

export interface SignIn {
  /** The person, or SIGN_IN_FAILED (the same for unknown id and wrong password), or TOO_MANY. */
  byPassword(request: IncomingMessage, id: string, password: string): Promise<AgentRecord>
  /** The person whose link it is, or LINK_USED, or TOO_MANY. */
  byLink(request: IncomingMessage, token: string): Promise<AgentRecord>
  changePassword(request: IncomingMessage, person: AgentId, current: string | null, next: string): Promise<void>
  /** A link for somebody; their earlier links stop working. `address`: where the pages are. */
  makeLink(person: AgentId, address: string): Promise<{ url: string; expiresAt: number }>
  /** What the configuration says about passwords; it wins at each start. */
  applyPasswords(people: PasswordSetting[]): Promise<void>
  /** A link for the first operator while no operator has a password; null otherwise. */
  firstLink(address: string): Promise<{ url: string; name: string } | null>
}

type Needs = Pick<GatewayParts, 'engine' | 'store' | 'publicUrl' | 'now'>

export function openSignIn({ engine, store, publicUrl, now }: Needs): SignIn {
  const { accounts } = store
  const pairs = new Attempts(PAIR_RULE, now)
  const addresses = new Attempts(ADDRESS_RULE, now)
  const onAccount = new Attempts(ACCOUNT_RULE, now)

  const mayEnter = (person: AgentRecord | null): person is AgentRecord =>
    person !== null && person.kind === 'human' && !person.removed && person.access !== 'none'

  async function passwordMatches(request: IncomingMessage, key: string, stored: string | null, password: string) {
    const address = addressOf(request)
    const pair = `${address} ${key}`
    pairs.take(pair)
    addresses.take(address)
    onAccount.take(key)
    const matches = await checkPassword(stored, password)
    if (matches) {
      pairs.clear(pair)
      onAccount.clear(key)
    }
    return matches
  }

  const makeLink: SignIn['makeLink'] = async (person, address) => {
    const expiresAt = now() + LINK_MS
    const token = await accounts.makeLink(person, expiresAt)
    // Behind '#', so that the token reaches no log and no other server.
    return { url: `${publicUrl?.replace(/\/$/, '') ?? address}/login#link=${token}`, expiresAt }
  }

  return {
    async byPassword(request, id, password) {
      const person = agentOf(engine.world(), id)
      const known = mayEnter(person)
      // Unknown ids are counted under themselves, so that being limited tells nobody which ids exist.
      const key = person ? person.id : `?${id.slice(0, 100)}`
      const stored = known ? await accounts.passwordHash(person.id) : null
      const matches = await passwordMatches(request, key, stored, password)
      if (!matches || !known) throw new Fault('SIGN_IN_FAILED')
      return person
    },
    async byLink(request, token) {
      addresses.take(addressOf(request))
      const id = await accounts.useLink(token)
      const person = id === null ? null : (engine.world().agents[asId<AgentId>(id)] ?? null)
      if (!mayEnter(person)) throw new Fault('LINK_USED')
      return person
    },
    async changePassword(request, person, current, next) {
      assertUsable(next)
      const stored = await accounts.passwordHash(person)
      if (stored !== null && !(await passwordMatches(request, person, stored, current ?? ''))) {
        throw new Fault('NOT_ALLOWED', { what: 'change the password without the present one' })
      }
      await accounts.setPassword(person, await hashPassword(next))
    },
    makeLink,
    async applyPasswords(people) {
      for (const { id, password, hash } of people) {
        const stored = await accounts.passwordHash(id)
        if (password !== null && !(stored !== null && (await checkPassword(stored, password)))) {
          await accounts.setPassword(id, await hashPassword(password))
        } else if (password === null && hash !== null && hash !== stored) {
          await accounts.setPassword(id, hash)
        }
      }
    },
    async firstLink(address) {
      const operators = operatorsOf(engine.world())
      const [first] = operators
      if (!first || (await accounts.anyPassword(operators.map(({ id }) => id)))) return null
      return { url: (await makeLink(first.id, address)).url, name: first.name }
    },
  }
}

/** Operators in the order of the file, which is the order in which they were made. */
const operatorsOf = (world: World): AgentRecord[] =>
  Object.values<AgentRecord>(world.agents).filter(
    ({ kind, access, removed }) => kind === 'human' && access === 'operator' && !removed,
  )
