import { onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { asId, type PeerId } from '@/lib/mas/ids'
import type { PeerConfig } from '@/lib/mas/outside/records'
import type { PeerSecrets } from '@/server/otherSystems'
import { READER, sync } from '@/test/stories'
import type { SkillScript } from '@/test/testEngine'
import { outcomeOf, planned } from '@/test/worldHistories'
import { KEY, openSystem, PEER, type System } from '../adapterSystem'

export const MAP_PEER: PeerConfig = { ...PEER, may: ['map'], agents: [READER] }
export const OTHER_PEER: PeerConfig = {
  ...MAP_PEER,
  id: asId<PeerId>('00000000-0000-4000-8000-00000000beef'),
  uri: 'agent://third.example/*',
  agents: [],
}
export const OTHER_KEY = 'key-of-a-third-system'
export const secret = (id: PeerId, key: string): PeerSecrets => ({ id, key, sendKey: null, signingKey: null })

export const open = (more: Parameters<typeof openSystem>[0] = {}): Promise<System> =>
  openSystem({
    peers: [MAP_PEER, OTHER_PEER],
    secrets: [secret(MAP_PEER.id, KEY), secret(OTHER_PEER.id, OTHER_KEY)],
    ...more,
  })

/** Plans a summary, and says in it that all is done. */
export const worksAtOnce: SkillScript = (step) => {
  if (step.executor === 'planning') return outcomeOf({ steps: { insert: [], add: [planned('summary')] } })
  return step.executor === 'summary' ? sync({ update_stage_agent_completion: { summary: 'read all of it' } }) : null
}

export type Answer = {
  id: unknown
  result?: Record<string, unknown>
  error?: { code: number; message: string; data?: object }
}
export type Note = { method: string; params: Record<string, unknown> }

/** A client that knows the document and JSON-RPC, nothing else. */
export async function rawClient({ url }: System, headers: Record<string, string> = {}) {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/map`, { headers })
  const answers = new Map<unknown, Answer>()
  const notes: Note[] = []
  let closed: number | null = null
  socket.on('message', (data) => {
    const said: Partial<Note> & Answer = JSON.parse(String(data))
    if (said.method !== undefined && said.params !== undefined)
      notes.push({ ...said, method: said.method, params: said.params })
    else answers.set(said.id, said)
  })
  socket.on('close', (code) => {
    closed = code
  })
  onTestFinished(() => socket.terminate())
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  let ids = 0
  const send = async (text: string, id: unknown): Promise<Answer> => {
    socket.send(text)
    const look = () => {
      const answer = answers.get(id)
      if (!answer) throw new Error(`no answer to ${text.slice(0, 100)}`)
      return answer
    }
    return vi.waitFor(look, { interval: 2, timeout: 10_000 })
  }
  const call = (method: string, params: object = {}): Promise<Answer> => {
    ids += 1
    return send(JSON.stringify({ jsonrpc: '2.0', id: ids, method, params }), ids)
  }
  return { call, send, notes, socket, closed: () => closed }
}
export type Raw = Awaited<ReturnType<typeof rawClient>>

export const bearer = (key = KEY) => ({ authorization: `Bearer ${key}` })
export const connectAs = (raw: Raw, participantType: string, more: object = {}) =>
  raw.call('map/connect', { protocolVersion: 1, participantType, name: 'a test', ...more })
export const checkpoint = (more: object = {}) => ({
  id: 'a1b2c3d4e5f6',
  agentId: 'agent-1',
  label: 'Implement JWT authentication middleware',
  sessionId: 'sess-abc',
  metadata: { branch: 'feature/auth', tokenUsage: { inputTokens: 50000, outputTokens: 12000 } },
  ...more,
})
export async function agent(system: System, key = KEY, agentId = 'agent-1'): Promise<Raw> {
  const raw = await rawClient(system, bearer(key))
  await connectAs(raw, 'agent', { participantId: agentId })
  return raw
}
export async function client(system: System, key = KEY): Promise<Raw> {
  const raw = await rawClient(system, bearer(key))
  await connectAs(raw, 'client')
  return raw
}
export const report = (raw: Raw, more: object = {}) =>
  raw.call('trajectory/checkpoint', { checkpoint: checkpoint(more) })
