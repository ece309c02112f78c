/** The interface that the documents fix: send_message and states (bind_human_agent is in session.ts). */

import * as z from 'zod'
import { Fault } from '@/lib/faults'
import { isNumbered } from '@/lib/mas/asks/requests'
import type { AgentId, MessageId, RequestId, TaskId } from '@/lib/mas/ids'
import { typeOfNeeds } from '@/lib/mas/messages/records'
import type { MessageRecord, RequestRecord, World } from '@/lib/mas/records'
import { bareId } from '@/lib/mas/team/agents'
import type { CommandAnswer } from '@/lib/wire'
import * as schemas from '@/lib/wire/http'
import { fieldPieces } from '@/server/shared/pieces'
import { assertText, commitAs } from '../../commands'
import { resolveAgentId, resolveReceivers, resolveStageId, resolveTaskId } from '../../records/resolve'
import { worldWithRestored } from '../../records/restoredWorld'
import { type Routes, Streamed } from '../../route'
import { statesOf } from '../../states/states'
import { ANSWER_TEXT_BYTES } from '../../states/texts'

export function addExactRoutes({ add, gateway }: Routes): void {
  const { engine, models, random, store } = gateway

  add('POST /api/send_message', {
    scope: 'ask',
    summary:
      'Send a message as the person of this session. Of each receiver it answers the oldest wait on this person in that task, else, with need_reply, the oldest open question; return_waiting_id names another one by its waiting id, its request or its message. settled says which requests it answered.',
    body: schemas.sendMessageBody,
    answers: schemas.sentAnswer,
    withSuccess: true,
    async handle({ caller, person, world, body }) {
      if (resolveAgentId(world, body.human_agent_id)?.id !== person.id) throw new Fault('NOT_YOU')
      if (body.receiver.length === 0) throw new Fault('NO_RECEIVERS')
      assertText(body.content)
      const task = resolveTaskId(world, body.task_id, person)
      const receivers = resolveReceivers(world, body.receiver)
      const { answers, replyTo } = answered(world, person.id, task.id, receivers, body.return_waiting_id ?? null)
      const sent = await commitAs(
        engine,
        caller,
        { id: `http-${Buffer.from(random(16)).toString('hex')}` },
        {
          type: 'sendMessage',
          task: task.id,
          sender: person.id,
          receivers,
          text: body.content,
          stage: resolveStageId(world, task.id, body.stage_relative),
          kind: typeOfNeeds({ needReply: body.need_reply, waiting: body.waiting }),
          answers,
          replyTo,
          attachments: [],
          mention: false,
        },
      )
      return { success: true as const, message: 'The message was sent.', settled: settledBy(sent) }
    },
  })

  add('GET /api/states', {
    scope: 'read',
    isCostly: true,
    summary: 'The live states of one kind that the caller may read, by StateID.',
    query: schemas.statesQuery,
    answers: schemas.statesAnswer,
    withSuccess: true,
    async handle({ person, query }) {
      const { task: asked } = query
      const world = asked === undefined ? engine.world() : await worldWithRestored(engine.world(), gateway.past, asked)
      const task = asked === undefined ? null : resolveTaskId(world, asked, person).id
      const question = {
        type: query.type,
        task,
        after: query.after === undefined ? null : bareId(query.after),
        limit: query.limit ?? null,
      }
      const source = { world, bodies: store.bodies, models: models(), budget: { left: ANSWER_TEXT_BYTES } }
      return new Streamed(fieldPieces(statesOf(source, person, question)))
    },
  })
}

type Answered = { answers: RequestId | 'oldest'; replyTo: MessageId | null }

/**
 * What a message answers.
 *
 * in      id: from the request; null: none
 * out     the open question with that id, or the message of a waiting person; without an id, each receiver's oldest
 * faults  NOT_FOUND when no receiver asked this person in this task
 */
function answered(world: World, person: AgentId, task: TaskId, receivers: AgentId[], id: string | null): Answered {
  if (id === null) return { answers: 'oldest', replyTo: null }
  const requests: RequestRecord[] = Object.values(world.requests[task] ?? {})
  const named = requests.find(
    ({ lock, message, ...request }) =>
      (lock === id || message === id || request.id === id) &&
      request.kind === 'answer' &&
      isNumbered(request) &&
      request.asked.includes(person) &&
      receivers.some((receiver) => receiver === request.asker),
  )
  if (named) return { answers: named.id, replyTo: null }
  const messages: MessageRecord[] = Object.values(world.messages[task] ?? {})
  const waiting = messages.find(
    ({ sender, receivers: asked, waiting: ids }) =>
      ids?.some((one, at) => one === id && asked[at] === person) && receivers.some((receiver) => receiver === sender),
  )
  if (!waiting) throw new Fault('NOT_FOUND', { what: 'question of a receiver', id })
  return { answers: 'oldest', replyTo: waiting.id }
}

const SentReply = z.object({ settled: z.array(z.object({ agent: z.string(), request: z.string() })) })

const settledBy = ({ reply }: CommandAnswer): { agent_id: string; request_id: string }[] =>
  SentReply.parse(reply).settled.map(({ agent, request }) => ({ agent_id: agent, request_id: request }))
