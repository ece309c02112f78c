/** Read cursors of a person (chat, conversation with a member, notices), the same on each of their pages. */
import * as z from 'zod'
import type { AgentId } from '@/lib/mas/ids'
import * as schemas from '@/lib/wire/http'
import type { People } from '@/server/store'
import type { Routes } from '../../route'

const PREFIX = 'read:'
const TRIES = 5
const stored = z.object({ seq: z.number().int() })

export function addReadRoutes({ add, gateway }: Routes): void {
  const { people } = gateway.store

  add('GET /api/read/{place}', {
    scope: 'read',
    summary: 'The last entry that the caller has read there; null: none yet.',
    params: schemas.readParams,
    answers: schemas.readCursor,
    async handle({ person, params }) {
      const row = await people.get(person.id, PREFIX + params.place)
      return { seq: row === null ? null : seqOf(row.value) }
    },
  })

  add('PUT /api/read/{place}', {
    scope: 'answer',
    summary: 'Set the last entry that the caller has read there. It only moves forward, unless `isBack` sets it back.',
    params: schemas.readParams,
    body: schemas.putRead,
    answers: schemas.readCursor,
    async handle({ person: { id: person }, params, body }) {
      const key = PREFIX + params.place
      // Two pages of one person may write at once: the later entry wins.
      for (let attempt = 0; attempt < TRIES; attempt++) {
        const row = await people.get(person, key)
        const known = row === null ? null : seqOf(row.value)
        const seq = body.isBack === true || known === null ? body.seq : Math.max(known, body.seq)
        if (seq === known) return { seq }
        const put = await people.put(person, key, { seq }, row?.version ?? null)
        if (put.ok) {
          gateway.engine.sendEphemeral({ kind: 'read', person, place: params.place, seq })
          return { seq }
        }
        await people.dropOther(person, key)
      }
      const row = await people.get(person, key)
      return { seq: row === null ? null : seqOf(row.value) }
    },
  })
}

/** All read cursors of this person. */
export const cursorsOf = async (people: Pick<People, 'list'>, person: AgentId): Promise<OwnCursor[]> =>
  (await people.list(person, PREFIX)).map(({ key, value, at }) => ({
    place: key.slice(PREFIX.length),
    seq: seqOf(value),
    at,
  }))
type OwnCursor = { place: string; seq: number | null; at: number }

const seqOf = (value: unknown): number | null => stored.safeParse(value).data?.seq ?? null
