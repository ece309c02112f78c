/** Every MUST of the test kit a2aproject/a2a-tck (branch 1.0-dev) that this server can hold, by its id; docs/a2a.md lists the others. */
import { readFileSync } from 'node:fs'
import { AgentCard, ListTasksResponse } from '@a2a-js/sdk'
import { beforeEach, describe, expect, it } from 'vitest'
import { says, saysFyi } from '@/test/stories'
import type { SkillScript } from '@/test/testEngine'
import { A2A_URI, type A2aSystem, openA2aSystem } from '../../test/a2a/a2aPeer'
import { MUSTS } from '../../test/a2a/musts'

type Json = Record<string, unknown>
const BINDINGS = ['JSONRPC', 'HTTP+JSON'] as const
type Operation =
  | 'SendMessage'
  | 'GetTask'
  | 'CancelTask'
  | 'ListTasks'
  | 'CreateTaskPushNotificationConfig'
  | 'GetTaskPushNotificationConfig'
  | 'ListTaskPushNotificationConfigs'
  | 'DeleteTaskPushNotificationConfig'
  | 'GetExtendedAgentCard'

/** A request "wait" is worked on until the test ends, "ask" is asked back, "fail" fails; any other is answered. */
const skill: SkillScript = async (step, { world, signal }) => {
  if (step.executor !== 'send_message') return null
  const asked = (step.answers && world.messages[step.task]?.[step.answers.message]?.text) ?? ''
  if (asked.startsWith('wait'))
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  return asked.startsWith('ask') ? says([A2A_URI], { message: 'Which list?' }) : saysFyi([], 'It is 7.')
}

let system: A2aSystem
let sent = 0
beforeEach(async () => {
  system = await openA2aSystem({ skill })
})

const messageOf = (text: string, more: Json = {}): Json => {
  sent += 1
  return { messageId: `m-${sent}`, role: 'ROLE_USER', parts: [{ text }], ...more }
}
/** A call of either binding. out: result or error as JSON, status of HTTP */
async function call(
  binding: (typeof BINDINGS)[number],
  operation: Operation,
  params: Json,
  more: { version?: string | null; key?: string | null } = {},
): Promise<{ result: Json; error: Json | undefined; status: number; type: string }> {
  if (binding === 'JSONRPC') {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'r-1', method: operation, params })
    const answer = await system.raw('/a2a', { method: 'POST', body, ...more })
    const json: Json = await answer.json()
    return { result: objectIn(json.result), error: errorIn(json), status: answer.status, type: typeOf(answer) }
  }
  const { method, path, body } = restOf(operation, params)
  const answer = await system.raw(`/a2a/v1${path}`, { method, ...(body === undefined ? {} : { body }), ...more })
  const json: Json = answer.status === 204 ? {} : await answer.json()
  return { result: json, error: errorIn(json), status: answer.status, type: typeOf(answer) }
}
const typeOf = (answer: Response): string => answer.headers.get('content-type') ?? ''
const errorIn = ({ error }: Json): Json | undefined => (error === undefined ? undefined : objectIn(error))
const objectIn = (value: unknown): Json => (typeof value === 'object' && value !== null ? { ...value } : {})
const listIn = (value: unknown): Json[] => (Array.isArray(value) ? value.map(objectIn) : [])

function restOf(operation: Operation, params: Json): { method: string; path: string; body?: string } {
  const { id, taskId, ...rest } = params
  const query = new URLSearchParams(Object.entries(rest).map(([name, value]) => [name, String(value)]))
  const pushes = `/tasks/${taskId}/pushNotificationConfigs`
  switch (operation) {
    case 'SendMessage':
      return { method: 'POST', path: '/message:send', body: JSON.stringify(params) }
    case 'GetTask':
      return { method: 'GET', path: `/tasks/${id}?${query}` }
    case 'ListTasks':
      return {
        method: 'GET',
        path: `/tasks?${new URLSearchParams(Object.entries(params).map(([name, value]) => [name, String(value)]))}`,
      }
    case 'CancelTask':
      return { method: 'POST', path: `/tasks/${id}:cancel`, body: '{}' }
    case 'CreateTaskPushNotificationConfig':
      return { method: 'POST', path: pushes, body: JSON.stringify({ id, ...rest }) }
    case 'ListTaskPushNotificationConfigs':
      return { method: 'GET', path: pushes }
    case 'GetTaskPushNotificationConfig':
      return { method: 'GET', path: `${pushes}/${id}` }
    case 'DeleteTaskPushNotificationConfig':
      return { method: 'DELETE', path: `${pushes}/${id}` }
    case 'GetExtendedAgentCard':
      return { method: 'GET', path: '/extendedAgentCard' }
  }
}

