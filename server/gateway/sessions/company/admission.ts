/** Who comes by a provider becomes a person of the team, and their access and groups follow the provider. */
import { Fault } from '@/lib/faults'
import type { AgentId } from '@/lib/mas/ids'
import type { AgentRecord } from '@/lib/mas/records'
import { SETUP_ID } from '@/lib/mas/setup/setupFields'
import type { Admission, Identified } from '@/server/companySignIn'
import type { GatewayParts } from '../../ports'
import type { CompanyIdentity, Identities } from './identities'

/** Persons of one user name. */
const MOST_OF_A_NAME = 100
const ID_CHARACTERS = 56

type Needs = Pick<GatewayParts, 'engine' | 'now'> & {
  identities: Identities
  agentId(id: string): AgentId
  /** The person of the configuration with this address, in lower case; null: none, or several. */
  personOfAddress(address: string): AgentId | null
  newId(): string
  /** Their access and groups are of the provider, but the access that it gives is null. */
  onLost(person: AgentId): Promise<void>
}
type Granted = Admission & { access: NonNullable<Admission['access']> }

const isGranted = (admission: Admission): admission is Granted => admission.access !== null

export function openAdmission(needs: Needs) {
  const { engine, identities, agentId, now } = needs

  /** Throws the Fault with which it was refused. */
  async function commit(
    one: Pick<CompanyIdentity, 'person' | 'id'>,
    name: string,
    isNew: boolean,
    { access, groups }: Granted,
  ) {
    const command = { type: 'admitPerson', id: one.id, agent: one.person, name, isNew, access, groups } as const
    const answer = await engine.commit({ id: needs.newId(), by: 'system:sign-in', command })
    if (!answer.ok) throw answer.fault
  }

  const inTeam = (person: AgentId): AgentRecord | null => {
    const found = engine.world().agents[person]
    return found?.kind === 'human' && !found.removed ? found : null
  }

  /** The person whom a verified address names, where the configuration allows that. */
  async function joined({ joins, ...who }: Identified, provider: string): Promise<CompanyIdentity | null> {
    const found = joins === null ? null : needs.personOfAddress(joins)
    const person = found === null ? null : inTeam(found)
    if (person === null || person.configId === null) return null
    const { issuer, subject } = who
    const made = { person: person.id, id: person.configId, provider, issuer, subject, confirmedAt: now() }
    return (await identities.claim(made)) ? made : null
  }

  /** A person with an id that nobody has or had. */
  async function made(who: Identified, provider: string, granted: Granted): Promise<CompanyIdentity> {
    const { issuer, subject, name } = who
    for (const id of idsFor(who.username)) {
      const person = agentId(id)
      const { agents, setup } = engine.world()
      const isTaken = Object.values<AgentRecord>(agents).some((one) => one.configId === id || one.id === person)
      if (isTaken || Object.hasOwn(setup.human, id)) continue
      const next = { person, id, provider, issuer, subject, confirmedAt: now() }
      if (!(await identities.claim(next))) {
        // The same person, in another browser, at the same time.
        const other = await identities.find(who)
        if (other !== null) return other
        continue
      }
      try {
        await commit(next, name, true, granted)
        return next
      } catch (error) {
        await identities.release(next)
        if (!(error instanceof Fault && error.code === 'NAME_TAKEN')) throw error
      }
    }
    throw new Fault('NAME_TAKEN', { name: who.username })
  }

  /** Access and groups of a person in the team, where they differ. */
  async function follow(known: CompanyIdentity, granted: Granted): Promise<void> {
    const person = inTeam(known.person)
    if (person === null) return
    const { given, managed } = granted.groups
    const isSame =
      person.access === granted.access &&
      managed.every((group) => person.groups.includes(group) === given.includes(group))
    if (!isSame) await commit(known, person.name, false, granted)
  }

  return {
    /** The person, who is in the team. in: provider: its name, for words, and id. Throws NOT_ADMITTED. */
    async admit(who: Identified, provider: { id: string; name: string }): Promise<AgentRecord> {
      const known = await identities.find(who)
      const { admission } = who
      if (!isGranted(admission)) {
        if (known !== null) await needs.onLost(known.person)
        throw new Fault('NOT_ADMITTED', { name: provider.name, left: false })
      }
      const before = known ?? (await joined(who, provider.id))
      // The process ended before it had made the person.
      const isUnmade = before !== null && engine.world().agents[before.person] === undefined
      if (isUnmade) await identities.release(before)
      const one = before === null || isUnmade ? await made(who, provider.id, admission) : before
      if (before !== null && !isUnmade) await follow(one, admission)
      await identities.confirmed({ ...one, provider: provider.id }, now())
      const person = inTeam(one.person)
      if (person === null || person.access === 'none')
        throw new Fault('NOT_ADMITTED', { name: provider.name, left: true })
      return person
    },
    /** The provider confirmed them again. */
    async confirmed(known: CompanyIdentity, admission: Admission): Promise<void> {
      if (!isGranted(admission)) return needs.onLost(known.person)
      await follow(known, admission)
      await identities.confirmed(known, now())
    },
  }
}

/** Ids of the team that a user name gives, the plain one first. */
function idsFor(username: string): string[] {
  const plain = username
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_.-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, ID_CHARACTERS)
    .replace(/[-.]+$/, '')
  const base = SETUP_ID.test(plain) && !UUID_LIKE.test(plain) ? plain : 'person'
  return Array.from({ length: MOST_OF_A_NAME }, (_, n) => (n === 0 ? base : `${base}-${n + 1}`))
}
const UUID_LIKE = /^[0-9a-f]{8}-[0-9a-f]{4}-/
