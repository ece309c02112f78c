/**
 * Forgets the bodies (prompts, answers, results, files) of tasks and threads whose archive is older than it is to be kept, and the
 * stored points of such tasks.
 * Their entries stay: names, states, costs and the beginnings of texts can still be read.
 *
 * What is kept is named by an entry of something kept, by a prompt of one, by an envelope, or by a person's own rows; what was put
 * within 24 hours stays anyway, since an entry that names it may be on its way.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Entry } from '@/lib/mas/events'
import { asId, type TaskId } from '@/lib/mas/ids'
import type { Journal, Store } from '../../store'
import { momentKeysOf } from '../moments/storedPoints'
import { entryPages } from '../snapshots/entryPages'
import { findNamed } from './namedBodies'

const UNTOUCHED_MS = 24 * 3_600_000
const BETWEEN_MS = 24 * 3_600_000
/** Entries at a time: others have the thread in between. */
const PAGE = 200
/** Bodies of one transaction. */
const AT_ONCE = 200

type BodyParts = {
  store: Pick<Store, 'journal' | 'archive' | 'bodies' | 'envelopes'>
  /** Bodies that people's own rows name. in: epoch ms */
  named: (now: number) => Promise<string[]>
  /** Lets others have the thread. */
  turn?: () => Promise<void>
}
type SweepParts = Omit<BodyParts, 'store'> & {
  store: BodyParts['store'] & Pick<Store, 'snapshots'>
  /** How long archives are kept after the task or thread has left the world, ms. */
  keepMs: number
}

/** What left the world: when, and, for a thread, the task that it was in. */
type Left = { at: number; task: string; thread: string | null }

const openEntries = ({ store, turn = nextTurn }: BodyParts) =>
  async function* entriesAfter(after: number, read: Journal['read'] = store.journal.read): AsyncGenerator<Entry> {
    for await (const page of entryPages(read, after, PAGE)) {
      yield* page
      await turn()
    }
  }

/**
 * in      due: tasks and threads, of which nothing is kept; before, now: epoch ms
 * out     how many bodies were forgotten: only they name them, and nothing stored them again since `before`
 */
export function createForgetter(
  parts: BodyParts,
): (due: readonly Left[], before: number, now: number) => Promise<number> {
  const { store, named, turn = nextTurn } = parts
  const entriesAfter = openEntries(parts)

  return async (due, before, now) => {
    const scope = scopeOf(due)
    const candidates = new Set<string>()
    const seen = new Set<string>()
    for (const task of new Set(due.map((one) => one.task))) {
      for await (const entry of entriesAfter(0, (after, limit) =>
        store.archive.entriesOf('task', task, after, limit),
      )) {
        if (scope.holds(entry)) await findNamed(entry.event, store.bodies, seen, (sha) => candidates.add(sha))
      }
      if (scope.tasks.has(task)) for (const sha of await store.envelopes.bodiesOf(task)) candidates.add(sha)
    }
    const kept = new Set<string>()
    let upTo = 0
    const keepWhatIsNamed = async (): Promise<void> => {
      for await (const entry of entriesAfter(upTo)) {
        upTo = entry.seq
        if (!scope.holds(entry)) await findNamed(entry.event, store.bodies, kept, (sha) => candidates.delete(sha))
      }
    }
    await keepWhatIsNamed()
    for (const sha of await named(now)) candidates.delete(sha)
    for (const sha of candidates) {
      const tasks = await store.envelopes.tasksNaming(sha)
      if (tasks.some((task) => task === null || !scope.tasks.has(task))) candidates.delete(sha)
    }
    let count = 0
    for (;;) {
      // What came meanwhile may name one of them again.
      await keepWhatIsNamed()
      const some = [...candidates].slice(0, AT_ONCE)
      if (some.length === 0) return count
      count += await store.bodies.forget(some, before)
      for (const sha of some) candidates.delete(sha)
      await turn()
    }
  }
}

/** out: a job; it gives how many bodies were forgotten */
export function createSweeper(parts: SweepParts): (now: number) => Promise<number> {
  const entriesAfter = openEntries(parts)
  const sweep = createForgetter(parts)
  const left: Left[] = []
  const swept = new Set<Left>()
  let looked = 0
  let sweptAt: number | null = null

  async function lookForWhatLeft(): Promise<void> {
    for await (const { seq, at, event } of entriesAfter(looked)) {
      looked = seq
      if (event.type === 'task.archived') left.push({ at, task: event.task, thread: null })
      if (event.type === 'thread.retired') left.push({ at, task: event.task, thread: event.thread })
    }
  }

  return async (now) => {
    await lookForWhatLeft()
    // An archived task has been inactive for a day; bodies of a task that was archived just now are never deleted.
    const due = left.filter((one) => one.at <= now - Math.max(parts.keepMs, UNTOUCHED_MS))
    const isNew = due.some((one) => !swept.has(one))
    if (!isNew || (sweptAt !== null && now - sweptAt < BETWEEN_MS)) return 0
    const count = await sweep(due, now - UNTOUCHED_MS, now)
    sweptAt = now
    for (const one of due) {
      if (one.thread === null && !swept.has(one))
        for (const key of momentKeysOf(asId<TaskId>(one.task)))
          await parts.store.snapshots.remove(key, Number.MAX_SAFE_INTEGER)
      swept.add(one)
    }
    return count
  }
}

/** Does an entry belong to what is due? Asked of entries in their order: a step's thread is known from its first. */
function scopeOf(due: readonly Left[]): { tasks: ReadonlySet<string>; holds(entry: Entry): boolean } {
  const tasks = new Set<string>(due.filter((one) => one.thread === null).map((one) => one.task))
  const threads = new Set<string>(due.flatMap((one) => (one.thread === null ? [] : [one.thread])))
  const steps = new Set<string>()
  return {
    tasks,
    holds({ event }) {
      if ('task' in event && typeof event.task === 'string' && tasks.has(event.task)) return true
      if ('thread' in event && typeof event.thread === 'string' && threads.has(event.thread)) {
        if ('step' in event && typeof event.step === 'string') steps.add(event.step)
        return true
      }
      // The message that began a thread gave it its id.
      if (event.type === 'message.sent' && threads.has(event.message)) return true
      return 'step' in event && typeof event.step === 'string' && steps.has(event.step)
    },
  }
}
