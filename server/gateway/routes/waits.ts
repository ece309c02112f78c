/** Waits: the list, releasing one, transferring requests to another person, reminders. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { Fault } from '@/lib/faults'
import { asId, type HandOverId, type MessageId, type RequestId, type WaitingId } from '@/lib/mas/ids'
import type { CommandAnswer, WaitsAnswer } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { waitsFor } from '../../monitor'
import { assertSize, assertText, commitAs } from '../commands'
import { resolveAgentId, shown } from '../resolve'
import { addRoute, type Env, type GatewayContext } from '../route'

export function addWaitRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { engine } = gateway

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/waits',
    access: 'person',
    summary: 'Waits, those that need an operator first. A participant sees those of their tasks.',
    query: schemas.waitsQuery,
    answers: schemas.waitsAnswer,
    async handle({ caller, query }): Promise<WaitsAnswer> {
      const { waits: total, blocked, rows } = waitsFor(engine.world(), caller.person.id)
      const from = query.after === undefined ? 0 : rows.findIndex((row) => keyOf(row) > (query.after ?? ''))
      const page = from < 0 ? [] : rows.slice(from, from + query.limit)
      const last = page.at(-1)
      const isMore = last !== undefined && from + page.length < rows.length
      return { waits: page, total, blocked, next: isMore ? keyOf(last) : null }
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/waits/release',
    access: 'person',
    summary: 'Release a wait without an answer: the agent continues, and is told by whom and why.',
    body: schemas.postRelease,
    answers: schemas.commandAnswer,
    async handle({ caller, body }): Promise<CommandAnswer> {
      const agent = resolveAgentId(engine.world(), body.agent)
      if (!agent) throw new Fault('NOT_FOUND', { what: 'agent', id: shown(body.agent) })
      const waiting = asId<WaitingId>(body.waiting)
      return commitAs(engine, caller.person.id, body, {
        type: 'releaseWait',
        agent: agent.id,
        waiting,
        reason: body.reason,
      })
    },
  })
}

export function addTransferRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { engine } = gateway

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/hand_overs',
    access: 'person',
    summary: 'Offer the caller’s open requests to another person. Until they accept, both are asked.',
    body: schemas.postHandOver,
    answers: schemas.commandAnswer,
    async handle({ caller, body }): Promise<CommandAnswer> {
      const world = engine.world()
      assertText(body.sentence, 'The sentence')
      const to = resolveAgentId(world, body.to)
      if (!to) throw new Fault('RECEIVER_UNKNOWN', { id: shown(body.to) })
      const requests = body.requests === 'all' ? 'all' : body.requests.map((id) => asId<RequestId>(id))
      const begun: Record<RequestId, string> = {}
      for (const [id, text] of Object.entries(body.begun ?? {})) begun[asId<RequestId>(id)] = text
      return commitAs(engine, caller.person.id, body, {
        type: 'handOver',
        to: to.id,
        requests,
        ...(body.messages === undefined ? {} : { messages: body.messages.map((id) => asId<MessageId>(id)) }),
        sentence: body.sentence,
        begun,
      })
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/hand_overs/{id}',
    access: 'person',
    summary: 'Accept or decline an offered transfer. The person who offered it may withdraw it.',
    params: schemas.idParams,
    body: schemas.postSettleHandOver,
    answers: schemas.commandAnswer,
    async handle({ caller, params, body }): Promise<CommandAnswer> {
      const handOver = asId<HandOverId>(params.id)
      return commitAs(engine, caller.person.id, body, { type: 'settleHandOver', handOver, accept: body.accept })
    },
  })
}

export function addReminderRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { engine } = gateway

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/reminders',
    access: 'person',
    summary: 'Remind the caller in some minutes. It settles nothing; the sender sees it beside the receipt.',
    body: schemas.postReminder,
    answers: schemas.commandAnswer,
    async handle({ caller, body }): Promise<CommandAnswer> {
      const { request, message, minutes } = body
      if ((request === null) === (message === null)) {
        throw new Fault('BAD_INPUT', { why: 'Name a request or a message, one of the two.' })
      }
      const about =
        request === null ? { message: asId<MessageId>(message ?? '') } : { request: asId<RequestId>(request) }
      return commitAs(engine, caller.person.id, body, { type: 'remindMe', about, minutes })
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/requests/{id}/ask_back',
    access: 'person',
    summary: 'Ask the asker a question first. The request stays open; an agent replies although it waits.',
    params: schemas.idParams,
    body: schemas.postAskBack,
    answers: schemas.commandAnswer,
    async handle({ caller, params, body }): Promise<CommandAnswer> {
      assertText(body.text)
      assertSize(body.text, 'The message')
      const request = asId<RequestId>(params.id)
      return commitAs(engine, caller.person.id, body, { type: 'askBack', request, text: body.text })
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/messages/{id}/remind',
    access: 'person',
    summary: 'Remind all receivers who have not settled a message; at most every five minutes.',
    params: schemas.idParams,
    body: schemas.commandHead,
    answers: schemas.commandAnswer,
    async handle({ caller, params, body }): Promise<CommandAnswer> {
      const message = asId<MessageId>(params.id)
      return commitAs(engine, caller.person.id, body, { type: 'remind', message })
    },
  })
}

/** A cursor that stays valid when rows are added or removed. */
const keyOf = (row: { sort: string; id: string }): string => `${row.sort}:${row.id}`
