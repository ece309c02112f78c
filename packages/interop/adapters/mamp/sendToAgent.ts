/** The tool `send_to_agent`: sends a message to an outside agent and waits for its delivery. */
import * as z from 'zod/mini'
import { fieldsIn } from '@/lib/json'
import { type AgentId, asId, type MessageId, makeIds, type StageId, type StepId, type TaskId } from '@/lib/mas/ids'
import { findConversation, selectOpenConversation, selectPeers } from '@/lib/mas/outside/outside'
import type { ConversationRecord, OutgoingRecord } from '@/lib/mas/outside/records'
import type { AgentRecord, AskedAction, Json, World } from '@/lib/mas/records'
import { selectStep } from '@/lib/mas/team/agents'
import type { OutgoingFiles } from '@/server/files'
import type { AdapterParts } from '@/server/otherSystems'
import type { OutsideAnswer, PeerAgents, ToolCaller } from '@/server/tools'
import { type MampContent as ContentOf, MampContent, mampParts } from '../../protocols/mamp/message'
import { wakeConversation } from '../wake'
import { fromParts } from './content'

/** After this time the tool answers `queued`; the delivery continues. */
const WAIT_MS = 20_000

type Parts = Pick<AdapterParts, 'engine' | 'bodies' | 'past' | 'newId' | 'schedule' | 'outgoing'>

export function openPeerAgents(parts: Parts): Pick<PeerAgents, 'send' | 'known'> {
  const { engine, bodies } = parts
  return {
    async send(
      { agent, task, stage, step },
      { target, message, conversation, files = [], action },
      signal,
    ): Promise<OutsideAnswer> {
      const content = action === undefined ? contentOf(message) : textOfAsked(action)
      if (content === null) return { ok: false, why: 'message is neither a text nor a list of parts' }
      const { text, attachments } = await fromParts(mampParts(content), bodies)
      const sent = await filesOf(parts, { agent, task, step }, files)
      if (sent.left.length > 0) return { ok: false, why: `these files cannot be sent: ${sent.left.join(', ')}` }
      if (conversation !== null) await wakeConversation(parts, named(engine.world(), conversation))
      const answer = await engine.commit({
        // A step repeated after a crash sends nothing twice.
        id: `send_to_agent:${makeIds(step)<string>()}`,
        by: 'system:agents',
        command: {
          type: 'sendOutside',
          sender: asId<AgentId>(agent),
          task: asId<TaskId>(task),
          stage: stage === null ? null : asId<StageId>(stage),
          step: asId<StepId>(step),
          uri: target,
          text,
          attachments: [...attachments, ...sent.files],
          conversation,
          ...(action === undefined ? {} : { action }),
        },
      })
      if (!answer.ok) return { ok: false, why: answer.fault.message }
      const reply = readReply(answer.reply)
      if (reply === null) return { ok: false, why: 'the message is gone' }
      await untilSent(parts, reply, signal)
      return outcomeOf(engine.world(), reply)
    },
    known() {
      const world = engine.world()
      const agents = Object.values(world.agents).flatMap((one: AgentRecord) =>
        one.outside && !one.removed ? [{ uri: one.outside.uri, name: one.name }] : [],
      )
      const patterns = selectPeers(world).map(({ uri }) => ({ uri, name: '' }))
      return [...agents, ...patterns.filter(({ uri }) => !agents.some((one) => one.uri === uri))]
    },
  }
}

/** The files at these paths that the calling step may send. */
async function filesOf(
  { engine, outgoing }: Parts,
  { agent, task, step }: Pick<ToolCaller, 'agent' | 'task' | 'step'>,
  paths: readonly string[],
): ReturnType<OutgoingFiles> {
  const world = engine.world()
  const caller = selectStep(world, asId<TaskId>(task), asId<AgentId>(agent), asId<StepId>(step))
  if (paths.length === 0 || caller === null) return { files: [], left: [...paths] }
  return outgoing(world, caller, paths)
}

/** The conversation with that shared id, or with that id of ours. */
const named = (world: World, id: string): ConversationRecord | null =>
  Object.values(world.conversations)
    .flatMap((all) => Object.values(all) as ConversationRecord[])
    .find((one) => one.shared === id || one.id === id) ?? null

const Wrapped = z.looseObject({ content: MampContent })

/** The argument forms of the document's samples: a text, parts, or an object with parts. */
function contentOf(message: unknown): ContentOf | null {
  const plain = MampContent.safeParse(message)
  if (plain.success) return plain.data
  const wrapped = Wrapped.safeParse(message)
  return wrapped.success ? wrapped.data.content : null
}

/** As shown to the team. */
const textOfAsked = ({ name, parameters }: AskedAction): string =>
  Object.keys(parameters).length === 0 ? name : `${name}\n\n\`\`\`json\n${JSON.stringify(parameters, null, 2)}\n\`\`\``

type SentMessage = Pick<OutgoingRecord, 'task' | 'agent' | 'message'>

/** The reply of the command, as lib/mas/outside/commands/sendOutside.ts writes it. */
function readReply(reply: Json): SentMessage | null {
  const { task, agent, message } = fieldsIn(reply)
  if (typeof task !== 'string' || typeof agent !== 'string' || typeof message !== 'string') return null
  return { task: asId<TaskId>(task), agent: asId<AgentId>(agent), message: asId<MessageId>(message) }
}

const deliveryOf = (world: World, { task, agent, message }: SentMessage) => world.deliveries[task]?.[agent]?.[message]

function untilSent({ engine, schedule }: Parts, sent: SentMessage, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      leave()
      stopTimer()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const look = (): void => {
      if (deliveryOf(engine.world(), sent)?.state !== 'queued') end()
    }
    const leave = engine.onDecision(look)
    const stopTimer = schedule(end, WAIT_MS)
    signal.addEventListener('abort', end, { once: true })
    look()
  })
}

/** Our own id is used for the conversation until the peer has set one. */
function outcomeOf(world: World, sent: SentMessage): OutsideAnswer {
  const delivery = deliveryOf(world, sent)
  if (delivery?.state === 'failed') return { ok: false, why: delivery.note ?? "it couldn't be delivered" }
  const open = selectOpenConversation(world, sent.task, sent.agent)
  const conversation = open && findConversation(world, open.id)
  return {
    ok: true,
    conversation_id: conversation?.shared ?? conversation?.id ?? '',
    message_id: sent.message,
    status: delivery?.state === 'queued' ? 'queued' : 'delivered',
  }
}
