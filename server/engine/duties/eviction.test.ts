/** When something at rest is due to leave the world, and when old records are asked to. */
import { describe, expect, it } from 'vitest'
import { EVICT_AT, TASK_ARCHIVE_AFTER_MS } from '@/lib/mas/archive/archivable'
import type { Envelope } from '@/lib/mas/commands/command'
import type { Entry, MasEvent } from '@/lib/mas/events'
import { asId, type StageId, type StepId, type TaskId, type WaitingId } from '@/lib/mas/ids'
import type { LockRecord, World } from '@/lib/mas/records'
import { TEAM, walk } from '@/test/worldHistories'
import { createEvictor, leavingDue } from './eviction'

const LOOK_EVERY = 50

describe('old records', () => {
  const { world, entries } = walk([])
  const task = Object.values(world.tasks).find((one) => !one.base)?.id
  if (!task) throw new Error('no task')
  const find = (type: MasEvent['type']): Entry => {
    const entry = entries.find(({ event }) => event.type === type && 'task' in event && event.task === task)
    if (!entry) throw new Error(`no ${type}`)
    return entry
  }
  const [sent, started] = [find('message.sent'), find('stage.started')]
  const [one] = Object.values(world.messages[task] ?? {})
  if (!one) throw new Error('no message')
  const crowded = (count: number): World => ({
    ...world,
    messages: { [task]: Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, one])) },
  })

  function evictor(fails = false) {
    const asked: (TaskId | string)[] = []
    const mistakes: string[] = []
    let settle: (() => void)[] = []
    const made = createEvictor({
      commit: ({ by, command }: Envelope) =>
        new Promise((resolve, reject) => {
          if (command.type === 'evictRecords' && by === 'system:timer') asked.push(command.task)
          settle.push(() => (fails ? reject(new Error('no')) : resolve({ ok: true, seq: 1, reply: null })))
        }),
      newId: () => 'id',
      onMistake: (_, what) => mistakes.push(what),
    })
    const answer = async (): Promise<void> => {
      for (const run of settle) run()
      settle = []
      await new Promise((resolve) => setImmediate(resolve))
    }
    return { ...made, asked, mistakes, answer }
  }
  const times = (count: number, entry: Entry): Entry[] => Array(count).fill(entry)
  const stage = started.event.type === 'stage.started' ? started.event.stage : asId<StageId>('none')

  it('[R24] are looked at after 50 new ones of a task, not after 49; other facts do not count', () => {
    const { onEntries, asked } = evictor()
    onEntries(times(LOOK_EVERY - 1, sent), crowded(EVICT_AT))
    onEntries(times(LOOK_EVERY, started), crowded(EVICT_AT))
    expect(asked).toEqual([])
    onEntries([sent], crowded(EVICT_AT))
    expect(asked).toEqual([task])
  })

  it('[R24] are counted anew after each look, and with a task that was archived the count goes', async () => {
    const { onEntries, asked, answer } = evictor()
    onEntries(times(LOOK_EVERY, sent), crowded(EVICT_AT))
    await answer()
    onEntries(times(LOOK_EVERY - 1, sent), crowded(EVICT_AT))
    expect(asked).toHaveLength(1)
    onEntries([{ ...sent, event: { type: 'task.archived', v: 1, task, agents: [] } }, sent], crowded(EVICT_AT))
    expect(asked).toHaveLength(1)
  })

  it('[R24] are looked at when a stage ends, however few new ones there are: its steps may leave now', () => {
    const ends: MasEvent[] = [
      { type: 'stage.finished', v: 1, task, stage, state: 'finished', reason: null, replacedBy: null },
      { type: 'stage.finished', v: 1, task, stage, state: 'failed', reason: 'no', replacedBy: null },
    ]
    for (const event of ends) {
      const { onEntries, asked } = evictor()
      onEntries([{ ...started, event }], crowded(EVICT_AT - 1))
      expect(asked).toEqual([])
      onEntries([{ ...started, event }], crowded(EVICT_AT))
      expect(asked).toEqual([task])
    }
  })

  it('[R24] are asked to leave only where a task is crowded', () => {
    const { lookAtAll, asked } = evictor()
    lookAtAll(crowded(EVICT_AT - 1))
    expect(asked).toEqual([])
    lookAtAll(crowded(EVICT_AT))
    expect(asked).toEqual([task])
  })

  it('[R24] are asked once while the answer is on its way, and again after it, failed or not', async () => {
    for (const fails of [false, true]) {
      const { lookAtAll, asked, answer, mistakes } = evictor(fails)
      lookAtAll(crowded(EVICT_AT))
      lookAtAll(crowded(EVICT_AT))
      expect(asked).toHaveLength(1)
      await answer()
      lookAtAll(crowded(EVICT_AT))
      expect(asked).toHaveLength(2)
      expect(mistakes).toEqual(fails ? ['evictRecords'] : [])
    }
  })
})

