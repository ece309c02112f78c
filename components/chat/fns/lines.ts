/** A task's log as the lines of a chat. Pure: order comes from the journal, never from arrival. */
import { gather } from '@/lib/gather'
import { type AgentId, type SenderId, SYSTEM_TASK } from '@/lib/mas/ids'
import type { Instruction, MessageRecord, MessageType, RequestRecord } from '@/lib/mas/records'

/** Messages that are drawn as one: the text of all, one delivery per receiver. */
type Said = Pick<MessageRecord, 'text' | 'said' | 'at' | 'seq'> & { key: string; messages: MessageRecord[] }
/** What one command of a member sent. id: of its first message, used in links */
export type Bubble = Said & {
  kind: 'bubble'
  id: MessageRecord['id']
  sender: SenderId
  receivers: AgentId[]
  type: MessageType
}
/** A message of the task itself, drawn as a grey line. */
export type SystemLine = Said & { kind: 'system' }
/** A request without a message of its own: a confirmation, a part, a judgement. */
export type ChatRequest = { kind: 'request'; key: string; request: RequestRecord; at: number; seq: number }
export type ChatEntry = Bubble | SystemLine | ChatRequest
export type Run = { kind: 'run'; key: string; entries: (Bubble | SystemLine)[]; at: number; until: number; seq: number }
type DayLine = { kind: 'day'; key: string; words: string }
export type ChatLine = ChatEntry | Run | DayLine

/** Instructions that the task gives to everyone; the others go to one runtime and count as agent talk. */
const isLandmark = (instruction: Instruction | null): boolean =>
  instruction !== null && instruction.type !== 'judge_stage' && instruction.type !== 'judge_task'

/** What is written into a working memory changes nothing that anyone sees. */
const isShown = (instruction: Instruction | null): boolean => instruction?.type !== 'update_working_memory'

/** Messages with the same key are one line: of one command, or the same instruction about the same stage at one time. */
function lineKey({ id, sender, dispatch, instruction, at }: MessageRecord): string {
  if (sender !== SYSTEM_TASK) return `b:${sender}:${dispatch}`
  if (instruction === null) return `s:${id}`
  return `s:${instruction.type}:${'stage' in instruction ? instruction.stage : ''}:${at}`
}

function saidOf([key, messages]: [string, MessageRecord[]]): (Bubble | SystemLine)[] {
  const [first] = messages
  if (first === undefined) return []
  const { id, sender, text, said, at, seq } = first
  const common = { key, messages, text, said, at, seq }
  if (sender === SYSTEM_TASK) return [{ kind: 'system', ...common }]
  const receivers = messages.flatMap((message) => message.receivers)
  return [{ kind: 'bubble', ...common, id, sender, receivers, type: first.type }]
}

/**
 * Messages and requests of a task as entries, in journal order.
 *
 * in      requests with a message of a member are drawn in that message's bubble and make no entry
 */
export function chatEntriesOf(messages: readonly MessageRecord[], requests: readonly RequestRecord[]): ChatEntry[] {
  const ordered = messages.filter(({ instruction }) => isShown(instruction)).sort((a, b) => a.seq - b.seq)
  const said = [...gather(ordered, (message) => [lineKey(message)])].flatMap(saidOf)
  const bySystem = new Set(ordered.filter(({ sender }) => sender === SYSTEM_TASK).map(({ id }) => id))
  const loose = requests
    .filter(({ message }) => message === null || bySystem.has(message))
    .map((request): ChatRequest => {
      return { kind: 'request', key: `r:${request.id}`, request, at: request.openedAt, seq: request.openedSeq }
    })
  return [...said, ...loose].sort((a, b) => a.seq - b.seq)
}

export type IsPerson = (id: SenderId) => boolean

const isAgentTalk = (entry: ChatEntry, isPerson: IsPerson): entry is Bubble | SystemLine => {
  if (entry.kind === 'request') return false
  if (entry.kind === 'system') {
    // Without receivers it reports a person's command on the task, for everyone.
    return !entry.messages.some(
      ({ instruction, receivers }) => isLandmark(instruction) || receivers.length === 0 || receivers.some(isPerson),
    )
  }
  const isBrought = entry.messages.some(({ imported }) => imported !== undefined)
  return !isBrought && !isPerson(entry.sender) && !entry.receivers.some(isPerson)
}

/**
 * Entries with consecutive agent talk folded into runs.
 *
 * out     messages to or from a person, landmarks and requests break a run; a single entry folds too
 */
export function foldRuns(entries: readonly ChatEntry[], isPerson: IsPerson): (ChatEntry | Run)[] {
  const lines: (ChatEntry | Run)[] = []
  for (const entry of entries) {
    const last = lines.at(-1)
    if (!isAgentTalk(entry, isPerson)) lines.push(entry)
    else if (last?.kind === 'run') {
      last.entries.push(entry)
      last.until = entry.at
    } else {
      const { key, at, seq } = entry
      lines.push({ kind: 'run', key: `run:${key}`, entries: [entry], at, until: at, seq })
    }
  }
  return lines
}

/** Puts the entries of opened runs below the line of their run. */
export const openRuns = (lines: readonly (ChatEntry | Run)[], isOpen: (key: string) => boolean): (ChatEntry | Run)[] =>
  lines.flatMap((line) => (line.kind === 'run' && isOpen(line.key) ? [line, ...line.entries] : [line]))

/** Puts each day's name before its first line. dayOf: the day of a moment in the reader's words and time zone */
export function withDays(lines: readonly (ChatEntry | Run)[], dayOf: (at: number) => string): ChatLine[] {
  let day = ''
  return lines.flatMap((line): ChatLine[] => {
    const next = dayOf(line.at)
    if (next === day) return [line]
    day = next
    return [{ kind: 'day', key: `day:${next}`, words: next }, line]
  })
}

export function talkersOf({ entries }: Run): SenderId[] {
  const talk = entries.flatMap((entry) => (entry.kind === 'bubble' ? [entry.sender, ...entry.receivers] : []))
  const told = entries.flatMap(({ messages }) => messages.flatMap(({ receivers }) => receivers))
  return [...new Set<SenderId>(talk.length > 0 ? talk : told)]
}

/** The index of the line of a message or request; -1: none (it may be in a folded run, see runOfMessage). */
export const indexOfMessage = (lines: readonly ChatLine[], message: string): number =>
  lines.findIndex((line) =>
    line.kind === 'bubble' || line.kind === 'system'
      ? line.messages.some(({ id }) => id === message)
      : line.kind === 'request'
        ? line.request.message === message || line.request.id === message
        : false,
  )

export const runOfMessage = (lines: readonly (ChatEntry | Run)[], message: string): Run | null =>
  lines.find(
    (line): line is Run =>
      line.kind === 'run' && line.entries.some(({ messages }) => messages.some(({ id }) => id === message)),
  ) ?? null

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
