/**
 * A whole system with private content in every place that holds text, and people and a peer who may read none of it.
 */
import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import type { Command } from '@/lib/mas/commands/command'
import { type EventShape, event } from '@/lib/mas/events'
import {
  type AgentId,
  asId,
  type MessageId,
  type PeerId,
  type RequestId,
  type StageId,
  type StepId,
  type TaskId,
  type WaitingId,
} from '@/lib/mas/ids'
import type { ConversationRecord, PeerConfig } from '@/lib/mas/outside/records'
import type { AgentConfig, World } from '@/lib/mas/records'
import type { StepSeed } from '@/lib/mas/steps/events'
import { openRestoredTasks } from '@/server/engine/snapshots/restoredTasks'
import { socketSessionOf, visitorOf } from '@/server/gateway/sessions/visitors'
import { attachSockets } from '@/server/gateway/sockets/sockets'
import { type Double, noServers, openDouble, passwordHash } from '@/server/gateway/test/gatewayDouble'
import { configured, ID } from '@/server/gateway/test/world'
import { openMonitor } from '@/server/monitor'
import { openClients } from '@/server/net'
import type { NamedAction } from '@/server/otherSystems'
import { openSearchIndexer } from '@/server/search'
import { LIMITS } from '@/server/shared/limits'
import { openAdapters } from '../../adapters'
import { ACTION } from '../../test/adapterCalls'
import { type HiddenPlace, hiddenWordOf, text } from './walkWords'
import { fillWork } from './walkWork'

export const isWhole = process.env.CONVENE_ALL === '1'
/** Limits for the walk, which makes more requests than ordinary use. */
const UNLIMITED = { most: 1e9, windowMs: 60_000 }
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
export const WALK_LEE = asId<AgentId>(uuid(15))
export const HIDDEN = asId<TaskId>(uuid(110))
const [ARCHIVED, SHARED, TALK] = [asId<TaskId>(uuid(111)), asId<TaskId>(uuid(112)), asId<TaskId>(uuid(113))]
const STAGE = asId<StageId>(uuid(210))
const REQUEST = asId<RequestId>(uuid(510))
export const [THOUGHT, CALL] = [asId<StepId>(uuid(310)), asId<StepId>(uuid(311))]
const TALK_STEP = asId<StepId>(uuid(312))
const [SOUTH, WEST] = [asId<PeerId>(uuid(610)), asId<PeerId>(uuid(611))]
export const KEYS = { south: 'south-key-of-its-own', west: 'west-key-of-its-own' }

export type Walked = Double & {
  cookies: { ana: string; dev: string; lee: string }
  /** One id of each important kind, for places that take too long with all. */
  few: string[]
  /** Ids of every kind that the journal holds: the newest of each, all of them with CONVENE_ALL=1. */
  ids: string[]
  /** The names that conversations have for other systems. */
  conversations: string[]
  /** Method and path of everything that the adapters answer. */
  endpoints: string[]
  world: () => World
  streamed: () => void
}

const QUOTE: NamedAction = {
  name: ACTION,
  agent: 'reader',
  description: '',
  asks: 'What does {item} cost?',
  parameters: { type: 'object', properties: { item: { type: 'string' } } },
}
const peerOf = (id: PeerId, domain: string): PeerConfig => ({
  id,
  uri: `agent://${domain}.example/*`,
  baseUrl: null,
  may: ['mamp', 'envelope', 'harmony', 'map', 'a2a'],
  actions: ['*'],
  agents: [ID.reader],
  allowPrivate: false,
})

const step = (id: StepId, more: Partial<StepSeed>) =>
  event('step.added', {
    task: HIDDEN,
    agent: ID.reader,
    step: id,
    number: 1,
    stage: STAGE,
    thread: null,
    intention: text('part'),
    kind: 'skill',
    executor: 'think',
    text: text('part'),
    cause: { message: null, step: null },
    answers: null,
    boundTo: null,
    retryOf: null,
    byHand: false,
    last: false,
    ...more,
  })
