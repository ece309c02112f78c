/** Asking back: the person who is asked asks the asker something. The request stays open. */
import { Fault } from '@/lib/faults'
import { type AgentId, type MessageId, SYSTEM_TASK, type WaitingId } from '../../ids'
import type { CommandOf } from '../command'
import type { DecisionContext } from '../decisionContext'
import { deliver } from '../effects/deliver'
import { mustBeOpen } from './requests'

/** A message to the asker, tied to the request. Throws EMPTY_TEXT, NOBODY_TO_ASK, and what mustBeOpen throws. */
export function askBack(
  context: DecisionContext,
  person: AgentId,
  { request: id, text }: CommandOf<'askBack'>,
): { message: MessageId } {
  const request = mustBeOpen(context, id, person)
  if (text.trim() === '') throw new Fault('EMPTY_TEXT')
  if (request.asker === SYSTEM_TASK) throw new Fault('NOBODY_TO_ASK')
  const message = deliver(context, {
    task: request.task,
    sender: person,
    receivers: [request.asker],
    text,
    stage: request.stage,
    thread: request.thread,
    needReply: true,
    waiting: [context.id<WaitingId>()],
    asksBack: request.id,
    replyTo: request.message,
  })
  return { message }
}
