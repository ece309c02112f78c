/** The MCP server with the SDK's own client, over HTTP, as people's programs use it. */
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import { event } from '@/lib/mas/events'
import { asId, type MessageId, type TaskId } from '@/lib/mas/ids'
import { SCOPES, type Scope } from '@/lib/wire/scopes'
import { type Double, openDouble } from '@/server/gateway/test/gatewayDouble'
import { ID, toolArguments } from '@/server/gateway/test/world'
import { openMcpServer } from './mcpServer'

const ABOUT = { name: 'a test', version: '1' }
const FORMS = { capabilities: { elicitation: { form: {} } } } satisfies ClientOptions
const TOOLS = ['answer', 'ask_for_work', 'get_task', 'list_agents', 'list_waiting', 'read_file', 'send_message']

const openServer = () => openDouble({ mcpServer: openMcpServer })

async function bearer({ store }: Pick<Double, 'store'>, person: string, scopes: readonly Scope[] = SCOPES) {
  const secret = await store.accounts.startSession(person, { token: { name: 'a client', scopes }, expiresAt: 9e15 })
  return { authorization: `Bearer convene_${secret}` }
}

/** A client of the newest revision that both sides know. */
async function connect({ url }: Pick<Double, 'url'>, headers: Record<string, string>, options: ClientOptions = {}) {
  const client = new Client(ABOUT, {
    versionNegotiation: { mode: 'auto' },
    inputRequired: { autoFulfill: false },
    ...options,
  })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  onTestFinished(() => client.close())
  return client
}

const shown = z.looseObject({ structuredContent: z.record(z.string(), z.unknown()) })
const said = z.looseObject({
  isError: z.literal(true),
  content: z.tuple([z.looseObject({ text: z.string() })]),
})
const put = z.looseObject({
  resultType: z.literal('input_required'),
  requestState: z.string(),
  inputRequests: z.record(z.string(), z.looseObject({ params: z.looseObject({ message: z.string() }) })),
})

/** One call of a tool, with what a retry carries. */
const callOnce = (client: Client, name: string, args: object, more: object = {}): Promise<unknown> =>
  client.callTool({ name, arguments: { ...args }, ...more }, { allowInputRequired: true })
const read = async (client: Client, name: string, args: object = {}) =>
  shown.parse(await callOnce(client, name, args)).structuredContent
const refused = async (client: Client, name: string, args: object = {}) =>
  said.parse(await callOnce(client, name, args)).content[0].text
const accept = (content: object) => ({ inputResponses: { [ID.ask]: { action: 'accept', content } } })
const answerOf = ({ engine }: Double) => engine.world().requests[ID.prices]?.[ID.ask]?.answer ?? null

