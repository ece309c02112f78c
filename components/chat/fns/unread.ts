/** Where the unread line stands in a conversation. Pure. */
import type { AgentId } from '@/lib/mas/ids'
import type { ChatEntry, ChatLine, Run } from './lines'

/** Folded talk among agents, the reader's own messages and days are never unread. */
const isUnread = (line: ChatLine, cursor: number, me: AgentId): boolean =>
  line.kind !== 'day' && line.kind !== 'run' && line.seq > cursor && !(line.kind === 'bubble' && line.sender === me)

/**
 * in      cursor: seq of the last entry that was read; null: a first visit, when nothing is unread
 * out     the first unread line and how many there are; null: none
 */
export function firstUnread(
  lines: readonly ChatLine[],
  cursor: number | null,
  me: AgentId,
): { key: string; count: number } | null {
  if (cursor === null) return null
  const unread = lines.filter((line) => isUnread(line, cursor, me))
  const first = unread[0]
  return first ? { key: first.key, count: unread.length } : null
}

export const cursorBefore = (line: ChatEntry | Run): number => line.seq - 1
