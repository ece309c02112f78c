/** HTTP+JSON: the paths of the protocol over the same handler. */
import {
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  SendMessageRequest,
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk'
import { RequestMalformedError, restStatusFor, toRestErrorBody } from '@a2a-js/sdk/errors'
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server'
import * as z from 'zod'
import type { Binding, BoundAnswer, BoundCall } from './binding'
import { mustBeSend } from './forms'

type RestRoute = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  operation: string
  answer(handler: A2ARequestHandler, call: BoundCall, context: ServerCallContext): Promise<BoundAnswer>
}

const tenant = ''
const said = (body: unknown, status = 200): BoundAnswer => ({ status, body })

export const REST_ROUTES: readonly RestRoute[] = [
  {
    method: 'POST',
    path: '/message:send',
    operation: 'send',
    async answer(handler, call, context) {
      const answer = await handler.sendMessage(sendIn(call), context)
      return said('messageId' in answer ? { message: Message.toJSON(answer) } : { task: Task.toJSON(answer) })
    },
  },
  {
    method: 'POST',
    path: '/message:stream',
    operation: 'stream',
    answer: async (handler, call, context) => ({ events: asJson(handler.sendMessageStream(sendIn(call), context)) }),
  },
  {
    method: 'GET',
    path: '/tasks',
    operation: 'list',
    async answer(handler, { query }, context) {
      const params = listIn(query)
      const page = await handler.listTasks(params, context)
      const { tasks } = fields.parse(ListTasksResponse.toJSON(page))
      const { nextPageToken, pageSize, totalSize } = page
      return said({ tasks: tasks ?? [], nextPageToken, pageSize, totalSize })
    },
  },
  {
    method: 'GET',
    path: '/tasks/{id}',
    operation: 'get',
    async answer(handler, { params, query }, context) {
      const { historyLength } = parsed(getQuery, query)
      const asked = { tenant, id: params.id ?? '', ...(historyLength === undefined ? {} : { historyLength }) }
      return said(Task.toJSON(await handler.getTask(asked, context)))
    },
  },
  {
    method: 'POST',
    path: '/tasks/{id}:cancel',
    operation: 'cancel',
    answer: async (handler, { params }, context) =>
      said(Task.toJSON(await handler.cancelTask({ tenant, id: params.id ?? '', metadata: undefined }, context))),
  },
  ...(['GET', 'POST'] as const).map(
    (method): RestRoute => ({
      method,
      path: '/tasks/{id}:subscribe',
      operation: 'subscribe',
      answer: async (handler, { params }, context) => ({
        events: asJson(handler.resubscribe({ tenant, id: params.id ?? '' }, context)),
      }),
    }),
  ),
  {
    method: 'POST',
    path: '/tasks/{id}/pushNotificationConfigs',
    operation: 'createPush',
    async answer(handler, { params, body }, context) {
      if (typeof body !== 'object' || body === null)
        throw new RequestMalformedError('The body must be an object of JSON.')
      const config = TaskPushNotificationConfig.fromJSON({ ...body, taskId: params.id ?? '' })
      const made = await handler.createTaskPushNotificationConfig(config, context)
      return said(TaskPushNotificationConfig.toJSON(made), 201)
    },
  },
  {
    method: 'GET',
    path: '/tasks/{id}/pushNotificationConfigs',
    operation: 'listPush',
    async answer(handler, { params }, context) {
      const asked = { tenant, taskId: params.id ?? '', pageSize: 0, pageToken: '' }
      const found = await handler.listTaskPushNotificationConfigs(asked, context)
      return said(ListTaskPushNotificationConfigsResponse.toJSON(found))
    },
  },
  {
    method: 'GET',
    path: '/tasks/{id}/pushNotificationConfigs/{config}',
    operation: 'getPush',
    async answer(handler, { params }, context) {
      const asked = { tenant, taskId: params.id ?? '', id: params.config ?? '' }
      return said(TaskPushNotificationConfig.toJSON(await handler.getTaskPushNotificationConfig(asked, context)))
    },
  },
  {
    method: 'DELETE',
    path: '/tasks/{id}/pushNotificationConfigs/{config}',
    operation: 'deletePush',
    async answer(handler, { params }, context) {
      const asked = { tenant, taskId: params.id ?? '', id: params.config ?? '' }
      await handler.deleteTaskPushNotificationConfig(asked, context)
      return said(null, 204)
    },
  },
  {
    method: 'GET',
    path: '/extendedAgentCard',
    operation: 'extendedCard',
    answer: async (handler, _, context) => said(await handler.getAuthenticatedExtendedAgentCard({ tenant }, context)),
  },
]

export const HTTP_JSON: Binding = {
  name: 'HTTP+JSON',
  async answer(handler, call, context) {
    const route = REST_ROUTES.find(({ operation }) => operation === call.operation)
    if (route === undefined) throw new Error(`no operation ${call.operation}`)
    return route.answer(handler, call, context)
  },
  failure(_, thrown, status = restStatusFor(thrown)) {
    return { status, body: toRestErrorBody(thrown, status) }
  },
}

async function* asJson(
  events: AsyncGenerator<StreamResponse, void, undefined>,
): AsyncGenerator<unknown, void, undefined> {
  for await (const event of events) yield StreamResponse.toJSON(event)
}

function sendIn({ body }: BoundCall): SendMessageRequest {
  mustBeSend(body)
  return SendMessageRequest.fromJSON(body)
}

const fields = z.looseObject({ tasks: z.array(z.unknown()).optional() })
const count = z.coerce.number().int()
const getQuery = z.object({ historyLength: count.optional() })
const listQuery = z.object({
  contextId: z.string().optional(),
  status: z.string().optional(),
  pageSize: count.optional(),
  pageToken: z.string().optional(),
  historyLength: count.optional(),
  statusTimestampAfter: z.string().optional(),
  includeArtifacts: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
})
const listIn = (query: URLSearchParams): ListTasksRequest => ListTasksRequest.fromJSON(parsed(listQuery, query))

function parsed<T>(form: z.ZodType<T>, query: URLSearchParams): T {
  const read = form.safeParse(Object.fromEntries(query))
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new RequestMalformedError(`${issue?.path.join('.')}: ${issue?.message}`)
}
