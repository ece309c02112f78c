/** A step, its prompt, response, result and tool call. Bodies are read through the step, never by their hash. */
import { Fault } from '@/lib/faults'
import { asJson, fieldsIn, jsonOrText } from '@/lib/json'
import { bodyOfResult } from '@/lib/mas/bodies'
import { withoutNotes } from '@/lib/mas/builtInNotes'
import type { AgentRecord, BodyRef, Json, ModelCall, StepRecord, StepResult } from '@/lib/mas/records'
import { toolCallOf } from '@/lib/mas/steps/toolCall'
import { selectName } from '@/lib/mas/team/agents'
import * as schemas from '@/lib/wire/http'
import { bodyText, type StoredBodies } from '@/server/shared/bodyText'
import { readCalls, readStoredPrompt } from '@/server/skills'
import { resolveTaskId } from '../../records/resolve'
import { worldWithRestored } from '../../records/restoredWorld'
import { pageOfSteps, readStep } from '../../records/steps'
import { toolOf } from '../../records/toolArguments'
import type { GatewayContext, Routes } from '../../route'
import { unnamed } from '../../states/executeResult'

const TOOL_BYTES = 256 * 1024
const TOOL_RESULT_NAMES = ['mcp_server_result', 'capabilities_list_description']

const stepReader =
  ({ engine, store, past }: GatewayContext) =>
  (person: AgentRecord, id: string) =>
    readStep(engine.world(), store.archive, past, person, id)

/** By a standing rule: of what. */
const forWhat = ({ allowed }: NonNullable<StepRecord['approvedBy']>): 'task' | 'agent' | null =>
  allowed === true ? 'task' : (allowed ?? null)

export function addStepRoutes({ add, gateway }: Routes): void {
  const { engine, store, past } = gateway
  const stepFor = stepReader(gateway)

  add('GET /api/tasks/{id}/steps', {
    scope: 'read',
    isCostly: true,
    summary: 'All steps of a task, finished ones too, by page.',
    query: schemas.stepPageQuery,
    answers: schemas.stepPage,
    async handle({ person, params, query }) {
      const world = await worldWithRestored(engine.world(), past, params.id)
      const task = resolveTaskId(world, params.id, person)
      return pageOfSteps(world, store.archive, past, person, task.id, query)
    },
  })

  add('GET /api/steps/{id}', {
    scope: 'read',
    summary: 'A step.',
    answers: schemas.stepAnswer,
    async handle({ person, params }) {
      const { step, archived } = await stepFor(person, params.id)
      const world = await worldWithRestored(engine.world(), past, step.task)
      const task = world.tasks[step.task]
      return {
        ...{ step, archived },
        taskName: task?.name ?? '',
        agentName: selectName(world, step.agent),
        ...(task?.opened === undefined ? {} : { opened: true as const }),
      }
    },
  })
}

