/** What left the world is read as it was. */
import { describe, expect, it } from 'vitest'
import { TASK_ARCHIVE_AFTER_MS } from '@/lib/mas/archive/archivable'
import { pieceOf } from '@/lib/mas/archive/branches'
import { type Entry, event } from '@/lib/mas/events'
import { asId, type TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import { memoryStore } from '@/test/memoryStore'
import { must } from '@/test/stories'
import { BASE_TASK, outcomeOf, Story, send, TEAM, walk } from '@/test/worldHistories'
import type { Archive } from '../../store'
import { openRestoredTasks, withRestoredTask } from './restoredTasks'
import { openWorldSnapshots, pieceKey } from './worldSnapshots'

const archiveOf = (entries: readonly Entry[]): Archive => ({
  entriesOf: async (key, id, after = 0, limit = 1_000) =>
    entries.filter((entry) => entry.seq > after && Reflect.get(entry.event, key) === id).slice(0, limit),
})

/** A task that was worked on, ended, and left; `before`: the world in which it was last. */
function archived(): { entries: Entry[]; before: World; after: World; task: TaskId } {
  const story = walk([])
  for (let n = 0; n < 4; n++) story.run(TEAM.reader.id, () => outcomeOf({}))
  const task = Object.values(story.world.tasks).find((one) => !one.base)?.id
  if (!task) throw new Error('no task')
  story.put(TEAM.ana.id, { type: 'finishTask', task, state: 'finished', summary: 'All of it.', reason: 'done' })
  const before = story.world
  story.pass(8 * TASK_ARCHIVE_AFTER_MS)
  story.put('system:timer', { type: 'archiveTask', task })
  if (story.world.tasks[task]) throw new Error('it stayed')
  return { entries: story.entries, before, after: story.world, task }
}

const pastOf = (story: ReturnType<typeof archived>, snapshots = memoryStore({}).snapshots) =>
  openRestoredTasks({
    archive: archiveOf(story.entries),
    snapshots,
    isLive: (task) => story.after.tasks[task] !== undefined,
  })

describe('an archived task', () => {
  it('is there again as it was, from its entries alone', async () => {
    const story = archived()
    const past = await pastOf(story).task(story.task)
    expect(past?.piece).toEqual(pieceOf(story.before, story.task))
    if (past)
      expect(pieceOf(withRestoredTask(story.after, past), story.task)).toEqual(pieceOf(story.before, story.task))
  })

  it('[R510] knows of a task that changes its result, also when that begins after it has left', async () => {
    const { entries, ...story } = archived()
    const by = asId<TaskId>('00000000-0000-4000-8000-000000000900')
    const begun: Entry = {
      ...must(entries.at(-1), 'entry'),
      seq: story.after.seq + 1,
      event: event('task.changeBegun', { task: story.task, by }),
    }
    const all = [...entries]
    const past = pastOf({ entries: all, ...story })
    const seen = async () => (await past.task(story.task))?.piece.tasks?.changedBy
    expect(await seen()).toBeUndefined()
    all.push(begun)
    past.forget(story.task)
    expect(await seen()).toEqual([by])
  })

  it('is the same from a snapshot in the middle, and from one of its end, and then reads few entries', async () => {
    const story = archived()
    const { snapshots } = memoryStore({})
    const keeper = openWorldSnapshots(snapshots, async () => {})
    await keeper.savePiece(story.before, story.task)
    let read = 0
    const archive = archiveOf(story.entries)
    const past = openRestoredTasks({
      archive: {
        entriesOf: async (...args) => {
          const found = await archive.entriesOf(...args)
          read += found.length
          return found
        },
      },
      snapshots,
      isLive: () => false,
    })
    expect((await past.task(story.task))?.piece).toEqual(pieceOf(story.before, story.task))
    expect(read).toBe(1)
  })

  it('that lives, or never was, is none', async () => {
    const story = archived()
    const past = pastOf(story)
    const { baseTask } = story.after
    expect(await past.task(baseTask ?? '')).toBeNull()
    expect(await past.task('00000000-0000-4000-8000-00000000dead')).toBeNull()
  })

  it('gives each of its steps', async () => {
    const story = archived()
    const steps = Object.values(story.before.steps[story.task] ?? {}).flatMap((own) => stepsIn(own))
    expect(steps.length).toBeGreaterThan(1)
    const past = pastOf(story)
    for (const step of steps) {
      const found = await past.step(step.id)
      // That it left the live list with the others is no entry of its own.
      expect({ ...found, retired: step.retired, stage: step.stage, changedAt: step.changedAt }).toEqual(step)
    }
  })
})

describe('a task with all that it ever held', () => {
  it('is there while it lives, and as much of it when it has left', async () => {
    const story = archived()
    const past = pastOf(story)
    const whole = await past.whole(story.task)
    expect(whole?.piece).toEqual(pieceOf(story.before, story.task))
    expect(whole?.seq).toBe(story.entries.findLast(({ event }) => 'task' in event && event.task === story.task)?.seq)
    const live = openRestoredTasks({
      archive: archiveOf(story.entries.filter(({ event }) => event.type !== 'task.archived')),
      snapshots: memoryStore({}).snapshots,
      isLive: () => true,
    })
    expect((await live.whole(story.task))?.piece).toEqual(pieceOf(story.before, story.task))
    expect(await past.whole(asId<TaskId>('never'))).toBeNull()
  })

  it('holds what was put away from it while it lived', async () => {
    const story = archived()
    const message = Object.values(story.before.messages[story.task] ?? {})[0]
    if (!message) throw new Error('no message')
    const evicted: Entry = {
      seq: 0,
      at: 1,
      by: 'system:timer',
      cause: 'c',
      event: { type: 'records.evicted', v: 1, task: story.task, messages: [message.id], requests: [], steps: {} },
    }
    const last = story.entries.findIndex(({ event }) => event.type === 'task.archived')
    const entries = story.entries.toSpliced(last, 0, evicted).map((entry, n) => ({ ...entry, seq: n + 1 }))
    const past = pastOf({ ...story, entries })
    expect(Object.keys((await past.whole(story.task))?.piece.messages ?? {})).toContain(message.id)
    expect(Object.keys((await past.task(story.task))?.piece.messages ?? {})).not.toContain(message.id)
  })

  it('is read to its end, however many entries it has', async () => {
    const story = archived()
    const last = story.entries.findIndex(({ event }) => event.type === 'task.archived')
    const many = Array.from({ length: 2_100 }, (_, n): Entry => {
      const event = { type: 'task.renamed', v: 1, task: story.task, name: `name ${n}` } as const
      return { seq: 0, at: 1, by: TEAM.ana.id, cause: 'c', event }
    })
    const entries = story.entries.toSpliced(last, 0, ...many).map((entry, n) => ({ ...entry, seq: n + 1 }))
    const past = pastOf({ ...story, entries })
    for (const found of [await past.whole(story.task), await past.task(story.task)])
      expect(found?.piece.tasks?.name).toBe('name 2099')
  })
})

describe('what is remembered of an archived task', () => {
  /** How often its entries are read. */
  function counted(story: ReturnType<typeof archived>, entries = story.entries) {
    const archive = archiveOf(entries)
    const state = { reads: 0, fails: false }
    const past = openRestoredTasks({
      archive: {
        entriesOf(...given) {
          state.reads += 1
          return state.fails ? Promise.reject(new Error('no')) : archive.entriesOf(...given)
        },
      },
      snapshots: memoryStore({}).snapshots,
      isLive: () => false,
    })
    return { past, state }
  }

  it('is not read a second time', async () => {
    const { past, state } = counted(archived())
    const { task } = archived()
    expect(await past.task(task)).toBe(await past.task(task))
    expect(state.reads).toBe(1)
  })

  it('is forgotten where it was not there, could not be read, or may continue', async () => {
    const story = archived()
    const living = counted(
      story,
      story.entries.filter(({ event }) => event.type !== 'task.archived'),
    )
    for (let n = 0; n < 2; n++) expect(await living.past.task(story.task)).toBeNull()
    expect(living.state.reads).toBe(2)

    const failing = counted(story)
    failing.state.fails = true
    await expect(failing.past.task(story.task)).rejects.toThrow('no')
    failing.state.fails = false
    expect(await failing.past.task(story.task)).not.toBeNull()

    const talks = story.entries.map(
      (entry): Entry =>
        entry.event.type === 'task.added' && entry.event.task === story.task
          ? { ...entry, event: { ...entry.event, conversation: true } }
          : entry,
    )
    const talk = counted(story, talks)
    for (let n = 0; n < 2; n++) expect((await talk.past.task(story.task))?.piece.tasks?.conversation).toBe(true)
    expect(talk.state.reads).toBe(2)
  })

  it('is none once it came back into the world', async () => {
    const story = archived()
    const piece = { tasks: story.before.tasks[story.task] }
    const woken: Entry = {
      seq: story.entries.length + 1,
      at: 1,
      by: 'x',
      cause: 'c',
      event: { type: 'task.woken', v: 1, task: story.task, agents: [], piece },
    }
    expect(await counted(story, [...story.entries, woken]).past.task(story.task)).toBeNull()
  })
})

describe('a record by its id', () => {
  const story = new Story()
  story.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.ben.id], { text: 'first', kind: 'urgent' }))
  const first = Object.values(story.world.messages[BASE_TASK] ?? {})[0]
  if (!first) throw new Error('no message')
  const thread = first.thread ?? first.id
  story.put(TEAM.ben.id, send(TEAM.ben.id, [TEAM.ana.id], { text: 'second', replyTo: first.id }))
  const past = openRestoredTasks({
    archive: archiveOf(story.entries),
    snapshots: memoryStore({}).snapshots,
    isLive: () => true,
  })

  it('is the message that began a thread, and no other of it', async () => {
    expect(await past.opening(thread)).toMatchObject({ id: first.id, text: 'first' })
    expect(await past.opening('never')).toBeNull()
    const later = openRestoredTasks({
      archive: archiveOf(
        story.entries.filter(({ event }) => event.type !== 'message.sent' || event.message !== first.id),
      ),
      snapshots: memoryStore({}).snapshots,
      isLive: () => true,
    })
    expect(await later.opening(thread)).toBeNull()
  })

  it('is the request, as it came to be', async () => {
    const asked = walk([])
    asked.run(TEAM.reader.id, () =>
      outcomeOf({
        sync: {
          send_message: {
            receiver: [TEAM.ana.id],
            message: 'Which list?',
            stage_relative: 'no_relative',
            need_reply: true,
            waiting: true,
          },
        },
      }),
    )
    const request = asked.openRequests().find(({ asker }) => asker === TEAM.reader.id)
    if (!request) throw new Error('nothing was asked')
    const { request: find } = openRestoredTasks({
      archive: archiveOf(asked.entries),
      snapshots: memoryStore({}).snapshots,
      isLive: () => true,
    })
    expect(await find(request.id)).toMatchObject({ id: request.id, state: 'open', question: 'Which list?' })
    expect(await find('never')).toBeNull()
  })
})

