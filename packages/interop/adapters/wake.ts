import { selectRestoredPiece } from '@/lib/mas/archive/restoredPiece'
import type { ConversationRecord } from '@/lib/mas/outside/records'
import type { AdapterParts } from '@/server/otherSystems'

/** Restores an archived conversation; a closed or live one stays as it is. If it cannot be read, the message is refused. */
export async function wakeConversation(
  { engine, past, newId }: Pick<AdapterParts, 'engine' | 'past' | 'newId'>,
  conversation: ConversationRecord | null,
): Promise<void> {
  if (conversation === null || conversation.closedAt !== null) return
  const { task } = conversation
  if (engine.world().tasks[task]) return
  const found = await past.task(task)
  if (!found) return
  // Refused when another call has restored the task already.
  await engine.commit({
    id: newId(),
    by: 'system:adapters',
    command: { type: 'wakeTask', task, piece: selectRestoredPiece(task, found.piece) },
  })
}
