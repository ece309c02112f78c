/** What left the world is read as it was. */
import { describe, expect, it } from 'vitest'
import type { Entry } from '@/lib/mas/events'
import type { TaskId } from '@/lib/mas/ids'
import { stepsIn } from '@/lib/mas/ownSteps'
import type { World } from '@/lib/mas/records'
import { TASK_ARCHIVE_AFTER_MS } from '@/lib/mas/selectors/archivable'
import { pieceOf } from '@/lib/mas/selectors/branches'
import { memoryStore } from '@/test/memoryStore'
import { outcomeOf, TEAM, walk } from '@/test/worldHistories'
import type { Archive } from '../store'
import { openRestoredTasks, withRestoredTask } from './restoredTasks'
import { openWorldSnapshots } from './worldSnapshots'

const archiveOf = (entries: readonly Entry[]): Archive => {
  const of = (key: 'task' | 'step' | 'request' | 'thread', id: string, after: number, limit: number) =>
    entries
      .filter((entry) => entry.seq > after && key in entry.event && Reflect.get(entry.event, key) === id)
      .slice(0, limit)
  return {
    entriesOfTask: async (id, after, limit) => of('task', id, after, limit),
    entriesOfStep: async (id, after = 0, limit = 1_000) => of('step', id, after, limit),
    entriesOfRequest: async (id, after = 0, limit = 1_000) => of('request', id, after, limit),
    entriesOfThread: async (id, after, limit) => of('thread', id, after, limit),
  }
}

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

  it('is the same from a snapshot in the middle, and from one of its end, and then reads few entries', async () => {
    const story = archived()
    const { snapshots } = memoryStore({})
    const keeper = openWorldSnapshots(snapshots, async () => {})
    await keeper.savePiece(story.before, story.task)
    let read = 0
    const archive = archiveOf(story.entries)
    const past = openRestoredTasks({
      archive: {
        ...archive,
        entriesOfTask: async (...args) => {
          const found = await archive.entriesOfTask(...args)
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
      expect({ ...found, retired: step.retired, stage: step.stage }).toEqual(step)
    }
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
    expect(await tookPart([], 'ana')).toBe(false)
  })

  it('is read to its end, however long it is', async () => {
    const many = Array.from({ length: 1_000 }, (_, n) => message(n + 1, {}))
    expect(await tookPart(many, 'ana')).toBe(false)
    expect(await tookPart([...many, message(1_001, { sender: 'ana' })], 'ana')).toBe(true)
  })
})
