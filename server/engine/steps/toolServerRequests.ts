/** What a tool server asks during a step's call: put to the people of the task, or to the agent's model. */

import { asJson, exactJsonOf, fieldsIn, isJsonObject } from '@/lib/json'
import { beginningOf } from '@/lib/mas/bodies'
import type { Command, NewBody } from '@/lib/mas/commands/command'
import { asId, type RequestId } from '@/lib/mas/ids'
import type { Json, ModelCall, RequestRecord, StepRecord, ToolQuestion, World } from '@/lib/mas/records'
import { type Model, ModelError, type Models, type TextTurn } from '../../models/model'
import { callModel, outcomeOfFault, recordOf } from '../../skills/callModel'
import type { BodyCache } from '../../skills/port'
import { ownTurn, storePrompt } from '../../skills/prompt/turnList'
import {
  CALL_OVER,
  type QuestionAnswer,
  type SamplingAnswer,
  type SamplingRequest,
  type ServerQuestion,
  type ServerRequestHandlers,
} from '../../tools'
import type { CommitAnswer } from '../port'
import type { RequestWatch } from './requestWatch'

type ToolServerRequestsParts = {
  world: () => World
  step: StepRecord
  attempt: number
  /** The configured name of the calling agent's model. */
  model: string
  models: Models
  bodies: BodyCache
  /** Ends with the step. */
  signal: AbortSignal
  watch: RequestWatch
  /** Whether the call waits for people from now on. */
  onAsking: (isAsking: boolean) => void
  put: (command: Command, bodies?: NewBody[]) => Promise<CommitAnswer>
  newId: () => string
  now: () => number
  /** Durations, ms. */
  clock: () => number
}

/** A form larger than this is no form for a person. */
const SCHEMA_CHARACTERS = 64 * 1024
const MESSAGE_CHARACTERS = 8 * 1024

export function toolServerRequests(parts: ToolServerRequestsParts): ServerRequestHandlers {
  const { step, attempt, bodies, put, watch } = parts

  /** Asks people; null: it could not be asked, the call ended, or the question was withdrawn. */
  async function ask(message: string, tool: ToolQuestion, signal: AbortSignal): Promise<RequestRecord | null> {
    const command = { type: 'openToolRequest', step: step.id, attempt, message, tool } as const
    const opened = await put(command, bodies.made)
    if (!opened.ok) return null
    const request = requestIn(opened.reply)
    parts.onAsking(true)
    const record = await watch.settled(step.task, request, signal)
    parts.onAsking(false)
    if (record === null) {
      const because = parts.signal.aborted || isOfCall(signal) ? 'call' : 'server'
      await put({ type: 'withdrawToolRequest', request, because })
      return null
    }
    return record
  }

  const about = { server: step.executor, tool: nameOf(step) }

  async function question(asked: ServerQuestion, signal: AbortSignal): Promise<QuestionAnswer> {
    const put = questionToPeople(step, asked)
    return put === null ? { action: 'cancel' } : answerIn(await ask(put.message, put.tool, signal), bodies)
  }

  async function sample(request: SamplingRequest, signal: AbortSignal): Promise<SamplingAnswer> {
    const turns: TextTurn[] = [
      ...(request.system === null ? [] : [{ role: 'system' as const, content: request.system }]),
      ...request.messages.map(({ role, text }) => ({ role, content: text })),
    ]
    if (request.asksFirst) {
      const shown = JSON.stringify({ messages: turns, max_tokens: request.maxTokens }, null, 2)
      const body = bodies.make(shown, 'application/json')
      const record = await ask('', { ...about, asks: 'sampling', schema: null, url: null, body }, signal)
      if (record?.answer?.decision !== 'approve') {
        const why = record?.answer?.text ?? ''
        return { ok: false, reason: why === '' ? 'a person did not allow it' : `a person did not allow it: ${why}` }
      }
    }
    return sampled(parts, turns, signal)
  }

  return { question, sample }
}

/** A server's question as people are asked it; null: its form is too large for a person. */
export function questionToPeople(
  step: StepRecord,
  asked: ServerQuestion,
): { message: string; tool: ToolQuestion } | null {
  const schema = asked.mode === 'form' ? asJson(asked.schema) : null
  if (JSON.stringify(schema).length > SCHEMA_CHARACTERS) return null
  const url = asked.mode === 'url' ? asked.url : null
  const tool: ToolQuestion = { server: step.executor, tool: nameOf(step), asks: asked.mode, schema, url, body: null }
  return { message: beginningOf(asked.message, MESSAGE_CHARACTERS), tool }
}

/** What people answered, for the server; null: they were not asked, or it was withdrawn. */
export async function answerIn(record: RequestRecord | null, bodies: BodyCache): Promise<QuestionAnswer> {
  switch (record?.answer?.decision) {
    case 'answer': {
      const given = record.answer.arguments
      const content = given === null ? null : objectIn(await bodies.text(given))
      return content === null ? { action: 'cancel' } : { action: 'accept', content }
    }
    case 'done':
      return { action: 'accept' }
    case 'refuse':
      return { action: 'decline' }
    default:
      return { action: 'cancel' }
  }
}

/** A call of the agent's model for a tool server, made and recorded as a step's own. */
async function sampled(
  parts: ToolServerRequestsParts,
  turns: TextTurn[],
  signal: AbortSignal,
): Promise<SamplingAnswer> {
  const { step, bodies, put } = parts
  const model = modelOf(parts)
  if (model instanceof ModelError) return noAnswer(model)
  const run = { ...parts, world: parts.world(), now: parts.now(), model, signal, onText: () => {}, onDoing: () => {} }
  const called = await callModel(run, turns)
  const asked = turns.map(({ role, content }, index) => ownTurn({ role, name: `sampling/${index + 1}` }, content))
  const prompt = storePrompt(asked, bodies)
  const keep = (outcome: ModelCall['outcome'], error: string | null) =>
    put({ type: 'recordCall', step: step.id, call: recordOf(run, prompt, called, outcome, error) }, bodies.made)
  if (called.ended) {
    await keep('taken', null)
    const { text, modelVersion, isCut } = called
    return { ok: true, text, model: modelVersion, stop: isCut ? 'maxTokens' : 'endTurn' }
  }
  await keep(outcomeOfFault(called.fault), called.fault.message)
  return noAnswer(called.fault)
}

/** The fault: there is no model of that name. */
function modelOf({ models, model }: ToolServerRequestsParts): Model | ModelError {
  try {
    return models.get(model)
  } catch (error) {
    if (error instanceof ModelError) return error
    throw error
  }
}

const noAnswer = ({ message }: ModelError): SamplingAnswer => ({
  ok: false,
  reason: `no answer of the model: ${message}`,
})

/** The pool says so when the call ended first. */
const isOfCall = ({ reason }: AbortSignal): boolean => reason === CALL_OVER

const nameOf = ({ instruction }: StepRecord): string => (instruction?.kind === 'call' ? instruction.name : '')

function requestIn(reply: Json): RequestId {
  return asId<RequestId>(String(fieldsIn(reply).request))
}

function objectIn(text: string): Record<string, unknown> | null {
  const value = exactJsonOf(text)
  return isJsonObject(value) ? value : null
}
