/** Our agents ask an agent of another system by its card: the server is the SDK's own, with its store. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type AgentCard, AgentCard as CardForm, type Part, Role, TaskState } from '@a2a-js/sdk'
import {
  AgentEvent,
  type AgentExecutor,
  DefaultRequestHandler,
  InMemoryTaskStore,
  JsonRpcTransportHandler,
  ServerCallContext,
} from '@a2a-js/sdk/server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { handClock } from '@/test/handClock'
import { memoryData } from '@/test/memoryStore'
import { must, says, saysFyi } from '@/test/stories'
import type { SkillScript } from '@/test/testEngine'
import { outcomeOf, planned, TEAM, teamConfig } from '@/test/worldHistories'
import { A2A_PEER, type A2aSystem, openA2aSystem } from '../../test/a2a/a2aPeer'
import { PEER, type SystemOptions } from '../../test/adapterSystem'
import { textPart } from './parts'

const THEIRS = 'agent://south.example/seller'
const SEND_KEY = 'key-that-we-show'

type Said = { state: TaskState; parts: Part[]; files?: Part[] }
/** in: answers what came: its text, and the number of messages of that task so far */
async function openTheirs(answer: (text: string, count: number) => Said) {
  const got: { key: string | undefined; version: string | undefined; method: string }[] = []
  const counts = new Map<string, number>()
  const executor: AgentExecutor = {
    async execute({ taskId, contextId, userMessage, task }, bus) {
      const count = (counts.get(taskId) ?? 0) + 1
      counts.set(taskId, count)
      const text = userMessage.parts
        .flatMap(({ content }) => (content?.$case === 'text' ? content.value : []))
        .join('\n')
      const { state, parts, files = [] } = answer(text, count)
      const at = { taskId, contextId, metadata: undefined }
      const timestamp = new Date(0).toISOString()
      if (task === undefined) {
        const status = { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp }
        bus.publish(
          AgentEvent.task({
            id: taskId,
            contextId,
            status,
            artifacts: [],
            history: [userMessage],
            metadata: undefined,
          }),
        )
      }
      for (const [index, file] of files.entries())
        bus.publish(
          AgentEvent.artifactUpdate({
            ...at,
            artifact: {
              artifactId: `f${index}`,
              name: file.filename,
              description: '',
              parts: [file],
              metadata: undefined,
              extensions: [],
            },
            append: false,
            lastChunk: true,
          }),
        )
      const message = {
        ...{ messageId: `${taskId}-${count}`, contextId, taskId, role: Role.ROLE_AGENT, parts },
        ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
      }
      bus.publish(AgentEvent.statusUpdate({ ...at, status: { state, message, timestamp } }))
      bus.finished()
    },
    async cancelTask() {},
  }
  let card: AgentCard | null = null
  const http = createServer(async (request, response) => {
    const send = (body: unknown): void => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    if (card === null) return send({})
    if (request.url === '/.well-known/agent-card.json') return send(CardForm.toJSON(card))
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(Buffer.from(piece))
    const body = JSON.parse(Buffer.concat(pieces).toString())
    const version = request.headersDistinct['a2a-version']?.join()
    got.push({ key: request.headers.authorization, version, method: String(body.method) })
    send(await handler.handle(body, new ServerCallContext({ requestedVersion: version ?? '' })))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    http.closeAllConnections()
    http.close()
  })
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  card = CardForm.fromJSON({
    ...{
      name: 'Seller',
      description: 'Sells.',
      version: '1',
      skills: [],
      defaultInputModes: [],
      defaultOutputModes: [],
    },
    supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: {},
  })
  const handler = new JsonRpcTransportHandler(new DefaultRequestHandler(card, new InMemoryTaskStore(), executor))
  return { url, got }
}

/** The reader asks the seller and waits; asked back, it says the colour; it submits what it hears. */
const asks: SkillScript = (step, { world }) => {
  switch (step.executor) {
    case 'planning':
      return outcomeOf({ steps: { insert: [], add: [planned('send_message'), planned('summary')] } })
    case 'send_message':
      return step.answers === null
        ? says([THEIRS], { message: 'What does a chair cost?', need_reply: true, waiting: true })
        : saysFyi([THEIRS], 'Red.')
    case 'summary': {
      const messages = Object.values(world.messages[step.task] ?? {})
      return outcomeOf({ sync: { update_stage_agent_completion: { summary: messages.at(-1)?.text ?? '' } } })
    }
    default:
      return null
  }
}

