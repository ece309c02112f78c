/** The queue for other systems. Every try carries the id of its message, so that a peer takes it once, also after a crash. */
import type { Command } from '@/lib/mas/commands/command'
import { findConversation, outgoingKey, selectOutgoing } from '@/lib/mas/outside/outside'
import { selectVoice } from '@/lib/mas/outside/outsideWork'
import type { Protocol } from '@/lib/mas/outside/peerProtocols'
import type { OutgoingRecord } from '@/lib/mas/outside/records'
import type { AdapterParts } from '@/server/otherSystems'
import { sha256 } from '@/server/shared/sha256'
import type { Adapter, SendResult } from './adapter'
import { uriOf } from './agentUri'
import { sendResult } from './callPeer'
import { keepEnvelope } from './exchange'
import type { Ways } from './ways'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Pause after each try; the last one repeats. */
const PAUSES_MS = [5 * SECOND, 20 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR]
/** A message that was not accepted for so long has failed. */
export const GIVE_UP_MS = 24 * HOUR
/** Concurrent calls to all peers. */
const PARALLEL = 8

/** Time of the next try, epoch ms; null: never. */
export function nextTry(outgoing: OutgoingRecord, attempt: number, now: number, saidMs: number | null): number | null {
  const pause = PAUSES_MS[Math.min(attempt, PAUSES_MS.length) - 1] ?? HOUR
  const at = now + Math.max(pause, Math.min(saidMs ?? 0, HOUR))
  return at > outgoing.queuedAt + GIVE_UP_MS ? null : at
}

/** Does this node deliver it? One that holds a stream or socket for it, else the one that decides. */
function isOurs({ engine, ways }: Pick<OutboxParts, 'engine' | 'ways'>, outgoing: OutgoingRecord): boolean {
  const conversation = findConversation(engine.world(), outgoing.conversation)
  const to = engine.world().agents[outgoing.agent]?.outside?.uri
  const node =
    conversation && to !== undefined
      ? ways.nodeFor({ protocol: conversation.protocol, peer: outgoing.peer, to, conversation: conversation.id })
      : null
  return node === null ? engine.leads() : node === engine.node
}

type OutboxParts = Pick<AdapterParts, 'engine' | 'bodies' | 'ourselves' | 'now' | 'newId' | 'schedule' | 'log'> & {
  ways: Ways
}

/** in: a protocol's adapter; undefined: disabled. out: a queue that delivers messages to outside agents and repeats failed tries. */
export function openDeliveryQueue(parts: OutboxParts, adapterOf: (protocol: Protocol) => Adapter | undefined) {
  const { engine, bodies, now, newId, log } = parts
  const trying = new Map<string, Promise<void>>()
  /** Skip the pause, both now and after a running try. */
  const hurried = new Set<string>()
  const stopping = new AbortController()
  let stopTimer: (() => void) | null = null

  const commit = (command: Command) => engine.commit({ id: newId(), by: 'system:adapters', command })

  function look(): void {
    stopTimer?.()
    stopTimer = null
    if (stopping.signal.aborted) return
    let next = Number.POSITIVE_INFINITY
    for (const outgoing of selectOutgoing(engine.world())) {
      const key = outgoingKey(outgoing)
      if (trying.has(key) || !isOurs(parts, outgoing)) continue
      if (outgoing.nextAt > now() && !hurried.has(key)) {
        next = Math.min(next, outgoing.nextAt)
        continue
      }
      if (trying.size >= PARALLEL) return
      hurried.delete(key)
      const work = tryOne(outgoing)
        .catch((error: unknown) => {
          log.error({ err: error, outgoing: key }, 'unexpected error while sending to another system')
          return false
        })
        .then((isTried) => {
          trying.delete(key)
          // A try that could not start is repeated after a second; at once would be a busy loop.
          if (isTried) look()
          else lookIn(SECOND)
        })
      trying.set(key, work)
    }
    if (next !== Number.POSITIVE_INFINITY) lookIn(next - now())
  }

  function lookIn(ms: number): void {
    if (stopping.signal.aborted) return
    stopTimer?.()
    stopTimer = parts.schedule(look, Math.max(0, ms))
  }

  /** out: was it tried, with its result journaled? */
  async function tryOne(outgoing: OutgoingRecord): Promise<boolean> {
    const { task, message, agent } = outgoing
    const started = await commit({ type: 'startSending', task, message, agent, node: engine.node })
    if (!started.ok) return false
    const sent = await send(outgoing)
    if (stopping.signal.aborted && sent.verdict === 'retry') return false
    const next = sent.verdict === 'retry' ? nextTry(outgoing, outgoing.attempts + 1, now(), sent.retryAfterMs) : null
    const verdict = sent.verdict === 'retry' && next === null ? 'failed' : sent.verdict
    const { by, status, why, shared, closes, envelope } = sent
    const bytes = Buffer.from(envelope ?? '')
    const body = envelope === null ? null : await keepEnvelope(bodies, bytes)
    const finished = await commit({
      type: 'finishSending',
      task,
      message,
      agent,
      verdict,
      by,
      status,
      why,
      body,
      shared,
      closes,
      next,
      bytes: bytes.length,
      sha: envelope === null ? '' : sha256(bytes),
    })
    return finished.ok
  }

  async function send(outgoing: OutgoingRecord): Promise<SendResult> {
    const world = engine.world()
    const { task, agent } = outgoing
    const message = world.messages[task]?.[outgoing.message]
    const conversation = findConversation(world, outgoing.conversation)
    const peer = world.peers[outgoing.peer]
    const to = world.agents[agent]?.outside?.uri
    const adapter = conversation ? adapterOf(conversation.protocol) : undefined
    const voice = message && conversation ? selectVoice(message, conversation) : 'system:task'
    const from = voice === 'system:task' ? null : uriOf(world, parts.ourselves(), voice)
    if (!message || !conversation || !peer || peer.removed || to === undefined || from === null || !adapter?.send)
      return sendResult({ why: { code: 'noWay' } })
    return adapter.send({ outgoing, message, conversation, peer, from, to, signal: stopping.signal })
  }

  const stops = [engine.onDecision(() => look()), engine.onLead(() => look()), parts.ways.onChange(look)]
  return {
    /** Check for what is due to be sent. */
    look,
    /** Try these now, without their pause. */
    reached(fits: (outgoing: OutgoingRecord) => boolean): void {
      const all = selectOutgoing(engine.world())
      const waiting = all.filter(fits)
      const keys = new Set(all.map(outgoingKey))
      // Deliveries that ended in another way than by a try.
      for (const key of hurried) if (!keys.has(key)) hurried.delete(key)
      for (const outgoing of waiting) hurried.add(outgoingKey(outgoing))
      if (waiting.length > 0) look()
    },
    async stop(): Promise<void> {
      for (const stop of stops) stop()
      stopTimer?.()
      stopping.abort()
      await Promise.all(trying.values())
    },
  }
}
