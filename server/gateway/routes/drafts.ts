/**
 * Drafts: what a person has written and not sent, the same on each of their devices.
 *
 * Owns: /api/drafts. Not here: what is kept in the browser (client/).
 */
import type { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { Draft, DraftList } from '@/lib/wire'
import type { PersonRow } from '@/server/store'
import { addRoute, type Bench, type Env } from '../route'
import * as shapes from '../schemas'

const PREFIX = 'draft:'
const stored = z.object({ text: z.string() })
const NONE: Draft = { text: '', version: null, other: null, at: 0 }

export function addDraftRoutes(app: OpenAPIHono<Env>, bench: Bench): void {
  const { people } = bench.store

  addRoute(app, bench, {
    method: 'get',
    path: '/api/drafts',
    access: 'person',
    says: 'Where I have drafts.',
    answers: shapes.draftList,
    async handle({ caller }): Promise<DraftList> {
      const rows = await people.list(caller.person.id, PREFIX)
      return { drafts: rows.map(({ key, at }) => ({ key: key.slice(PREFIX.length), at })) }
    },
  })

  addRoute(app, bench, {
    method: 'get',
    path: '/api/drafts/{key}',
    access: 'person',
    says: 'My draft there; version null when there is none.',
    params: shapes.draftParams,
    answers: shapes.draft,
    async handle({ caller, params }): Promise<Draft> {
      return draftOf(await people.get(caller.person.id, PREFIX + params.key))
    },
  })

  addRoute(app, bench, {
    method: 'put',
    path: '/api/drafts/{key}',
    access: 'person',
    says: 'Keep my draft. Written over another version it is kept beside it, as `other`. An empty text removes it.',
    params: shapes.draftParams,
    body: shapes.putDraft,
    answers: shapes.draft,
    async handle({ caller, params, body }): Promise<Draft> {
      const [person, key] = [caller.person.id, PREFIX + params.key]
      if (body.text === '') {
        const removed = await people.remove(person, key, body.version ?? undefined)
        return removed.ok ? NONE : draftOf(removed.current)
      }
      await people.put(person, key, { text: body.text }, body.version)
      return draftOf(await people.get(person, key))
    },
  })

  addRoute(app, bench, {
    method: 'delete',
    path: '/api/drafts/{key}/other',
    access: 'person',
    says: 'I do not need the other draft.',
    params: shapes.draftParams,
    answers: shapes.draft,
    async handle({ caller, params }): Promise<Draft> {
      await people.dropOther(caller.person.id, PREFIX + params.key)
      return draftOf(await people.get(caller.person.id, PREFIX + params.key))
    },
  })
}

function draftOf(row: PersonRow | null): Draft {
  if (!row) return NONE
  const text = stored.safeParse(row.value).data?.text ?? ''
  const other = row.other === undefined ? null : (stored.safeParse(row.other).data?.text ?? null)
  return { text, version: row.version, other, at: row.at }
}
