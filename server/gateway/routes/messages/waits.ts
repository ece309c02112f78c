/** Waits: the list, releasing one, transferring requests to another person, reminders. */
import { Fault } from '@/lib/faults'
import { asId, type HandOverId, type MessageId, type RequestId } from '@/lib/mas/ids'
import * as schemas from '@/lib/wire/http'
import { waitsFor } from '@/server/monitor'
import { assertText } from '../../commands'
import { resolveAgentId, resolveKnownAgent, shown } from '../../records/resolve'
import type { Routes } from '../../route'

export function addWaitRoutes({ add, addCommand, gateway }: Routes): void {
  const { engine } = gateway

  add('GET /api/waits', {
    scope: 'read',
    summary: 'Waits, those that need an operator first. A participant sees those of their tasks.',
    query: schemas.waitsQuery,
    answers: schemas.waitsAnswer,
    async handle({ person, query }) {
      const { waits: total, blocked, rows } = waitsFor(engine.world(), person.id)
      const from = query.after === undefined ? 0 : rows.findIndex((row) => keyOf(row) > (query.after ?? ''))
      const page = from < 0 ? [] : rows.slice(from, from + query.limit)
      const last = page.at(-1)
      const isMore = last !== undefined && from + page.length < rows.length
      return { waits: page, total, blocked, next: isMore ? keyOf(last) : null }
    },
  })

  addCommand({
    path: '/api/waits/release',
    scope: 'operate',
    summary: 'Release a wait without an answer: the agent continues, and is told by whom and why.',
    body: schemas.postRelease,
    command({ world, body }) {
      const agent = resolveKnownAgent(world, body.agent)
      return { ...body, type: 'releaseWait', agent: agent.id }
    },
  })
}

export function addTransferRoutes({ addCommand }: Routes): void {
  addCommand({
    path: '/api/hand_overs',
    scope: 'answer',
    summary: 'Offer the caller’s open requests to another person. Until they accept, both are asked.',
    body: schemas.postHandOver,
    command({ world, body }) {
      assertText(body.sentence, 'The sentence')
      const to = resolveAgentId(world, body.to)
      if (!to) throw new Fault('RECEIVER_UNKNOWN', { id: shown(body.to) })
      return { ...body, type: 'handOver', to: to.id }
    },
  })

  addCommand({
    path: '/api/hand_overs/{id}',
    scope: 'answer',
    summary: 'Accept or decline an offered transfer. The person who offered it may withdraw it.',
    body: schemas.postSettleHandOver,
    command: ({ id, body }) => ({ type: 'settleHandOver', handOver: asId<HandOverId>(id), accept: body.accept }),
  })
}

export function addReminderRoutes({ addCommand }: Routes): void {
  addCommand({
    path: '/api/reminders',
    scope: 'answer',
    summary: 'Remind the caller in some minutes. It settles nothing; the sender sees it beside the delivery.',
    body: schemas.postReminder,
    command({ body: { request, message, minutes } }) {
      if (request !== null && message === null) return { type: 'remindMe', about: { request }, minutes }
      if (request === null && message !== null) return { type: 'remindMe', about: { message }, minutes }
      throw new Fault('BAD_INPUT', { why: 'Name a request or a message, one of the two.' })
    },
  })

  addCommand({
    path: '/api/requests/{id}/ask_back',
    scope: 'answer',
    summary: 'Ask the asker a question first. The request stays open; an agent replies although it waits.',
    body: schemas.postAskBack,
    command({ id, body: { text } }) {
      assertText(text)
      return { type: 'askBack', request: asId<RequestId>(id), text }
    },
  })

  addCommand({
    path: '/api/messages/{id}/remind',
    scope: 'ask',
    summary: 'Remind all receivers who have not settled a message; at most every five minutes.',
    body: schemas.commandHead,
    command: ({ id }) => ({ type: 'remind', message: asId<MessageId>(id) }),
  })
}

/** A cursor that stays valid when rows are added or removed. */
const keyOf = (row: { sort: string; id: string }): string => `${row.sort}:${row.id}`
