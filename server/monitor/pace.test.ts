/** How much of the server's time the views may take. */
import { describe, expect, it } from 'vitest'
import type { Entry } from '@/lib/mas/events'
import type { World } from '@/lib/mas/records'
import { apply, beginning, entriesOf, eventsOf, MAKER_NAMES, PEOPLE, TASKS } from '@/test/histories'
import { openMonitor } from './monitor'

/** A monitor with one page to which sending takes so many ms; `change` makes a decision. */
async function slowMonitor() {
  let { world } = beginning()
  let hear: (entries: Entry[], world: World) => void = () => {}
  let at = 1_000_000
  let sendingMs = 0
  const timers: { run: () => void; ms: number }[] = []
  const monitor = openMonitor({
    engine: {
      node: 'n1',
      world: () => world,
      onDecision: (listener) => {
        hear = listener
        return () => {}
      },
    },
    journal: 'j',
    run: 'r',
    now: () => at,
    schedule: (run, ms) => {
      timers.push({ run, ms })
      return () => {}
    },
  })
  const send = (): void => {
    at += sendingMs
  }
  monitor.attach({ person: PEOPLE.ana, send }, { sub: 'log', asked: 1, view: `task:${TASKS.build}` })
  const change = (): void => {
    const place = Object.keys(world.tasks).indexOf(TASKS.build)
    const entries = entriesOf(world, eventsOf(world, [MAKER_NAMES.indexOf('part'), place, 1]))
    world = apply(world, entries)
    hear(entries, world)
  }
  /** out: ms after which the views are looked at, and then they are. */
  const round = (tickMs: number): number => {
    change()
    const timer = timers.pop()
    if (!timer) throw new Error('nothing is planned')
    at += timer.ms
    sendingMs = tickMs
    timer.run()
    sendingMs = 0
    return timer.ms
  }
  const pass = (ms: number): void => {
    at += ms
  }
  return { round, pass }
}

describe('the pace of views', () => {
  it('sends the first change at once and those that follow together', async () => {
    const { round } = await slowMonitor()
    expect(round(1)).toBe(0)
    expect(round(1)).toBe(49)
  })

  it('leaves twice as long as a slow tick took, and no longer than that', async () => {
    const { round, pass } = await slowMonitor()
    round(120)
    expect(round(120)).toBe(240)
    pass(230)
    expect(round(1)).toBe(10)
    pass(1_000)
    expect(round(1)).toBe(0)
  })

  it('waits a second at most, also when the clock is set back', async () => {
    const { round, pass } = await slowMonitor()
    round(5_000)
    expect(round(1)).toBe(1_000)
    pass(-3_600_000)
    expect(round(1)).toBe(1_000)
  })
})
