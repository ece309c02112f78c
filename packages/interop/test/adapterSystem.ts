/**
 * A whole system as others reach it: an engine in memory, its adapters, and a port on this machine.
 *
 * Time is the machine's own where a test gives no clock.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, vi } from 'vitest'
import { asId, type PeerId } from '@/lib/mas/ids'
import { selectOutgoing } from '@/lib/mas/outside/outside'
import type { ConversationRecord, EnvelopeRecord, PeerConfig } from '@/lib/mas/outside/records'
import type { MessageRecord, World } from '@/lib/mas/records'
import { openRestoredTasks } from '@/server/engine/snapshots/restoredTasks'
import { openClients } from '@/server/net'
import type { AdapterParts, Ourselves, PeerSecrets } from '@/server/otherSystems'
import { LIMITS } from '@/server/shared/limits'
import { type MemoryData, memoryData } from '@/test/memoryStore'
import { saysFyi } from '@/test/stories'
import { openTestEngine, type SkillScript, type TestEngine, type TestEngineOptions } from '@/test/testEngine'
import { TEAM, teamConfig } from '@/test/worldHistories'
import { openAdapters } from '../adapters'
import { SIGNATURE_HEADER, signBody } from '../adapters/signatures'
import { MAMP_VERSION, type MampMessage } from '../protocols/mamp/message'

export const KEY = 'key-of-the-other-system'
export const URI = 'agent://other.example/planner'
export const PEER: PeerConfig = {
  id: asId<PeerId>('00000000-0000-4000-8000-00000000abcd'),
  uri: 'agent://other.example/*',
  baseUrl: null,
  may: ['mamp'],
  actions: [],
  agents: [TEAM.reader.id, TEAM.manager.id],
  allowPrivate: false,
}

export type SystemOptions = TestEngineOptions & {
  ourselves?: Partial<Ourselves>
  peers?: PeerConfig[]
  secrets?: PeerSecrets[]
  secret?: AdapterParts['secret']
  /** Of the adapters alone; left out: the clock's, or the machine's own. */
  now?: () => number
  visitorOf?: AdapterParts['visitorOf']
  clients?: AdapterParts['clients']
  saveFiles?: AdapterParts['saveFiles']
}

export type System = TestEngine & {
  url: string
  /** Call a path of it. */
  call(path: string, init?: RequestInit): Promise<{ status: number; json: Record<string, unknown>; headers: Headers }>
  /** Post a MAMP message with the peer's key, signed when it signs, or as the test says. */
  post(
    message: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; json: Record<string, unknown>; headers: Headers }>
  /** The signature of PEER over a MAMP body, as a header; {} when it signs nothing. */
  signed(body: string): Record<string, string>
  adapters: ReturnType<typeof openAdapters>
  /** What the adapters are made of. */
  parts: AdapterParts
  conversations(): ConversationRecord[]
  /** What is logged, oldest first. */
  exchange(): LoggedEnvelope[]
  messages(): MessageRecord[]
  /** What agents of other systems said. */
  heard(): MessageRecord[]
}

/** A row of the log. */
export type LoggedEnvelope = Pick<
  EnvelopeRecord,
  'direction' | 'protocol' | 'theirs' | 'verdict' | 'status' | 'by' | 'bytes' | 'body'
>
const envelopesIn = (data: MemoryData): LoggedEnvelope[] =>
  data.tables
    .prepare('select direction, protocol, theirs, verdict, status, "by", bytes, body from envelope order by number')
    .all() as LoggedEnvelope[]

/** Every agent answers what it is asked. */
export const answersAll: SkillScript = (step) => (step.executor === 'send_message' ? saysFyi([], 'It is 7.') : null)