const task = (id: TaskId, name: string, intention: string, group: AgentId[], thread: MessageId | null = null) => [
  event('task.added', {
    task: id,
    name,
    intention,
    manager: ID.manager,
    group: [ID.manager, ID.reader, ...group],
    base: false,
    requestedBy: null,
    requestedIn: thread === null ? null : { task: ID.base, thread },
  }),
  event('task.started', { task: id }),
]
const message = (id: TaskId, words: string, more: Partial<EventShape<'message.sent'>> = {}) =>
  event('message.sent', {
    task: id,
    message: asId<MessageId>(randomUUID()),
    sender: ID.reader,
    receivers: [ID.ana],
    text: words,
    stage: null,
    kind: 'fyi',
    waiting: null,
    audience: 'task',
    returnWaiting: null,
    instruction: null,
    dispatch: 'd1',
    thread: null,
    answersRequest: null,
    replyTo: null,
    attachments: [],
    mention: false,
    fromStep: null,
    ...more,
  })

const PROMPT = bodyOf(text('prompt'))
const TALK_PROMPT = bodyOf(text('talkPrompt'))
const BODIES = {
  prompt: PROMPT,
  list: bodyOf(JSON.stringify([{ role: 'system', name: 'system', sha: PROMPT.ref.sha, bytes: PROMPT.ref.bytes }])),
  answer: bodyOf(text('answer')),
  result: bodyOf(`${'x'.repeat(2_000)} ${text('result')}`),
  arguments: bodyOf(JSON.stringify({ path: 'a.md', content: text('arguments') }), 'application/json'),
  metadata: bodyOf(JSON.stringify({ goal: text('metadata') }), 'application/json'),
  talkPrompt: TALK_PROMPT,
  talkList: bodyOf(
    JSON.stringify([{ role: 'system', name: 'system', sha: TALK_PROMPT.ref.sha, bytes: TALK_PROMPT.ref.bytes }]),
  ),
  talkAnswer: bodyOf(text('talkAnswer')),
  talkResult: bodyOf(`${'x'.repeat(2_000)} ${text('talkResult')}`),
}

/** Ben's talk with the reader: a word in each place that holds text. */
function talkEvents() {
  const home = { task: TALK, agent: ID.reader, step: TALK_STEP }
  const said = asId<MessageId>(randomUUID())
  const members = [ID.ben, ID.reader] as const
  return [
    event('task.added', {
      task: TALK,
      name: 'Ben and Reader',
      intention: '',
      manager: null,
      group: [...members],
      base: false,
      requestedBy: null,
      requestedIn: null,
      madeFor: ID.ben,
      talk: true,
    }),
    event('task.started', { task: TALK }),
    message(TALK, text('talkMessage'), { message: said, receivers: [ID.ben], audience: { members } }),
    step(TALK_STEP, { task: TALK, stage: null, intention: text('talkStep'), text: text('talkStep') }),
    event('step.started', { ...home, node: 'test', epoch: 1, attempt: 1 }),
    event('model.called', {
      ...home,
      call: {
        id: 'call-3',
        attempt: 1,
        model: 'default',
        modelVersion: null,
        outcome: 'taken',
        error: null,
        costUsd: 0,
        promptTokens: 1,
        completionTokens: 1,
        estimated: true,
        firstTokenMs: 1,
        totalMs: 2,
        at: 0,
        prompt: { sha: BODIES.talkList.ref.sha, bytes: BODIES.talkList.ref.bytes },
        answer: BODIES.talkAnswer.ref,
      },
    }),
    event('step.finished', {
      ...home,
      repairs: [],
      result: { kind: 'text', text: BODIES.talkResult.ref.preview, body: BODIES.talkResult.ref, made: null },
    }),
    event('memory.added', { agent: ID.reader, note: { key: '20261121T102113', text: text('talkNote'), task: TALK } }),
    event('request.opened', {
      task: TALK,
      request: asId<RequestId>(uuid(511)),
      seed: {
        kind: 'answer',
        asked: [ID.ben],
        asker: ID.reader,
        type: 'urgent',
        message: said,
        step: null,
        stage: null,
        lock: asId<WaitingId>(uuid(711)),
        thread: null,
        number: 1,
        question: text('talkQuestion'),
        choices: [],
        fingerprint: 'f',
        call: null,
        audience: { members },
      },
    }),
    event('lock.added', {
      agent: ID.reader,
      task: TALK,
      lock: {
        id: asId<WaitingId>(uuid(711)),
        kind: 'message',
        stage: null,
        step: TALK_STEP,
        on: ID.ben,
        message: said,
        request: asId<RequestId>(uuid(511)),
      },
    }),
  ]
}

