/** A task as it was: reduced once, in slices, with checkpoints that are kept within bounds. */
import { describe, expect, it } from 'vitest'
import { type Entry, event } from '@/lib/mas/events'
import type { MessageId, TaskId } from '@/lib/mas/ids'
import { emptyWorld, type World } from '@/lib/mas/records'
import { reduceEntry } from '@/lib/mas/reduce'
import { idAt, PEOPLE } from '@/test/histories'
import { memoryStore } from '@/test/memoryStore'
import { openTestMoments } from '@/test/testMoments'
import { type Archive, momentKey } from '../../store'
import { CHECKPOINT_EVERY } from './moments'
import { openPointsKeeping } from './pointsKeeping'

const TASK = idAt<TaskId>(40)

/** Messages that stay in the world. */
const STAY = 100

/** A task with a message in each entry after the first; old ones leave the world, a hundred with one entry. */
function taskOf(task: TaskId, messages: number): Entry[] {
  const entry = (seq: number, made: Entry['event']): Entry => ({ seq, at: seq, by: 'x', cause: 'c', event: made })
  const begun = event('task.added', {
    task,
    name: 'Long',
    intention: 'i',
    manager: PEOPLE.ana,
    group: [PEOPLE.ana, PEOPLE.ben],
    base: false,
    requestedBy: null,
    requestedIn: null,
  })
  const sent = (n: number): Entry['event'] => {
    const message = idAt<MessageId>(1_000 + n)
    const about = { stage: null, kind: 'fyi', waiting: null, returnWaiting: null, instruction: null } as const
    const text = `message ${n}`
    return event('message.sent', {
      ...{ task, message, sender: PEOPLE.ana, receivers: [PEOPLE.ben], text, ...about, dispatch: message },
      ...{
        audience: 'task',
        thread: null,
        answersRequest: null,
        replyTo: null,
        attachments: [],
        mention: false,
        fromStep: null,
      },
    })
  }
  const evicted = (n: number): Entry['event'] => {
    const gone = Array.from({ length: STAY }, (_, at) => idAt<MessageId>(1_000 + n - 2 * STAY + at))
    return event('records.evicted', { task, steps: {}, messages: gone, requests: [] })
  }
  const made = Array.from({ length: messages }, (_, n) =>
    n % STAY === 0 && n >= 2 * STAY ? [evicted(n), sent(n)] : [sent(n)],
  )
  return [begun, ...made.flat()].slice(0, messages + 1).map((one, n) => entry(n + 1, one))
}

function setUp(entries: readonly Entry[], more: Omit<Partial<Parameters<typeof openTestMoments>[0]>, 'archive'> = {}) {
  const done = { read: 0, turns: 0 }
  const archive: Archive = {
    entriesOf: async (key, id, after = 0, limit = 1_000) => {
      const found = entries.filter((one) => one.seq > after && Reflect.get(one.event, key) === id).slice(0, limit)
      done.read += found.length
      return found
    },
  }
  const turn = async (): Promise<void> => {
    done.turns += 1
  }
  return { moments: openTestMoments({ archive, turn, ...more }), done }
}

const refuse = (error: unknown): void => {
  throw error
}
const countIn = (world: World | null, task = TASK): number => Object.keys(world?.messages[task] ?? {}).length
const messagesIn = (entries: readonly Entry[]): number =>
  entries.filter(({ event: { type } }) => type === 'message.sent').length
const plain = (world: World | null) => [world?.tasks, world?.messages, world?.deliveries, world?.work]
const reduced = (entries: readonly Entry[]): World =>
  entries.filter(({ event: { type } }) => type !== 'records.evicted').reduce(reduceEntry, emptyWorld)