/** The prompt and the response of a call of a step, its result and its tool call. */
export function addStepContentRoutes({ add, gateway }: Routes): void {
  const { engine, tools } = gateway
  const stepFor = stepReader(gateway)
  /** The texts of a step, where its task has them. */
  const textsOf = async ({ task }: StepRecord) =>
    openTexts((await gateway.opened.bodiesOf(task)) ?? gateway.store.bodies)

  add('GET /api/steps/{id}/prompt', {
    scope: 'read',
    summary: 'The prompt of a model call of a step: the newest, or the named one.',
    query: schemas.callQuery,
    answers: schemas.promptAnswer,
    async handle({ person, params, query }) {
      const { step } = await stepFor(person, params.id)
      const call = callOf(step, query.call)
      const { partOf } = await textsOf(step)
      const sections = await readStoredPrompt(call.prompt, partOf)
      return { call, sections: sections.map((part) => ({ ...part, bytes: Buffer.byteLength(part.text) })) }
    },
  })

  add('GET /api/steps/{id}/response', {
    scope: 'read',
    summary: "The model's answer, as it came, and its reasoning where that came apart.",
    query: schemas.callQuery,
    answers: schemas.responseAnswer,
    async handle({ person, params, query }) {
      const { step } = await stepFor(person, params.id)
      const call = callOf(step, query.call)
      const { answer, calls, reasoning } = call
      const { textOf } = await textsOf(step)
      return {
        call,
        text: answer === null ? '' : await textOf(answer),
        calls: calls === undefined ? [] : readCalls(await textOf(calls)),
        reasoning: reasoning === undefined ? null : await textOf(reasoning),
      }
    },
  })

  add('GET /api/steps/{id}/result', {
    scope: 'read',
    summary: 'The whole result of a step.',
    answers: schemas.resultAnswer,
    async handle({ person, params }) {
      const { step } = await stepFor(person, params.id)
      if (!step.result) throw new Fault('NOT_FOUND', { what: 'result of step', id: step.id })
      const text = await (await textsOf(step)).resultText(step.result)
      return step.result.kind === 'text'
        ? { kind: step.result.kind, text: step.type === 'skill' ? withoutNotes(text) : text, json: null }
        : { kind: step.result.kind, text, json: jsonOrText(text) }
    },
  })

  add('GET /api/steps/{id}/arguments', {
    scope: 'read',
    summary: 'The whole arguments of the tool call of a step, with what its tool takes.',
    answers: schemas.stepArguments,
    async handle({ person, params }) {
      const { step } = await stepFor(person, params.id)
      const call = toolCallOf(step)
      if (call === null) throw new Fault('NOT_FOUND', { what: 'tool call of step', id: step.id })
      const text = await (await textsOf(step)).partOf(call.arguments)
      // The arguments are shown also when the tool server cannot be reached.
      const info = await toolOf(tools, { server: step.executor, tool: call.name })
      return { json: jsonOrText(text), text, schema: info && asJson(info.inputSchema) }
    },
  })

  add('GET /api/steps/{id}/tool', {
    scope: 'read',
    summary: 'The tool call of a step and its result, up to 256 KiB each.',
    answers: schemas.toolAnswer,
    async handle({ person, params }) {
      const { step } = await stepFor(person, params.id)
      if (step.type !== 'tool') throw new Fault('NOT_FOUND', { what: 'tool call of step', id: step.id })
      const call = step.instruction?.kind === 'call' ? step.instruction : null
      const { textOf, resultText } = await textsOf(step)
      const args = call === null ? null : cutJson(await textOf(call.arguments))
      const stored = step.result === null ? null : cutJson(await resultText(step.result))
      const result = stored && { ...stored, json: TOOL_RESULT_NAMES.reduce(unnamed, stored.json) }
      const { approvedBy } = step
      const approver = approvedBy === null ? null : selectName(engine.world(), approvedBy.by)
      return {
        server: step.executor,
        name: call?.name ?? null,
        arguments: args?.json ?? null,
        approvedBy:
          approvedBy === null || approver === null
            ? null
            : {
                name: approver,
                edited: approvedBy.edited,
                allowed: forWhat(approvedBy),
              },
        editedBy: step.editedBy === undefined ? null : selectName(engine.world(), step.editedBy),
        result: result?.json ?? null,
        isError: step.result?.kind === 'tool' ? isErrorOf(result?.json ?? null, step) : null,
        cut: (args?.cut ?? false) || (result?.cut ?? false),
      }
    },
  })
}

/** Reads the texts behind references to bodies. */
function openTexts(bodies: StoredBodies) {
  /** The whole text: of a part of a prompt, or of arguments. Throws NOT_KEPT: none with a gap is shown. */
  async function partOf(ref: BodyRef): Promise<string> {
    const text = await bodyText(bodies, ref)
    if (text === null) throw new Fault('NOT_KEPT')
    return text
  }

  /** The whole text; its beginning when the body is gone. Throws NOT_KEPT: there is none of it. */
  async function textOf(ref: BodyRef): Promise<string> {
    const text = (await bodyText(bodies, ref)) ?? ref.preview
    if (text === '' && ref.bytes > 0) throw new Fault('NOT_KEPT')
    return text
  }

  function resultText(result: StepResult): Promise<string> {
    const body = bodyOfResult(result)
    return body === null ? Promise.resolve(result.text) : textOf(body)
  }

  return { partOf, textOf, resultText }
}

function callOf(step: StepRecord, id: string | undefined): ModelCall {
  const call = id === undefined ? step.calls.at(-1) : step.calls.find((known) => known.id === id)
  if (!call) throw new Fault('NOT_FOUND', { what: 'model call of step', id: step.id })
  return call
}

/** A short text as JSON, else the beginning of the text. */
function cutJson(text: string): { json: Json; cut: boolean } {
  return text.length <= TOOL_BYTES
    ? { json: jsonOrText(text), cut: false }
    : { json: text.slice(0, TOOL_BYTES), cut: true }
}

/** `isError` of the result; where the result was cut, the state of the step says it: a tool's error fails its step. */
function isErrorOf(result: Json, step: StepRecord): boolean {
  const { isError } = fieldsIn(result)
  return typeof isError === 'boolean' ? isError : step.state === 'failed'
}