describe('the archived tasks', () => {
  it('are those whose pieces are kept and that do not live, the last stored first, each once', async () => {
    const { snapshots } = memoryStore({})
    const keep = (key: string, seq: number, at: number) =>
      snapshots.save({ key, seq, at, reducer: 1, data: new Uint8Array() })
    const [old, young, twin, live] = ['t-old', 't-young', 't-twin', 't-live'].map((id) => asId<TaskId>(id)) as [
      TaskId,
      TaskId,
      TaskId,
      TaskId,
    ]
    await keep('world', 9, 900)
    await keep('world task:x', 9, 900)
    await keep(pieceKey(live), 1, 800)
    await keep(pieceKey(young), 1, 300)
    await keep(pieceKey(twin), 1, 300)
    await keep(pieceKey(old), 1, 500)
    await keep(pieceKey(old), 2, 100)
    const past = openRestoredTasks({ archive: archiveOf([]), snapshots, isLive: (task) => task === live })
    expect(await past.archived()).toEqual([
      { task: old, at: 500 },
      { task: twin, at: 300 },
      { task: young, at: 300 },
    ])
  })
})

describe('a thread that is put away', () => {
  const { entries: known } = archived()
  const message = (seq: number, more: object): Entry => {
    const found = known.find(({ event }) => event.type === 'message.sent')
    if (!found) throw new Error('no message')
    return {
      ...found,
      seq,
      event: Object.assign({}, found.event, { thread: 'th', sender: 'x', receivers: ['y'] }, more),
    }
  }
  const step = (seq: number, agent: string): Entry => {
    const found = known.find(({ event }) => event.type === 'step.added')
    if (!found) throw new Error('no step')
    return { ...found, seq, event: Object.assign({}, found.event, { thread: 'th', agent }) }
  }
  const tookPart = (entries: Entry[], person: string) =>
    openRestoredTasks({
      archive: archiveOf(entries),
      snapshots: memoryStore({}).snapshots,
      isLive: () => false,
    }).tookPart(
      'th',
      // An id of this test.
      person as typeof TEAM.ana.id,
    )

  it('is yours when you wrote in it, were written to, or worked in it, and not because somebody else was', async () => {
    const entries = [message(1, { sender: 'ana' }), message(2, { receivers: ['z', 'ben'] }), step(3, 'reader')]
    for (const person of ['ana', 'ben', 'reader'])
      expect([person, await tookPart(entries, person)]).toEqual([person, true])
    expect(await tookPart(entries, 'lee')).toBe(false)
    // What happened to somebody there is nothing that they did.
    const shown = message(4, { type: 'message.delivery', agent: 'lee', state: 'shown', note: null })
    expect(await tookPart([...entries, shown], 'lee')).toBe(false)
    expect(await tookPart([], 'ana')).toBe(false)
  })

  it('is read to its end, however long it is', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => message(n + 1, {}))
    expect(await tookPart(many, 'ana')).toBe(false)
    expect(await tookPart([...many, message(1_001, { sender: 'ana' })], 'ana')).toBe(true)
  })
})
