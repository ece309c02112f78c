/** A task that left the world is shown as it was, to those who could see it before. */
import { describe, expect, it } from 'vitest'
import { loadingView, takeReset } from '@/client/views/viewState'
import { readReset } from '@/client/views/wireShapes'
import { pieceOf } from '@/lib/mas/archive/branches'
import type { Entry } from '@/lib/mas/events'
import type { AgentId, StepId, TaskId } from '@/lib/mas/ids'
import type { StepRecord, World } from '@/lib/mas/records'
import { stepsIn } from '@/lib/mas/steps/ownSteps'
import type { View } from '@/lib/wire/views'
import { memoryStore } from '@/test/memoryStore'
import { outcomeOf, TEAM, walk } from '@/test/worldHistories'
import { openRestoredTasks, type RestoredTasks } from '../engine/snapshots/restoredTasks'
import { type MonitorConnection, openMonitor } from '.'

const AHEAD = '00000000-0000-4000-8000-00000000beef' as StepId
const DAY_MS = 86_400_000
type Sent = { event: string; message: Record<string, unknown> }

async function stage(past?: (world: () => World) => RestoredTasks) {
  const story = walk([])
  for (let n = 0; n < 4; n++) story.run(TEAM.reader.id, () => outcomeOf({}))
  const task = Object.values(story.world.tasks).find((one) => !one.base)?.id
  if (!task) throw new Error('no task')
  const step = stepsIn(story.world.steps[task]?.[TEAM.reader.id])[0]?.id as StepId
  let hear: (entries: Entry[], world: World) => void = () => {}
  const monitor = openMonitor({
    engine: {
      node: 'n1',
      world: () => story.world,
      onDecision: (listener) => {
        hear = listener
        return () => {}
      },
    },
    journal: 'journal',
    run: 'run',
    now: () => 1,
    schedule: () => () => {},
    past: past?.(() => story.world) ?? pastOf(story),
  })
  const put = (...args: Parameters<typeof story.put>): void => {
    const from = story.entries.length
    if (!story.put(...args)) throw new Error('refused')
    hear(story.entries.slice(from), story.world)
  }
  const connect = (person: AgentId, view: View): Sent[] => {
    const sent: Sent[] = []
    const connection: MonitorConnection = {
      person,
      send: (event, message) => void sent.push({ event, message: JSON.parse(JSON.stringify(message)) }),
    }
    monitor.attach(connection, { sub: 's', asked: 1, view })
    return sent
  }
  const archive = (): World => {
    put(TEAM.ana.id, { type: 'finishTask', task, state: 'finished', summary: 'All.', reason: 'r' })
    const before = story.world
    story.pass(8 * DAY_MS)
    put('system:timer', { type: 'archiveTask', task })
    return before
  }
  return { monitor, task, step, archive, connect, story }
}

const pastOf = (story: ReturnType<typeof walk>): RestoredTasks =>
  openRestoredTasks({
    archive: {
      entriesOf: async (key, id, after = 0) =>
        story.entries.filter((entry) => entry.seq > after && Reflect.get(entry.event, key) === id),
    },
    snapshots: memoryStore({}).snapshots,
    isLive: (task: TaskId) => story.world.tasks[task] !== undefined,
  })

const nothingRestored: RestoredTasks = {
  archived: async () => [],
  task: async () => null,
  whole: async () => null,
  step: async () => null,
  request: async () => null,
  opening: async () => null,
  tookPart: async () => false,
}

const until = async (sent: Sent[], count: number): Promise<void> => {
  for (let turn = 0; turn < 200 && sent.length < count; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(sent.length).toBeGreaterThanOrEqual(count)
}

describe('a task that left the world', () => {
  it('opens as it was, and the page can read it', async () => {
    const { archive, connect, task } = await stage()
    const before = archive()
    const sent = connect(TEAM.ben.id, `task:${task}`)
    await until(sent, 1)
    const reset = readReset(sent[0]?.message)
    if (reset === null) throw new Error(`${sent[0]?.event} instead of a reset`)
    const state = takeReset(loadingView(`task:${task}`), reset)
    if (state.content === null) throw new Error('nothing held')
    const { messages, tasks, stages } = pieceOf(state.content.world, task)
    expect({ messages, tasks, stages }).toEqual(
      JSON.parse(
        JSON.stringify({
          messages: before.messages[task],
          // In which thread it was asked for is not shown.
          tasks: { ...before.tasks[task], requestedIn: null },
          stages: before.stages[task],
        }),
      ),
    )
  })

  it('shows its tree and each of its steps', async () => {
    const { archive, connect, task, step } = await stage()
    archive()
    const [tree, one] = [connect(TEAM.ben.id, `tree:${task}`), connect(TEAM.ana.id, `step:${step}`)]
    await until(tree, 1)
    await until(one, 1)
    expect(JSON.stringify(tree[0]?.message.rows)).toContain(step)
    expect(JSON.stringify(one[0]?.message.rows)).toContain(step)
  })

  it('[R265] a step that runs and that this node has not read yet is not shown as one that left', async () => {
    const found: StepRecord[] = []
    const { connect, story, task, step } = await stage(() => ({
      ...nothingRestored,
      step: async () => found[0] ?? null,
    }))
    const own = stepsIn(story.world.steps[task]?.[TEAM.reader.id]).find(({ id }) => id === step)
    if (!own) throw new Error('no step')
    for (const [state, event] of [
      ['running', 'closed'],
      ['finished', 'reset'],
    ] as const) {
      found[0] = { ...own, id: AHEAD, state }
      const sent = connect(TEAM.ana.id, `step:${AHEAD}`)
      await until(sent, 1)
      expect([state, sent[0]?.event]).toEqual([state, event])
    }
  })

  it('stays closed to those who were not in it, and what never was is not found', async () => {
    const { archive, connect, task } = await stage()
    archive()
    const [lee, nothing] = [
      connect(TEAM.lee.id, `task:${task}`),
      connect(TEAM.ana.id, 'task:00000000-0000-4000-8000-00000000dead'),
    ]
    await until(lee, 1)
    await until(nothing, 1)
    expect(lee[0]).toMatchObject({ event: 'closed', message: { reason: 'not-allowed' } })
    expect(nothing[0]).toMatchObject({ event: 'closed', message: { reason: 'not-found' } })
  })

  it('while somebody looks at it stays on the screen, and beats agree with it', async () => {
    const { monitor, archive, connect, task } = await stage()
    const sent = connect(TEAM.ana.id, `task:${task}`)
    archive()
    monitor.tick()
    await until(sent, 2)
    monitor.tick()
    monitor.beat()
    const resets = sent.filter(({ event }) => event === 'reset')
    const last = resets.at(-1)?.message
    const beat = sent.findLast(({ event }) => event === 'beat')?.message
    expect(sent.some(({ event }) => event === 'closed')).toBe(false)
    expect(JSON.stringify(last?.rows)).toContain('Compare')
    expect(beat).toMatchObject({ subs: { s: [1, last?.gen, last?.to] } })
  })

  it('that cannot be read is closed', async () => {
    const fails = () => Promise.reject(new Error('disk'))
    const broken = {
      archived: fails,
      task: fails,
      whole: fails,
      step: fails,
      request: fails,
      opening: fails,
      tookPart: fails,
    }
    const { archive, connect, task } = await stage(() => broken)
    archive()
    const sent = connect(TEAM.ana.id, `task:${task}`)
    await until(sent, 1)
    expect(sent[0]?.event).toBe('closed')
  })
})