/** Started, and stopped when the test is over. */
export async function openSystem(options: SystemOptions = {}): Promise<System> {
  const peers = options.peers ?? [PEER]
  const data = options.data ?? memoryData()
  const engine = await openTestEngine({ skill: answersAll, config: { ...teamConfig(), peers }, ...options, data })
  const http = createServer((request, response) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    if (adapters.owns(path)) void adapters.answer(request, response, path)
    else response.writeHead(404).end('{}')
  })
  http.on('upgrade', (request, socket, head) => {
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    if (!adapters.upgrade(request, socket, head, path)) socket.destroy()
  })
  let ids = 0
  const began = Date.now()
  const now = options.now ?? options.clock?.now ?? (() => STARTED_AT + Date.now() - began)
  const parts: AdapterParts = {
    engine: engine.engine,
    bodies: engine.store.bodies,
    rows: engine.store.people,
    envelopes: engine.store.envelopes,
    past: openRestoredTasks({ ...engine.store, isLive: (task) => engine.world().tasks[task] !== undefined }),
    ourselves: () => ({
      domain: 'ours.example',
      address: 'http://ours.example',
      name: 'Test team',
      owner: { user_name: 'Ana' },
      device: { device_name: 'a desk' },
      allowedAgents: [],
      public: false,
      requireAuth: true,
      trajectory: true,
      actions: [],
      ...options.ourselves,
    }),
    clients: options.clients ?? openClients([]),
    limits: LIMITS,
    saveFiles: options.saveFiles ?? (async () => []),
    outgoing: options.outgoing ?? (async (_world, _caller, paths) => ({ files: [], left: [...paths] })),
    visitorOf: options.visitorOf ?? (async () => null),
    secret: options.secret ?? (() => null),
    secrets: options.secrets ?? [{ id: PEER.id, key: KEY, sendKey: null, signingKey: null }],
    now,
    outside: now,
    newId: () => {
      ids += 1
      return `${options.prefix ?? 'face'}-face-${ids}`
    },
    schedule: options.clock?.schedule ?? later,
    log: { info: () => {}, warn: () => {}, error: (data, message) => console.error(message, data) },
  }
  const adapters = openAdapters(parts)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  adapters.start()
  onTestFinished(async () => {
    await adapters.stop()
    http.closeAllConnections()
    http.close()
    await engine.engine.stop()
  })

  const call: System['call'] = async (path, init) => {
    const answer = await fetch(url + path, init)
    return { status: answer.status, json: await answer.json(), headers: answer.headers }
  }
  const signed: System['signed'] = (body) => {
    const { signingKey: key = null } = parts.secrets.find(({ id }) => id === PEER.id) ?? {}
    if (key === null) return {}
    const header: string = SIGNATURE_HEADER.mamp
    return { [header]: signBody(key, body, parts.now()) }
  }
  const world = (): World => engine.world()
  const messages = (): MessageRecord[] => Object.values(world().messages).flatMap((all) => Object.values(all))
  return {
    ...engine,
    url,
    call,
    adapters,
    parts,
    post: (message, headers) => {
      const body = typeof message === 'string' ? message : JSON.stringify(message)
      const own = headers ?? { authorization: `Bearer ${KEY}`, ...signed(body) }
      return call('/mamp/v1/messages', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...own },
        body,
      })
    },
    signed,
    conversations: () => Object.values(world().conversations).flatMap((all) => Object.values(all)),
    exchange: () => envelopesIn(data),
    messages,
    heard: () =>
      messages().filter(({ sender }) => sender !== 'system:task' && world().agents[sender]?.kind === 'outside'),
  }
}

/** Minutes pass so quickly that nobody calls too often in one of them: for tests that ask more than any peer may. */
export function quickClock(): () => number {
  let at = STARTED_AT
  return () => {
    at += 200
    return at
  }
}

/** Where the engine's own time begins when no clock is given. */
const STARTED_AT = 1_700_000_000_000
const later = (run: () => void, ms: number): (() => void) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** A message as the other system sends it. */
export const mampMessage = (more: Partial<MampMessage> = {}): MampMessage => ({
  protocol: MAMP_VERSION,
  message_id: 'msg-1',
  from: URI,
  to: 'agent://ours.example/reader',
  content: 'How many items are on the list?',
  metadata: { timestamp: '2026-03-04T10:00:00Z' },
  ...more,
})

/** Our first message to a peer was tried once, and waits to be tried again. */
export const untilRetryPause = ({ world }: Pick<System, 'world'>): Promise<void> =>
  vi.waitFor(() => {
    const [outgoing] = selectOutgoing(world())
    expect(outgoing?.attempts).toBe(1)
    expect(outgoing?.nextAt).toBeGreaterThan(outgoing?.queuedAt ?? 0)
  })

/** A task in which the reader works with all agents of other systems that are known. */
export async function makeTaskOfOutsiders(system: System): Promise<void> {
  const outside = Object.values(system.world().agents).filter((agent) => agent.outside !== undefined)
  await system.put(TEAM.ana.id, {
    type: 'makeTask',
    name: 'Stock',
    intention: 'know the stock',
    manager: TEAM.manager.id,
    members: [TEAM.reader.id, ...outside.map(({ id }) => id)],
    stages: [{ intention: 'ask both', allocation: { [TEAM.reader.id]: 'ask them' } }],
    reason: 'a customer asks',
  })
}
