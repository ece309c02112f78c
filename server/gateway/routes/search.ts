/** Finding things. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { Fault } from '@/lib/faults'
import type { LeftTalkPage, SearchAnswer, SearchHit } from '@/lib/wire'
import { leftTalk } from '../leftTalk'
import { resolveAgentId, shown } from '../resolve'
import { addRoute, type Env, type GatewayContext } from '../route'
import * as shapes from '../schemas'
import { findOne, search } from '../search'

export function addSearchRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { engine, store, past, searchedTo } = gateway
  const upTo = searchedTo ?? (() => engine.world().seq)
  const parts = { world: () => engine.world(), store, past, upTo }
  addRoute(app, gateway, {
    method: 'get',
    path: '/api/search',
    isCostly: true,
    access: 'person',
    says: 'Tasks, agents, stages, messages, requests and steps by words or by id, as far as I may read them; what left the world too.',
    query: shapes.searchQuery,
    answers: shapes.searchAnswer,
    async handle({ caller, query }): Promise<SearchAnswer> {
      const { q, kind = null, before = null, limit } = query
      return search(parts, caller.person, { query: q, kind, before, limit })
    },
  })

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/direct/{id}/left',
    isCostly: true,
    access: 'person',
    says: 'What this agent or person and I wrote each other and has left the live world, the newest first, by page.',
    params: shapes.idParams,
    query: shapes.leftTalkQuery,
    answers: shapes.leftTalkPage,
    async handle({ caller, params, query }): Promise<LeftTalkPage> {
      const other = resolveAgentId(engine.world(), params.id)
      if (!other) throw new Fault('NOT_FOUND', { what: 'agent', id: shown(params.id) })
      return leftTalk(parts, caller.person, other.id, { before: query.before ?? null, limit: query.limit })
    },
  })

  addRoute(app, gateway, {
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