/** Started; stopped when the test is over. */
export async function openWalk(): Promise<Walked> {
  let owner: Double | null = null
  let endpoints: string[] = []
  const double = await openDouble(async ({ engine, store, clock }) => {
    const now = () => clock.now
    const past = openRestoredTasks({ ...store, isLive: (id) => engine.world().tasks[id] !== undefined })
    const schedule = (run: () => void, ms: number) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    }
    const monitor = openMonitor({
      engine,
      past,
      journal: store.journal.id,
      run: 'walk',
      now: Date.now,
      schedule,
    })
    // The clock moves a second per call, so that no rate limit applies.
    let asked = clock.now
    const adapters = openAdapters({
      outside: () => clock.now,
      engine,
      bodies: store.bodies,
      rows: store.people,
      envelopes: store.envelopes,
      past,
      clients: openClients([]),
      limits: LIMITS,
      saveFiles: async () => [],
      outgoing: async (_world, _caller, paths) => ({ files: [], left: [...paths] }),
      secret: () => null,
      visitorOf: async (request) => (owner === null ? null : visitorOf(owner.gateway.sessions, null, request)),
      ourselves: () => ({
        domain: 'ours.example',
        address: 'http://ours.example',
        name: 'Testers',
        owner: {},
        device: {},
        allowedAgents: [],
        public: false,
        requireAuth: true,
        trajectory: true,
        actions: [QUOTE],
      }),
      secrets: [
        { id: SOUTH, key: KEYS.south, sendKey: null, signingKey: null },
        { id: WEST, key: KEYS.west, sendKey: null, signingKey: null },
      ],
      now: () => {
        asked += 1_000
        return asked
      },
      newId: randomUUID,
      schedule,
      log: { info: () => {}, warn: () => {}, error: (data, says) => console.error(says, data) },
    })
    endpoints = adapters.endpoints.map(({ method, path }) => `${method} ${path}`)
    onTestFinished(async () => {
      monitor.close()
      await adapters.stop()
    })
    return {
      adapters,
      outside: { ...adapters, peerId: () => WEST },
      tools: noServers,
      fileServers: ['files'],
      limits: { commands: UNLIMITED, reads: UNLIMITED, costlyReads: UNLIMITED, strangers: UNLIMITED },
      sockets: (http, sessions) =>
        attachSockets(http, {
          engine,
          monitor,
          now,
          isOurs: () => true,
          sessionOf: (credentials) => socketSessionOf(sessions, credentials),
          onSessionEnded: (listener) => sessions.onEnded(listener),
          limits: { messages: UNLIMITED },
        }),
    }
  })
  owner = double
  await fill(double)
  const { engine, store } = double
  const filler = openSearchIndexer({
    store,
    world: () => engine.world(),
    onDecision: (listener) => engine.onDecision(listener),
    schedule: (run) => {
      const timer = setTimeout(run, 0)
      return () => clearTimeout(timer)
    },
    onTrouble: (error) => {
      throw error
    },
  })
  onTestFinished(() => filler.stop())
  while (filler.upTo() < engine.world().seq) await new Promise((resolve) => setTimeout(resolve, 1))
  const [ana, dev, lee] = [await double.signIn('ana'), await double.signIn('dev'), await double.signIn('lee')]
  const work = await asAna(double, ana)
  const { ids, few } = await idsOf(double)
  const named = Object.values(engine.world().conversations).flatMap((all) => Object.values<ConversationRecord>(all))
  return {
    ...double,
    cookies: { ana, dev, lee },
    few,
    ids: [...new Set([...ids, ...work])],
    conversations: named.flatMap(({ shared }) => shared ?? []),
    endpoints,
    world: () => engine.world(),
    streamed: () =>
      engine.sendEphemeral({
        kind: 'text',
        task: HIDDEN,
        agent: ID.reader,
        step: THOUGHT,
        attempt: 1,
        at: 0,
        text: text('streamed'),
      }),
  }
}