type Ours = Pick<SystemOptions, 'data' | 'prefix'> & { allowPrivate?: boolean }
async function openOurs(url: string, { allowPrivate = true, ...more }: Ours = {}) {
  const clock = handClock()
  const peer = { ...A2A_PEER, uri: THEIRS, baseUrl: url, allowPrivate }
  const secrets = [{ id: PEER.id, key: null, sendKey: SEND_KEY, signingKey: null }]
  const system = await openA2aSystem({ skill: asks, peers: [peer], secrets, clock, ...more })
  await system.put('system:start', { ...teamConfig(), peers: [peer] })
  /** Time passes until then. */
  const until = (is: () => boolean): Promise<void> =>
    vi.waitFor(
      () => {
        clock.pass(1_000)
        expect(is()).toBe(true)
      },
      { timeout: 10_000, interval: 20 },
    )
  return { system, until }
}

async function beginWork(system: A2aSystem): Promise<void> {
  const seller = must(
    Object.values(system.world().agents).find(({ outside }) => outside?.uri === THEIRS),
    'seller',
  )
  await system.put(TEAM.ana.id, {
    ...{
      type: 'makeTask',
      name: 'Chairs',
      intention: 'know the price',
      manager: TEAM.manager.id,
      reason: 'a customer asks',
    },
    members: [TEAM.reader.id, seller.id],
    stages: [{ intention: 'ask the seller', allocation: { [TEAM.reader.id]: 'ask it' } }],
  })
}
const stageIn = (system: A2aSystem) =>
  Object.values(system.world().stages)
    .flatMap((all) => Object.values(all))
    .find(({ intention }) => intention === 'ask the seller')

it('[R868] VER-CLIENT-001 our agent asks another by its card, answers what it is asked, and gets words and files, with our key and the version', async () => {
  const file: Part = {
    content: { $case: 'raw', value: Buffer.from('chair,80') },
    filename: 'offer.csv',
    mediaType: 'text/csv',
    metadata: undefined,
  }
  const theirs = await openTheirs((text) =>
    text === 'Red.'
      ? { state: TaskState.TASK_STATE_COMPLETED, parts: [textPart('80 euros.')], files: [file] }
      : { state: TaskState.TASK_STATE_INPUT_REQUIRED, parts: [textPart('Which colour?')] },
  )
  const { system, until } = await openOurs(theirs.url)
  await beginWork(system)
  await until(() => stageIn(system)?.parts[TEAM.reader.id] === 'finished')
  expect(system.heard().map(({ text, attachments }) => [text, attachments.map(({ name }) => name)])).toEqual([
    ['Which colour?', []],
    ['80 euros.', ['offer.csv']],
  ])
  expect(theirs.got.filter(({ method }) => method === 'SendMessage')).toHaveLength(2)
  expect(new Set(theirs.got.map(({ key, version }) => `${key} ${version}`))).toEqual(
    new Set([`Bearer ${SEND_KEY} 1.0`]),
  )
  expect(await system.parts.rows.list(`peer:${PEER.id}`, 'a2a-theirs:')).toEqual([])
})

it('[R868] their question is asked once and their end is taken after a restart, by the node that decides next', async () => {
  let isReady = false
  const theirs = await openTheirs(() =>
    isReady
      ? { state: TaskState.TASK_STATE_COMPLETED, parts: [textPart('80 euros.')] }
      : { state: TaskState.TASK_STATE_AUTH_REQUIRED, parts: [textPart('Sign in at south.example.')] },
  )
  const data = memoryData()
  const before = await openOurs(theirs.url, { data, prefix: 'first' })
  await beginWork(before.system)
  await before.until(() => before.system.heard().length === 1)
  await before.system.adapters.stop()
  await before.system.engine.stop()
  isReady = true
  const after = await openOurs(theirs.url, { data, prefix: 'second' })
  await after.until(() => stageIn(after.system)?.parts[TEAM.reader.id] === 'finished')
  expect(after.system.heard().map(({ text }) => text)).toEqual(['Sign in at south.example.', '80 euros.'])
})

it('[R868] an agent at a private address is not called unless its peer may be there, and who waits for it learns why', async () => {
  const theirs = await openTheirs(() => ({ state: TaskState.TASK_STATE_COMPLETED, parts: [textPart('80 euros.')] }))
  const ours = await openOurs(theirs.url, { allowPrivate: false })
  await beginWork(ours.system)
  await ours.until(() => ours.system.exchange().some(({ verdict }) => verdict === 'failed'))
  expect(theirs.got).toEqual([])
  expect(ours.system.heard()).toEqual([])
})