/** The events of a stream, until it ends or so many came. */
async function events(answer: Response, most = Number.POSITIVE_INFINITY): Promise<Json[]> {
  const found: Json[] = []
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of answer.body ?? []) {
    text += decoder.decode(piece, { stream: true })
    const lines = text.split('\n\n')
    text = lines.pop() ?? ''
    found.push(...lines.flatMap((line) => (line.startsWith('data: ') ? [objectIn(JSON.parse(line.slice(6)))] : [])))
    if (found.length >= most) break
  }
  return found
}

const taskIn = ({ result }: { result: Json }): Json => objectIn(result.task ?? result)
const stateIn = (task: Json): unknown => objectIn(task.status).state
/** The reason of the error, whose form is checked on the way. */
function reasonOf(
  binding: (typeof BINDINGS)[number],
  { error, status, type }: Awaited<ReturnType<typeof call>>,
): unknown {
  expect(type).toContain('application/json')
  const details = listIn(binding === 'JSONRPC' ? error?.data : error?.details)
  const info = details.find((one) => one['@type'] === 'type.googleapis.com/google.rpc.ErrorInfo')
  expect(info?.domain).toBe('a2a-protocol.org')
  expect(typeof error?.message).toBe('string')
  if (binding === 'HTTP+JSON') {
    expect(error?.code).toBe(status)
    expect(typeof error?.status).toBe('string')
  }
  return info?.reason
}
const CODES: Record<string, [rpc: number, http: number]> = {
  TASK_NOT_FOUND: [-32001, 404],
  TASK_NOT_CANCELABLE: [-32002, 400],
  UNSUPPORTED_OPERATION: [-32004, 400],
  CONTENT_TYPE_NOT_SUPPORTED: [-32005, 400],
  VERSION_NOT_SUPPORTED: [-32009, 400],
  INVALID_PARAMS: [-32602, 400],
}
async function refused(
  binding: (typeof BINDINGS)[number],
  reason: keyof typeof CODES,
  ...args: [operation: Operation, params: Json, more?: { version?: string | null }]
): Promise<void> {
  const answer = await call(binding, ...args)
  expect(reasonOf(binding, answer)).toBe(reason)
  expect(binding === 'JSONRPC' ? answer.error?.code : answer.status).toBe(
    CODES[reason]?.[binding === 'JSONRPC' ? 0 : 1],
  )
}
const NONE = '00000000-0000-4000-8000-00000000dead'
const soon = { configuration: { returnImmediately: true } }
const push = (taskId: unknown, more: Json = {}): Json => ({
  taskId,
  url: 'https://push.example/1',
  token: 'secret',
  ...more,
})

