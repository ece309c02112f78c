/** How far a person has read in a chat, a private conversation, or their notices: the same on each of their pages. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import type { ReadCursor } from '@/lib/wire'
import { addRoute, type Env, type GatewayContext } from '../route'
import * as shapes from '../schemas'

const PREFIX = 'read:'
const TRIES = 5
const stored = z.object({ seq: z.number().int() })

export function addReadRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { people } = gateway.store
  const seqOf = (value: unknown): number | null => stored.safeParse(value).data?.seq ?? null

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/read/{place}',
    access: 'person',
    says: 'Up to which entry I have read there; null when I was never there.',
    params: shapes.readParams,
    answers: shapes.readCursorAnswer,
    async handle({ caller, params }): Promise<ReadCursor> {
      const row = await people.get(caller.person.id, PREFIX + params.place)
      return { seq: row === null ? null : seqOf(row.value) }
    },
  })

  addRoute(app, gateway, {
    method: 'put',
    path: '/api/read/{place}',
    access: 'person',
    says: 'I have read there up to this entry. It only goes on, unless `isBack` says that the rest is to be unread again.',
    params: shapes.readParams,
    body: shapes.putRead,
    answers: shapes.readCursorAnswer,
    async handle({ caller, params, body }): Promise<ReadCursor> {
      const [person, key] = [caller.person.id, PREFIX + params.place]
      // Two pages of one person may read at once: the farthest counts.
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
