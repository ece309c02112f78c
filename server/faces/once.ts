/**
 * What another system sends twice is done once: the same thing is the same command, for ever.
 *
 * Owns: that command's id, and reading what lib/mas/commands/takeFromOutside.ts answered. Used by: every face that takes messages.
 */
import type { Fault } from '@/lib/faults'
import type { Command } from '@/lib/mas/commands/command'
import { type MessageId, makeIds, type PeerId, type TaskId } from '@/lib/mas/ids'
import type { Protocol } from '@/lib/mas/outsideRecords'
import type { Json } from '@/lib/mas/records'
import type { FaceParts } from './face'

/**
 * in: parts: what names it among all that this peer sends. The id holds the peer's own, so that nothing that a peer sends has
 * the id of what another one sent.
 */
export async function commitOnce(
  { engine, newId }: { engine: Pick<FaceParts['engine'], 'commit'>; newId: FaceParts['newId'] },
  protocol: Protocol,
  peer: PeerId,
  parts: readonly string[],
  command: Command,
): Promise<{ ok: true; reply: Json } | { ok: false; fault: Fault }> {
  const by = `system:${protocol}`
  const first = await engine.commit({
    id: `${protocol}:${peer}:${makeIds(JSON.stringify(parts))<string>()}`,
    by,
    command,
  })
  // A refusal of earlier may be none today, so it is asked once more.
  return first.ok ? first : engine.commit({ id: newId(), by, command })
}

export type TakenReply = { conversation: string | null; message: MessageId | null; task: TaskId | null }

/** Which message, in which conversation and task, it became. */
export function readTaken(reply: Json): TakenReply {
  const text = (key: keyof TakenReply): string | null => {
    const found = reply !== null && typeof reply === 'object' && !Array.isArray(reply) ? reply[key] : null
    return typeof found === 'string' ? found : null
  }
  return {
    conversation: text('conversation'),
    message: text('message') as MessageId | null,
    task: text('task') as TaskId | null,
  }
}
