/** Drafts: what a person has written and not sent, the same on each of their devices. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { AgentId } from '@/lib/mas/ids'
import { type DraftAnswer, type DraftList, isBlank, isSameWritten, isWritten, type WrittenText } from '@/lib/wire'
import type { PersonRow } from '@/server/store'
import { addRoute, type Env, type GatewayContext } from '../route'
import * as shapes from '../schemas'

const PREFIX = 'draft:'
const one = z.object({ text: z.string(), more: z.record(z.string(), z.unknown()).default({}) })
/** `beside`: what its writer set aside for it. */
const stored = one.extend({ beside: one.optional() })
/** Two texts as long as they may be, in any writing. */
const BODY_BYTES = 2 * 1024 * 1024
const NONE: DraftAnswer = { text: '', version: null, other: null, at: 0 }

export function addDraftRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { people } = gateway.store

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/drafts',
    access: 'person',
    says: 'Where I have drafts.',
    answers: shapes.draftList,
    async handle({ caller }): Promise<DraftList> {
      const rows = await people.list(caller.person.id, PREFIX)
      return {
        drafts: rows.map((row) => ({ key: row.key.slice(PREFIX.length), at: row.at, isWritten: holdsWords(row) })),
      }
    },
  })

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/drafts/{key}',
    access: 'person',
    says: 'My draft there; version null when there is none.',
    params: shapes.draftParams,
    answers: shapes.draftAnswer,
    async handle({ caller, params }): Promise<DraftAnswer> {
      return draftOf(await people.get(caller.person.id, PREFIX + params.key))
    },
  })

  addRoute(app, gateway, {
    method: 'put',
    path: '/api/drafts/{key}',
    access: 'person',
    says: 'Keep my draft. Written over another version it is kept beside it, as `other`. With nothing in it, it is removed.',
    params: shapes.draftParams,
    body: shapes.putDraft,
    bodyLimit: BODY_BYTES,
    answers: shapes.draftAnswer,
    async handle({ caller, params, body }): Promise<DraftAnswer> {
      const [person, key] = [caller.person.id, PREFIX + params.key]
      const { text, more = {}, version, other } = body
      if (isBlank({ text, more }) && !other) {
        const removed = await people.remove(person, key, version ?? undefined)
        if (!removed.ok) return draftOf(removed.current)
        tell(person, params.key, null)
        return NONE
      }
      const put = await people.put(person, key, { text, more, ...(other ? { beside: other } : {}) }, version)
      // Its writer has said what stands beside it, so what was set aside here is known to them.
      if (put.ok && other !== undefined) await people.dropOther(person, key)
      const row = await people.get(person, key)
      if (put.ok) tell(person, params.key, row)
      return draftOf(row)
    },
  })

  addRoute(app, gateway, {
    method: 'delete',
    path: '/api/drafts/{key}/other',
    access: 'person',
    says: 'I do not need the other draft.',
    params: shapes.draftParams,
    answers: shapes.draftAnswer,
    async handle({ caller, params }): Promise<DraftAnswer> {
      const [person, key] = [caller.person.id, PREFIX + params.key]
      await people.dropOther(person, key)
      const row = await people.get(person, key)
      const { text, more, beside } = read(row?.value)
      if (row && beside) await people.put(person, key, { text, more }, row.version)
      return draftOf(await people.get(person, key))
    },
  })

  /** To the other pages of whoever writes. */
  function tell(person: AgentId, key: string, row: PersonRow | null): void {
    const version = row?.version ?? null
    gateway.engine.sendEphemeral({ kind: 'draft', person, key, version, isWritten: row !== null && holdsWords(row) })
  }
}

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

const hasMore = ({ more }: WrittenText): boolean => Object.keys(more).length > 0
