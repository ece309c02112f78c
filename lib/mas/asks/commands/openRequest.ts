/** Facts about requests: opened, answered. */

import { Fault } from '@/lib/faults'
import { gather } from '@/lib/gather'
import type { CommandOf } from '../../commands/command'
import type { DecisionContext } from '../../commands/decisionContext'
import type { AgentId, MessageId, RequestId, TaskId } from '../../ids'
import { isAsked } from '../../members/traits'
import { needsReply } from '../../messages/records'
import type { RequestRecord } from '../../records'
import type { Said } from '../../said'
import { evidenceOf } from '../evidence'
import { fingerprintOf } from '../requests'

/** A request that belongs to no message, step or wait, and asks for words of its own. */
const PLAIN_REQUEST = {
  type: 'action',
  message: null,
  step: null,
  stage: null,
  lock: null,
  thread: null,
  call: null,
  choices: [],
} satisfies Partial<RequestRecord>

/** question: said by the program itself, or a text. Left out: as in PLAIN_REQUEST. */
type RequestSeed = Pick<RequestRecord, 'task' | 'kind' | 'asked' | 'asker' | 'tool' | 'plan' | 'due'> &
  Partial<Pick<RequestRecord, keyof typeof PLAIN_REQUEST>> & { question: string | Said }

/** Open a request with its number in the task and the evidence named in its text. */
export function openRequest(context: DecisionContext, given: RequestSeed): RequestId {
  const request = context.id<RequestId>()
  const seed = { ...PLAIN_REQUEST, ...given }
  const { task, ...rest } = seed
  const question = context.textOf(seed.question)
  const evidence = evidenceOf(context.world, { ...seed, question })
  context.emit('request.opened', {
    task,
    request,
    seed: {
      ...rest,
      question,
      ...(typeof seed.question === 'string' ? {} : { said: seed.question }),
      number: (context.world.requestCounts[task] ?? 0) + 1,
      fingerprint: fingerprintOf(context.world, seed),
      ...(evidence.length === 0 ? {} : { evidence }),
    },
  })
  return request
}

/** What messages of one act ask of their people, whose words are the question. It has no number and holds up no work. */
export function openAsks(context: DecisionContext, task: TaskId, messages: readonly MessageId[]): void {
  const sent = context.world.messages
  const asking = messages.flatMap((id) => sent[task]?.[id] ?? []).filter(({ type }) => needsReply(type))
  for (const [thread, own] of gather(asking, (message) => [message.thread])) {
    const asks = own.flatMap(({ id: message, receivers }) =>
      receivers
        .filter((receiver) => isAsked(context.world, receiver))
        .map((person) => ({ request: context.id<RequestId>(), person, message })),
    )
    const [first] = own
    if (first && asks.length > 0) context.emit('message.asked', { task, thread, asker: first.sender, asks })
  }
}

/** Looks in all tasks, without asking who may see it. Throws NOT_FOUND. */
export function findRequest(context: DecisionContext, id: RequestId): RequestRecord {
  for (const requests of Object.values(context.world.requests)) {
    const found = requests[id]
    if (found) return found
  }
  throw new Fault('NOT_FOUND', { what: 'request', id })
}

/** Record the decision on the request; an operator who was not asked answers for the first who was. */
export function settleAnswered(
  context: DecisionContext,
  person: AgentId,
  request: RequestRecord,
  answer: Pick<CommandOf<'answerRequest'>, 'decision' | 'text' | 'arguments' | 'plan'>,
): void {
  const isAsked = request.asked.includes(person)
  context.emit('request.answered', {
    task: request.task,
    request: request.id,
    answer: {
      by: person,
      for: isAsked ? null : (request.asked[0] ?? null),
      decision: answer.decision,
      text: answer.text,
      arguments: answer.arguments,
      ...(answer.plan === undefined ? {} : { plan: answer.plan }),
    },
  })
}
