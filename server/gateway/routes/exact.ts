/** The interface that the documents fix: send_message and states (bind_human_agent is in session.ts). */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { Fault } from '@/lib/faults'
import { bareId } from '@/lib/mas/selectors/agents'
import { fieldPieces } from '@/server/shared/pieces'
import { assertText, commitAs } from '../commands'
import { resolveAgentId, resolveReceivers, resolveStageId, resolveTaskId } from '../resolve'
import { worldWithRestored } from '../restoredWorld'
import { addRoute, type Env, type GatewayContext, Streamed } from '../route'
import * as shapes from '../schemas'
import { statesOf } from '../states'
import { TextBudget } from '../texts'

export function addExactRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { engine, models, random, store } = gateway

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/send_message',
    access: 'person',
    says: 'Send a message as the person of this session. The oldest wait of each receiver is answered by it.',
    body: shapes.sendMessageBody,
    answers: shapes.doneAnswer,
    saysSuccess: true,
    async handle({ caller, body }) {
      const world = engine.world()
      if (resolveAgentId(world, body.human_agent_id)?.id !== caller.person.id) throw new Fault('NOT_YOU')
      if (body.receiver.length === 0) throw new Fault('NO_RECEIVERS')
      assertText(body.content)
      const task = resolveTaskId(world, body.task_id, caller.person)
      await commitAs(
        engine,
        caller.person.id,
        { id: `http-${Buffer.from(random(16)).toString('hex')}` },
        {
          type: 'sendMessage',
          task: task.id,
          sender: caller.person.id,
          receivers: resolveReceivers(world, body.receiver),
          text: body.content,
          stage: resolveStageId(world, task.id, body.stage_relative),
          // Who waits needs a reply.
          needReply: body.need_reply || body.waiting,
          waiting: body.waiting,
          answers: 'oldest',
          replyTo: null,
          attachments: [],
          mention: false,
        },
      )
      return { success: true, message: 'The message was sent.' }
    },
  })

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/states',
    isCostly: true,
    access: 'person',
    says: 'The live states of one kind that you may read, by StateID.',
    query: shapes.statesQuery,
    answers: shapes.statesAnswer,
    saysSuccess: true,
    async handle({ caller, query }) {
      const { task: asked } = query
      const world = asked === undefined ? engine.world() : await worldWithRestored(engine.world(), gateway.past, asked)
      const task = asked === undefined ? null : resolveTaskId(world, asked, caller.person).id
      const question = {
        type: query.type,
        task,
        after: query.after === undefined ? null : bareId(query.after),
        limit: query.limit ?? null,
      }
      const source = { world, bodies: store.bodies, models, budget: new TextBudget() }
      return new Streamed(fieldPieces(statesOf(source, caller.person, question)))
    },
  })
}
