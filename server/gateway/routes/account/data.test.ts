/** A person's own data as one file: what is in it, for whom, and one at a time. */
import { expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { type EventShape, event } from '@/lib/mas/events'
import { type AgentId, asId, type HandOverId, type MessageId, type RequestId, type TaskId } from '@/lib/mas/ids'
import { myData } from '@/lib/wire/http'
import type { NotifyPort } from '../../ports'
import { type Double, openDouble } from '../../test/gatewayDouble'
import { facts, ID } from '../../test/world'

const uuid = (n: number) => `00000000-0000-4000-8000-000000000${n}`
const [ANAS, BENS, PASSED, LATE] = [811, 812, 813, 814].map((n) => asId<MessageId>(uuid(n)))
const [ANAS_REQUEST, DONE] = [asId<RequestId>(uuid(821)), asId<TaskId>(uuid(831))]

const dataOf = async ({ call }: Pick<Double, 'call'>, cookie: string) => {
  const { status, json, headers } = await call('GET', '/api/me/data', { cookie })
  expect(status).toBe(200)
  return { data: myData.parse(json), text: JSON.stringify(json), headers }
}

function sent(
  message: MessageId | undefined,
  sender: AgentId,
  receivers: AgentId[],
  more: Partial<EventShape<'message.sent'>>,
) {
  const like = facts.find((one) => one.type === 'message.sent')
  if (like?.type !== 'message.sent' || message === undefined) throw new Error('nothing was sent')
  return { ...like, stage: null, instruction: null, message, sender, receivers, dispatch: message, ...more }
}

const ASKED_BY_MESSAGE = asId<RequestId>(uuid(822))

/** What a message asks of a person: its text is the question. */
function asks(message: MessageId | undefined, person: AgentId) {
  if (message === undefined) throw new Error('nothing was sent')
  const ask = { request: ASKED_BY_MESSAGE, person, message }
  return event('message.asked', { task: ID.prices, thread: null, asker: ID.ana, asks: [ask] })
}

function opened(request: RequestId, asked: AgentId[], question: string) {
  const like = facts.find((one) => one.type === 'request.opened')
  if (like?.type !== 'request.opened') throw new Error('nothing was asked')
  const fact = { task: ID.prices, request, seed: { ...like.seed, asked, question, message: null, number: 2 } }
  return { ...event('request.opened', fact), ...fact }
}

const answered = (request: RequestId, by: AgentId, text: string, owner: AgentId | null = null) =>
  event('request.answered', {
    ...{ task: ID.prices, request },
    answer: { by, for: owner, decision: 'answer', text, arguments: null },
  })

it('[R357] a person gets their account, settings, drafts, sessions and channels as one file, without a secret', async () => {
  const times = { ownMs: 1, noPageMs: 1, againMs: 1, untilMs: 1, raiseAgainMs: 1 }
  const notify: NotifyPort = {
    ladder: { againMs: 1, untilMs: 2, openMs: 3, openAgainMs: 4 },
    channelsOf: () => ({
      pushKey: 'key-of-the-team',
      browsers: [{ id: 'b1', name: 'Firefox', at: 5, endpoint: 'https://push.example/token-of-the-browser' }],
      email: { state: 'ready', to: 'ben@example.org' },
      webhook: { state: 'none', to: null },
      times,
    }),
    subscribe: async () => ({ id: 'b1' }),
    unsubscribe: async () => {},
    test: async () => ({ ok: true, words: '', hint: null }),
    settingsChanged: () => {},
  }
  const double = await openDouble({ notify })
  const { call, signIn, store } = double
  const [ben, ana] = [await signIn('ben'), await signIn('ana')]
  await call('PUT', '/api/me/settings', { cookie: ben, body: { theme: 'dark' } })
  await call('PUT', '/api/drafts/direct:manager', { cookie: ben, body: { text: 'half a “question”', version: null } })
  await call('PUT', '/api/drafts/direct:manager', { cookie: ana, body: { text: 'a draft of Ana', version: null } })
  await call('PUT', '/api/read/notices', { cookie: ben, body: { seq: 3 } })
  const file = { name: 'list.txt', mime: 'text/plain', base64: Buffer.from('seven lines').toString('base64') }
  await call('POST', '/api/attachments', { cookie: ben, body: file })
  await call('POST', '/api/sessions/end', { cookie: await signIn('ben') })
  const { data, text, headers } = await dataOf(double, ben)
  expect(headers.get('content-disposition')).toContain('convene-ben.json')
  expect(data).toMatchObject({
    account: { agent_id: ID.ben, id: 'ben', name: 'Ben', role: 'tester', access: 'participant', hasPassword: true },
    settings: { theme: 'dark' },
    drafts: [{ key: 'direct:manager', text: 'half a “question”' }],
    sessions: [{ isThis: true, address: '127.0.0.1' }],
    endedSessions: [{ address: '127.0.0.1', endedAt: double.clock.now }],
    channels: { browsers: [{ name: 'Firefox', service: 'push.example', at: 5 }], email: { to: 'ben@example.org' } },
    read: [{ place: 'notices', seq: 3 }],
    uploads: [{ name: 'list.txt', bytes: 11 }],
  })
  expect(Object.keys(data.account)).toContain('groups')
  const secrets = [
    ben.split('=')[1],
    await store.accounts.passwordHash(ID.ben),
    'key-of-the-team',
    'token-of-the-browser',
  ]
  for (const secret of [...secrets, 'a draft of Ana', 'seven lines']) expect(text).not.toContain(secret)
})

it('[R357] it holds the messages from and to them, the requests to them and their answers, and nothing of others', async () => {
  const double = await openDouble()
  const list = { name: 'list.csv', body: bodyOf('inside the file').ref, savedAs: 'inbox/list.csv' }
  await double.engine.put([
    sent(ANAS, ID.ana, [ID.reader], { text: 'Ana to Reader' }),
    sent(BENS, ID.ben, [ID.ana], { text: 'Ben to Ana', attachments: [list] }),
    opened(ANAS_REQUEST, [ID.ana], 'Only for Ana?'),
    answered(ID.ask, ID.ben, 'the answer of Ben'),
    answered(ANAS_REQUEST, ID.ana, 'the answer of Ana'),
  ])
  const { data, text } = await dataOf(double, await double.signIn('ben'))
  const task = { id: ID.prices, name: 'Prices' }
  expect(data.history).toMatchObject([
    { what: 'message', id: ID.question, task, from: { name: 'Reader' }, to: [{ name: 'Ben' }], text: 'Which holds?' },
    { what: 'request', id: ID.ask, task, from: { name: 'Reader' }, choices: ['3.20', '3.50'] },
    { what: 'message', id: BENS, text: 'Ben to Ana', attachments: [{ name: 'list.csv', savedAs: 'inbox/list.csv' }] },
    { what: 'answer', id: ID.ask, from: { name: 'Ben' }, text: 'the answer of Ben' },
  ])
  for (const word of [
    'Ana to Reader',
    'Only for Ana?',
    'the answer of Ana',
    'inside the file',
    'secret',
    'Allow write_file',
  ])
    expect(text).not.toContain(word)
  const anas = await dataOf(double, await double.signIn('ana'))
  expect(anas.data.history.map((one) => ('text' in one ? one.text : one.question))).toEqual([
    ...['Allow write_file?', 'Ana to Reader', 'Ben to Ana', 'Only for Ana?', 'the answer of Ana'],
  ])
})

it('[R357] who was removed from a task keeps what they wrote and got, of a task that left the world too', async () => {
  const double = await openDouble()
  const about = { intention: 'done', manager: ID.manager, base: false, requestedBy: null, requestedIn: null }
  await double.engine.put([
    event('task.participantsChanged', { task: ID.prices, added: [], removed: [ID.ben] }),
    sent(LATE, ID.ana, [ID.reader], { text: 'after Ben' }),
    event('task.added', { task: DONE, name: 'Long done', group: [ID.manager, ID.ben], ...about }),
    sent(BENS, ID.ben, [ID.manager], { task: DONE, text: 'before the archive' }),
    event('task.archived', { task: DONE, agents: [] }),
  ])
  const { data, text } = await dataOf(double, await double.signIn('ben'))
  expect(data.history).toMatchObject([
    { text: 'Which holds?' },
    { question: 'Which holds?' },
    { text: 'before the archive', task: { id: DONE, name: 'Long done' } },
  ])
  expect(text).not.toContain('after Ben')
})

it('[R357] a message or request that was handed to them is theirs, and an answer that was given for them', async () => {
  const double = await openDouble()
  const handOver = asId<HandOverId>('h-1')
  await double.engine.put([
    sent(PASSED, ID.reader, [ID.ana], { text: 'first to Ana' }),
    opened(ANAS_REQUEST, [ID.ana], 'Asked of Ana?'),
    asks(PASSED, ID.ana),
    event('request.transferOffered', {
      ...{ task: ID.prices, request: ASKED_BY_MESSAGE, from: ID.ana, to: ID.ben, handOver },
      sentence: 'Yours, please',
    }),
    event('request.escalated', { task: ID.prices, request: ANAS_REQUEST, from: ID.ana, to: ID.ben }),
    answered(ANAS_REQUEST, ID.ana, 'Ana for Ben', ID.ben),
  ])
  const { data } = await dataOf(double, await double.signIn('ben'))
  expect(data.history.slice(2)).toMatchObject([
    { what: 'message', text: 'first to Ana', passed: true },
    { what: 'offer', id: ASKED_BY_MESSAGE, from: { name: 'Ana' }, to: { name: 'Ben' }, text: 'Yours, please' },
    { what: 'request', question: 'Asked of Ana?', passed: true },
    { what: 'answer', text: 'Ana for Ben', for: { name: 'Ben' } },
  ])
})

it('[R357] a person has one export at a time, of a task or of their data; a broken one is ended, and reads no further', async () => {
  const double = await openDouble()
  const { engine, store, call, signIn } = double
  const [ben, ana] = [await signIn('ben'), await signIn('ana')]
  await engine.put(Array.from({ length: 1_000 }, () => event('memory.removed', { agent: ID.reader, key: 'none' })))
  const { read } = store.journal
  let reads = 0
  let letOn = (): void => {}
  const waiting = new Promise<void>((resolve) => {
    letOn = resolve
  })
  store.journal.read = async (...asked) => {
    reads += 1
    await waiting
    return read(...asked)
  }
  const leaving = new AbortController()
  const first = fetch(`${double.url}/api/me/data`, { headers: { cookie: ben }, signal: leaving.signal }).then(
    (answer) => answer.text(),
  )
  await expect.poll(() => reads).toBe(1)
  const statusOf = async (path: string) => (await fetch(double.url + path, { headers: { cookie: ben } })).status
  const ofTask = `/api/tasks/${ID.prices}/export?as=markdown`
  const { status, json, headers } = await call('GET', '/api/me/data', { cookie: ben })
  expect([status, json.error, headers.get('retry-after')]).toEqual([429, 'TOO_MANY', '5'])
  expect(await statusOf(ofTask)).toBe(429)
  leaving.abort()
  await expect(first).rejects.toThrow()
  await expect.poll(() => statusOf(ofTask)).toBe(200)
  expect(reads).toBe(1)
  letOn()
  expect((await call('GET', '/api/me/data', { cookie: ana })).status).toBe(200)
  expect(reads).toBe(1 + Math.ceil(engine.world().seq / 200))
})

it('[R357] the file is for its owner: a stranger and a peer are refused', async () => {
  const { call } = await openDouble()
  expect((await call('GET', '/api/me/data')).status).toBe(401)
  expect((await call('GET', '/api/me/data', { headers: { authorization: 'Bearer key-of-a-peer' } })).status).toBe(401)
})
