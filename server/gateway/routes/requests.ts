/** Requests: reading one, what it would run, claiming, answering. */
import type { OpenAPIHono } from '@hono/zod-openapi'
import { Fault } from '@/lib/faults'
import { bodyOf, wholeOf } from '@/lib/mas/bodies'
import type { RequestRecord, World } from '@/lib/mas/records'
import { selectName } from '@/lib/mas/selectors/agents'
import { changedSince } from '@/lib/mas/selectors/requests'
import type { ArgumentsAnswer, CommandAnswer, RequestAnswerBody } from '@/lib/wire'
import { EXCESS_WORDS, parseBounded } from '@/server/shared/boundedJson'
import { assertSize, commitAs } from '../commands'
import { resolveRequestId, shown } from '../resolve'
import { worldWithRestored } from '../restoredWorld'
import { canReadRequest, taskAccessOf } from '../rights'
import { addRoute, type Env, type GatewayContext } from '../route'
import * as shapes from '../schemas'
import type { SignedInCaller } from '../sessions'
import { jsonOrText } from '../texts'

const decoded = (body: { bytes: Uint8Array } | null): string | null =>
  body === null ? null : new TextDecoder().decode(body.bytes)

/** An instruction is at most this long; so are edited arguments. */
const ARGUMENT_BYTES = 1024 * 1024

export function addRequestRoutes(app: OpenAPIHono<Env>, gateway: GatewayContext): void {
  const { engine, store, tools, past } = gateway

  /** The request, when this person may read it. */
  function readable(caller: SignedInCaller, id: string): RequestRecord {
    const world = engine.world()
    const request = resolveRequestId(world, id)
    const reach = taskAccessOf(world, caller.person, request.task)
    if (!request.asked.includes(caller.person.id) && !canReadRequest(reach, request, caller.person.id)) {
      throw new Fault('NOT_FOUND', { what: 'request', id: shown(id) })
    }
    return request
  }

  /** The request, also one that left the world, and the world as it stands with its task in it. */
  async function readAnywhere(
    caller: SignedInCaller,
    id: string,
  ): Promise<{ request: RequestRecord; world: World; archived: boolean }> {
    const world = engine.world()
    const isLive = Object.values(world.requests).some((own) => Object.hasOwn(own, id))
    const old = isLive ? null : await past?.request(id)
    if (!old) return { request: readable(caller, id), world, archived: false }
    const holding = await worldWithRestored(world, past, old.task)
    const isTheirs = old.asked.includes(caller.person.id) && caller.person.access !== 'none'
    if (isTheirs || canReadRequest(taskAccessOf(holding, caller.person, old.task), old, caller.person.id)) {
      return { request: old, world: holding, archived: true }
    }
    throw new Fault('NOT_FOUND', { what: 'request', id: shown(id) })
  }

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/requests/{id}',
    access: 'person',
    says: 'One request, open or settled, also one that has left the live world.',
    params: shapes.idParams,
    answers: shapes.requestAnswer,
    async handle({ caller, params }): Promise<RequestAnswerBody> {
      const { request, world, archived } = await readAnywhere(caller, params.id)
      return {
        request,
        taskName: world.tasks[request.task]?.name ?? '',
        askerName: selectName(world, request.asker),
        changes: archived ? [] : changedSince(world, request),
        archived,
      }
    },
  })

  addRoute(app, gateway, {
    method: 'get',
    path: '/api/requests/{id}/arguments',
    access: 'person',
    says: 'Exactly what a confirmation would run.',
    params: shapes.idParams,
    answers: shapes.argumentsAnswer,
    async handle({ caller, params }): Promise<ArgumentsAnswer> {
      const { call, tool, id } = (await readAnywhere(caller, params.id)).request
      // What a tool server would have a model say is shown the same way: whole, and never by hash.
      if (tool?.body) {
        const asked = wholeOf(tool.body) ?? decoded(await store.bodies.get(tool.body.sha))
        if (asked === null) throw new Fault('NOT_FOUND', { what: 'text in request', id })
        return { json: jsonOrText(asked), text: asked, digest: tool.body.sha, schema: null }
      }
      const body = call === null ? null : await store.bodies.get(call.arguments.sha)
      if (call === null || body === null) throw new Fault('NOT_FOUND', { what: 'call in request', id })
      const text = new TextDecoder().decode(body.bytes)
      // A tool server that is away must not keep anybody from seeing the arguments.
      const schema = await (tools?.schema(call.server, call.tool) ?? Promise.resolve(null)).catch(() => null)
      return { json: jsonOrText(text), text, digest: call.digest, schema }
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/requests/{id}/claim',
    access: 'person',
    says: 'I am answering this.',
    params: shapes.idParams,
    body: shapes.postClaim,
    answers: shapes.commandAnswer,
    async handle({ caller, params, body }): Promise<CommandAnswer> {
      const { id } = readable(caller, params.id)
      return commitAs(engine, caller.person.id, body, { type: 'claimRequest', request: id, reason: body.reason })
    },
  })

  addRoute(app, gateway, {
    method: 'post',
    path: '/api/requests/{id}/answer',
    access: 'person',
    says: 'Answer a request. The first stored answer counts.',
    params: shapes.idParams,
    body: shapes.postAnswer,
    bodyLimit: 4 * 1024 * 1024,
    answers: shapes.commandAnswer,
    async handle({ caller, params, body }): Promise<CommandAnswer> {
      const request = readable(caller, params.id)
      assertSize(body.text, 'The answer')
      const edited = body.arguments === null ? null : await checkedArguments(request, body.arguments)
      return commitAs(
        engine,
        caller.person.id,
        body,
        {
          type: 'answerRequest',
          request: request.id,
          decision: body.decision,
          text: body.text,
          arguments: edited?.ref ?? null,
          digest: body.digest,
          reason: body.reason,
        },
        edited === null ? undefined : [edited.body],
      )
    },
  })

  /** Edited arguments are checked against the tool's schema before anything is decided. */
  async function checkedArguments({ call, tool }: RequestRecord, text: string): Promise<ReturnType<typeof bodyOf>> {
    assertSize(text, 'The arguments', ARGUMENT_BYTES)
    const read = parseBounded(text)
    if (!read.ok)
      throw new Fault('BAD_ARGUMENTS', {
        why: read.why === 'syntax' ? 'they are not valid JSON' : `their text ${EXCESS_WORDS[read.why]}`,
      })
    const json = read.value
    const why = call === null ? null : await (tools?.check(call.server, call.tool, json) ?? Promise.resolve(null))
    if (why !== null) throw new Fault('BAD_ARGUMENTS', { why })
    const unfit = tool?.asks === 'form' && tools !== null ? await tools.checkForm(tool.schema, json) : null
    if (unfit !== null) throw new Fault('BAD_INPUT', { why: `The form is not filled in right: ${unfit}` })
    return bodyOf(text, 'application/json')
  }
}
