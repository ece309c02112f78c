/** Who has nothing to do costs nothing; what rests leaves by itself, also when the program was off meanwhile. */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { TASK_ARCHIVE_AFTER_MS } from '@/lib/mas/archive/archivable'
import * as selectors from '@/lib/mas/members'
import { handClock } from '@/test/handClock'
import { memoryData } from '@/test/memoryStore'
import { openTestEngine, type TestEngine } from '@/test/testEngine'
import { send, TEAM } from '@/test/worldHistories'

vi.mock('@/lib/mas/members', async (original) => {
  const real = await original<typeof selectors>()
  return { ...real, selectNextStep: vi.fn(real.selectNextStep) }
})

const DAY_MS = 86_400_000
const looked = vi.mocked(selectors.selectNextStep)
const open: TestEngine[] = []
afterEach(async () => {
  for (const { engine } of open.splice(0)) await engine.stop()
})
const opened = async (options: Parameters<typeof openTestEngine>[0]): Promise<TestEngine> => {
  const bench = await openTestEngine(options)
  open.push(bench)
  return bench
}
const settle = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('an agent without work', () => {
  it('is not looked at while others work', async () => {
    const bench = await opened({})
    looked.mockClear()
    await bench.put(TEAM.ana.id, send(TEAM.ana.id, [TEAM.manager.id], { text: 'note' }))
    await bench.until(
      (world) => world.work[TEAM.manager.id]?.todo.length === 0 && !world.work[TEAM.manager.id]?.running,
    )
    const agents = new Set(looked.mock.calls.map(([, agent]) => agent))
    expect(agents.has(TEAM.manager.id)).toBe(true)
    expect([...agents].filter((agent) => agent === TEAM.reader.id || agent === TEAM.analyst.id)).toEqual([])
  })

  it('and a team that rests make no entry and fire no timer in thirty days, once their snapshot is kept', async () => {
    const clock = handClock()
    const bench = await opened({ clock })
    await settle()
    clock.pass(DAY_MS)
    await settle()
    const [{ seq }, fired] = [bench.world(), clock.fired()]
    looked.mockClear()
    clock.pass(30 * DAY_MS)
    await settle()
    expect(bench.world().seq).toBe(seq)
    expect(clock.fired()).toBe(fired)
    expect(looked).not.toHaveBeenCalled()
    expect(clock.waiting()).toBe(0)
  })
})

describe('[R24] a task that is over', () => {
  const makeOne = async (bench: TestEngine) => {
    const made = await bench.put(TEAM.ana.id, {
      type: 'makeTask',
      name: 'Count',
      intention: 'Count all',
      manager: TEAM.manager.id,
      members: [TEAM.reader.id],
      stages: [],
      reason: 'it is needed',
    })
    if (!made.ok) throw made.fault
    const task = Object.values(bench.world().tasks).find((one) => !one.base)?.id
    if (!task) throw new Error('no task')
    await bench.put(TEAM.ana.id, { type: 'finishTask', task, state: 'finished', summary: 'All.', reason: 'done' })
    await bench.put(TEAM.ana.id, {
      type: 'markShown',
      messages: Object.keys(bench.world().deliveries[task]?.[TEAM.ana.id] ?? {}) as [],
    })
    await settle()
    return task
  }

  it('leaves by the timer a day later, kept as it was', async () => {
    const clock = handClock()
    const bench = await opened({ clock })
    const task = await makeOne(bench)
    clock.pass(TASK_ARCHIVE_AFTER_MS - 60_000)
    await settle()
    expect(bench.world().tasks[task]).toBeDefined()
    clock.pass(120_000)
    await bench.until((world) => world.tasks[task] === undefined)
    expect((await bench.store.snapshots.list(`task:${task}`)).length).toBeGreaterThan(0)
  })

  it('leaves at the next start when its day ended while the program was off, and does so once', async () => {
    const [clock, data] = [handClock(), memoryData()]
    const first = await openTestEngine({ clock, data })
    const task = await makeOne(first)
    await first.engine.stop()
    clock.pass(2 * DAY_MS)
    const second = await opened({ clock, data, prefix: 'second' })
    await second.until((world) => world.tasks[task] === undefined)
    const entries = await second.store.journal.read(0, 10_000)
    expect(entries.filter(({ event }) => event.type === 'task.archived')).toHaveLength(1)
  })
})
