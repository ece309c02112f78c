/** Receives a handoff packet: the whole context of the agent that it names. */

import type { AgentId } from '@/lib/mas/ids'
import { contentShaOf } from '@/lib/mas/outside/commands/takeFromOutside'
import { fitsPattern } from '@/lib/mas/outside/outside'
import type { PeerRecord } from '@/lib/mas/outside/records'
import type { AgentRecord, World } from '@/lib/mas/records'
import { HandoffPacket, writeHandoff } from '@/lib/protocols/harmony/handoff'
import type { Ourselves } from '@/server/otherSystems'
import { sha256 } from '@/server/shared/sha256'
import { splitUri } from '../../protocols/mamp/message'
import type { AdapterContext } from '../adapter'
import { ourAgent } from '../agentUri'
import { answerTo, commitOnce } from '../idempotency'
import { type PeerCall, takeCommand } from '../receive'
import { refusalOf } from '../refusal'
import type { HarmonyCaller } from './caller'
import { conversationIn } from './importList'
import { HARMONY, harmonyRefusal } from './refusal'

/** It must fit into one message. */
export const MOST_PACKET_BYTES = 60 * 1024

/** key: the sender's id of it; null: none, and equal packets are the same job. */
type Packet = { value: unknown; key: string | null }

/** faults: invalid_packet with the field, agent_not_found, too_large, not_allowed. */
export async function takeHandoff(
  adapterContext: AdapterContext,
  caller: HarmonyCaller,
  { value, key }: Packet,
): Promise<{ conversation_id: string }> {
  const read = HandoffPacket.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    const place = issue?.path.map(String).join('.') || 'the packet'
    throw harmonyRefusal('invalid_packet', `${place}: ${issue?.message ?? 'not readable'}`, {
      at: null,
      place,
      rule: 'schema',
    })
  }
  const text = writeHandoff(read.data)
  if (Buffer.byteLength(text) > MOST_PACKET_BYTES)
    throw harmonyRefusal(
      'too_large',
      `A packet has at most ${MOST_PACKET_BYTES} bytes; put what is large behind an address.`,
    )
  const { meta, context } = read.data
  const to = meant(adapterContext.engine.world(), adapterContext.ourselves(), meta.target_agent)
  if (to === null)
    throw harmonyRefusal('agent_not_found', `No agent here is called ${meta.target_agent.slice(0, 200)}.`, {
      at: null,
      place: 'meta.target_agent',
      rule: 'unknown_agent',
    })
  const answer =
    caller.kind === 'person'
      ? await adapterContext.engine.commit({
          id: adapterContext.newId(),
          by: 'system:harmony',
          command: { type: 'openHandoff', person: caller.person, to, objective: context.primary_objective, text },
        })
      : await fromPeer(adapterContext, caller, meta.source_agent, { to, text, key })
  if (!answer.ok) throw refusalOf(HARMONY.refusals, answer.fault)
  return { conversation_id: conversationIn(answer.reply) }
}

/** Equal packets from the same agent are one job, begun once. */
async function fromPeer(
  adapterContext: AdapterContext,
  call: PeerCall,
  source: string,
  { to, text, key }: { to: AgentId; text: string; key: string | null },
) {
  const from = sourceUri(call.peer, source)
  const sha = sha256(text)
  const theirs = key ?? `handoff-${sha.slice(0, 32)}`
  const command = await takeCommand(adapterContext, 'harmony', call, {
    from,
    to,
    text,
    theirs,
    shared: null,
    attachments: [],
    needReply: true,
    inReplyTo: null,
    callback: null,
    status: 200,
  })
  const name = key === null ? ['handoff', from, to, sha] : ['handoff', from, key]
  const answer = await commitOnce(adapterContext, 'harmony', call.peer.id, name, command)
  return answerTo(answer, theirs, contentShaOf(command))
}

/** By URI, configured id, uuid or name; must be an agent of ours that runs. */
function meant(world: World, us: Pick<Ourselves, 'domain'>, target: string): AgentId | null {
  const all = (Object.values(world.agents) as AgentRecord[]).filter(({ kind, removed }) => kind === 'llm' && !removed)
  const uri = splitUri(target) === null ? null : ourAgent(world, us, target)
  const found =
    all.find(({ id }) => id === uri?.id) ??
    all.find(({ id, configId }) => id === target || configId === target) ??
    all.find(({ name }) => name.toLowerCase() === target.toLowerCase())
  return found?.id ?? null
}

const NAME_CHARACTERS = 100

/** The URI of that peer's agent. in: name: as given in the packet or list; a URI must belong to the peer. Throws not_allowed */
export function sourceUri({ uri: pattern }: PeerRecord, name: string): string {
  if (/^agent:\/\//i.test(name)) {
    if (!fitsPattern(pattern, name))
      throw harmonyRefusal('not_allowed', `This key does not speak for ${name.slice(0, 200)}.`)
    return name
  }
  const whole = /^agent:\/\/[^/]+\/?$/.test(pattern) ? `${pattern.replace(/\/$/, '')}/*` : pattern
  const bare = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, NAME_CHARACTERS)
  return whole.replaceAll('*', bare === '' ? 'harmony' : bare)
}
