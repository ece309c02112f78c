/** Unsent drafts of a person, the same on each of their devices. */
import * as z from 'zod'
import { Fault } from '@/lib/faults'
import { canSeeTask } from '@/lib/mas/access/access'
import { type AgentId, asId, type TaskId } from '@/lib/mas/ids'
import type { AgentRecord, World } from '@/lib/mas/records'
import { type DraftAnswer, isBlank, isSameWritten, isWritten, type WrittenText } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { UUID } from '@/lib/wire/views'
import type { People, PersonRow } from '@/server/store'
import { assertQuota, openTurns } from '../../files/quotas'
import type { GatewayContext, Routes } from '../../route'

const PREFIX = 'draft:'
const one = z.object({ text: z.string(), more: z.record(z.string(), z.unknown()).default({}) })
/** beside: another version of the text, kept apart from this draft */
const stored = one.extend({ beside: one.optional() })
/** Two texts of the greatest length, in any script. */
const BODY_BYTES = 2 * 1024 * 1024
type DraftCall = {
  person: AgentRecord
  world: World
  params: z.output<typeof schemas.draftParams>
  body: z.output<typeof schemas.putDraft>
}
const NONE: DraftAnswer = { text: '', version: null, other: null, at: 0 }

export function addDraftRoutes({ add, gateway }: Routes): void {
  const { people } = gateway.store
  const inTurn = openTurns()

  add('GET /api/drafts', {
    scope: 'read',
    summary: 'The caller’s drafts, without their texts.',
    answers: schemas.draftList,
    async handle({ person }) {
      const rows = await people.list(person.id, PREFIX)
      return {
        drafts: rows.map((row) => ({ key: row.key.slice(PREFIX.length), at: row.at, isWritten: holdsWords(row) })),
      }
    },
  })

  add('GET /api/drafts/{key}', {
    scope: 'read',
    summary: 'A draft of the caller; version null when there is none.',
    params: schemas.draftParams,
    answers: schemas.draftAnswer,
    async handle({ person, params }) {
      return draftOf(await people.get(person.id, PREFIX + params.key))
    },
  })

  add('PUT /api/drafts/{key}', {
    scope: 'answer',
    summary: 'Save a draft. Over another version both are kept, one as `other`. An empty draft is removed.',
    params: schemas.draftParams,
    body: schemas.putDraft,
    bodyLimit: BODY_BYTES,
    answers: schemas.draftAnswer,
    handle: (call) => inTurn(call.person.id, () => saved(call)),
  })

  /** One after another for a person: what one save keeps, the next one counts. */
  async function saved({ person: record, world, params, body }: DraftCall): Promise<DraftAnswer> {
    const person = record.id
    const key = PREFIX + params.key
    const { text, more = {}, version, other } = body
    if (isBlank({ text, more }) && !other) {
      const removed = await people.remove(person, key, version ?? undefined)
      if (!removed.ok) return draftOf(removed.current)
      tell(person, params.key, null)
      return NONE
    }
    const value = { text, more, ...(other ? { beside: other } : {}) }
    const rows = await people.list(person, PREFIX)
    if (!rows.some((row) => row.key === key)) assertPlace(world, record, params.key)
    const others = rows.filter((row) => row.key !== key)
    assertQuota('drafts', others.map(bytesOf), bytesOf({ value }), gateway.personLimits)
    const put = await people.put(person, key, value, version)
    // The request names the kept-apart text, so the writer has seen the one in the store.
    if (put.ok && other !== undefined) await people.dropOther(person, key)
    const row = await people.get(person, key)
    if (put.ok) tell(person, params.key, row)
    return draftOf(row)
  }

  add('DELETE /api/drafts/{key}/other', {
    scope: 'answer',
    summary: 'Discard `other` of a draft.',
    params: schemas.draftParams,
    answers: schemas.draftAnswer,
    async handle({ person: { id: person }, params }) {
      const key = PREFIX + params.key
      await people.dropOther(person, key)
      const row = await people.get(person, key)
      const { text, more, beside } = read(row?.value)
      if (row && beside) await people.put(person, key, { text, more }, row.version)
      return draftOf(await people.get(person, key))
    },
  })

  /** Notify the writer's other pages. */
  function tell(person: AgentId, key: string, row: PersonRow | null): void {
    const version = row?.version ?? null
    gateway.engine.sendEphemeral({ kind: 'draft', person, key, version, isWritten: row !== null && holdsWords(row) })
  }
}

/** The number of this person's non-empty drafts. */
export const countDrafts = async (people: GatewayContext['store']['people'], person: AgentId): Promise<number> =>
  (await people.list(person, PREFIX)).filter(holdsWords).length

/** All drafts of this person with their texts. */
export const draftsOf = async (people: Pick<People, 'list'>, person: AgentId): Promise<OwnDraft[]> =>
  (await people.list(person, PREFIX)).map((row) => ({ key: row.key.slice(PREFIX.length), ...draftOf(row) }))
type OwnDraft = DraftAnswer & { key: string }

const read = (value: unknown): z.output<typeof stored> => stored.safeParse(value).data ?? { text: '', more: {} }

const holdsWords = ({ value }: PersonRow): boolean => {
  const { beside, ...written } = read(value)
  return isWritten(written) || (beside !== undefined && isWritten(beside))
}

function draftOf(row: PersonRow | null): DraftAnswer {
  if (!row) return NONE
  const { beside, ...written } = read(row.value)
  const lost = row.other === undefined ? undefined : one.safeParse(row.other).data
  const other = [lost, beside].find((it): it is WrittenText => it !== undefined && !isSameWritten(it, written)) ?? null
  return {
    text: written.text,
    ...(hasMore(written) ? { more: written.more } : {}),
    version: row.version,
    other: other?.text ?? null,
    ...(other && hasMore(other) ? { otherMore: other.more } : {}),
    at: row.at,
  }
}

const bytesOf = ({ value, other }: Pick<PersonRow, 'value' | 'other'>): number =>
  Buffer.byteLength(JSON.stringify([value, other]))

/** A new draft in a task is for those who see the task; other places, such as a new request, are the person's own. */
function assertPlace(world: World, person: AgentRecord, place: string): void {
  const [, id] = /^task:(.*)$/.exec(place) ?? []
  if (id === undefined || !UUID.test(id)) return
  if (!canSeeTask(world, person, asId<TaskId>(id))) throw new Fault('NOT_FOUND', { what: 'task', id })
}

const hasMore = ({ more }: WrittenText): boolean => Object.keys(more).length > 0
