import type { ConversationRecord } from '@/lib/mas/outsideRecords'
import { selectRestoredPiece } from '@/lib/mas/selectors/restoredPiece'
import type { AdapterParts } from './adapter'

/** Does nothing for a conversation that is closed or live. What cannot be read stays archived, and the message is refused for now. */
export async function wakeConversation(
  { engine, past, newId }: Pick<AdapterParts, 'engine' | 'past' | 'newId'>,
  conversation: ConversationRecord | null,
): Promise<void> {
  if (conversation === null || conversation.closedAt !== null) return
  const { task } = conversation
  if (engine.world().tasks[task]) return
  const found = await past?.task(task)
  if (!found) return
  // It is refused when another call has restored the task already.
  await engine.commit({
    id: newId(),
    by: 'system:faces',
    command: { type: 'wakeTask', task, piece: selectRestoredPiece(task, found.piece) },
  })
}
