/** A handoff packet that comes in: the agent that it names gets it as the first and only thing it knows of the job. */
import type { CommandOf } from '@/lib/mas/commands/command'
import { contentShaOf } from '@/lib/mas/commands/outside/takeFromOutside'
import type { AgentId, PeerId } from '@/lib/mas/ids'
import type { AgentRecord, World } from '@/lib/mas/records'
import { fitsPattern } from '@/lib/mas/selectors/outside'
import { HandoffPacket, writeHandoff } from '@/lib/protocols/harmony/handoff'
import { splitUri } from '@/lib/protocols/mamp'
import { sha256 } from '../../shared/sha256'
import type { AdapterContext, Ourselves } from '../adapter'
import { ourAgent } from '../agentUri'
import { keepEnvelope } from '../exchange'
import { answerTo, commitOnce } from '../idempotency'
import type { HarmonyCaller } from './caller'
import { conversationIn } from './importList'
import { HarmonyRefusal, harmonyRefusalOf } from './refusal'

/** It must stand in one message whole. */
export const MOST_PACKET_BYTES = 60 * 1024

/** key: the id that its sender gave it; null: none, and the same packet is the same job. */
type Packet = { value: unknown; bytes: Uint8Array; key: string | null }

/** faults: invalid_packet with the field, agent_not_found, too_large, not_allowed. */
export async function takeHandoff(
  adapterContext: AdapterContext,
  caller: HarmonyCaller,
  { value, bytes, key }: Packet,
): Promise<{ conversation_id: string }> {
  const read = HandoffPacket.safeParse(value)
  if (!read.success) {
    const [issue] = read.error.issues
    const place = issue?.path.map(String).join('.') || 'the packet'
    throw new HarmonyRefusal('invalid_packet', `${place}: ${issue?.message ?? 'not readable'}`, {
      ...{ at: null, place, rule: 'schema' },
    })
  }
  const text = writeHandoff(read.data)
  if (Buffer.byteLength(text) > MOST_PACKET_BYTES)
    throw new HarmonyRefusal(
      'too_large',
      `A packet has at most ${MOST_PACKET_BYTES} bytes; put what is large behind an address.`,
    )
  const { meta, context } = read.data
  const to = meant(adapterContext.engine.world(), adapterContext.ourselves(), meta.target_agent)
  if (to === null)
    throw new HarmonyRefusal('agent_not_found', `No agent here is called ${meta.target_agent.slice(0, 200)}.`, {
      ...{ at: null, place: 'meta.target_agent', rule: 'unknown_agent' },
    })
  const answer =
    caller.kind === 'person'
      ? await adapterContext.engine.commit({
          id: adapterContext.newId(),
          by: 'system:harmony',
          command: { type: 'openHandoff', person: caller.person, to, objective: context.primary_objective, text },
        })
      : await fromPeer(adapterContext, caller.peer, meta.source_agent, { to, text, bytes, key })
  if (!answer.ok) throw harmonyRefusalOf(answer.fault)
  return { conversation_id: conversationIn(answer.reply) }
}

/** The same packet from the same agent is the same job: it is begun once. */
async function fromPeer(
  adapterContext: AdapterContext,
  peer: PeerId,
  source: string,
  { to, text, bytes, key }: { to: AgentId; text: string; bytes: Uint8Array; key: string | null },
) {
  const from = sourceUri(adapterContext.engine.world(), peer, source)
  const sha = sha256(text)
  const theirs = key ?? `handoff-${sha.slice(0, 32)}`
  const command: CommandOf<'takeFromOutside'> = {
    type: 'takeFromOutside',
    ...{ peer, from, to, text, protocol: 'harmony', shared: null, theirs },
    ...{ attachments: [], needReply: true, inReplyTo: null, callback: null, status: 200 },
    ...{ bytes: bytes.length, sha: sha256(bytes), body: await keepEnvelope(adapterContext.bodies, bytes) },
  }
  const name = key === null ? ['handoff', from, to, sha] : ['handoff', from, key]
  return answerTo(await commitOnce(adapterContext, 'harmony', peer, name, command), theirs, contentShaOf(command))
}

/** By URI, configured id, uuid or name; an agent of ours that runs by itself. */
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

/**
 * The URI under which an agent of that peer is known here, whatever its system calls it.
 *
 * in      name: as the packet or list says it; a URI must be one of the peer's own
 * faults  not_allowed
 */
export function sourceUri(world: World, peer: PeerId, name: string): string {
  const pattern = world.peers[peer]?.uri ?? ''
  if (/^agent:\/\//i.test(name)) {
    if (!fitsPattern(pattern, name))
      throw new HarmonyRefusal('not_allowed', `This key does not speak for ${name.slice(0, 200)}.`)
    return name
  }
  const whole = /^agent:\/\/[^/]+\/?$/.test(pattern) ? `${pattern.replace(/\/$/, '')}/*` : pattern
  const bare = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, NAME_CHARACTERS)
  return whole.replaceAll('*', bare === '' ? 'harmony' : bare)
}
