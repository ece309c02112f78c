/**
 * The searchable text of entries, and the members of tasks. Pure.
 *
 * An entry has one line at most. A change of the indexed text needs a new SEARCH_VERSION
 * (server/store/shared/searchTerms.ts), so that everything is indexed again.
 */
import { bodyOfResult } from '@/lib/mas/bodies'
import { withoutNotes } from '@/lib/mas/builtInNotes'
import type { Entry, EventOf, EventType } from '@/lib/mas/events'
import { type SenderId, SYSTEM_TASK, type TaskId, type ThreadId } from '@/lib/mas/ids'
import { withHandoffWords } from '@/lib/protocols/harmony/handoff'
import type { IdPair, SearchMember } from '../store'

export const LINE_KINDS = ['task', 'request', 'message', 'stage', 'step'] as const
export type LineKind = (typeof LINE_KINDS)[number]

/** One searchable item. by: its author or agent, or null; thread: of the base task, or null. */
export type FoundLine = {
  kind: LineKind
  id: string
  task: TaskId
  by: SenderId | null
  thread: ThreadId | null
  text: string
  /** Of a message: its sender paired with each receiver. */
  pairs?: readonly IdPair[]
  /** Of a message: shared by all messages of one act of sending. */
  dispatch?: string
}

/** Longer texts are indexed up to here. */
const MOST_CHARACTERS = 20_000

/** The searchable line of an entry; null: none. */
export function searchLineOf({ event }: Pick<Entry, 'event'>): FoundLine | null {
  const line = wholeLine(event)
  // A message without words (a spoken one) is found by the pair of sender and receiver.
  if (line === null || (line.text.trim() === '' && (line.pairs ?? []).length === 0)) return null
  return line.text.length <= MOST_CHARACTERS ? line : { ...line, text: line.text.slice(0, MOST_CHARACTERS) }
}

function wholeLine<Type extends EventType>(event: EventOf<Type>): FoundLine | null {
  const lines: { [Each in EventType]?: MakeLine<Each> } = LINES
  const makeLine: MakeLine<Type> | undefined = lines[event.type]
  return makeLine?.(event) ?? null
}

type MakeLine<Type extends EventType> = (event: EventOf<Type>) => FoundLine | null

function taskLine({ task, name, intention }: EventOf<'task.added'>): FoundLine {
  return { kind: 'task', id: task, task, by: null, thread: null, text: both(name, intention) }
}

const stageLine = ({
  stage,
  task,
  intention,
  name = intention,
}: EventOf<'stage.added' | 'stage.renamed'>): FoundLine => ({
  kind: 'stage',
  id: stage,
  task,
  by: null,
  thread: null,
  text: both(name, intention),
})

function stepLine({ step, task, agent, thread, intention, executor }: EventOf<'step.added'>): FoundLine {
  return { kind: 'step', id: step, task, by: agent, thread, text: both(withHandoffWords(intention), executor) }
}

/** The result as its record holds it: of a longer one, which is a body, the preview. */
function resultLine({ step, task, agent, result }: EventOf<'step.finished'>): FoundLine {
  return {
    kind: 'step',
    id: step,
    task,
    by: agent,
    thread: null,
    text: withoutNotes(bodyOfResult(result)?.preview ?? result.text),
  }
}

/** Messages of the task itself are notices about other searchable items. */
function messageLine(event: EventOf<'message.sent'>): FoundLine | null {
  const { message, task, sender, receivers, text, dispatch } = event
  if (sender === SYSTEM_TASK || event.instruction !== null) return null
  // A message without a thread begins one.
  const thread = event.thread ?? (message as string as ThreadId)
  const pairs = receivers.map((receiver) => [sender, receiver] as const)
  return { kind: 'message', id: message, task, by: sender, thread, text: withHandoffWords(text), pairs, dispatch }
}

/** The agents that become members of a task by this entry, and so may find its content. */
export function searchMembersOf({ event }: Pick<Entry, 'event'>): SearchMember[] {
  switch (event.type) {
    case 'task.added':
      return event.group.map((person) => ({ task: event.task, person }))
    case 'task.participantsChanged':
      return event.added.map((person) => ({ task: event.task, person }))
    default:
      return []
  }
}

const both = (first: string, second: string): string => (first === second ? first : `${first}\n${second}`)

/** Events without words of their own to find. A new event is to be named here, or gets its line. */
type WithoutLine = Extract<
  EventType,
  | ('node.started' | 'node.left' | 'sequencer.took' | 'config.applied' | 'setup.read')
  | ('setup.changed' | 'operator.acted' | 'human.accessChanged' | 'records.evicted' | 'files.changed')
  | `agent.${'created' | 'changed' | 'paused' | 'resumed' | 'toolRuled' | 'removed'}`
  | ('memory.added' | 'memory.removed' | 'lock.added' | 'lock.bypassed' | 'lock.released')
  | `task.${'started' | 'participantsChanged' | 'managerChanged' | 'toolRuled' | 'paused'}`
  | (
      | 'task.resumed'
      | 'task.finished'
      | 'task.rated'
      | 'task.changeBegun'
      | 'task.archived'
      | 'task.woken'
      | ('task.erased' | 'entry.erased')
      | 'thread.retired'
    )
  | `stage.${'started' | 'agentStateChanged' | 'completionSubmitted' | 'partHanded' | 'judging' | 'finished'}`
  | `step.${'started' | 'instructed' | 'held' | 'approved' | 'failed' | 'cancelled' | 'requeued' | 'interrupted'}`
  | ('step.prioritized' | 'step.moved' | 'step.retired' | 'model.called')
  | ('message.asked' | 'message.delivery' | 'reminder.set')
  | `request.${'claimed' | 'reminded' | 'reopened' | 'transferOffered' | 'transferSettled' | 'escalated' | 'answered' | 'ended'}`
  | `notice.${'attempted' | 'attemptEnded' | 'given'}`
  | `budget.${'warned' | 'reached' | 'lifted'}`
  | ('effect.started' | 'effect.finished' | 'effect.lateOutcome' | 'peer.added' | 'peer.removed' | 'peer.seen')
  | ('conversation.opened' | 'conversation.named' | 'conversation.closed' | 'checkpoint.reported')
  | `envelope.${'taken' | 'queued' | 'started' | 'sent'}`
  | `schedule.${'saved' | 'paused' | 'resumed' | 'removed' | 'asked'}`
  | ('template.saved' | 'template.removed')
>

/** The searchable line of each event that has one. */
const LINES: { [Type in Exclude<EventType, WithoutLine>]: MakeLine<Type> } = {
  'task.added': taskLine,
  'task.renamed': ({ task, name }) => ({ kind: 'task', id: task, task, by: null, thread: null, text: name }),
  'stage.added': stageLine,
  'stage.renamed': stageLine,
  'step.added': stepLine,
  'step.finished': resultLine,
  'message.sent': messageLine,
  'request.opened': ({ request, task, seed: { asker, thread, question } }) => ({
    kind: 'request',
    id: request,
    task,
    by: asker,
    thread,
    text: question,
  }),
}