async function fill({ engine, store }: Double): Promise<void> {
  const put = async (by: string, command: Command) => {
    const answer = await engine.commit({ id: randomUUID(), by, command })
    if (!answer.ok) throw answer.fault
  }
  const { command } = configured
  if (command.type !== 'applyConfig') throw new Error('not the configuration')
  const ben = command.agents.find(({ id }) => id === ID.ben)
  if (!ben) throw new Error('there is no Ben')
  const lee: AgentConfig = { ...ben, id: WALK_LEE, configId: 'lee', name: 'Lee' }
  const peers = [peerOf(SOUTH, 'south'), peerOf(WEST, 'west')]
  await put('system:config', { ...command, agents: [...command.agents, lee], peers })
  await store.accounts.setPassword(WALK_LEE, await passwordHash)
  for (const { body } of Object.values(BODIES)) await store.bodies.put(body.bytes, body.mime)
  await engine.put([
    ...task(HIDDEN, text('taskName'), text('intention'), [ID.ana]),
    event('stage.added', {
      task: HIDDEN,
      stage: STAGE,
      intention: text('stage'),
      after: null,
      retryOf: null,
      allocation: { [ID.reader]: text('part') },
    }),
    event('stage.started', { task: HIDDEN, stage: STAGE }),
    step(THOUGHT, {}),
    event('step.started', { task: HIDDEN, agent: ID.reader, step: THOUGHT, node: 'test', epoch: 1, attempt: 1 }),
    event('model.called', {
      task: HIDDEN,
      agent: ID.reader,
      step: THOUGHT,
      call: {
        id: 'call-2',
        attempt: 1,
        model: 'default',
        modelVersion: null,
        outcome: 'taken',
        error: null,
        costUsd: 0,
        promptTokens: 1,
        completionTokens: 1,
        estimated: true,
        firstTokenMs: 1,
        totalMs: 2,
        at: 0,
        prompt: { sha: BODIES.list.ref.sha, bytes: BODIES.list.ref.bytes },
        answer: BODIES.answer.ref,
      },
    }),
    step(CALL, { kind: 'tool', executor: 'files' }),
    event('step.instructed', {
      task: HIDDEN,
      agent: ID.reader,
      step: CALL,
      instruction: { kind: 'call', target: 'tool', name: 'write_file', arguments: BODIES.arguments.ref },
    }),
    event('step.finished', {
      task: HIDDEN,
      agent: ID.reader,
      step: CALL,
      repairs: [],
      result: { kind: 'tool', text: BODIES.result.ref.preview, body: BODIES.result.ref, made: null },
    }),
    event('memory.added', { agent: ID.reader, note: { key: '20261121T102112', text: text('note'), task: HIDDEN } }),
    event('request.opened', {
      task: HIDDEN,
      request: REQUEST,
      seed: {
        kind: 'confirm',
        asked: [ID.ana],
        asker: ID.reader,
        type: 'urgent',
        message: null,
        step: CALL,
        stage: STAGE,
        lock: null,
        thread: null,
        number: 1,
        question: text('question'),
        choices: [],
        fingerprint: 'f',
        call: {
          server: 'files',
          tool: 'write_file',
          arguments: BODIES.arguments.ref,
          digest: 'digest-2',
          changes: text('question'),
        },
      },
    }),
    message(HIDDEN, text('message')),
    ...talkEvents(),
    ...task(ARCHIVED, 'Done', 'long done', [ID.ana]),
    message(ARCHIVED, text('archived')),
    event('task.archived', { task: ARCHIVED, agents: [] }),
  ])
  await put('system:mamp', {
    type: 'takeFromOutside',
    peer: SOUTH,
    protocol: 'mamp',
    from: 'agent://south.example/seller',
    to: ID.reader,
    shared: null,
    theirs: 'south-1',
    text: text('south'),
    attachments: [],
    needReply: true,
    inReplyTo: null,
    callback: null,
    status: 200,
    bytes: 1,
    sha: '',
    body: null,
  })
  await put('system:map', {
    type: 'reportCheckpoint',
    peer: SOUTH,
    uri: 'agent://south.example/seller',
    agentName: 'seller',
    checkpoint: 'south-checkpoint',
    label: text('checkpoint'),
    session: 'south-session',
    timestamp: null,
    metadata: BODIES.metadata.ref,
  })
}

