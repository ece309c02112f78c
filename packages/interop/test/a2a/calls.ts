/** Calls of every endpoint of A2A, for the walk over all adapters. Streams begin nothing here: each is of a task that is none. */
type Call = { query?: Record<string, string>; headers?: Record<string, string>; body?: object }
type Speaker = { newId: () => string }

const headers = { 'a2a-version': '1.0' }
const parts = [{ text: 'a walk' }, { raw: 'YSB3YWxr', filename: 'walk.txt', mediaType: 'text/plain' }]
const sent = ({ newId }: Speaker, more: object) => ({
  message: { messageId: newId(), role: 'ROLE_USER', parts, ...more },
  configuration: { returnImmediately: true },
})
const config = { url: 'https://push.example/1', token: 'a walk' }
const call = (body?: object, query?: Record<string, string>): Call => ({
  headers,
  ...(body === undefined ? {} : { body }),
  ...(query === undefined ? {} : { query }),
})
const sends = (as: Speaker, id: string): object[] => [
  sent(as, { contextId: id }),
  sent(as, {}),
  sent(as, { taskId: id }),
  sent(as, { messageId: id }),
]

const rpcCalls = (as: Speaker, id: string): Call[] =>
  [
    ...sends(as, id).map((params) => ['SendMessage', params]),
    ['SendStreamingMessage', sent(as, { taskId: id })],
    ['SubscribeToTask', { id }],
    ['GetTask', { id }],
    ['ListTasks', { contextId: id }],
    ['CancelTask', { id }],
    ['CreateTaskPushNotificationConfig', { ...config, taskId: id }],
    ['GetTaskPushNotificationConfig', { taskId: id, id }],
    ['ListTaskPushNotificationConfigs', { taskId: id }],
    ['DeleteTaskPushNotificationConfig', { taskId: id, id }],
    ['GetExtendedAgentCard', {}],
  ].map(([method, params]) => call({ jsonrpc: '2.0', id: 1, method, params }))

const REST: Record<string, (as: Speaker, id: string) => Call[]> = {
  'POST /message:send': (as, id) => sends(as, id).map((body) => call(body)),
  'POST /message:stream': (as, id) => [call(sent(as, { taskId: id }))],
  'GET /tasks': (_, id) => [call(undefined, {}), call(undefined, { contextId: id, includeArtifacts: 'true' })],
  'GET /tasks/{id}': () => [call()],
  'POST /tasks/{id}:cancel': () => [call({})],
  'GET /tasks/{id}:subscribe': () => [call()],
  'POST /tasks/{id}:subscribe': () => [call({})],
  'POST /tasks/{id}/pushNotificationConfigs': () => [call(config)],
  'GET /tasks/{id}/pushNotificationConfigs': () => [call()],
  'GET /tasks/{id}/pushNotificationConfigs/{config}': () => [call()],
  'DELETE /tasks/{id}/pushNotificationConfigs/{config}': () => [call()],
  'GET /extendedAgentCard': () => [call()],
}

const at = (root: string, most = Number.POSITIVE_INFINITY) => {
  const all = {
    'POST ': rpcCalls,
    ...Object.fromEntries(Object.entries(REST).map(([key, calls]) => [key.replace(' ', ' /v1'), calls])),
  }
  return Object.fromEntries(
    Object.entries(all).map(([key, calls]) => [
      key.replace(' ', ` ${root}`),
      (as: Speaker, id: string) => calls(as, id).slice(0, most),
    ]),
  )
}

/** Method and path of an endpoint → its calls. The addresses of an agent are answered by the same code: few calls will do. */
export const A2A_CALLS: Readonly<Record<string, (as: Speaker, id: string) => Call[]>> = {
  'GET /.well-known/agent-card.json': () => [{}],
  'GET /a2a/agents/{agent}/.well-known/agent-card.json': () => [{}],
  ...at('/a2a'),
  ...at('/a2a/agents/{agent}', 1),
}
