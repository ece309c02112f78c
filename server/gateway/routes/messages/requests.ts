/** Requests to people: reading one, the arguments of a confirmation, claiming, answering. */
import type * as z from 'zod'
import { Fault } from '@/lib/faults'
import { asJson, jsonOrText } from '@/lib/json'
import { canReadRequest, canSeeRequest, taskAccessOf } from '@/lib/mas/access/access'
import { changedSince } from '@/lib/mas/asks/requests'
import type { bodyOf } from '@/lib/mas/bodies'
import { type SenderId, SYSTEM_TASK } from '@/lib/mas/ids'
import type { AgentRecord, RequestRecord, World } from '@/lib/mas/records'
import { isOpen } from '@/lib/mas/statuses'
import { selectName } from '@/lib/mas/team/agents'
import * as schemas from '@/lib/wire/http'
import { requestsFor } from '@/server/monitor'
import { bodyText } from '@/server/shared/bodyText'
import { checkForm } from '@/server/tools'
import { assertSize } from '../../commands'
import type { ToolPort } from '../../ports'
import { shownPlan, writtenPlan } from '../../records/plans'
import { resolveKnownAgent, resolveRequestId, resolveTaskId, shown } from '../../records/resolve'
import { worldWithRestored } from '../../records/restoredWorld'
import { mustFitTool, readArguments, toolOf } from '../../records/toolArguments'
import type { GatewayContext, Routes } from '../../route'

export function addRequestRoutes({ add, gateway }: Routes): void {
  const { store, tools } = gateway
  const { readAnywhere } = openRequests(gateway)

  add('GET /api/requests', {
    scope: 'read',
    summary: 'Requests, oldest first, by page. A participant sees those of their tasks and threads.',
    query: schemas.requestsQuery,
    answers: schemas.requestsAnswer,
    async handle({ person, world, query }) {
      const { requests, rowOf } = requestsFor(world, person.id, wantedBy(world, person, query))
      const rest = requests.filter(({ openedSeq }) => openedSeq > (query.after ?? 0))
      const page = rest.slice(0, query.limit)
      const next = rest.length > page.length ? (page.at(-1)?.openedSeq ?? null) : null
      return { requests: page.map(rowOf), total: requests.length, next }
    },
  })

  add('GET /api/requests/{id}', {
    scope: 'read',
    summary: 'A request, open, settled or archived.',
    answers: schemas.requestAnswer,
    async handle({ person, params }) {
      const { request, world, archived } = await readAnywhere(person, params.id)
      return {
        request,
        taskName: world.tasks[request.task]?.name ?? '',
        askerName: selectName(world, request.asker),
        changes: archived ? [] : changedSince(world, request),
        archived,
        ...(world.tasks[request.task]?.opened === undefined ? {} : { opened: true as const }),
      }
    },
  })

  add('GET /api/requests/{id}/arguments', {
    scope: 'read',
    summary:
      'The arguments of a confirmation: exactly what would run, and what ran once it was approved with changes. Of a plan its stages.',
    answers: schemas.argumentsAnswer,
    async handle({ person, params }) {
      const { request, world } = await readAnywhere(person, params.id)
      const { call, tool, plan, id, answer } = request
      if (plan) return shownPlan(world, plan, answer?.plan)
      // A text that a tool server wants a model to complete is shown in the same way: whole, and never by hash.
      if (tool?.body) {
        const asked = await bodyText(store.bodies, tool.body)
        if (asked === null) throw new Fault('NOT_FOUND', { what: 'text in request', id })
        return { json: jsonOrText(asked), text: asked, digest: tool.body.sha, schema: null, ran: null }
      }
      const text = call === null ? null : await bodyText(store.bodies, call.arguments)
      if (call === null || text === null) throw new Fault('NOT_FOUND', { what: 'call in request', id })
      const edited = answer?.arguments ?? null
      const ranText = edited === null ? null : await bodyText(store.bodies, edited)
      const ran = ranText === null ? null : { json: jsonOrText(ranText), text: ranText }
      // The arguments are shown also when the tool server cannot be reached.
      const info = await toolOf(tools, call)
      const schema = info && asJson(info.inputSchema)
      return { json: jsonOrText(text), text, digest: call.digest, schema, ran }
    },
  })
}

