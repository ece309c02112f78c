/**
 * Who calls the Harmony face: another system by its key, or a person of ours by their session; and what is open to
 * them.
 */
import type { IncomingMessage } from 'node:http'
import { asId, type PeerId, type TaskId } from '@/lib/mas/ids'
import type { ConversationRecord } from '@/lib/mas/outsideRecords'
import type { World } from '@/lib/mas/records'
import { bareId } from '@/lib/mas/selectors/agents'
import { selectConversation } from '@/lib/mas/selectors/outside'
import { withRestoredTask } from '../../engine/restoredTasks'
import type { AdapterContext, TaskReader, TaskScope } from '../adapter'
import { signatureIn } from '../http'
import { HarmonyRefusal } from './refusal'

/** faults: bad_signature. bytes: the body; of a call without one, none. */
export function mustBeSigned(
  context: AdapterContext,
  caller: HarmonyCaller,
  request: IncomingMessage,
  bytes: Uint8Array,
): void {
  if (caller.kind === 'person') return
  const problem = context.keys.signatureProblem(caller.peer, bytes, signatureIn(request, 'harmony'))
  if (problem !== null) throw new HarmonyRefusal('bad_signature', problem)
}

export type HarmonyCaller = { kind: 'peer'; peer: PeerId } | ({ kind: 'person' } & TaskReader)

/** Throws unauthorized, not_allowed, too_many. */
export async function harmonyCallerOf(context: AdapterContext, request: IncomingMessage): Promise<HarmonyCaller> {
  const { authorization } = request.headers
  if (authorization === undefined) {
    const visitor = (await context.visitorOf?.(request)) ?? null
    if (visitor === null)
      throw new HarmonyRefusal('unauthorized', 'Sign in, or show a key: Authorization: Bearer <key>.')
    const seconds = await context.exchange.tooManyReads(visitor.person)
    if (seconds > 0) throw tooMany(seconds)
    return { kind: 'person', ...visitor }
  }
  const peer = context.keys.holder(authorization)
  if (peer === null) throw new HarmonyRefusal('unauthorized', 'This key is not known here.')
  const seconds = await context.exchange.tooMany(peer)
  if (seconds > 0) throw tooMany(seconds)
  const record = context.engine.world().peers[peer]
  if (!record || record.removed || !record.may.includes('harmony'))
    throw new HarmonyRefusal('not_allowed', 'This peer may not use harmony.')
  return { kind: 'peer', peer }
}

const tooMany = (seconds: number) =>
  new HarmonyRefusal('too_many', `Too many calls. Try again in ${seconds} s.`, null, seconds)

/** A task with all that it ever held, and what of it the caller sees. conversation: null for a person. */
export type Readable = {
  world: World
  task: TaskId
  sight: TaskScope
  conversation: ConversationRecord | null
}

export type NamedTask = { conversation: string | null; task: string | null }

/**
 * The conversation that is named, by the id that both systems know, or by its task.
 *
 * faults  not_found: there is none, or none that the caller may see, which is the same to them; bad_request
 */
export async function readable(
  context: AdapterContext,
  caller: HarmonyCaller,
  { conversation, task }: NamedTask,
): Promise<Readable> {
  const none = new HarmonyRefusal('not_found', 'There is no such conversation.')
  if ((conversation === null) === (task === null))
    throw new HarmonyRefusal('bad_request', 'Name one: conversation_id or task_id.')
  const live = context.engine.world()
  if (caller.kind === 'peer') {
    // Tasks are ours alone: a peer knows its conversations.
    const known = conversation === null ? null : selectConversation(live, caller.peer, conversation)
    if (known === null) throw none
    const sight: TaskScope = {
      message: ({ sender, receivers }) => sender === known.agent || receivers.includes(known.agent),
      step: () => false,
    }
    return {
      world: await holding(context, known.task, none),
      task: known.task,
      sight,
      conversation: known,
    }
  }
  const shared =
    conversation === null
      ? null
      : Object.values(live.conversations).flatMap((all: Record<string, ConversationRecord>) =>
          Object.values(all).filter((one) => one.shared === conversation),
        )[0]
  const id = shared?.task ?? asId<TaskId>(bareId(task ?? conversation ?? ''))
  if (Object.hasOwn(Object.prototype, id)) throw none
  const world = await holding(context, id, none)
  const sight = caller.sightOf(world, id)
  if (sight === null) throw none
  return { world, task: id, sight, conversation: null }
}

/** The world with all that the task ever held in it. */
async function holding({ engine, past }: AdapterContext, task: TaskId, none: HarmonyRefusal): Promise<World> {
  const whole = await past.whole(task)
  if (whole === null) throw none
  return withRestoredTask(engine.world(), whole)
}
