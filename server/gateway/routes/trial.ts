/** Trying the configured models and tool servers, one at a time. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { Fault } from '@/lib/faults'
import type { Triable, TriedAnswer } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { shown } from '../resolve'
import { addRoute, type Env, type GatewayContext } from '../route'

export function addTrialRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { trial } = gateway

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/system/try',
    access: 'operator',
    summary: 'The models and tool servers that can be tried.',
    answers: schemas.triable,
    async handle(): Promise<Triable> {
      return { models: [...(trial?.models ?? [])], tools: [...(trial?.tools ?? [])] }
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/system/try',
    access: 'operator',
    summary: 'Try one: does it answer, and if not, what is wrong and what to do. A model is called with a few words.',
    body: schemas.postTry,
    answers: schemas.triedAnswer,
    async handle({ body }): Promise<TriedAnswer> {
      const tried = await trial?.tryOne(body.kind, body.name)
      if (!tried) throw new Fault('NOT_FOUND', { what: body.kind, id: shown(body.name) })
      return { ok: tried.ok, words: tried.words, hint: tried.hint }
    },
  })
}
