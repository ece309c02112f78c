/** Where the line "unread" stands in a conversation. Pure. */
import type { AgentId } from '@/lib/mas/ids'
import type { ChatLine } from './lines'

/** Talk among agents is nobody's to read, a person's own words are read, and a day is no message. */
const counts = (line: ChatLine, cursor: number, me: AgentId): boolean =>
  line.kind !== 'day' && line.kind !== 'run' && line.seq > cursor && !(line.kind === 'bubble' && line.sender === me)

/**
 * in      cursor: the last entry that was read; null: never here before, then nothing is unread
 *         opened: lines of runs that somebody opened to look into, which are no news either
 */
export function firstUnread(
  lines: readonly ChatLine[],
  cursor: number | null,
  me: AgentId,
  opened: ReadonlySet<string> = NONE,
): { key: string; count: number } | null {
  if (cursor === null) return null
  const unread = lines.filter((line) => counts(line, cursor, me) && !opened.has(line.key))
  const first = unread[0]
  return first ? { key: first.key, count: unread.length } : null
}
const NONE: ReadonlySet<string> = new Set()

/** The cursor that makes this line the first unread one. */
export const cursorBefore = (line: Exclude<ChatLine, { kind: 'day' }>): number => line.seq - 1
