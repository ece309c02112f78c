/** Agents of other systems ask for work by A2A 1.0, with the SDK's client, over both bindings. */
import { TaskState } from '@a2a-js/sdk'
import { describe, expect, it, vi } from 'vitest'
import { asId, type PeerId } from '@/lib/mas/ids'
import type { PeerConfig } from '@/lib/mas/outside/records'
import { memoryData } from '@/test/memoryStore'
import { says, saysFyi } from '@/test/stories'
import type { SkillScript } from '@/test/testEngine'
import { TEAM } from '@/test/worldHistories'
import {
  A2A_PEER,
  A2A_URI,
  type A2aSystem,
  BINDINGS,
  expectState,
  openA2aSystem,
  send,
  textOf,
  userMessage,
} from '../../test/a2a/a2aPeer'
import { KEY, PEER } from '../../test/adapterSystem'

const OTHER: PeerConfig = {
  ...A2A_PEER,
  id: asId<PeerId>('00000000-0000-4000-8000-00000000beef'),
  uri: 'agent://third.example/buyer',
}
const SECRETS = [
  { id: PEER.id, key: KEY, sendKey: null, signingKey: null },
  { id: OTHER.id, key: 'key-of-the-third', sendKey: null, signingKey: null },
]

/** The agent asks the caller which list counts, and answers with what it hears. */
const asksFirst: SkillScript = (step, { world }) => {
  if (step.executor !== 'send_message') return null
  const asked = step.answers && world.messages[step.task]?.[step.answers.message]
  return asked?.text === 'North' ? saysFyi([], 'North has 3.20.') : says([A2A_URI], { message: 'Which list?' })
}

/** out: a system whose agents do nothing until `go` is called */
async function openHeld(answer = 'It is 7.') {
  let go = (): void => {}
  const gate = new Promise<void>((resolve) => {
    go = resolve
  })
  const skill: SkillScript = async (step, { signal }) => {
    await Promise.race([gate, new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))])
    return step.executor === 'send_message' ? saysFyi([], answer) : null
  }
  return { system: await openA2aSystem({ skill }), go }
}

const soon = { returnImmediately: true }
const sentTo = (system: A2aSystem) => system.heard().map(({ text }) => text)