/** What Ana does with her session, and South with its key. out: the ids of the work that South asked for */
async function asAna(double: Double, cookie: string): Promise<string[]> {
  const { call, url, engine } = double
  const done = async (method: string, path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await call(method, path, { cookie, body })
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.json)}`)
    return answer.json
  }
  const head = () => ({ id: randomUUID(), until: Date.UTC(2030, 0) })
  const file = (place: HiddenPlace, content: string) =>
    done('POST', '/api/attachments', {
      name: `${hiddenWordOf(place)}.txt`,
      mime: 'text/plain',
      base64: Buffer.from(content).toString('base64'),
    })
  const sent = {
    type: 'fyi',
    stage: null,
    answers: null,
    replyTo: null,
    mention: false,
  }
  const { sha } = await file('fileName', text('file'))
  const attachments = [{ sha }]
  await done('POST', '/api/messages', {
    ...head(),
    ...sent,
    task: HIDDEN,
    receivers: [ID.reader],
    text: text('message'),
    attachments,
  })
  const begun = await done('POST', '/api/messages', {
    ...head(),
    ...sent,
    task: ID.base,
    receivers: [ID.manager],
    text: text('thread'),
  })
  const { messages } = begun.reply as { messages: MessageId[] }
  await file('upload', 'not sent')
  await done('PUT', `/api/drafts/task:${HIDDEN}`, { text: text('draft'), version: null })
  // Lee is a member of a task that was requested in Ana's thread, so that its ids are known.
  await engine.put(task(SHARED, 'Shared', 'known to Lee', [WALK_LEE, ID.ana], messages[0] ?? null))
  const work = await fillWork(double, SOUTH, done)
  const imported = await fetch(`${url}/api/harmony/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.south}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: text('imported') }] }),
  })
  if (imported.status !== 200) throw new Error(`the import was refused: ${await imported.text()}`)
  return work
}

const ID_FORMS = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|conv-[0-9a-f-]{36}|south-.*)$/
/** Of each kind, in the short form of the walk. */
const NEWEST = 1

/**
 * Every id of the journal by the name of its field, newest first, those of new kinds of records too.
 */
async function idsOf({ store, engine }: Double): Promise<{ ids: string[]; few: string[] }> {
  const kinds = new Map<string, Set<string>>()
  const visit = (value: unknown, kind: string): void => {
    if (typeof value === 'string' && ID_FORMS.test(value)) {
      const known = kinds.get(kind) ?? new Set()
      known.delete(value)
      kinds.set(kind, known.add(value))
    } else if (Array.isArray(value)) for (const one of value) visit(one, kind)
    else if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) {
        visit(key, kind)
        visit(one, ID_FORMS.test(key) ? kind : key)
      }
  }
  visit(await store.journal.read(0, 10_000), '')
  const newest = [...kinds.values()].flatMap((ids) =>
    [...ids].reverse().slice(0, isWhole ? Number.POSITIVE_INFINITY : NEWEST),
  )
  const [thread = ''] = Object.keys(engine.world().messages[ID.base] ?? {})
  const few = [HIDDEN, ARCHIVED, THOUGHT, REQUEST, thread, `TaskState_${HIDDEN}`, 'ana', 'south-checkpoint']
  const ids = [...new Set([...few, STAGE, CALL, ...newest])]
  return { ids, few: isWhole ? ids : few }
}
