/** Which person of the team a provider's person is. Issuer and subject decide, never a name or an address alone. */
import * as z from 'zod'
import type { AgentId } from '@/lib/mas/ids'
import { asId } from '@/lib/mas/ids'
import type { Identified } from '@/server/companySignIn'
import { sha256 } from '@/server/shared/sha256'
import type { Store } from '@/server/store'

const OWNER = 'system:sign-in'
/** The hash of issuer and subject follows. */
const BY_SUBJECT = 'identity/'
/** The hash of the issuer follows, in the store of the person. */
const OF_PERSON = 'identity/'

/** id: of the person in the configuration. confirmedAt: when the provider last confirmed them, epoch ms */
const identity = z.object({
  person: z.string().transform((id) => asId<AgentId>(id)),
  id: z.string(),
  provider: z.string(),
  issuer: z.string(),
  subject: z.string(),
  confirmedAt: z.number(),
})
export type CompanyIdentity = z.output<typeof identity>

type Key = Pick<Identified, 'issuer' | 'subject'>
const keyOf = ({ issuer, subject }: Key): string => BY_SUBJECT + sha256(JSON.stringify([issuer, subject]))
const keyAtPerson = (issuer: string): string => OF_PERSON + sha256(issuer)

export const openIdentities = (people: Store['people']) => ({
  async find(of: Key): Promise<CompanyIdentity | null> {
    return identity.safeParse((await people.get(OWNER, keyOf(of)))?.value).data ?? null
  },
  /** Of a person, one for each issuer. */
  async ofPerson(person: AgentId): Promise<CompanyIdentity[]> {
    return (await people.list(person, OF_PERSON)).flatMap(({ value }) => identity.safeParse(value).data ?? [])
  },
  /** Claims this person for that identity. out: false: another node has given it another person meanwhile, or they have another identity there */
  async claim(next: CompanyIdentity): Promise<boolean> {
    const own = await people.put(next.person, keyAtPerson(next.issuer), next, null)
    if (!own.ok) {
      await people.dropOther(next.person, keyAtPerson(next.issuer))
      if (identity.safeParse(own.current.value).data?.subject !== next.subject) return false
    }
    const put = await people.put(OWNER, keyOf(next), next, null)
    if (put.ok) return true
    await people.dropOther(OWNER, keyOf(next))
    return identity.safeParse(put.current.value).data?.person === next.person
  },
  /** The person of an identity was never made: it is free again. */
  async release({ person, issuer, subject }: CompanyIdentity): Promise<void> {
    await people.remove(OWNER, keyOf({ issuer, subject }))
    await people.remove(person, keyAtPerson(issuer))
  },
  /** The provider confirmed the person. */
  async confirmed(known: CompanyIdentity, at: number): Promise<void> {
    for (const [owner, key] of [
      [OWNER, keyOf(known)],
      [known.person, keyAtPerson(known.issuer)],
    ] as const) {
      const row = await people.get(owner, key)
      const put = await people.put(owner, key, { ...known, confirmedAt: at }, row?.version ?? null)
      // Another node confirmed them just now.
      if (!put.ok) await people.dropOther(owner, key)
    }
  },
})

export type Identities = ReturnType<typeof openIdentities>
