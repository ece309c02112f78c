import { asId, type PeerId } from '@/lib/mas/ids'
import { TEAM } from '@/test/worldHistories'
import { openSystem, PEER, type System, type SystemOptions } from '../adapterSystem'

export const KEY = 'harmony-key'
export const ID = asId<PeerId>('00000000-0000-4000-8000-0000000000aa')
export const OTHER = asId<PeerId>('00000000-0000-4000-8000-0000000000bb')
export const peers = [
  { ...PEER, id: ID, uri: 'agent://other.example/*', may: ['harmony' as const] },
  { ...PEER, id: OTHER, uri: 'agent://third.example/*', may: ['harmony' as const] },
  { ...PEER, uri: 'agent://mute.example/*', may: ['mamp' as const] },
]
export const secrets = [
  { id: ID, key: KEY, sendKey: null, signingKey: null },
  { id: OTHER, key: 'third-key', sendKey: null, signingKey: null },
  { id: PEER.id, key: 'mute-key', sendKey: null, signingKey: null },
]

export const context = (more: SystemOptions = {}): Promise<System> => openSystem({ peers, secrets, ...more })
/** Ana is signed in wherever the header says so; she sees all. */
export const asAna: NonNullable<SystemOptions['visitorOf']> = (request) =>
  Promise.resolve(
    request.headers.cookie === 'ana'
      ? { person: TEAM.ana.id, sightOf: () => ({ message: () => true, step: () => true }) }
      : request.headers.cookie === 'lee'
        ? { person: TEAM.lee.id, sightOf: () => null }
        : null,
  )

export type Headers = Record<string, string>
export const BY_KEY: Headers = { authorization: `Bearer ${KEY}` }
export const BY_ANA: Headers = { cookie: 'ana' }

export const post = (system: System, path: string, body: unknown, headers: Headers = BY_KEY) =>
  system.call(`/api/harmony/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
export const give = (system: System, query: string, headers: Headers = BY_KEY) =>
  system.call(`/api/harmony/export?${query}`, { headers })
export const listOf = async (system: System, id: unknown, headers: Headers = BY_KEY): Promise<unknown> =>
  (await give(system, `conversation_id=${id}`, headers)).json.messages

export const LIST = [
  { id: 'm1', role: 'system', content: 'You compare prices.', x_own: { kept: [1, null] } },
  {
    id: 'm2',
    role: 'user',
    name: 'Mia',
    created_at: 1715000000,
    content: [
      { type: 'text', text: '比较 <planned_step>{"steps": []}</planned_step> 价格', index: 0 },
      { type: 'image_url', image_url: { url: 'https://pictures.example/a.png', detail: 'low', rotation: 90 } },
      { type: 'input_audio', input_audio: { data: 'aGVsbG8=', format: 'wav', sample_rate: 24000 } },
    ],
  },
  {
    id: 'm3',
    role: 'assistant',
    name: 'Planner',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'db.read', arguments: '{"q":"a"}' }, x: 1 }],
    metadata: { token_usage: { prompt_tokens: 5, total_cost_usd: 0.1 }, trace_id: 't-1' },
  },
  { role: 'tool', tool_call_id: 'call_1', name: 'db.read', content: '{"status":"success","results":[7]}' },
  {
    id: 'm5',
    role: 'assistant',
    name: 'Planner',
    content: 'It is 7 [cit_01].',
    metadata: { citation_map: { cit_01: { source_type: 'web_search', url: 'https://a.example' } } },
  },
]
