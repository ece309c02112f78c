/** The entries of a task as a list of changes with marks, without what is in them; read once, then only what is new. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { decodeEntry } from '@/lib/mas/decode'
import type { MasEvent } from '@/lib/mas/events'
import type { TaskId } from '@/lib/mas/ids'
import type { MarkKind, MomentMark } from '@/lib/wire/http'
import { recentMap } from '../../shared/recentMap'
import type { Archive } from '../../store'

/**
 * In order.
 *
 * marks, threads, members   by the place of an entry in the list
 * threads                   of those that name one
 * members                   of private ones: the two people who know of it
 */
export type TaskChangeList = {
  seqs: number[]
  ats: number[]
  marks: Map<number, MomentMark>
  threads: Map<number, string>
  members: Map<number, readonly string[]>
}
/** privates: who reads a private message or request, by its id */
type ReadChanges = TaskChangeList & { privates: Map<string, readonly string[]> }

export type ChangesReader = ReturnType<typeof openTaskChanges>

const PAGE = 500
/** Tasks that are kept. */
const KNOWN = 4

const mark = (kind: MarkKind, who: string | null, whom: readonly string[] = []): MomentMark => ({
  kind,
  who,
  whom: [...whom],
})

/** null: no mark stands for it. */
function markOf(event: MasEvent): MomentMark | null {
  switch (event.type) {
    case 'request.opened':
      return mark('ask', event.seed.asker, event.seed.asked)
    case 'message.asked':
      return mark(
        'ask',
        event.asker,
        event.asks.map(({ person }) => person),
      )
    case 'request.answered':
      return mark('answer', event.answer.by)
    case 'step.failed':
      return mark('failure', event.agent)
    case 'stage.finished':
    case 'task.finished':
      return mark(event.state === 'finished' ? 'stage' : 'failure', null)
    case 'stage.started':
      return mark('stage', null)
    case 'checkpoint.reported':
      return mark('checkpoint', event.agent)
    default:
      return null
  }
}

/** Who knows of it, where those are two people alone; null: who reads the task. in: privates: is added to */
function membersOf(event: MasEvent, privates: Map<string, readonly string[]>): readonly string[] | null {
  if (event.type === 'message.sent' && event.audience !== 'task') privates.set(event.message, event.audience.members)
  const asks = event.type === 'message.asked' ? event.asks : []
  for (const { request, message } of asks) {
    const members = privates.get(message)
    if (members !== undefined) privates.set(request, members)
  }
  const ids = [...['message', 'request'].map((key): unknown => Reflect.get(event, key)), asks[0]?.message]
  const found = ids.flatMap((id) => (typeof id === 'string' ? [privates.get(id)] : [])).find((one) => one !== undefined)
  return found ?? null
}

export function openTaskChanges({ archive, turn = nextTurn }: { archive: Archive; turn?: () => Promise<void> }) {
  const known = recentMap<TaskId, Promise<ReadChanges>>(KNOWN)

  async function readOn(task: TaskId, list: ReadChanges): Promise<ReadChanges> {
    for (;;) {
      const page = await archive.entriesOf('task', task, list.seqs.at(-1) ?? 0, PAGE)
      for (const { seq, at, event } of page.map(decodeEntry)) {
        const place = list.seqs.push(seq) - 1
        list.ats.push(at)
        const made = markOf(event)
        if (made !== null) list.marks.set(place, made)
        const members = membersOf(event, list.privates)
        if (members !== null) list.members.set(place, members)
        if ('thread' in event && typeof event.thread === 'string') list.threads.set(place, event.thread)
      }
      if (page.length < PAGE) return list
      await turn()
    }
  }

  return {
    /** All changes of a task until now; of one that never was, none. */
    of(task: TaskId): Promise<TaskChangeList> {
      const before = known.get(task)
      const lists = { marks: new Map(), threads: new Map(), members: new Map(), privates: new Map() }
      const start: ReadChanges = { seqs: [], ats: [], ...lists }
      const read = (before?.catch(() => start) ?? Promise.resolve(start)).then((list) => readOn(task, list))
      known.set(task, read)
      return read
    },
    /** It was erased. */
    forget: (task: TaskId): void => {
      known.delete(task)
    },
  }
}
