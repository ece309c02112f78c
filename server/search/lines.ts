/**
 * What of an entry can be found by words, and who is in which task. Pure.
 *
 * An entry has one line at most. Changing what is looked through changes SEARCH_VERSION
 * (server/store/shared/searchTerms.ts), so that all is looked through anew.
 */
import type { Entry, EventOf } from '@/lib/mas/events'
import { type SenderId, SYSTEM_TASK, type TaskId, type ThreadId } from '@/lib/mas/ids'
import type { IdPair, SearchMember } from '../store'

export const LINE_KINDS = ['task', 'request', 'message', 'stage', 'step'] as const
export type LineKind = (typeof LINE_KINDS)[number]

/**
 * One thing that can be found.
 *
 * by      who said, asked or does it; null: a task or a stage has no one
 * thread  of the base task; null: none, or the entry does not say it
 */
export type FoundLine = {
  kind: LineKind
  id: string
  task: TaskId
  by: SenderId | null
  thread: ThreadId | null
  text: string
  /** Of a message: its sender with each of its receivers. */
  pairs?: readonly IdPair[]
  /** Of a message: what one act sent, to each receiver, shares it. */
  dispatch?: string
}

/** A longer text is looked through up to here. */
const MOST_CHARACTERS = 20_000

export function lineOf({ event }: Pick<Entry, 'event'>): FoundLine | null {
  const line = wholeLine(event)
  // A message without words, a spoken one, is found by those who say it to each other.
  if (line === null || (line.text.trim() === '' && (line.pairs ?? []).length === 0)) return null
  return line.text.length <= MOST_CHARACTERS ? line : { ...line, text: line.text.slice(0, MOST_CHARACTERS) }
}

function wholeLine(event: Entry['event']): FoundLine | null {
  switch (event.type) {
    case 'task.added':
      if (event.load) return null
      return {
        kind: 'task',
        id: event.task,
        task: event.task,
        by: null,
        thread: null,
        text: both(event.name, event.intention),
      }
    case 'stage.added':
      return { kind: 'stage', id: event.stage, task: event.task, by: null, thread: null, text: event.intention }
    case 'message.sent':
      return messageLine(event)
    case 'request.opened': {
      const { asker, thread, question } = event.seed
      return { kind: 'request', id: event.request, task: event.task, by: asker, thread, text: question }
    }
    case 'step.added':
    case 'step.inserted': {
      const { step, task, agent, thread, intention, executor } = event
      return { kind: 'step', id: step, task, by: agent, thread, text: both(intention, executor) }
    }
    case 'step.finished':
      // What came of it, as far as its record shows it: the whole may be a file.
      return {
        kind: 'step',
        id: event.step,
        task: event.task,
        by: event.agent,
        thread: null,
        text: event.result.body?.preview ?? event.result.text,
      }
    default:
      return null
  }
}

/** What the task itself says is a notice of what is found elsewhere. */
function messageLine(event: EventOf<'message.sent'>): FoundLine | null {
  const { message, task, sender, receivers, text, dispatch } = event
  if (sender === SYSTEM_TASK || event.instruction !== null) return null
  // A message that names no thread is one of its own.
  const thread = event.thread ?? (message as string as ThreadId)
  const pairs = receivers.map((receiver) => [sender, receiver] as const)
  return { kind: 'message', id: message, task, by: sender, thread, text, pairs, dispatch }
}

export function searchMembersOf({ event }: Pick<Entry, 'event'>): SearchMember[] {
  switch (event.type) {
    case 'task.added':
      return event.load ? [] : event.group.map((person) => ({ task: event.task, person }))
    case 'task.participantsAdded':
      return event.agents.map((person) => ({ task: event.task, person }))
    default:
      return []
  }
}

const both = (first: string, second: string): string => (first === second ? first : `${first}\n${second}`)
