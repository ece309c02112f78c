/** A system with a peer that speaks A2A, and clients of the SDK that reach it as that peer. */
import { type Message, Role, type SendMessageConfiguration, type Task, TaskState } from '@a2a-js/sdk'
import {
  type Client,
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client'
import { expect } from 'vitest'
import type { PeerConfig } from '@/lib/mas/outside/records'
import { textPart } from '../../adapters/a2a/parts'
import { KEY, openSystem, PEER, type System, type SystemOptions } from '../adapterSystem'

export const A2A_PEER: PeerConfig = { ...PEER, may: ['a2a'] }
/** The agent that speaks for it. */
export const A2A_URI = 'agent://other.example/a2a'
export const BINDINGS = ['JSONRPC', 'HTTP+JSON'] as const
export type BindingName = (typeof BINDINGS)[number]

export type A2aSystem = System & {
  /** in: key: null: none; agent: one of ours by its configured id; left out: whoever answers */
  client(options?: { binding?: BindingName; key?: string | null; agent?: string }): Promise<Client>
  /** A call without the SDK. */
  raw(path: string, init?: RequestInit & { version?: string | null; key?: string | null }): ReturnType<typeof fetch>
  /** A call of JSON-RPC. */
  rpc(
    method: string,
    params: unknown,
    more?: { version?: string | null; key?: string },
  ): Promise<Record<string, unknown>>
}

export async function openA2aSystem(options: SystemOptions = {}): Promise<A2aSystem> {
  const own = { address: '' }
  const system = await openSystem({
    ...options,
    peers: options.peers ?? [A2A_PEER],
    ourselves: {
      ...options.ourselves,
      get address() {
        return own.address
      },
    },
  })
  own.address = system.url
  const headersFor = (key: string | null): Record<string, string> =>
    key === null ? {} : { authorization: `Bearer ${key}` }
  const raw: A2aSystem['raw'] = (path, { version = '1.0', key = KEY, headers, ...init } = {}) =>
    fetch(system.url + path, {
      ...init,
      headers: {
        ...headersFor(key),
        ...(version === null ? {} : { 'A2A-Version': version }),
        ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...Object.fromEntries(new Headers(headers)),
      },
    })
  return {
    ...system,
    client: ({ binding = 'JSONRPC', key = KEY, agent } = {}) =>
      clientOf(`${system.url}${agent === undefined ? '' : `/a2a/agents/${agent}`}/`, {
        binding,
        headers: headersFor(key),
      }),
    raw,
    async rpc(method, params, more = {}) {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      return (await raw('/a2a', { method: 'POST', body, ...more })).json()
    },
  }
}

/** A client of the card at that address. */
export function clientOf(
  url: string,
  { binding, headers }: { binding: BindingName; headers: Record<string, string> },
): Promise<Client> {
  const fetchImpl: typeof fetch = (input, init) =>
    fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), ...headers } })
  const transport =
    binding === 'JSONRPC' ? new JsonRpcTransportFactory({ fetchImpl }) : new RestTransportFactory({ fetchImpl })
  return new ClientFactory({ transports: [transport], cardResolver: resolverOf(fetchImpl) }).createFromUrl(url)
}

const resolverOf = (fetchImpl: typeof fetch) => new DefaultAgentCardResolver({ fetchImpl })

let sent = 0
/** A message of the peer. */
export const userMessage = (text: string, more: Partial<Message> = {}): Message => {
  sent += 1
  return {
    messageId: `theirs-${sent}`,
    contextId: '',
    taskId: '',
    role: Role.ROLE_USER,
    parts: [textPart(text)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...more,
  }
}
export const configuration = (more: Partial<SendMessageConfiguration> = {}): SendMessageConfiguration => ({
  acceptedOutputModes: [],
  taskPushNotificationConfig: undefined,
  returnImmediately: false,
  ...more,
})

/** Send, and expect a task. */
export async function send(
  client: Client,
  message: Message,
  more: Partial<SendMessageConfiguration> = {},
): Promise<Task> {
  const answer = await client.sendMessage({
    tenant: '',
    message,
    configuration: configuration(more),
    metadata: undefined,
  })
  if ('messageId' in answer) throw new Error('a message came, not a task')
  return answer
}

export const textOf = (message: Message | undefined): string =>
  (message?.parts ?? []).flatMap(({ content }) => (content?.$case === 'text' ? content.value : [])).join('\n')

export const stateOf = (task: Task): string => TaskState[task.status?.state ?? 0] ?? ''
export const expectState = (task: Task, state: keyof typeof TaskState): void => expect(stateOf(task)).toBe(state)
