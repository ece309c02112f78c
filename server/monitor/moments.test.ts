/** Views of a task at a moment: one reset, under the rights of now. */
import { describe, expect, it } from 'vitest'
import type { Entry } from '@/lib/mas/events'
import type { AgentId, TaskId } from '@/lib/mas/ids'
import type { World } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import type { TaskMoment, View } from '@/lib/wire/views'
import { memoryStore } from '@/test/memoryStore'
import { openTestMoments } from '@/test/testMoments'
import { outcomeOf, TEAM, walk } from '@/test/worldHistories'
import { openRestoredTasks } from '../engine/snapshots/restoredTasks'
import type { Archive } from '../store'
import { type MonitorConnection, openMonitor } from '.'

const DAY_MS = 86_400_000
type Sent = { event: string; message: Record<string, unknown> }

function stage() {
  const story = walk([])
  for (let n = 0; n < 4; n++) story.run(TEAM.reader.id, () => outcomeOf({}))
  const task = Object.values(story.world.tasks).find((one) => !one.base)?.id
  if (!task) throw new Error('no task')
  let hear: (entries: Entry[], world: World) => void = () => {}
  const archive: Archive = {
    entriesOf: async (key, id, after = 0, limit = 1_000) =>
      story.entries.filter((one) => one.seq > after && Reflect.get(one.event, key) === id).slice(0, limit),
  }
  const monitor = openMonitor({
    engine: {
      node: 'n1',
      world: () => story.world,
      onDecision: (listener) => {
        hear = listener
        return () => {}
      },
    },
    ...{ journal: 'journal', run: 'run', now: () => 1, schedule: () => () => {} },
    past: openRestoredTasks({
      archive,
      snapshots: memoryStore({}).snapshots,
      isLive: (id: TaskId) => story.world.tasks[id] !== undefined,
    }),
    moments: openTestMoments({ archive }),
  })
  const put = (...args: Parameters<typeof story.put>): void => {
    const from = story.entries.length
    if (!story.put(...args)) throw new Error('refused')
    hear(story.entries.slice(from), story.world)
    monitor.tick()
  }
  const connect = (person: AgentId, view: View, at: TaskMoment): Sent[] => {
    const sent: Sent[] = []
    const connection: MonitorConnection = {
      person,
      send: (event, message) => void sent.push({ event, message: JSON.parse(JSON.stringify(message)) }),
    }
    monitor.attach(connection, { sub: 's', asked: 1, view, at })
    return sent
  }
  const began = story.entries.find(({ event }) => event.type === 'task.added' && event.task === task)?.seq ?? 0
  return { monitor, story, task, began, put, connect }
}

const until = async (sent: Sent[], count: number): Promise<void> => {
  for (let turn = 0; turn < 200 && sent.length < count; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(sent.length).toBeGreaterThanOrEqual(count)
}
const rowsOf = (sent: Sent[]): string => JSON.stringify(sent[0]?.message.rows)

describe('a view at a moment', () => {
  it('[R624] is one reset that stands: no frame follows, and the beat names it', async () => {
    const { monitor, story, task, put, connect } = stage()
    const step = stepsIn(story.world.steps[task]?.[TEAM.reader.id])[0]?.id
    if (!step) throw new Error('no step')
    const at = { task, seq: story.world.seq }
    for (const view of [`task:${task}`, `tree:${task}`, `timeline:${task}`, 'waits', `step:${step}`] as const) {
      const sent = connect(TEAM.ana.id, view, at)
      await until(sent, 1)
      expect([view, sent[0]?.event, sent[0]?.message.to]).toEqual([view, 'reset', at.seq])
      put(TEAM.ana.id, { type: 'renameTask', task, name: `Other ${view}` })
      monitor.beat()
      expect(sent.map(({ event }) => event)).toEqual(['reset', 'beat'])
      expect(sent[1]?.message.subs).toEqual({ s: [1, sent[0]?.message.gen, at.seq] })
    }
  })

  it('[R624] holds the task as it was, and members as they are', async () => {
    const { story, task, put, connect } = stage()
    const at = { task, seq: story.world.seq }
    const name = story.world.tasks[task]?.name ?? ''
    put(TEAM.ana.id, { type: 'renameTask', task, name: 'Another name' })
    const sent = connect(TEAM.ana.id, `task:${task}`, at)
    await until(sent, 1)
    expect(rowsOf(sent)).toContain(name)
    expect(rowsOf(sent)).not.toContain('Another name')
    expect(rowsOf(sent)).toContain(TEAM.ana.id)
  })

  it('[R624] is refused where the view is not one of that task', async () => {
    const { story, task, connect } = stage()
    const base = Object.values(story.world.tasks).find((one) => one.base)?.id
    const at = { task, seq: story.world.seq }
    for (const view of ['me', 'overview', 'agents', 'direct', `task:${base}`] as View[]) {
      const sent = connect(TEAM.ana.id, view, at)
      await until(sent, 1)
      expect([view, sent[0]?.event, sent[0]?.message.reason]).toEqual([view, 'closed', 'bad-view'])
    }
  })

  it('of an archived task opens as of one that lives, also when it is archived meanwhile', async () => {
    const { story, task, began, put, connect } = stage()
    const before = connect(TEAM.ana.id, `task:${task}`, { task, seq: began })
    await until(before, 1)
    put(TEAM.ana.id, { type: 'finishTask', task, state: 'finished', summary: 'All.', reason: 'r' })
    const ended = story.world.seq
    story.pass(8 * DAY_MS)
    put('system:timer', { type: 'archiveTask', task })
    await until(before, 2)
    const after = connect(TEAM.ana.id, `task:${task}`, { task, seq: began })
    await until(after, 1)
    expect([...before, ...after].map(({ event }) => event)).toEqual(['reset', 'reset', 'reset'])
    expect(rowsOf(after)).toBe(rowsOf(before))
    const end = connect(TEAM.ben.id, `tree:${task}`, { task, seq: ended })
    await until(end, 1)
    expect(end[0]?.event).toBe('reset')
  })

  it('[R621] is closed to who was not in the task, and to a former member after the removal', async () => {
    const { story, task, put, connect } = stage()
    const before = story.world.seq
    put(TEAM.ana.id, { type: 'changeParticipants', task, add: [], remove: [TEAM.ben.id], reason: 'r' })
    put(TEAM.ana.id, { type: 'renameTask', task, name: 'After' })
    const told: unknown[] = []
    for (const [person, seq] of [
      [TEAM.lee.id, before],
      [TEAM.ben.id, before],
      [TEAM.ben.id, story.world.seq],
    ] as const) {
      const sent = connect(person, `task:${task}`, { task, seq })
      await until(sent, 1)
      told.push(sent[0]?.message.reason ?? sent[0]?.event)
    }
    expect(told).toEqual(['not-allowed', 'reset', 'not-allowed'])
  })

  it('before the task began, or of a task that never was, is not found', async () => {
    const { task, began, connect } = stage()
    const never = '00000000-0000-4000-8000-00000000dead' as TaskId
    for (const at of [
      { task, seq: began - 1 },
      { task: never, seq: 5 },
    ]) {
      const sent = connect(TEAM.ana.id, `task:${at.task}`, at)
      await until(sent, 1)
      expect(sent[0]?.message.reason).toBe('not-found')
    }
  })
})
