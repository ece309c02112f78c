/** A task's log as the lines of a chat. Pure: order comes from the journal, never from arrival. */
import type { AgentId, SenderId } from '@/lib/mas/ids'
import { SYSTEM_TASK } from '@/lib/mas/ids'
import type { Instruction, MessageRecord, MessageType, RequestRecord } from '@/lib/mas/records'
import { messageTypeOf } from '@/lib/mas/selectors/recipients'

/** What one act sent: one text, one receipt per receiver. */
export type Bubble = {
  kind: 'bubble'
  key: string
  /** The first message's: what links name. */
  id: MessageRecord['id']
  sender: SenderId
  receivers: AgentId[]
  messages: MessageRecord[]
  text: string
  type: MessageType
  at: number
  seq: number
}
/** What the task itself says: a grey line. */
export type SystemLine = {
  kind: 'system'
  key: string
  messages: MessageRecord[]
  text: string
  at: number
  seq: number
}
/** A request that has no message of its own: a confirmation, a person's part, a judgement. */
export type RequestLine = { kind: 'request'; key: string; request: RequestRecord; at: number; seq: number }
export type ChatEntry = Bubble | SystemLine | RequestLine
export type Run = { kind: 'run'; key: string; entries: (Bubble | SystemLine)[]; at: number; until: number; seq: number }
export type DayLine = { kind: 'day'; key: string; words: string }
export type ChatLine = ChatEntry | Run | DayLine

/** These the task says to everyone; the rest is orders to one runtime and belongs to agent talk. */
const isLandmark = (instruction: Instruction | null): boolean =>
  instruction !== null && instruction.type !== 'judge_stage' && instruction.type !== 'judge_task'

/** What makes two messages of the task one line: the same order about the same stage, said at one moment. */
const systemKey = (message: MessageRecord): string =>
  message.instruction === null
    ? message.id
    : `${message.instruction.type}:${'stage' in message.instruction ? message.instruction.stage : ''}:${message.at}`

/**
 * Messages and requests of a task as entries, in journal order.
 *
 * in      requests with a message of a member are drawn in that message's bubble and make no entry
 */
export function entriesOf(messages: readonly MessageRecord[], requests: readonly RequestRecord[]): ChatEntry[] {
  const ordered = [...messages].sort((a, b) => a.seq - b.seq)
  const made = new Map<string, Bubble | SystemLine>()
  for (const message of ordered) {
    const isSystem = message.sender === SYSTEM_TASK
    const key = isSystem ? `s:${systemKey(message)}` : `b:${message.sender}:${message.dispatch}`
    const known = made.get(key)
    if (known) {
      known.messages.push(message)
      if (known.kind === 'bubble') known.receivers.push(...message.receivers)
      continue
    }
    const common = { key, messages: [message], text: message.text, at: message.at, seq: message.seq }
    made.set(
      key,
      isSystem
        ? { kind: 'system', ...common }
        : {
            kind: 'bubble',
            ...common,
            id: message.id,
            sender: message.sender,
            receivers: [...message.receivers],
            type: messageTypeOf(message),
          },
    )
  }
  const bySystem = new Set(ordered.filter(({ sender }) => sender === SYSTEM_TASK).map(({ id }) => id))
  const loose = requests
    .filter(({ message }) => message === null || bySystem.has(message))
    .map(
      (request): RequestLine => ({
        kind: 'request',
        key: `r:${request.id}`,
        request,
        at: request.openedAt,
        seq: request.openedSeq,
      }),
    )
  return [...made.values(), ...loose].sort((a, b) => a.seq - b.seq)
}

/** Who is a person, for folding: only talk among agents folds. */
export type IsPerson = (id: SenderId) => boolean

const isAgentTalk = (entry: ChatEntry, isPerson: IsPerson): entry is Bubble | SystemLine => {
  if (entry.kind === 'request') return false
  if (entry.kind === 'system') {
    // What is addressed to nobody is told to all: a person's act upon the work.
    return !entry.messages.some(
      ({ instruction, receivers }) => isLandmark(instruction) || receivers.length === 0 || receivers.some(isPerson),
    )
  }
  // What was brought in is there to be read.
  const isBrought = entry.messages.some(({ imported }) => imported !== undefined)
  return !isBrought && !isPerson(entry.sender) && !entry.receivers.some(isPerson)
}

/**
 * Entries with consecutive agent talk folded into runs.
 *
 * out     what goes to or comes from a person, landmarks and requests break a run; a single line folds too
 */
export function foldRuns(entries: readonly ChatEntry[], isPerson: IsPerson): (ChatEntry | Run)[] {
  const lines: (ChatEntry | Run)[] = []
  for (const entry of entries) {
    if (!isAgentTalk(entry, isPerson)) {
      lines.push(entry)
      continue
    }
    const last = lines.at(-1)
    if (last?.kind === 'run') {
      last.entries.push(entry)
      last.until = entry.at
    } else {
      lines.push({
        kind: 'run',
        key: `run:${entry.key}`,
        entries: [entry],
        at: entry.at,
        until: entry.at,
        seq: entry.seq,
      })
    }
  }
  return lines
}

/** Runs that are opened show their line and then their entries. */
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

/** Everyone who speaks or is spoken to in a run, in the order of appearance. */
export function talkersOf(run: Run): SenderId[] {
  const ids = new Set<SenderId>()
  for (const entry of run.entries) {
    if (entry.kind === 'system') continue
    ids.add(entry.sender)
    for (const id of entry.receivers) ids.add(id)
  }
  if (ids.size === 0)
    for (const entry of run.entries) for (const id of entry.messages.flatMap(({ receivers }) => receivers)) ids.add(id)
  return [...ids]
}

export const messageCount = (run: Run): number => run.entries.length

/** Where a message stands among the lines, also inside a folded run; -1 when it is not there. */
export const indexOfMessage = (lines: readonly ChatLine[], message: string): number =>
  lines.findIndex((line) =>
    line.kind === 'bubble' || line.kind === 'system'
      ? line.messages.some(({ id }) => id === message)
      : line.kind === 'request'
        ? line.request.message === message || line.request.id === message
        : false,
  )

/** The run that holds a message, so that it can be opened. */
export const runOfMessage = (lines: readonly (ChatEntry | Run)[], message: string): Run | null =>
  lines.find(
    (line): line is Run =>
      line.kind === 'run' && line.entries.some(({ messages }) => messages.some(({ id }) => id === message)),
  ) ?? null