describe('[R788] who may call', () => {
  it('a token opens it; none, an unknown one or a cookie is answered 401 with what is needed', async () => {
    const double = await openServer()
    const post = (headers: Record<string, string>) =>
      fetch(`${double.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}',
      })
    const cookie = await double.signIn('ben')
    const unknown = { authorization: `Bearer convene_${'x'.repeat(43)}` }
    const all: Record<string, string>[] = [{}, { cookie }, unknown]
    for (const headers of all) {
      const answer = await post(headers)
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="convene"'])
    }
    const headers = await bearer(double, ID.ben)
    const foreign = await post({ ...headers, origin: 'https://other.example' })
    expect([foreign.status, await foreign.text()]).toEqual([403, expect.stringContaining('FOREIGN_ORIGIN')])
    expect((await (await connect(double, headers)).listTools()).tools.map(({ name }) => name).sort()).toEqual(TOOLS)
    await double.store.accounts.endSessionsOf(ID.ben)
    expect((await post(headers)).status).toBe(401)
    expect((await post(await bearer(double, ID.gone))).status).toBe(403)
  })

  it('clients of both revisions find the same tools, and one without forms gets questions in the result', async () => {
    const double = await openServer()
    const headers = await bearer(double, ID.ben)
    const old = new OldClient(ABOUT, FORMS)
    await old.connect(new OldTransport(new URL(`${double.url}/mcp`), { requestInit: { headers } }) as never)
    onTestFinished(() => old.close())
    expect((await old.listTools()).tools.map(({ name }) => name).sort()).toEqual(TOOLS)
    const result = shown.parse(await old.callTool({ name: 'get_task', arguments: { task: ID.prices, wait_s: 25 } }))
    const plain = await read(await connect(double, headers), 'get_task', { task: ID.prices, wait_s: 25 })
    for (const one of [result.structuredContent, plain])
      expect(one).toMatchObject({ state: 'input_required', questions: [{ id: ID.ask, choices: ['3.20', '3.50'] }] })
  })

  it('a token without the scope of a tool gets its refusal, and a second person nothing of others', async () => {
    const double = await openServer()
    const reader = await connect(double, await bearer(double, ID.ben, ['read']))
    const before = double.engine.world().seq
    expect(await refused(reader, 'ask_for_work', { goal: 'Count' })).toContain('TOKEN_SCOPE')
    expect(await refused(reader, 'answer', { request: ID.ask, text: '3.20' })).toContain('TOKEN_SCOPE')
    expect(await refused(reader, 'send_message', { task: ID.prices, to: 'all', text: 'x' })).toContain('TOKEN_SCOPE')
    const asker = await connect(double, await bearer(double, ID.ben, ['ask']))
    for (const [tool, args] of [
      ['get_task', { task: ID.prices }],
      ['list_waiting', {}],
      ['list_agents', {}],
      ['read_file', { path: 'a.csv' }],
    ] as const)
      expect(await refused(asker, tool, args)).toContain('TOKEN_SCOPE')
    expect(await refused(reader, 'get_task', { task: ID.secret })).toContain('NOT_FOUND')
    await expect(reader.readResource({ uri: `convene://tasks/${ID.secret}` })).rejects.toThrow()
    const { resources } = await reader.listResources()
    expect(resources.map(({ uri }) => uri)).toContain(`convene://tasks/${ID.prices}`)
    expect(JSON.stringify(resources)).not.toContain(ID.secret)
    expect(double.engine.world().seq).toBe(before)
  })
})

describe('[R789] work', () => {
  it('is asked for at once with an id, and followed until a task is made, ends and has a result', async () => {
    const double = await openServer()
    const client = await connect(double, await bearer(double, ID.ben))
    const { task } = await read(client, 'ask_for_work', { goal: 'Count', files: [{ name: 'a.csv', text: 'a,1' }] })
    expect(await read(client, 'get_task', { task })).toMatchObject({ task, state: 'asked' })
    const waiting = read(client, 'get_task', { task, wait_s: 25 })
    const made = asId<TaskId>('00000000-0000-4000-8000-000000000999')
    await double.engine.put([
      event('task.added', {
        task: made,
        name: 'Count',
        intention: 'Count',
        manager: ID.manager,
        group: [ID.manager, ID.ben],
        base: false,
        requestedBy: ID.ben,
        requestedIn: { task: ID.base, thread: asId<MessageId>(String(task)) },
      }),
      event('task.started', { task: made }),
      event('task.finished', { task: made, state: 'finished', summary: 'There are seven.' }),
    ])
    expect(await waiting).toMatchObject({
      task: made,
      name: 'Count',
      state: 'finished',
      result: { summary: 'There are seven.' },
    })
  })

  it('messages go to members by name or to all, and list_agents names them', async () => {
    const double = await openServer()
    const client = await connect(double, await bearer(double, ID.ben))
    const { agents } = await read(client, 'list_agents')
    expect(agents).toContainEqual(expect.objectContaining({ id: ID.reader, kind: 'agent' }))
    expect(agents).toContainEqual(expect.objectContaining({ id: ID.ben, kind: 'person' }))
    await read(client, 'send_message', { task: ID.prices, to: ['reader'], text: 'Use the newer list.', kind: 'fyi' })
    const sent = Object.values(double.engine.world().messages[ID.prices] ?? {}).at(-1)
    expect(sent).toMatchObject({ sender: ID.ben, receivers: [ID.reader], text: 'Use the newer list.' })
  })
})

describe('[R790] a question', () => {
  it('is put to the client once, and its answer counts at another node and after a restart, under the name of the token', async () => {
    const double = await openServer()
    const headers = await bearer(double, ID.ben)
    const client = await connect(double, headers, FORMS)
    const asked = put.parse(await callOnce(client, 'get_task', { task: ID.prices, wait_s: 25 }))
    expect(asked.inputRequests[ID.ask]?.params.message).toBe('Prices: Which holds?')
    // Another process on the same store knows nothing of the first request.
    const other = await openDouble(async () => ({
      mcpServer: openMcpServer,
      engine: double.engine,
      store: double.store,
    }))
    const again = await connect(other, headers, FORMS)
    const retry = { ...accept({ answer: '3.50' }), requestState: asked.requestState }
    const answered = shown.parse(await callOnce(again, 'get_task', { task: ID.prices }, retry)).structuredContent
    expect(answered).toMatchObject({ questions: [], state: 'running' })
    expect(answerOf(double)).toMatchObject({ by: ID.ben, text: '3.50', decision: 'answer' })
    // The same retry again has no second effect.
    const head = double.engine.world().seq
    const repeated = shown.parse(await callOnce(again, 'get_task', { task: ID.prices }, retry)).structuredContent
    expect(repeated).toMatchObject({ notes: [expect.any(String)] })
    expect(double.engine.world().seq).toBe(head)
    const ana = await double.signIn('ana')
    expect(JSON.stringify((await double.call('GET', '/api/audit', { cookie: ana })).json)).toContain(
      '"token":"a client"',
    )
  })

  it('that was declined is not put again, and stays in the result', async () => {
    const double = await openServer()
    const client = await connect(double, await bearer(double, ID.ben), FORMS)
    const { requestState } = put.parse(await callOnce(client, 'get_task', { task: ID.prices }))
    const declined = { inputResponses: { [ID.ask]: { action: 'decline' } }, requestState }
    const result = shown.parse(await callOnce(client, 'get_task', { task: ID.prices }, declined))
    expect(result.structuredContent).toMatchObject({ questions: [{ id: ID.ask }], state: 'input_required' })
    expect(answerOf(double)).toBeNull()
  })

  it('is not answered with a changed state, with that of another token, or without one', async () => {
    const double = await openServer()
    const client = await connect(double, await bearer(double, ID.ben), FORMS)
    const { requestState } = put.parse(await callOnce(client, 'get_task', { task: ID.prices }))
    const retry = accept({ answer: '3.50' })
    const get = (one: Client, more: object) => callOnce(one, 'get_task', { task: ID.prices }, { ...retry, ...more })
    await expect(get(client, { requestState: `${requestState.slice(0, -3)}AAA` })).rejects.toThrow('requestState')
    const anas = await connect(double, await bearer(double, ID.ana), FORMS)
    await expect(get(anas, { requestState })).rejects.toThrow('requestState')
    expect(put.safeParse(await get(client, {})).success).toBe(true)
    expect(answerOf(double)).toBeNull()
  })

  it('about a tool shows exactly what would run, and the answer is about what was shown', async () => {
    const double = await openServer()
    const client = await connect(double, await bearer(double, ID.ana), FORMS)
    const asked = put.parse(await callOnce(client, 'get_task', { task: ID.secret }))
    const message = asked.inputRequests[ID.confirm]?.params.message ?? ''
    expect(message).toContain(new TextDecoder().decode(toolArguments.body.bytes))
    const waits = await read(client, 'list_waiting')
    expect(waits.requests).toContainEqual(expect.objectContaining({ id: ID.confirm, digest: 'digest-1' }))
    const inputResponses = { [ID.confirm]: { action: 'accept', content: { decision: 'approve' } } }
    await callOnce(client, 'get_task', { task: ID.secret }, { inputResponses, requestState: asked.requestState })
    const sent = double.engine.envelopes.at(-1)?.command
    expect(sent).toMatchObject({ type: 'answerRequest', decision: 'approve', digest: 'digest-1', arguments: null })
  })

  it('of another person is not listed, and not answered', async () => {
    const double = await openServer()
    const client = await connect(double, await bearer(double, ID.ben), FORMS)
    const { requests } = await read(client, 'list_waiting')
    expect(requests).toMatchObject([{ id: ID.ask }])
    expect(await refused(client, 'answer', { request: ID.confirm, decision: 'refuse', text: 'no' })).toContain(
      'NOT_FOUND',
    )
    await read(client, 'answer', { request: ID.ask, text: '3.20' })
    expect(answerOf(double)).toMatchObject({ text: '3.20' })
    expect(await read(client, 'list_waiting')).toMatchObject({ requests: [] })
  })
})