describe.each(BINDINGS)('over %s', (binding) => {
  it('[R860] a message begins a task in a conversation, which ends with the answer as its result', async () => {
    const system = await openA2aSystem()
    const client = await system.client({ binding })
    const task = await send(client, userMessage('How many?'))
    expectState(task, 'TASK_STATE_COMPLETED')
    expect(textOf(task.status?.message)).toBe('It is 7.')
    expect(task.artifacts.map(({ artifactId }) => artifactId)).toEqual(['result'])
    expect(task.contextId).toBe(system.conversations()[0]?.shared)
    expect(await client.getTask({ tenant: '', id: task.id })).toEqual(task)
    expect(task.history.map(textOf)).toEqual(['How many?', 'It is 7.'])
  })

  it('[R861] a question to the caller is input required; a message to the task answers it, and the same again has no second effect', async () => {
    const system = await openA2aSystem({ skill: asksFirst })
    const client = await system.client({ binding })
    const asked = await send(client, userMessage('What does north have?'))
    expectState(asked, 'TASK_STATE_INPUT_REQUIRED')
    expect(textOf(asked.status?.message)).toBe('Which list?')
    const answer = userMessage('North', { taskId: asked.id, contextId: asked.contextId })
    const task = await send(client, answer)
    expectState(task, 'TASK_STATE_COMPLETED')
    expect(task.id).toBe(asked.id)
    expect(textOf(task.status?.message)).toBe('North has 3.20.')
    expect(await send(client, answer)).toEqual(task)
    expect(sentTo(system)).toEqual(['What does north have?', 'North'])
  })

  it('[R860] after its end a message with the contextId begins the next task there, and none is added to the ended one', async () => {
    const system = await openA2aSystem()
    const client = await system.client({ binding })
    const first = await send(client, userMessage('How many?'))
    const next = await send(client, userMessage('And now?', { contextId: first.contextId }))
    expect(next.contextId).toBe(first.contextId)
    expect(next.id).not.toBe(first.id)
    expect(next.history.map(textOf)).toEqual(['And now?', 'It is 7.'])
    await expect(send(client, userMessage('More', { taskId: first.id }))).rejects.toThrow('The task is over.')
    expect(system.conversations()).toHaveLength(1)
  })

  it('[R862] a stream begins with the task, brings each change in order and ends with the task; another stream gets the same and outlives it', async () => {
    const { system, go } = await openHeld()
    const client = await system.client({ binding })
    const message = userMessage('How many?')
    const began = client.sendMessageStream({ tenant: '', message, configuration: undefined, metadata: undefined })
    const first = (await began.next()).value
    if (first?.payload?.$case !== 'task') throw new Error('no task came first')
    const { id } = first.payload.value
    const leaver = client.resubscribeTask({ tenant: '', id })
    expect((await leaver.next()).value?.payload?.$case).toBe('task')
    await leaver.return()
    const again = client.resubscribeTask({ tenant: '', id })
    expect((await again.next()).value?.payload?.$case).toBe('task')
    go()
    const all = async (stream: typeof began) => {
      const events = []
      for await (const { payload } of stream) events.push(payload)
      return events
    }
    const [one, two] = await Promise.all([all(began), all(again)])
    // The one that began it saw more of the beginning.
    expect(one.slice(-two.length)).toEqual(two)
    expect(one.map((payload) => payload?.$case)).toEqual(expect.arrayContaining(['artifactUpdate', 'statusUpdate']))
    const last = one.at(-1)
    if (last?.$case !== 'statusUpdate') throw new Error('no status came last')
    expect(last.value.status?.state).toBe(TaskState.TASK_STATE_COMPLETED)
    await expect(client.resubscribeTask({ tenant: '', id }).next()).rejects.toThrow('The task is over.')
  })

  it('[R863] a canceled task ends its steps and says so to the agent; what is over is not canceled', async () => {
    const { system } = await openHeld()
    const client = await system.client({ binding })
    const task = await send(client, userMessage('How many?'), soon)
    const canceled = await client.cancelTask({ tenant: '', id: task.id, metadata: undefined })
    expectState(canceled, 'TASK_STATE_CANCELED')
    expect(await client.getTask({ tenant: '', id: task.id })).toEqual(canceled)
    const open = Object.values(system.world().steps).flatMap((byAgent) => Object.values(byAgent).flatMap(Object.values))
    expect(open.filter(({ state }) => state === 'running' || state === 'pending')).toEqual([])
    await expect(client.cancelTask({ tenant: '', id: task.id, metadata: undefined })).rejects.toThrow(
      'The task is over.',
    )
  })

  it('[R864] ListTasks has the newest first, page by page by a cursor, of the caller only', async () => {
    const system = await openA2aSystem({ peers: [A2A_PEER, OTHER], secrets: SECRETS })
    const [client, other] = [
      await system.client({ binding }),
      await system.client({ binding, key: 'key-of-the-third' }),
    ]
    const ids: string[] = []
    for (const text of ['one', 'two', 'three']) ids.unshift((await send(client, userMessage(text))).id)
    const theirs = await send(other, userMessage('four'))
    const list = (of: typeof client, pageToken = '') =>
      of.listTasks({ tenant: '', contextId: '', status: 0, pageSize: 2, pageToken, statusTimestampAfter: undefined })
    const page = await list(client)
    expect(page.tasks.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    expect(page.totalSize).toBe(3)
    const rest = await list(client, page.nextPageToken)
    expect(rest.tasks.map(({ id }) => id)).toEqual(ids.slice(2))
    expect(rest.nextPageToken).toBe('')
    expect((await list(other)).tasks.map(({ id }) => id)).toEqual([theirs.id])
    await expect(list(client, 'none')).rejects.toThrow('pageToken')
  })

  it('[R865] a peer finds no task of another, adds nothing to it, and cannot cancel, follow or be told of it', async () => {
    const system = await openA2aSystem({ peers: [A2A_PEER, OTHER], secrets: SECRETS, skill: asksFirst })
    const [client, other] = [
      await system.client({ binding }),
      await system.client({ binding, key: 'key-of-the-third' }),
    ]
    const { id, contextId } = await send(client, userMessage('What?'))
    const head = system.world().messages
    const push = { tenant: '', id: '', taskId: id, url: 'https://push.example/1', token: '', authentication: undefined }
    await expect(other.getTask({ tenant: '', id })).rejects.toThrow('no such task')
    await expect(other.cancelTask({ tenant: '', id, metadata: undefined })).rejects.toThrow('no such task')
    await expect(other.resubscribeTask({ tenant: '', id }).next()).rejects.toThrow('no such task')
    await expect(other.createTaskPushNotificationConfig(push)).rejects.toThrow('no such task')
    await expect(send(other, userMessage('North', { taskId: id }))).rejects.toThrow('no such task')
    await expect(send(other, userMessage('North', { contextId }))).rejects.toThrow('no such contextId')
    expect(system.world().messages).toBe(head)
  })
})

it('[R865] a stranger, an unknown key and a peer without the right are refused, in the form of each binding', async () => {
  const peers = [{ ...A2A_PEER, may: ['mamp' as const] }, OTHER]
  const system = await openA2aSystem({ peers, secrets: SECRETS })
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ListTasks', params: {} })
  for (const [key, status] of [
    [null, 401],
    ['nobody-knows', 401],
    [KEY, 403],
  ] as const) {
    const rest = await system.raw('/a2a/v1/tasks', { key })
    expect([rest.status, await rest.json()]).toEqual([status, { error: expect.objectContaining({ code: status }) }])
    const rpc = await system.raw('/a2a', { method: 'POST', body, key })
    expect([rpc.status, await rpc.json()]).toEqual([status, expect.objectContaining({ error: expect.anything() })])
    const card = await system.raw('/a2a/agents/reader/.well-known/agent-card.json', { key })
    expect(card.status).toBe(status)
  }
})

it('[R866] an agent has a card of its own for a peer that may reach it, and its address leads to it', async () => {
  const system = await openA2aSystem()
  const client = await system.client({ agent: 'reader' })
  const task = await send(client, userMessage('How many?'))
  expect(system.conversations()[0]?.ours).toBe(TEAM.reader.id)
  expect(
    await (await system.client({ binding: 'HTTP+JSON', agent: 'reader' })).getTask({ tenant: '', id: task.id }),
  ).toEqual(task)
  const unreachable = await system.raw('/a2a/agents/writer/.well-known/agent-card.json')
  expect(unreachable.status).toBe(404)
})

it('[R860] parts of all kinds arrive: text, data as JSON, a file by bytes, one by its address', async () => {
  const system = await openA2aSystem()
  const client = await system.client()
  const plain = { metadata: undefined, filename: '', mediaType: '' }
  await send(client, {
    ...userMessage('Read these'),
    parts: [
      { ...plain, content: { $case: 'text', value: 'Read these' } },
      { ...plain, content: { $case: 'data', value: { apple: 3.2 } } },
      { ...plain, filename: 'a.csv', mediaType: 'text/csv', content: { $case: 'raw', value: Buffer.from('a,1') } },
      { ...plain, filename: 'b.pdf', content: { $case: 'url', value: 'https://files.example/b.pdf' } },
    ],
  })
  const [message] = system.heard()
  expect(message?.text).toBe(
    'Read these\n\n```json\n{\n  "apple": 3.2\n}\n```\n\n[b.pdf](<https://files.example/b.pdf>)',
  )
  expect(message?.attachments.map(({ name, body }) => [name, body.mime])).toEqual([['a.csv', 'text/csv']])
})

it('[R861] a task waits for its answer over a restart, at the node that comes next', async () => {
  const data = memoryData()
  const before = await openA2aSystem({ skill: asksFirst, data, prefix: 'first' })
  const asked = await send(await before.client(), userMessage('What does north have?'))
  await before.adapters.stop()
  await before.engine.stop()
  const after = await openA2aSystem({ skill: asksFirst, data, prefix: 'second' })
  const client = await after.client({ binding: 'HTTP+JSON' })
  expectState(await client.getTask({ tenant: '', id: asked.id }), 'TASK_STATE_INPUT_REQUIRED')
  expectState(await send(client, userMessage('North', { taskId: asked.id })), 'TASK_STATE_COMPLETED')
})

it('[R862] a call that waits returns with the task as it is when the server stops', async () => {
  const { system } = await openHeld()
  const waiting = send(await system.client(), userMessage('How many?'))
  await vi.waitFor(() => expect(system.conversations()).toHaveLength(1))
  await system.adapters.stop()
  expect([TaskState.TASK_STATE_SUBMITTED, TaskState.TASK_STATE_WORKING]).toContain((await waiting).status?.state)
})