/** Does a request pass the filters of the query? Throws NOT_FOUND for a task or member that it names and the caller does not know. */
function wantedBy(
  world: World,
  person: AgentRecord,
  query: z.output<typeof schemas.requestsQuery>,
): (request: RequestRecord) => boolean {
  const member = (text: string): SenderId => resolveKnownAgent(world, text).id
  const task = query.task === undefined ? null : resolveTaskId(world, query.task, person).id
  const asked = query.for === undefined ? null : query.for === 'me' ? person.id : member(query.for)
  const asker = query.asker === undefined ? null : query.asker === SYSTEM_TASK ? SYSTEM_TASK : member(query.asker)
  return (request) =>
    (query.state === 'all' || isOpen(request) === (query.state === 'open')) &&
    (task === null || request.task === task) &&
    (query.kind === undefined || request.kind === query.kind) &&
    (asker === null || request.asker === asker) &&
    (asked === null || request.asked.some((one) => one === asked))
}

/** Claiming a request and answering it. */
export function addAnswerRoutes({ addCommand, gateway }: Routes): void {
  const { engine } = gateway
  const { readable } = openRequests(gateway)

  addCommand({
    path: '/api/requests/{id}/claim',
    scope: 'answer',
    summary: 'Claim a request: the caller is answering it.',
    body: schemas.postClaim,
    command: ({ person, id, body }) => ({ type: 'claimRequest', request: readable(person, id).id, ...body }),
  })

  addCommand({
    path: '/api/requests/{id}/urgent',
    scope: 'answer',
    summary: 'Make an approval urgent: it alerts until somebody acknowledges it.',
    body: schemas.postUrge,
    command: ({ person, id }) => ({ type: 'urgeRequest', request: readable(person, id).id }),
  })

  addCommand({
    path: '/api/requests/{id}/answer',
    scope: 'answer',
    summary: 'Answer a request. The first answer that is stored counts.',
    body: schemas.postAnswer,
    bodyLimit: 4 * 1024 * 1024,
    async command({ person, id, body }) {
      const request = readable(person, id)
      assertSize(body.text, 'The answer')
      if (request.plan && body.arguments !== null) {
        const plan = writtenPlan(engine.world(), request.plan, body.arguments)
        return { type: 'answerRequest', ...body, request: request.id, arguments: null, plan }
      }
      const edited = body.arguments === null ? null : await checkedArguments(gateway.tools, request, body.arguments)
      const command = { ...body, type: 'answerRequest' as const, request: request.id, arguments: edited?.ref ?? null }
      return { command, bodies: edited === null ? [] : [edited.body] }
    },
  })
}

function openRequests({ engine, past }: Pick<GatewayContext, 'engine' | 'past'>) {
  /** A live request. Throws NOT_FOUND, also when the caller may not read it. */
  function readable(person: AgentRecord, id: string): RequestRecord {
    const world = engine.world()
    const request = resolveRequestId(world, id)
    if (!canSeeRequest(world, person, request)) throw new Fault('NOT_FOUND', { what: 'request', id: shown(id) })
    return request
  }

  /** A request, live or archived, and the world with its task in it. */
  async function readAnywhere(
    person: AgentRecord,
    id: string,
  ): Promise<{ request: RequestRecord; world: World; archived: boolean }> {
    const world = engine.world()
    const isLive = Object.values(world.requests).some((own) => Object.hasOwn(own, id))
    const old = isLive ? null : await past.request(id)
    if (!old) return { request: readable(person, id), world, archived: false }
    const holding = await worldWithRestored(world, past, old.task)
    const isTheirs = old.asked.includes(person.id) && person.access !== 'none'
    if (isTheirs || canReadRequest(taskAccessOf(holding, person, old.task), old)) {
      return { request: old, world: holding, archived: true }
    }
    throw new Fault('NOT_FOUND', { what: 'request', id: shown(id) })
  }

  return { readable, readAnywhere }
}

/** Check edited arguments against the tool's schema. Throws BAD_ARGUMENTS, BAD_INPUT, TOO_LARGE. */
async function checkedArguments(
  tools: ToolPort,
  { call, tool }: RequestRecord,
  text: string,
): Promise<ReturnType<typeof bodyOf>> {
  const { json, ...written } = readArguments(text)
  const info = call && (await toolOf(tools, call))
  if (info) await mustFitTool(info, json)
  const unfit = tool?.asks === 'form' ? await checkForm(tool.schema, json) : null
  if (unfit !== null) throw new Fault('BAD_INPUT', { why: `The form is not filled in right: ${unfit}` })
  return written
}
