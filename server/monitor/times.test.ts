/** What a bench gets to know of entries, and that nobody else does. */
import { describe, expect, it } from 'vitest'
import type { Entry } from '@/lib/mas/events'
import type { World } from '@/lib/mas/records'
import type { Beat, ViewFrame } from '@/lib/wire/views'
import { apply, beginning, entriesOf, eventsOf, MAKER_NAMES, PEOPLE, TASKS } from '@/test/histories'
import { openMonitor } from './monitor'
import type { MonitorConnection } from './subs'

async function watched(mono?: () => number, now: () => number = () => 0) {
  let { world } = beginning()
  let hear: (entries: Entry[], world: World) => void = () => {}
  const monitor = await openMonitor({
    engine: {
      node: 'n1',
      world: () => world,
      onDecision: (listener) => {
        hear = listener
        return () => {}
      },
    },
    journal: { id: 'j', read: async () => [] },
    run: 'r',
    now,
    ...(mono ? { mono } : {}),
    schedule: () => () => {},
  })
  const heard: { frame: ViewFrame[]; beat: Beat[] } = { frame: [], beat: [] }
  const ana: MonitorConnection = {
    person: PEOPLE.ana,
    send: (event, message) => {
      const lists: Partial<Record<string, unknown[]>> = heard
      lists[event]?.push(message)
    },
  }
  monitor.attach(ana, { sub: 'log', asked: 1, view: `task:${TASKS.build}` })
  monitor.attach(ana, { sub: 'rows', asked: 1, view: 'overview' })
  const share = (): void => {
    const place = Object.keys(world.tasks).indexOf(TASKS.build)
    const entries = entriesOf(world, eventsOf(world, [MAKER_NAMES.indexOf('part'), place, 1]))
    world = apply(world, entries)
    hear(entries, world)
  }
  return { monitor, heard, share, seq: () => world.seq, at: () => world.at }
}

describe('a bench', () => {
  it('[C6] is told when each entry of a log frame and the last of a row frame was confirmed', async () => {
    let ms = 100
    const { monitor, heard, share, seq } = await watched(() => ms)
    share()
    ms = 105
    share()
    ms = 120
    monitor.tick()
    monitor.beat()
    const [log, rows] = ['log', 'rows'].map((sub) => heard.frame.find((frame) => frame.sub === sub))
    expect(log?.marks).toEqual({ [seq() - 1]: 100, [seq()]: 105 })
    expect(rows?.marks).toEqual({ [seq()]: 105 })
    expect(heard.beat.at(-1)?.mono).toBe(120)
  })

  it('[C6] is the only one that is told', async () => {
    const { monitor, heard, share } = await watched()
    share()
    monitor.tick()
    monitor.beat()
    expect(heard.frame.length).toBeGreaterThan(1)
    for (const message of [...heard.frame, ...heard.beat]) expect(Object.keys(message)).not.toContain('marks')
    expect(heard.beat.map((beat) => 'mono' in beat)).toEqual([false])
  })
})

describe('a beat', () => {
  it('[R4] says the time by which commands are judged: the clock, or the newest entry where the clock was ahead of itself', async () => {
    let now = 0
    const { monitor, heard, at } = await watched(undefined, () => now)
    expect(at()).toBeGreaterThan(1)
    for (const [clock, said] of [
      [at() - 1, at()],
      [at() + 1, at() + 1],
    ] as const) {
      now = clock
      monitor.beat()
      expect(heard.beat.at(-1)?.at).toBe(said)
    }
  })
})
