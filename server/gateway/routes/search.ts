/** Search, older messages of a conversation, finding a record by its id. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import * as schemas from '@/lib/wire/http'
import { pastDirectMessages } from '../pastDirectMessages'
import { mustFind, resolveKnownAgent } from '../resolve'
import { addRoute, type Env, type GatewayContext } from '../route'
import { findOne, search } from '../search'

export function addSearchRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { engine, store, past, searchedTo } = gateway
  const upTo = searchedTo ?? (() => engine.world().seq)
  const parts = { world: () => engine.world(), store, past, upTo }
  addRoute(app, gateway, 'GET /api/search', {
    isCostly: true,
    summary: 'Search tasks, agents, stages, messages, requests and steps that the caller may read, archived ones too.',
    query: schemas.searchQuery,
    answers: schemas.searchAnswer,
    async handle({ caller, query }) {
      const { q, kind = null, before = null, limit } = query
      return search(parts, caller.person, { query: q, kind, before, limit })
    },
  })

  addRoute(app, gateway, 'GET /api/direct/{id}/left', {
    isCostly: true,
    summary: 'Messages between the caller and this member that have left the live world, newest first, by page.',
    query: schemas.pastMessagesQuery,
    answers: schemas.pastMessagesPage,
    async handle({ caller, params, query }) {
      const other = resolveKnownAgent(engine.world(), params.id)
      return pastDirectMessages(parts, caller.person, other.id, { before: query.before ?? null, limit: query.limit })
    },
  })

  addRoute(app, gateway, 'GET /api/find/{id}', {
    summary:
      'The record of an id: a task, agent, stage, message, request or step that the caller may read, archived ones too.',
    answers: schemas.searchHit,
    async handle({ caller, params }) {
      return mustFind(await findOne(parts, caller.person, params.id), 'record', params.id)
    },
  })
}
