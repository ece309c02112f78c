import { onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { asId, type PeerId } from '@/lib/mas/ids'
import type { PeerConfig } from '@/lib/mas/outside/records'
import type { PeerSecrets } from '@/server/otherSystems'
import { READER, saysFyi } from '@/test/stories'
import type { SkillScript } from '@/test/testEngine'
import { TEAM } from '@/test/worldHistories'
import { EVENT_NAMES } from '../../protocols/envelope/events'
import { KEY, openSystem, PEER, type System } from '../adapterSystem'

export const ENVELOPE_PEER: PeerConfig = {
  ...PEER,
  may: ['envelope'],
  actions: ['get_status', 'ask'],
  agents: [READER, TEAM.manager.id],
}
export const SIGNER: PeerConfig = {
  ...ENVELOPE_PEER,
  id: asId<PeerId>('00000000-0000-4000-8000-00000000beef'),
  uri: 'agent://signs.example/*',
}
export const SIGNER_KEY = 'key-of-the-one-who-signs'
export const SIGNING = 'both know this'
export const SECRETS: PeerSecrets[] = [
  { id: ENVELOPE_PEER.id, key: KEY, sendKey: null, signingKey: null },
  { id: SIGNER.id, key: SIGNER_KEY, sendKey: null, signingKey: SIGNING },
]

export const open = (more: Parameters<typeof openSystem>[0] = {}): Promise<System> =>
  openSystem({ peers: [ENVELOPE_PEER, SIGNER], secrets: SECRETS, ...more })

export type Said = {
  message_type: string
  sender_id: string
  receiver_id: string
  payload: {
    status?: string
    result?: Record<string, unknown>
    code?: string
    message?: string
    event_name?: string
    event_data?: Record<string, unknown>
    action?: string
    parameters?: Record<string, unknown>
  }
  metadata?: { correlation_id?: string }
  message_id: string
}
export const envelope = (more: object = {}) => ({
  protocol_version: '1.0',
  message_id: 'm-1',
  timestamp: '2026-11-21T10:00:00Z',
  sender_id: 'planner',
  receiver_id: 'reader',
  message_type: 'request',
  payload: { action: 'get_status', parameters: {} },
  ...more,
})
export const asks = (question: string, more: object = {}) =>
  envelope({ payload: { action: 'ask', parameters: { question } }, ...more })

export async function post(system: System, message: unknown, headers: Record<string, string> = {}) {
  const body = typeof message === 'string' ? message : JSON.stringify(message)
  const answer = await fetch(`${system.url}/envelope/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${KEY}`, ...headers },
    body,
  })
  const said: Said = await answer.json()
  return { status: answer.status, said, headers: answer.headers }
}

/** in: autoPong: whether the socket answers pings, which says that what stood before them was read */
export async function connect(system: System, key = KEY, more: Record<string, string> = {}, autoPong = true) {
  const socket = new WebSocket(`${system.url.replace('http', 'ws')}/envelope/v1/ws`, {
    headers: { authorization: `Bearer ${key}`, ...more },
    autoPong,
  })
  const came: Said[] = []
  /** Who of ours is there, as a line of name and event. */
  const presence: string[] = []
  socket.on('message', (data) => {
    const text = String(data)
    const said: Said = JSON.parse(text.slice(text.indexOf('{')))
    const { event_name, event_data } = said.payload
    if (event_name === EVENT_NAMES.agent_online || event_name === EVENT_NAMES.agent_offline)
      presence.push(`${event_data?.agent_id} ${event_name}`)
    else came.push(said)
  })
  onTestFinished(() => socket.terminate())
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return {
    socket,
    came,
    presence,
    say: (message: unknown) => socket.send(typeof message === 'string' ? message : JSON.stringify(message)),
  }
}

/** Each agent that is asked answers. */
export const answers: SkillScript = (step) => (step.executor === 'send_message' ? saysFyi([], 'It is 7.') : null)
