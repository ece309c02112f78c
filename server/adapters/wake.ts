/** Waking a conversation whose task had been archived. */
import type { ConversationRecord } from '@/lib/mas/outsideRecords'
import { selectRestoredPiece } from '@/lib/mas/selectors/restoredPiece'
import type { AdapterParts } from './adapter'

/** Nothing to do when it is closed, or awake. What cannot be read stays away, and its message is refused for now. */
export async function wakeConversation(
  { engine, past, newId }: Pick<AdapterParts, 'engine' | 'past' | 'newId'>,
  conversation: ConversationRecord | null,
): Promise<void> {
  if (conversation === null || conversation.closedAt !== null) return
  const { task } = conversation
  if (engine.world().tasks[task]) return
  const found = await past?.task(task)
  if (!found) return
  // Refused when somebody was quicker, which is as good.
  await engine.commit({
    id: newId(),
    by: 'system:faces',
    command: { type: 'wakeTask', task, piece: selectRestoredPiece(task, found.piece) },
  })
}