describe('a moment of a task', () => {
  it('is its own entries up to it, in any order of asking', async () => {
    const entries = taskOf(TASK, 1_400)
    const { moments } = setUp(entries)
    for (const seq of [1_300, 3, 1_100, 1_401, 1_000, 1_001, 1_300, 2])
      expect(plain(await moments.worldAt(TASK, seq))).toEqual(plain(reduced(entries.slice(0, seq))))
  })

  it('[R622] reads each entry once on the way there, and later at most those since the checkpoint before', async () => {
    const entries = taskOf(TASK, 5_000)
    const { moments, done } = setUp(entries)
    await moments.worldAt(TASK, 5_001)
    expect(done.read).toBe(5_001)
    expect(moments.checkpoints(TASK)).toBe(5)
    done.read = 0
    expect(countIn(await moments.worldAt(TASK, 3_900))).toBe(messagesIn(entries.slice(0, 3_900)))
    expect(done.read).toBeLessThanOrEqual(CHECKPOINT_EVERY)
    done.read = 0
    await Promise.all([moments.worldAt(TASK, 3_900), moments.worldAt(TASK, 3_900)])
    expect(done.read).toBe(0)
  })

  it('[R622] lets others have the thread after each slice', async () => {
    let now = 0
    const { moments, done } = setUp(taskOf(TASK, 600), { clock: () => (now += 1) })
    await moments.worldAt(TASK, 601)
    expect(done.turns).toBeGreaterThan(90)
  })

  it('holds what has left the world of now, also after the task itself has left', async () => {
    const entries = taskOf(TASK, 500)
    const archived = event('task.archived', { task: TASK, agents: [] })
    const { moments } = setUp([...entries, { seq: 502, at: 502, by: 'x', cause: 'c', event: archived }])
    expect(countIn(await moments.worldAt(TASK, 502))).toBe(messagesIn(entries))
    const { messages } = entries.reduce(reduceEntry, emptyWorld)
    expect(Object.keys(messages[TASK] ?? {}).length).toBeLessThan(messagesIn(entries) / 2)
  })

  it('[R623] two tasks are kept, the one that was asked for last among them', async () => {
    const ids = [idAt<TaskId>(41), idAt<TaskId>(42), idAt<TaskId>(43)] as const
    const { moments } = setUp(ids.flatMap((task) => taskOf(task, 1_000)))
    for (const task of ids) await moments.worldAt(task, 1_001)
    expect(ids.map((task) => moments.checkpoints(task))).toEqual([0, 1, 1])
  })

  it('[R623] the memory of what is kept is bounded: the oldest task goes, then every second checkpoint', async () => {
    const small = setUp(taskOf(TASK, 6_000))
    await small.moments.worldAt(TASK, 6_001)
    const whole = small.moments.bytes()
    const other = idAt<TaskId>(44)
    const { moments } = setUp([...taskOf(TASK, 6_000), ...taskOf(other, 6_000)], { mostBytes: whole * 0.95 })
    await moments.worldAt(TASK, 6_001)
    expect(moments.checkpoints(TASK)).toBe(3)
    expect(moments.bytes()).toBeLessThanOrEqual(whole * 0.95)
    await moments.worldAt(other, 6_001)
    expect([moments.checkpoints(TASK), moments.checkpoints(other)]).toEqual([0, 3])
    expect(countIn(await moments.worldAt(other, 5_500), other)).toBe(messagesIn(taskOf(other, 6_000).slice(0, 5_500)))
  })

  it('[R635] points are stored every 5,000 entries; after a restart a moment reads the entries since the one before it', async () => {
    const entries = taskOf(TASK, 10_300)
    const { snapshots } = memoryStore({})
    const first = setUp(entries, { snapshots })
    await first.moments.worldAt(TASK, 10_301)
    await first.moments.settled()
    expect((await snapshots.list(momentKey(TASK, 'world'))).map(({ seq }) => seq)).toEqual([10_000, 5_000])
    const { moments, done } = setUp(entries, { snapshots })
    expect(countIn(await moments.worldAt(TASK, 10_200))).toBe(messagesIn(entries.slice(0, 10_200)))
    expect(done.read).toBe(250)
    done.read = 0
    expect(countIn(await moments.worldAt(TASK, 5_000))).toBe(messagesIn(entries.slice(0, 5_000)))
    expect(done.read).toBe(250)
    expect(moments.bytes()).toBeGreaterThan(0)
  })

  it('[R635] are stored while the task goes on, each from the one before', async () => {
    const entries = taskOf(TASK, 12_000)
    const { snapshots } = memoryStore({})
    const { moments, done } = setUp(entries, { snapshots })
    const keeping = openPointsKeeping({ moments, onTrouble: refuse })
    const reads: number[] = []
    for (let from = 0; from < 12_000; from += 500) {
      keeping.onEntries(entries.slice(from, from + 500))
      await keeping.settled()
      if (done.read > 0) reads.push(done.read)
      done.read = 0
    }
    expect((await snapshots.list(momentKey(TASK, 'world'))).map(({ seq }) => seq)).toEqual([10_000, 5_000])
    expect(reads.map((read) => read < 5_500)).toEqual([true, true])
    expect([moments.checkpoints(TASK), moments.bytes()]).toEqual([0, 0])
  })

  it.each(['left', 'world'] as const)('[R635] a point of which the %s is missing is passed over', async (part) => {
    const entries = taskOf(TASK, 1_200)
    const { snapshots } = memoryStore({})
    const first = setUp(entries, { snapshots, storeEvery: 500 })
    await first.moments.worldAt(TASK, 1_201)
    await first.moments.settled()
    const { moments, done } = setUp(entries, {
      storeEvery: 500,
      snapshots: {
        ...snapshots,
        // Of the newest point nothing is found, and of the one before it all.
        newest: async (key, reducer, upTo) =>
          key === momentKey(TASK, part) && upTo === 1_000 ? null : snapshots.newest(key, reducer, upTo),
      },
    })
    expect(countIn(await moments.worldAt(TASK, 1_100))).toBe(messagesIn(entries.slice(0, 1_100)))
    expect(done.read).toBeGreaterThan(600)
  })

  it('[R635] nothing of a task is stored by a node that does not decide, or stays once it is erased', async () => {
    const { snapshots } = memoryStore({})
    const follower = setUp(taskOf(TASK, 600), { snapshots, leads: () => false, storeEvery: 500 })
    await follower.moments.worldAt(TASK, 601)
    await follower.moments.store(TASK, 601)
    await follower.moments.settled()
    expect(await snapshots.list()).toEqual([])
    let isErased = false
    const erased = setUp(taskOf(TASK, 600), {
      storeEvery: 500,
      snapshots: {
        ...snapshots,
        async save(snapshot) {
          isErased = true
          await snapshots.save(snapshot)
        },
      },
      isErased: () => isErased,
    })
    await erased.moments.worldAt(TASK, 601)
    await erased.moments.settled()
    expect(isErased).toBe(true)
    expect(await snapshots.list()).toEqual([])
  })

  it('is none before the task began, and after it was erased', async () => {
    const { moments } = setUp(taskOf(TASK, 3).map((one) => ({ ...one, seq: one.seq + 10 })))
    expect(await moments.worldAt(TASK, 5)).toBeNull()
    expect(await moments.worldAt(idAt<TaskId>(45), 5)).toBeNull()
  })
})
