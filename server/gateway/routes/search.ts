/** Finding things. Owns: /api/search. Not here: how (search.ts). */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { SearchAnswer } from '@/lib/wire'
import { addRoute, type Bench, type Env } from '../route'
import * as shapes from '../schemas'
import { search } from '../search'

export function addSearchRoutes(app: OpenAPIHono<Env>, bench: Bench): void {
  const { engine, store, past, searchedTo } = bench
  const world = () => engine.world()
  addRoute(app, bench, {
    method: 'get',
    path: '/api/search',
    access: 'person',
    says: 'Tasks, agents, stages, messages, requests and steps by words or by id, as far as I may read them; what left the world too.',
    query: shapes.searchQuery,
    answers: shapes.searchAnswer,
    async handle({ caller, query }): Promise<SearchAnswer> {
      const upTo = searchedTo ?? (() => world().seq)
      const { q, kind = null, before = null, limit } = query
      return search({ world, store, past, upTo }, caller.person, { query: q, kind, before, limit })
    },
  })
}
