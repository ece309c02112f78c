/** Idempotent commands of other systems: a repeated id is the same command, without time limit. */

import { Fault } from '@/lib/faults'
import { fieldsIn } from '@/lib/json'
import { decide } from '@/lib/mas/commands'
import type { Command, CommandOf } from '@/lib/mas/commands/command'
import { type MessageId, makeIds, type PeerId, type TaskId } from '@/lib/mas/ids'
import { contentShaOf } from '@/lib/mas/outside/commands/takeFromOutside'
import { selectConversation, selectTaken } from '@/lib/mas/outside/outside'
import type { Protocol } from '@/lib/mas/outside/peerProtocols'
import type { Json } from '@/lib/mas/records'
import type { AdapterParts } from '@/server/otherSystems'
import { bodyContent } from '@/server/shared/bodyText'
import { isMadeUp } from './envelope/conversationNames'
import { wakeConversation } from './wake'

/** in: parts: identify the call among those of this peer. The command's id includes the peer's, so peers cannot collide. */
export async function commitOnce(
  { engine, newId }: { engine: Pick<AdapterParts['engine'], 'commit'>; newId: AdapterParts['newId'] },
  protocol: Protocol,
  peer: PeerId,
  parts: readonly string[],
  command: Command,
): Promise<CommittedOnce> {
  const by = `system:${protocol}`
  const first = await engine.commit({
    id: `${protocol}:${peer}:${makeIds(JSON.stringify(parts))<string>()}`,
    by,
    command,
  })
  // A refused command may be accepted now, so it is decided again.
  return first.ok ? first : engine.commit({ id: newId(), by, command })
}
type CommittedOnce = { ok: true; reply: Json } | { ok: false; fault: Fault }

/**
 * The first answer, if it was to the same content.
 *
 * in      theirs: the sender's id; content: SHA-256 of the content
 * faults  ENVELOPE_ID_TAKEN: the id was used with other content
 */
export function answerTo(answer: CommittedOnce, theirs: string, content: string): CommittedOnce {
  const isOther = answer.ok && readTaken(answer.reply).content !== content
  return isOther ? { ok: false, fault: new Fault('ENVELOPE_ID_TAKEN', { id: theirs }) } : answer
}

export type TakenReply = {
  conversation: string | null
  message: MessageId | null
  task: TaskId | null
  content: string | null
}
/** isRepeat: the id was used before with the same content. */
type TakenOnce = { ok: true; taken: TakenReply; isRepeat: boolean } | { ok: false; fault: Fault }

/**
 * Accept a message; an archived conversation is restored first.
 *
 * in  keep: stores and fetches the content; called only for a new message that would be accepted
 */
export async function takeOnce(
  parts: Pick<AdapterParts, 'engine' | 'newId' | 'past' | 'bodies' | 'saveFiles' | 'now' | 'log'>,
  command: CommandOf<'takeFromOutside'>,
  keep: () => Promise<Said>,
): Promise<TakenOnce> {
  const { peer, protocol, from, theirs, shared } = command
  const world = parts.engine.world()
  const isRepeat = selectTaken(world, command) !== null
  if (!isRepeat && shared !== null) await wakeConversation(parts, selectConversation(world, peer, shared))
  const isTaken = !isRepeat && faultOf(parts, command) === null
  const whole = isTaken ? { ...command, ...(await withSavedFiles(parts, await keep())) } : command
  const committed = await commitOnce(parts, protocol, peer, [from, theirs], whole)
  const answer = answerTo(committed, theirs, contentShaOf(command))
  if (!answer.ok) return answer
  const taken = readTaken(answer.reply)
  return isElsewhere(shared, taken.conversation)
    ? { ok: false, fault: new Fault('ENVELOPE_ID_TAKEN', { id: theirs }) }
    : { ok: true, taken, isRepeat }
}

type Said = Pick<CommandOf<'takeFromOutside'>, 'text' | 'attachments'>

/** Why the command would be refused in the present world; null: it would be accepted. */
export function faultOf({ engine, now }: Pick<AdapterParts, 'engine' | 'now'>, command: Command): Fault | null {
  const decided = decide(engine.world(), { id: 'a trial', by: 'system:adapters', command }, now())
  return decided.ok ? null : decided.fault
}

/** Tools reach workspace files only, so a new job's files are saved there. */
export async function withSavedFiles(
  { bodies, saveFiles, log }: Pick<AdapterParts, 'saveFiles' | 'log'> & { bodies: Pick<AdapterParts['bodies'], 'get'> },
  said: Said,
): Promise<Said> {
  const { attachments } = said
  if (attachments.length === 0) return said
  const kept = await Promise.all(attachments.map(({ body }) => bodyContent(bodies, body)))
  const files = attachments.flatMap(({ name }, at) => {
    const bytes = kept[at]?.bytes
    return bytes === undefined ? [] : [{ name, bytes }]
  })
  if (files.length < attachments.length) return said
  const paths = await saveFiles(files).catch((error: unknown) => {
    log.error({ err: error }, 'the files of a message from another system were not saved into the workspace')
    return []
  })
  return { ...said, attachments: attachments.map((file, at) => ({ ...file, savedAs: paths[at] ?? null })) }
}

/** Does it name another conversation than the one it was put into? A repeat may omit the name, or know it by now. */
const isElsewhere = (said: string | null, first: string | null): boolean =>
  said !== null && first !== null && !isMadeUp(said) && !isMadeUp(first) && said !== first

/** The message, conversation and task that it became. */
export function readTaken(reply: Json): TakenReply {
  const text = (key: keyof TakenReply): string | null => {
    const found = fieldsIn(reply)[key]
    return typeof found === 'string' ? found : null
  }
  return {
    conversation: text('conversation'),
    message: text('message') as MessageId | null,
    task: text('task') as TaskId | null,
    content: text('content'),
  }
}
