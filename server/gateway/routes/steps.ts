/** Looking into a step: itself, its prompt, response, result and tool call, by record and never by hash. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { Fault } from '@/lib/faults'
import { wholeOf } from '@/lib/mas/bodies'
import type { BodyRef, Json, ModelCall, StepRecord, StepResult } from '@/lib/mas/records'
import { selectName } from '@/lib/mas/selectors/agents'
import type { PromptAnswer, ResponseAnswer, ResultAnswer, StepAnswer, StepPage, ToolAnswer } from '@/lib/wire'
import { readStoredPrompt } from '../../skills'
import { unnamed } from '../executeResult'
import { resolveTaskId } from '../resolve'
import { worldWithRestored } from '../restoredWorld'
import { addRoute, type Env, type GatewayContext } from '../route'
import * as shapes from '../schemas'
import type { SignedInCaller } from '../sessions'
import { pageOfSteps, readStep } from '../steps'
import { jsonOrText } from '../texts'

const TOOL_BYTES = 256 * 1024
const TOOL_RESULT_NAMES = ['mcp_server_result', 'capabilities_list_description']

export function addStepRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { engine, store, past } = gateway
  const stepFor = (caller: SignedInCaller, id: string) =>
    readStep(engine.world(), store.archive, past, caller.person, id)

  /** The whole text of a part of a prompt, which is nothing without each of them. */
  async function partOf(ref: BodyRef): Promise<string> {
    const inline = wholeOf(ref)
    if (inline !== null) return inline
    const body = await store.bodies.get(ref.sha)
    if (body === null) throw new Fault('NOT_KEPT')
    return new TextDecoder().decode(body.bytes)
  }

  /** The whole text; its preview, said as such, when the body is not there any more. */
  async function textOf(ref: BodyRef): Promise<string> {
    const inline = wholeOf(ref)
    if (inline !== null) return inline
    const body = await store.bodies.get(ref.sha)
    return body === null ? ref.preview : new TextDecoder().decode(body.bytes)
  }

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/tasks/{id}/steps',
    access: 'person',
    says: 'All steps of a task, finished ones too, by page.',
    params: shapes.idParams,
    query: shapes.stepPageQuery,
    answers: shapes.stepPage,
    async handle({ caller, params, query }): Promise<StepPage> {
      const world = await worldWithRestored(engine.world(), past, params.id)
      const task = resolveTaskId(world, params.id, caller.person)
      return pageOfSteps(world, store.archive, caller.person, task.id, query.after, query.limit)
    },
  })

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/steps/{id}',
    access: 'person',
    says: 'One step.',
    params: shapes.idParams,
    answers: shapes.stepAnswer,
    async handle({ caller, params }): Promise<StepAnswer> {
      const { step, archived } = await stepFor(caller, params.id)
      const world = await worldWithRestored(engine.world(), past, step.task)
      return { step, taskName: world.tasks[step.task]?.name ?? '', agentName: selectName(world, step.agent), archived }
    },
  })

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/steps/{id}/prompt',
    access: 'person',
    says: 'The prompt of a call of the model: the newest, or the one named.',
    params: shapes.idParams,
    query: shapes.callQuery,
    answers: shapes.promptAnswer,
    async handle({ caller, params, query }): Promise<PromptAnswer> {
      const call = callOf((await stepFor(caller, params.id)).step, query.call)
      const { sections } = await readStoredPrompt(call.prompt, { text: partOf })
      return { call, sections: sections.map((part) => ({ ...part, bytes: Buffer.byteLength(part.text) })) }
    },
  })

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/steps/{id}/response',
    access: 'person',
    says: "The model's answer, as it came, and its reasoning where that came apart.",
    params: shapes.idParams,
    query: shapes.callQuery,
    answers: shapes.responseAnswer,
    async handle({ caller, params, query }): Promise<ResponseAnswer> {
      const call = callOf((await stepFor(caller, params.id)).step, query.call)
      const { answer, reasoning } = call
      return {
        call,
        text: answer === null ? '' : await textOf(answer),
        reasoning: reasoning === undefined ? null : await textOf(reasoning),
      }
    },
  })

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/steps/{id}/result',
    access: 'person',
    says: 'The whole result of a step.',
    params: shapes.idParams,
    answers: shapes.resultAnswer,
    async handle({ caller, params }): Promise<ResultAnswer> {
      const { step } = await stepFor(caller, params.id)
      if (!step.result) throw new Fault('NOT_FOUND', { what: 'result of step', id: step.id })
      const text = await resultText(step.result)
      return { kind: step.result.kind, text, json: step.result.kind === 'text' ? null : jsonOrText(text) }
    },
  })

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/steps/{id}/tool',
    access: 'person',
    says: 'The call of a tool and its result, up to 256 KiB each.',
    params: shapes.idParams,
    answers: shapes.toolAnswer,
    async handle({ caller, params }): Promise<ToolAnswer> {
      const { step } = await stepFor(caller, params.id)
      if (step.type !== 'tool') throw new Fault('NOT_FOUND', { what: 'tool call of step', id: step.id })
      const call = step.instruction?.kind === 'call' ? step.instruction : null
      const args = call === null ? null : cutJson(await textOf(call.arguments))
      const stored = step.result === null ? null : cutJson(await resultText(step.result))
      const result = stored && { ...stored, json: TOOL_RESULT_NAMES.reduce(unnamed, stored.json) }
      const { approvedBy } = step
      const approver = approvedBy === null ? null : selectName(engine.world(), approvedBy.by)
      return {
        server: step.executor,
        name: call?.name ?? null,
        arguments: args?.json ?? null,
        approvedBy: approvedBy === null || approver === null ? null : { name: approver, edited: approvedBy.edited },
        result: result?.json ?? null,
        isError: step.result?.kind === 'tool' ? isErrorOf(result?.json ?? null, step) : null,
        cut: (args?.cut ?? false) || (result?.cut ?? false),
      }
    },
  })

  const resultText = (result: StepResult): Promise<string> =>
    result.body === null ? Promise.resolve(result.text) : textOf(result.body)
}

function callOf(step: StepRecord, id: string | undefined): ModelCall {
  const call = id === undefined ? step.calls.at(-1) : step.calls.find((known) => known.id === id)
  if (!call) throw new Fault('NOT_FOUND', { what: 'model call of step', id: step.id })
  return call
}

/** JSON when it is short enough to be whole, else the beginning of its text. */
function cutJson(text: string): { json: Json; cut: boolean } {
  return text.length <= TOOL_BYTES
    ? { json: jsonOrText(text), cut: false }
    : { json: text.slice(0, TOOL_BYTES), cut: true }
}

/** What the result says of itself; where it was cut, the step knows: a tool's error fails its step. */
function isErrorOf(result: Json, step: StepRecord): boolean {
  if (typeof result === 'object' && result !== null && !Array.isArray(result) && typeof result.isError === 'boolean') {
    return result.isError
  }
  return step.state === 'failed'
}
