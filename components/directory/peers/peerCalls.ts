import * as z from 'zod/mini'
import { call } from '@/client'
import { type ApiResult, command } from '@/client/api'
import { type Act, actAt } from '@/components/operate/acts'
import { agentIdShape } from '@/components/operate/useActForm'
import { namesIn } from '@/components/setup/setupCalls'
import type { AgentId } from '@/lib/mas/ids'
import { PEER_LIMITS } from '@/lib/mas/outside/peerLimits'
import { PEER_VARIABLE, PROTOCOLS } from '@/lib/mas/outside/peerProtocols'
import { isWebAddress, unsignedOf } from '@/lib/mas/setup/setupFields'
import type { CommandAnswer, CommandHead, PeerKeyAnswer, PeerShown, PostPeer } from '@/lib/wire'

const PEERS = '/api/directory/peers'
const at = (id: string): string => `${PEERS}/${encodeURIComponent(id)}`

export const peerDraftShape = z.object({
  uri: z.string(),
  baseUrl: z.string(),
  may: z.array(z.enum(PROTOCOLS)),
  actions: z.string(),
  agents: z.array(agentIdShape),
  allowPrivate: z.boolean(),
  tasks: z.string(),
  tokensPerDay: z.string(),
  costPerDay: z.string(),
  sendKeyEnv: z.string(),
  signingKeyEnv: z.string(),
})
export type PeerDraft = Readonly<z.infer<typeof peerDraftShape>>

export const draftPlace = (peer: PeerShown | null): string =>
  `act:peers.${peer?.id ?? 'add'}`.replace(/[^0-9A-Za-z_.:-]/g, '-')

/** null: one that is added. */
export const draftOf = (peer: PeerShown | null): PeerDraft => ({
  uri: peer?.uri ?? '',
  baseUrl: peer?.baseUrl ?? '',
  may: [...(peer?.may ?? ['mamp'])],
  actions: (peer?.actions ?? []).join(', '),
  agents: (peer?.agents ?? []).map(({ id }) => id as AgentId),
  allowPrivate: peer?.allowPrivate ?? false,
  tasks: String((peer?.limits ?? PEER_LIMITS).tasks),
  tokensPerDay: String(peer?.limits.tokensPerDay ?? ''),
  costPerDay: String(peer?.limits.costPerDay ?? ''),
  sendKeyEnv: peer?.made?.sendKey?.variable ?? '',
  signingKeyEnv: peer?.made?.signingKey?.variable ?? '',
})

type MissingField = 'uri' | 'may' | 'address' | 'limits' | 'variable' | 'unsigned'

/** A limit as typed; null: left empty; undefined: no number that a limit can be. */
function limitOf(text: string, isWhole: boolean): number | null | undefined {
  if (text.trim() === '') return null
  const value = Number(text)
  return value > 0 && Number.isFinite(value) && (!isWhole || Number.isInteger(value)) ? value : undefined
}

const limitsOf = ({ tasks, tokensPerDay, costPerDay }: PeerDraft) => ({
  tasks: limitOf(tasks, true),
  tokensPerDay: limitOf(tokensPerDay, true),
  costPerDay: limitOf(costPerDay, false),
})

/** What is not valid yet; null: nothing. */
export function missingFieldOf(draft: PeerDraft): MissingField | null {
  if (!/^agent:\/\/[^\s/]+(\/\S*)?$/.test(draft.uri.trim())) return 'uri'
  if (draft.may.length === 0) return 'may'
  if (draft.baseUrl.trim() !== '' && !isWebAddress(draft.baseUrl.trim())) return 'address'
  const { tasks, ...day } = limitsOf(draft)
  if (tasks == null || Object.values(day).includes(undefined)) return 'limits'
  const variables = [draft.sendKeyEnv, draft.signingKeyEnv].map((name) => name.trim()).filter((name) => name !== '')
  if (!variables.every((name) => PEER_VARIABLE.test(name))) return 'variable'
  return unsignedOf({ signingKeyEnv: orNone(draft.signingKeyEnv), may: draft.may }).length > 0 ? 'unsigned' : null
}

const orNone = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** The draft as the server takes it. */
export const peerSpecOf = (draft: PeerDraft): Omit<PostPeer, keyof CommandHead> => ({
  uri: draft.uri.trim(),
  baseUrl: orNone(draft.baseUrl),
  may: [...draft.may],
  actions: namesIn(draft.actions),
  agents: [...draft.agents],
  allowPrivate: draft.allowPrivate,
  limits: {
    tasks: limitOf(draft.tasks, true) ?? PEER_LIMITS.tasks,
    tokensPerDay: limitOf(draft.tokensPerDay, true) ?? null,
    costPerDay: limitOf(draft.costPerDay, false) ?? null,
  },
  sendKeyEnv: orNone(draft.sendKeyEnv),
  signingKeyEnv: orNone(draft.signingKeyEnv),
})

export const addPeer = (draft: PeerDraft, head: CommandHead): Promise<ApiResult<PeerKeyAnswer>> =>
  call('POST', PEERS, { ...peerSpecOf(draft), ...head })

export function changePeer(id: string, draft: PeerDraft, head: CommandHead): Promise<ApiResult<CommandAnswer>> {
  const { uri: _, ...rights } = peerSpecOf(draft)
  return call('PUT', at(id), { ...rights, ...head })
}

/** in: onKey: gets the new key; null: it was lost with an answer that never came */
export const renewPeerAct = (id: string, onKey: (key: string | null) => void): Act =>
  actAt('act:peers.key', async (_, head) => {
    const answer = await call<PeerKeyAnswer>('POST', `${at(id)}/key`, head)
    if (answer.ok) onKey(answer.value.key)
    return answer
  })
export const removePeerAct = (id: string): Act =>
  actAt('act:peers.remove', (_, head) => command(`${at(id)}/remove`, {}, head))
export const testPeer = (id: string, uri: string, text: string, head: CommandHead): Promise<ApiResult<CommandAnswer>> =>
  command(`${at(id)}/test`, { uri, text }, head)
