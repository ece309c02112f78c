/** The fields of commands of people about what is asked of them, and about waits. */
import * as z from 'zod'
import type { AgentId, HandOverId, MessageId, RequestId, WaitingId } from '../../ids'
import { idOf, longText } from '../../setup/schemas/fields'
import { DECISIONS } from '../records'

const request = { request: idOf<RequestId>() }
const message = { message: idOf<MessageId>() }
const reason = z.string().max(1000)

export const SENTENCE_CHARACTERS = 1_000
export const REMIND_ME_MINUTES = 24 * 60

export const requestCommands = {
  /** text: of an answer, or why; of a plan that is sent back: what to change; reason: needed from an operator who was not asked */
  answerRequest: z.object({
    ...request,
    decision: z.enum(DECISIONS),
    text: longText,
    digest: z.string().max(200).nullable().describe('of the arguments that the person saw'),
    reason: reason.nullish(),
  }),
  /** reason: why it is taken over from a person whose claim is still valid */
  claimRequest: z.object({ ...request, reason: reason.nullish() }),
  /** An approval alerts from now on, until somebody acknowledges it. */
  urgeRequest: z.object(request),
  /** Ask the asker a question; the request stays open. */
  askBack: z.object({ ...request, text: longText }),
  /**
   * Offer what is asked of me to another person.
   *
   * requests   'all': all that are open
   * messages   those whose requests have no number; absent: with 'all', all of them, else none
   * begun      my drafts of answers, by request: they go along
   */
  handOver: z.object({
    to: idOf<AgentId>(),
    requests: z.union([z.array(request.request).max(500), z.literal('all')]),
    messages: z.array(message.message).max(500).optional(),
    sentence: z.string().max(SENTENCE_CHARACTERS),
    begun: z.record(request.request, longText).optional(),
  }),
  settleHandOver: z.object({ handOver: idOf<HandOverId>(), accept: z.boolean() }),
  /** An operator or the task's manager ends a wait without an answer. */
  releaseWait: z.object({ agent: idOf<AgentId>(), waiting: idOf<WaitingId>(), reason }),
  /** Ask me again later. minutes: 0: now, if I wanted to be asked later */
  remindMe: z.object({
    about: z.union([z.object(request), z.object(message)]),
    minutes: z.number().int().min(0).max(REMIND_ME_MINUTES),
  }),
  /** A page of the person notified them of these, by sound or on the desktop. */
  noteTold: z.object({
    items: z.array(idOf<MessageId | RequestId>()).min(1).max(50),
    channel: z.enum(['page', 'desktop']),
  }),
}
