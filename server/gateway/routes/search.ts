/** Finding things. Owns: /api/search. Not here: how (search.ts). */
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { SearchAnswer } from '@/lib/wire'
import { addRoute, type Bench, type Env } from '../route'
import * as shapes from '../schemas'
import { searchWorld } from '../search'

export function addSearchRoutes(app: OpenAPIHono<Env>, bench: Bench): void {
  addRoute(app, bench, {
    method: 'get',
    path: '/api/search',
    access: 'person',
    says: 'Tasks, agents, stages, messages, requests and steps by words or by id, as far as I may read them.',
    query: shapes.searchQuery,
    answers: shapes.searchAnswer,
    async handle({ caller, query }): Promise<SearchAnswer> {
      return { hits: searchWorld(bench.engine.world(), caller.person, query.q) }
    },
  })
}
