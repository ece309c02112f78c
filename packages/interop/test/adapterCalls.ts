/** Valid calls of every endpoint of the adapters, as an agent of another system makes them, with an id in each place that takes one. */
import { METHODS } from '../protocols/map/trajectory'
import { A2A_CALLS } from './a2a/calls'

/**
 * Who calls, and whom.
 *
 * from    its URI; other: the URI of an agent of another peer
 * domain  ours
 * agent   one of ours, by its configured id
 * newId   ids of messages
 */
export type Speaker = { from: string; other: string; domain: string; agent: string; newId: () => string }
export type AdapterCall = {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: object
}
type Call = Omit<AdapterCall, 'method' | 'path'>

const at = '2026-03-04T10:00:00Z'
const query = (fields: Record<string, string>): Call => ({ query: fields })
/** An action of the configuration, asked for in an envelope. */
export const ACTION = 'quote'
export const ARTIFACTS = ['metadata', 'transcript', 'goal'] as const

/** An envelope of the given payload. */
export const envelopeOf = ({ from, agent, newId }: Speaker, payload: object, more: object = {}) => ({
  protocol_version: '1.0',
  message_id: newId(),
  timestamp: at,
  message_type: 'request',
  sender_id: from,
  receiver_id: agent,
  payload,
  ...more,
})

/** Every envelope, over HTTP as on the socket. */
export const envelopes = (as: Speaker, id: string): ReturnType<typeof envelopeOf>[] => {
  const asks = (action: string, parameters: object, more: object = {}) => envelopeOf(as, { action, parameters }, more)
  const answer = { message_type: 'response', metadata: { correlation_id: id } }
  return [
    asks('get_status', {}, { receiver_id: id }),
    asks('ask', { question: 'a walk', conversation_id: id }),
    asks('start_task', { goal: 'a walk', conversation_id: id }),
    asks(ACTION, { item: id, conversation_id: id }),
    envelopeOf(as, { status: 'success', result: { text: 'a walk' } }, answer),
    envelopeOf(as, { code: 'x', message: 'a walk' }, { ...answer, message_type: 'error' }),
    envelopeOf(
      as,
      { event_name: 'message', event_data: { text: 'a walk', conversation_id: id } },
      { message_type: 'event' },
    ),
  ]
}

/** Every message of MAMP, over HTTP; the socket takes the same bodies. */
export const mampMessages = ({ from, other, domain, agent, newId }: Speaker, id: string): Call[] => {
  const message = (more: object, metadata: object = {}): object => ({
    protocol: 'mamp/1.0',
    message_id: newId(),
    from,
    to: `agent://${domain}/${agent}`,
    content: 'a walk',
    metadata: { timestamp: at, ...metadata },
    ...more,
  })
  const parts = [
    { type: 'text', text: 'a walk' },
    { type: 'code', language: 'js', code: 'walk()' },
    { type: 'file', name: 'walk.txt', source: { type: 'base64', media_type: 'text/plain', data: 'YSB3YWxr' } },
  ]
  return [
    { body: message({ content: parts }) },
    { body: message({ conversation_id: id }) },
    { body: message({ to: `agent://${domain}/${encodeURIComponent(id)}` }) },
    { body: message({ message_id: id }) },
    { body: message({}, { in_reply_to: id }) },
    { body: message({ from: other, conversation_id: id }) },
    { body: message({ conversation_id: id }), headers: { accept: 'text/event-stream' } },
  ]
}

const packetOf = ({ from }: Speaker, target: string, said: string): object => ({
  protocol: 'harmony_handoff_v1',
  meta: { source_agent: from, target_agent: target, timestamp: at },
  context: {
    primary_objective: said,
    status: 'open',
    completed_steps: [],
    next_immediate_step: 'walk',
    constraints: [],
    artifacts: {},
  },
})

/** Method and path of an endpoint → its calls. */
export const ADAPTER_CALLS: Readonly<Record<string, (as: Speaker, id: string) => Call[]>> = {
  'GET /mamp/v1/card': () => [{}],
  'GET /mamp/v1/cards': (_, id) => [{}, query({ agent: id })],
  'POST /mamp/v1/messages': mampMessages,
  'POST /envelope/v1/messages': (as, id) => envelopes(as, id).map((body) => ({ body })),
  'GET /envelope/v1/agents': (_, id) => [{}, query({ capability: id })],
  'POST /envelope/v1/agents': (_, id) => [{ body: { agent_id: id, name: 'a walk', capabilities: ['walk'] } }],
  'POST /api/harmony/import': (_, id) => {
    const messages = [{ role: 'user', content: `a walk ${id}` }]
    return [
      { body: { messages } },
      { body: { messages, continue: true } },
      { body: { messages, conversation_id: id } },
      { body: { messages, conversation_id: id, continue: true } },
    ]
  },
  'GET /api/harmony/export': (_, id) => [query({ conversation_id: id }), query({ task_id: id })],
  'POST /api/harmony/handoff': (as, id) => [
    { body: packetOf(as, as.agent, `a walk ${id}`) },
    { body: packetOf(as, id, 'a walk') },
  ],
  'GET /api/harmony/media': (_, id) => [
    query({ conversation_id: id, message_id: id, at: '0' }),
    query({ task_id: id, message_id: id, at: '0' }),
    query({ conversation_id: id, part: `${id}#0` }),
    query({ task_id: id, part: `${id}#0` }),
  ],
  'GET /map': () => [{}],
  ...A2A_CALLS,
  'GET /map/content': (_, id) => ARTIFACTS.map((artifact) => query({ checkpoint: id, artifact })),
}

/** The calls of all endpoints, or of one. */
export const adapterCalls = (as: Speaker, id: string, endpoints = Object.keys(ADAPTER_CALLS)): AdapterCall[] =>
  endpoints.flatMap((endpoint) => {
    const [method, path = ''] = endpoint.split(' ')
    const calls = ADAPTER_CALLS[endpoint]?.(as, id) ?? []
    const places: Record<string, string> = { agent: as.agent, id, config: id }
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(places[name] ?? ''))
    return calls.map((call) => ({
      ...call,
      method: method === 'GET' || method === 'DELETE' ? method : 'POST',
      path: filled,
    }))
  })

export const addressOf = ({ path, query }: Pick<AdapterCall, 'path' | 'query'>): string =>
  query === undefined ? path : `${path}?${new URLSearchParams(query)}`

/** What comes first on the socket of MAP. */
export const MAP_CONNECT = {
  method: 'map/connect',
  params: { protocolVersion: 1, participantType: 'agent', participantId: 'stranger', name: 'a walk' },
}

/** Calls on the socket of MAP, without their ids. */
export const mapCalls = (id: string): { method: string; params: object }[] => [
  { method: 'map/agents/list', params: {} },
  { method: 'map/agents/get', params: { agentId: id } },
  { method: 'map/agents/register', params: { agentId: id, name: 'a walk', role: 'walker' } },
  {
    method: 'map/subscribe',
    params: { filter: { eventTypes: ['trajectory.checkpoint'], trajectory: { agentId: id } } },
  },
  { method: 'map/unsubscribe', params: { subscriptionId: id } },
  { method: 'trajectory/list', params: {} },
  ...METHODS.map((method) => ({
    method,
    params: {
      checkpointId: id,
      include: [...ARTIFACTS],
      filter: { agentId: id, sessionId: id },
      checkpoint: { id, agentId: 'stranger', label: 'a walk', sessionId: id, metadata: { goal: id } },
    },
  })),
]
