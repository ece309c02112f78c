/** Finding things. Owns: /api/search, /api/find. Not here: how (search.ts). */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { Fault } from '@/lib/faults'
import type { SearchAnswer, SearchHit } from '@/lib/wire'
import { shown } from '../resolve'
import { addRoute, type Bench, type Env } from '../route'
import * as shapes from '../schemas'
import { findOne, search } from '../search'

export function addSearchRoutes(app: OpenAPIHono<Env>, bench: Bench): void {
  const { engine, store, past, searchedTo } = bench
  const upTo = searchedTo ?? (() => engine.world().seq)
  const parts = { world: () => engine.world(), store, past, upTo }
  addRoute(app, bench, {
    method: 'get',
    path: '/api/search',
    access: 'person',
    says: 'Tasks, agents, stages, messages, requests and steps by words or by id, as far as I may read them; what left the world too.',
    query: shapes.searchQuery,
    answers: shapes.searchAnswer,
    async handle({ caller, query }): Promise<SearchAnswer> {
      const { q, kind = null, before = null, limit } = query
      return search(parts, caller.person, { query: q, kind, before, limit })
    },
  })

  addRoute(app, bench, {
    method: 'get',
    path: '/api/find/{id}',
    access: 'person',
    says: 'What an id means: a task, agent, stage, message, request or step that I may read; what left the world too.',
    params: shapes.idParams,
    answers: shapes.searchHit,
    async handle({ caller, params }): Promise<SearchHit> {
      const found = await findOne(parts, caller.person, params.id)
      if (found === null) throw new Fault('NOT_FOUND', { what: 'record', id: shown(params.id) })
      return found
    },
  })
}