describe('a task that is over', () => {
  it('[R24] is due to leave a day after its end, and not while it lives', () => {
    const story = walk([])
    const archives = (now: number) =>
      leavingDue(story.world, now).filter(({ command }) => command.type === 'archiveTask')
    expect(archives(story.world.at + 9 * TASK_ARCHIVE_AFTER_MS)).toEqual([])
    const task = Object.values(story.world.tasks).find((one) => !one.base)?.id
    if (!task) throw new Error('no task')
    story.put(TEAM.ana.id, { type: 'finishTask', task, state: 'finished', summary: 'All of it.', reason: 'done' })
    const endedAt = story.world.tasks[task]?.endedAt ?? 0
    expect(archives(endedAt)).toEqual([{ at: endedAt + TASK_ARCHIVE_AFTER_MS, command: { type: 'archiveTask', task } }])
    const later = archives(endedAt + TASK_ARCHIVE_AFTER_MS)
    expect(later).toHaveLength(1)
    expect(later[0]?.at).toBeGreaterThanOrEqual(endedAt + TASK_ARCHIVE_AFTER_MS)
    // A message that comes after its end lets it stay longer.
    story.pass(TASK_ARCHIVE_AFTER_MS / 2)
    const before = story.world
    story.put(TEAM.ana.id, {
      type: 'sendMessage',
      task,
      sender: TEAM.ana.id,
      receivers: [TEAM.ben.id],
      text: 'one more thing',
      stage: null,
      kind: 'fyi',
      answers: null,
      replyTo: null,
      attachments: [],
      mention: false,
    })
    if (story.world !== before)
      expect(archives(endedAt + TASK_ARCHIVE_AFTER_MS)[0]?.at).toBeGreaterThan(endedAt + TASK_ARCHIVE_AFTER_MS)
  })

  it('[R24] is due as soon as nobody waits in it any more, though nothing else of it changed', () => {
    const story = walk([])
    const task = Object.values(story.world.tasks).find((one) => !one.base)?.id
    const work = story.world.work[TEAM.reader.id]
    if (!task || !work) throw new Error('no task')
    story.put(TEAM.ana.id, { type: 'finishTask', task, state: 'finished', summary: 'All of it.', reason: 'done' })
    const now = story.world.at + 9 * TASK_ARCHIVE_AFTER_MS
    const lock: LockRecord = {
      id: asId<WaitingId>('w'),
      kind: 'message',
      task,
      stage: null,
      step: asId<StepId>('s'),
      on: TEAM.ana.id,
      message: null,
      request: null,
      at: 0,
    }
    const locked = { ...work, locks: [lock] }
    const isDue = (world: World): boolean =>
      leavingDue(world, now).some(({ command }) => command.type === 'archiveTask')
    expect(isDue({ ...story.world, work: { ...story.world.work, [TEAM.reader.id]: locked } })).toBe(false)
    expect(isDue(story.world)).toBe(true)
  })
})