describe.each(BINDINGS)('over %s', (binding) => {
  const start = async (text: string, more: Json = {}): Promise<Json> =>
    taskIn(await call(binding, 'SendMessage', { message: messageOf(text), ...more }))
  const stream = (params: Json): Promise<Response> =>
    binding === 'JSONRPC'
      ? system.raw('/a2a', {
          method: 'POST',
          body: JSON.stringify({ jsonrpc: '2.0', id: 'r-1', method: 'SendStreamingMessage', params }),
        })
      : system.raw('/a2a/v1/message:stream', { method: 'POST', body: JSON.stringify(params) })
  const subscribe = (id: unknown): Promise<Response> =>
    binding === 'JSONRPC'
      ? system.raw('/a2a', {
          method: 'POST',
          body: JSON.stringify({ jsonrpc: '2.0', id: 'r-1', method: 'SubscribeToTask', params: { id } }),
        })
      : system.raw(`/a2a/v1/tasks/${id}:subscribe`, { method: 'POST', body: '{}' })
  const bodyOf = (event: Json | undefined): Json => objectIn(binding === 'JSONRPC' ? event?.result : event)

  it('CORE-SEND-001 CORE-MULTI-003 CORE-MULTI-001a SendMessage answers with a task that has ids of its own', async () => {
    const [one, two] = [await start('a'), await start('b')]
    expect(one.id).not.toBe(two.id)
    expect(one.contextId).not.toBe(two.contextId)
    expect(typeof one.contextId).toBe('string')
  })
  it('CORE-SEND-002 a message to a task that is over is an unsupported operation', async () => {
    const { id } = await start('a')
    await refused(binding, 'UNSUPPORTED_OPERATION', 'SendMessage', { message: messageOf('b', { taskId: id }) })
    const waiting = await start('wait', soon)
    await call(binding, 'CancelTask', { id: waiting.id })
    await refused(binding, 'UNSUPPORTED_OPERATION', 'SendMessage', { message: messageOf('b', { taskId: waiting.id }) })
  })
  it('CORE-SEND-003 a media type that is not taken is refused as such', () =>
    refused(binding, 'CONTENT_TYPE_NOT_SUPPORTED', 'SendMessage', {
      message: messageOf('a', { parts: [{ raw: 'YQ==', mediaType: 'application/x-unknown' }] }),
    }))
  it('CORE-STREAM-001 CORE-STREAM-003 STREAM-ORDER-001 JSONRPC-SSE-001 HTTP_JSON-SSE-001 a stream is an event stream that begins with the task and closes with its end', async () => {
    const answer = await stream({ message: messageOf('a') })
    expect(answer.headers.get('content-type')).toContain('text/event-stream')
    const all = (await events(answer)).map(bodyOf)
    expect(all.map((one) => Object.keys(one).length)).toEqual(all.map(() => 1))
    expect(Object.keys(all[0] ?? {})).toEqual(['task'])
    expect(stateIn(objectIn(all.at(-1)?.statusUpdate))).toBe('TASK_STATE_COMPLETED')
  })
  it('STREAM-SUB-001 STREAM-SUB-002 STREAM-ORDER-002 STREAM-ORDER-003 STREAM-ORDER-004 all streams of a task get the same, and closing one leaves the others', async () => {
    const { id, contextId } = await start('ask', soon)
    const leave = await subscribe(id)
    await events(leave, 1)
    const streams = [await subscribe(id), await subscribe(id)]
    const reading = streams.map((one) => events(one))
    await expect
      .poll(async () => stateIn(taskIn(await call(binding, 'GetTask', { id }))))
      .toBe('TASK_STATE_INPUT_REQUIRED')
    await call(binding, 'SendMessage', { message: messageOf('North', { taskId: id, contextId }) })
    const [one, two] = (await Promise.all(reading)).map((all) => all.map(bodyOf))
    expect(Object.keys(one?.[0] ?? {})).toEqual(['task'])
    expect(one?.slice(1)).toEqual(two?.slice(1 - (one?.length ?? 0)))
    expect(stateIn(objectIn(one?.at(-1)?.statusUpdate))).toBe('TASK_STATE_COMPLETED')
  })
  it('STREAM-SUB-003 STREAM-SUB-004 a task that is over, or none, is not subscribed to', async () => {
    const { id } = await start('a')
    for (const [one, reason] of [
      [id, 'UNSUPPORTED_OPERATION'],
      [NONE, 'TASK_NOT_FOUND'],
    ] as const) {
      const answer = await subscribe(one)
      const json: Json = await answer.json()
      const error = errorIn(json)
      expect(reasonOf(binding, { result: {}, error, status: answer.status, type: typeOf(answer) })).toBe(reason)
    }
  })
  it('CORE-GET-001 DM-TASK-001 DM-STATUS-001 DM-TASK-002 DM-ART-001 DM-SERIAL-001 DM-SERIAL-002 DM-SERIAL-003 DM-MSG-001 DM-MSG-002 DM-PART-001 GetTask has the task with status, artifacts and history in the forms of the protocol', async () => {
    const { id } = await start('a')
    const task = taskIn(await call(binding, 'GetTask', { id }))
    expect(task.id).toBe(id)
    expect(stateIn(task)).toBe('TASK_STATE_COMPLETED')
    expect(objectIn(task.status).timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(listIn(task.artifacts)).toMatchObject([{ artifactId: 'result', parts: [{ text: 'It is 7.' }] }])
    const history = listIn(task.history)
    expect(history.map(({ role }) => role)).toEqual(['ROLE_USER', 'ROLE_AGENT'])
    for (const { messageId, parts } of history) {
      expect(typeof messageId).toBe('string')
      for (const part of listIn(parts))
        expect(['text', 'raw', 'url', 'data'].filter((name) => Object.hasOwn(part, name))).toHaveLength(1)
    }
    expect(JSON.stringify(task)).not.toMatch(/"[a-z]+_[a-z_]+":/)
  })
  it('CORE-GET-002 CORE-CANCEL-003 CORE-MULTI-004 AUTH-SCOPE-003 a task that is none is not found', async () => {
    await refused(binding, 'TASK_NOT_FOUND', 'GetTask', { id: NONE })
    await refused(binding, 'TASK_NOT_FOUND', 'CancelTask', { id: NONE })
    await refused(binding, 'TASK_NOT_FOUND', 'SendMessage', { message: messageOf('a', { taskId: NONE }) })
  })
  it('CORE-LIST-002 CORE-LIST-003 CORE-LIST-004 CORE-LIST-005 HTTP_JSON-QP-001 ListTasks goes on by a cursor, newest first, without artifacts unless asked for', async () => {
    const { id, contextId } = await start('a')
    const next = await start('b', { message: messageOf('b', { contextId }) })
    const page = await call(binding, 'ListTasks', { contextId: String(contextId), pageSize: 1 })
    expect(listIn(page.result.tasks).map((task) => task.id)).toEqual([next.id])
    expect(listIn(page.result.tasks).flatMap(Object.keys)).not.toContain('artifacts')
    const rest = await call(binding, 'ListTasks', {
      contextId: String(contextId),
      ...{ pageSize: 1, pageToken: String(page.result.nextPageToken), includeArtifacts: true },
    })
    expect(listIn(rest.result.tasks)).toMatchObject([{ id, artifacts: [{ artifactId: 'result' }] }])
    expect(rest.result.nextPageToken).toBe('')
    expect(ListTasksResponse.fromJSON(page.result).totalSize).toBe(2)
  })
  it('CORE-LIST-001 AUTH-SCOPE-001 AUTH-SCOPE-002 AUTH-SERVER-002 BIND-EQUIV-004 each operation asks for the key', async () => {
    const all: [Operation, Json][] = [
      ['SendMessage', { message: messageOf('a') }],
      ['GetTask', { id: NONE }],
      ['ListTasks', {}],
      ['CancelTask', { id: NONE }],
      ['CreateTaskPushNotificationConfig', push(NONE)],
      ['GetTaskPushNotificationConfig', { taskId: NONE, id: 'x' }],
      ['ListTaskPushNotificationConfigs', { taskId: NONE }],
      ['DeleteTaskPushNotificationConfig', { taskId: NONE, id: 'x' }],
    ]
    for (const [operation, params] of all)
      for (const key of [null, 'a-key-of-nobody'])
        expect((await call(binding, operation, params, { key })).status).toBe(401)
  })
  it('CORE-CANCEL-001 CORE-CANCEL-002 CancelTask ends the task and refuses one that is over', async () => {
    const { id } = await start('wait', soon)
    expect(stateIn(taskIn(await call(binding, 'CancelTask', { id })))).toBe('TASK_STATE_CANCELED')
    await refused(binding, 'TASK_NOT_CANCELABLE', 'CancelTask', { id })
  })
  it('CORE-EXECUTION-MODE-001 CORE-EXECUTION-MODE-002 a call waits for an end or a question, unless it asks to return at once', async () => {
    expect(stateIn(await start('a'))).toBe('TASK_STATE_COMPLETED')
    expect(stateIn(await start('ask'))).toBe('TASK_STATE_INPUT_REQUIRED')
    expect(['TASK_STATE_SUBMITTED', 'TASK_STATE_WORKING']).toContain(stateIn(await start('wait', soon)))
  })
  it('CORE-ERR-001 CORE-ERR-002 DM-SERIAL-004 what lacks a required field is refused by its place', async () => {
    for (const [message, place] of [
      [undefined, 'message'],
      [messageOf('a', { messageId: '' }), 'message.messageId'],
      [messageOf('a', { parts: [] }), 'message.parts'],
      [messageOf('a', { parts: [{}] }), 'message.parts.0'],
      [messageOf('a', { parts: [{ text: 'a', url: 'https://a.example' }] }), 'message.parts.0'],
      [messageOf('a', { role: 'ROLE_AGENT' }), 'message.role'],
    ] as const) {
      await refused(binding, 'INVALID_PARAMS', 'SendMessage', { message })
      expect((await call(binding, 'SendMessage', { message })).error?.message).toContain(`${place}:`)
    }
    await refused(binding, 'INVALID_PARAMS', 'ListTasks', { pageSize: 0 })
    await refused(binding, 'INVALID_PARAMS', 'ListTasks', { pageSize: 101 })
    await refused(binding, 'INVALID_PARAMS', 'ListTasks', { statusTimestampAfter: 'yesterday' })
  })
  it('CORE-CAP-003 there is no extended card', () =>
    refused(binding, 'UNSUPPORTED_OPERATION', 'GetExtendedAgentCard', {}))
  it('CORE-MULTI-002a CORE-MULTI-005 CORE-MULTI-006 a contextId is ours, that of the task, and inferred from it', async () => {
    await refused(binding, 'INVALID_PARAMS', 'SendMessage', { message: messageOf('a', { contextId: 'mine' }) })
    const { id, contextId } = await start('ask')
    const other = await start('a')
    await refused(binding, 'INVALID_PARAMS', 'SendMessage', {
      message: messageOf('North', { taskId: id, contextId: other.contextId }),
    })
    const task = taskIn(await call(binding, 'SendMessage', { message: messageOf('North', { taskId: id }) }))
    expect([task.id, task.contextId]).toEqual([id, contextId])
  })
  it('CORE-HIST-002 no more messages than historyLength are returned', async () => {
    const { id } = await start('a')
    for (const historyLength of [0, 1, 2])
      expect(listIn(taskIn(await call(binding, 'GetTask', { id, historyLength })).history)).toHaveLength(historyLength)
    await refused(binding, 'INVALID_PARAMS', 'GetTask', { id, historyLength: -1 })
  })
  it('PUSH-CREATE-001 PUSH-CREATE-002 PUSH-GET-001 PUSH-GET-002 PUSH-LIST-001 PUSH-DEL-001 PUSH-DEL-002 configurations are made, read, listed and deleted, also twice', async () => {
    const { id: taskId } = await start('wait', soon)
    const made = (await call(binding, 'CreateTaskPushNotificationConfig', push(taskId))).result
    expect(made).toMatchObject({ taskId, url: 'https://push.example/1', token: 'secret' })
    const at = { taskId, id: String(made.id) }
    await call(binding, 'CreateTaskPushNotificationConfig', push(taskId, { id: 'second' }))
    expect((await call(binding, 'GetTaskPushNotificationConfig', at)).result).toEqual(made)
    expect(listIn((await call(binding, 'ListTaskPushNotificationConfigs', { taskId })).result.configs)).toHaveLength(2)
    for (const _ of [1, 2]) expect((await call(binding, 'DeleteTaskPushNotificationConfig', at)).error).toBeUndefined()
    await refused(binding, 'TASK_NOT_FOUND', 'GetTaskPushNotificationConfig', at)
    await refused(
      binding,
      'INVALID_PARAMS',
      'CreateTaskPushNotificationConfig',
      push(taskId, { url: 'http://127.0.0.1:1/x' }),
    )
  })
  it('VER-SERVER-001 VER-SERVER-002 VER-SERVER-003 VER-CLIENT-002 JSONRPC-SVC-002 HTTP_JSON-SVC-002 the header names the version: none is 0.3, and a patch number does not count', async () => {
    for (const version of ['0.3', '2.0', 'one', null])
      await refused(binding, 'VERSION_NOT_SUPPORTED', 'ListTasks', {}, { version })
    for (const version of ['1.0', '1.0.7'])
      expect((await call(binding, 'ListTasks', {}, { version })).error).toBeUndefined()
  })
  it('JSONRPC-ERR-001 JSONRPC-ERR-002 JSONRPC-ERR-003 JSONRPC-SSE-002 HTTP_JSON-ERR-001 HTTP_JSON-ERR-002 HTTP_JSON-STATUS-001 BIND-EQUIV-003 errors have the code of the binding and the same reason', async () => {
    await refused(binding, 'TASK_NOT_FOUND', 'GetTask', { id: NONE })
    await refused(binding, 'UNSUPPORTED_OPERATION', 'GetExtendedAgentCard', {})
  })
})

it('JSONRPC-FMT-001 JSONRPC-FMT-002 JSONRPC-SVC-001 requests of JSON-RPC are told from what is none', async () => {
  const post = async (body: string, type = 'application/json') => {
    const answer = await system.raw('/a2a', { method: 'POST', body, headers: { 'content-type': type } })
    expect(typeOf(answer)).toContain('application/json')
    const json: Json = await answer.json()
    return [json.jsonrpc, json.id, errorIn(json)?.code]
  }
  const request = { jsonrpc: '2.0', id: 7, method: 'ListTasks', params: {} }
  expect(await post('{')).toEqual(['2.0', null, -32700])
  expect(await post(JSON.stringify({ ...request, jsonrpc: '1.0' }))).toEqual(['2.0', 7, -32600])
  expect(await post(JSON.stringify({ ...request, method: 'list_tasks' }))).toEqual(['2.0', 7, -32601])
  expect(await post(JSON.stringify({ ...request, params: [] }))).toEqual(['2.0', 7, -32602])
  expect(await post(JSON.stringify(request))).toEqual(['2.0', 7, undefined])
  expect(await post(JSON.stringify(request), 'text/plain')).toEqual(['2.0', 7, -32005])
})

it('HTTP_JSON-URL-001 HTTP_JSON-URL-002 HTTP_JSON-SVC-001 paths, methods and types are those of the protocol', async () => {
  const list = await system.raw('/a2a/v1/tasks')
  expect([list.status, typeOf(list)]).toEqual([200, expect.stringContaining('application/json')])
  expect((await system.raw('/a2a/v1/tasks', { method: 'POST', body: '{}' })).status).toBe(405)
  const wrong = await system.raw('/a2a/v1/message:send', {
    method: 'POST',
    body: 'a',
    headers: { 'content-type': 'text/plain' },
  })
  expect(wrong.status).toBe(415)
})

it('CARD-DISC-001 CARD-PROTO-001 CARD-PROTO-002 CARD-STRUCT-001 BIND-FIELD-001 the card names who answers, its skills and both bindings at their addresses', async () => {
  const answer = await system.raw('/.well-known/agent-card.json', { key: null, version: null })
  const card = AgentCard.fromJSON(await answer.json())
  expect(card.name).not.toBe('')
  expect(card.description).not.toBe('')
  expect(card.skills[0]?.tags).not.toEqual([])
  expect(card.capabilities).toMatchObject({ streaming: true, pushNotifications: true })
  expect(
    card.supportedInterfaces.map(({ url, protocolBinding, protocolVersion }) => [
      protocolBinding,
      url,
      protocolVersion,
    ]),
  ).toEqual([
    ['JSONRPC', `${system.url}/a2a`, '1.0'],
    ['HTTP+JSON', `${system.url}/a2a/v1`, '1.0'],
  ])
  expect(answer.headers.get('cache-control')).toContain('max-age=')
  const etag = answer.headers.get('etag') ?? ''
  expect((await system.raw('/.well-known/agent-card.json', { headers: { 'if-none-match': etag } })).status).toBe(304)
})

it('BIND-EQUIV-001 BIND-EQUIV-002 a task is the same over both bindings', async () => {
  const task = taskIn(await call('JSONRPC', 'SendMessage', { message: messageOf('a') }))
  const [one, two] = [
    await call('JSONRPC', 'GetTask', { id: task.id }),
    await call('HTTP+JSON', 'GetTask', { id: task.id }),
  ]
  expect(one.result).toEqual(two.result)
  expect(one.result).toEqual(task)
})

it('every MUST of the kit is tested by its id, or listed in docs/a2a.md with the reason', () => {
  const tests = ['musts.test.ts', 'push.test.ts', 'client.test.ts']
    .map((name) => readFileSync(`packages/interop/adapters/a2a/${name}`, 'utf8'))
    .join('')
  const listed = readFileSync('docs/a2a.md', 'utf8')
  const isIn = (text: string, id: string): boolean => new RegExp(`\\b${id}\\b`).test(text)
  expect(MUSTS.filter((id) => isIn(tests, id) === isIn(listed, id))).toEqual([])
})
