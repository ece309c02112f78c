/** What a bench gets to know of entries, and that nobody else does. */
import { expect, it } from 'vitest'
import type { Entry } from '@/lib/mas/events'
import type { World } from '@/lib/mas/records'
import type { Beat, ViewFrame } from '@/lib/wire/views'
import { type MonitorConnection, openMonitor } from '@/server/monitor'
import { apply, beginning, entriesOf, eventsOf, MAKER_NAMES, PEOPLE, TASKS } from '@/test/histories'
import { timedMonitor } from './times'

/** Ana looks at records and at rows made for a screen. mono: null: without a bench */
async function watched(mono: (() => number) | null) {
  let { world } = beginning()
  const listeners: ((entries: Entry[], world: World) => void)[] = []
  const engine = {
    node: 'n1',
    world: () => world,
    onDecision(listener: (entries: Entry[], world: World) => void) {
      listeners.push(listener)
      return () => {}
    },
  }
  const plain = openMonitor({
    engine,
    journal: 'j',
    run: 'r',
    now: () => 0,
    schedule: () => () => {},
  })
  const monitor = mono === null ? plain : timedMonitor(plain, engine, mono)
  const heard: { frame: ViewFrame[]; beat: Beat[] } = { frame: [], beat: [] }
  const ana: MonitorConnection = {
    person: PEOPLE.ana,
    send: (event, message) => {
      const lists: Partial<Record<string, unknown[]>> = heard
      lists[event]?.push(message)
    },
  }
  monitor.attach(ana, { sub: 'records', asked: 1, view: `task:${TASKS.build}` })
  monitor.attach(ana, { sub: 'rows', asked: 1, view: 'overview' })
  const share = (): void => {
    const place = Object.keys(world.tasks).indexOf(TASKS.build)
    const entries = entriesOf(world, eventsOf(world, [MAKER_NAMES.indexOf('part'), place, 1]))
    world = apply(world, entries)
    for (const hear of listeners) hear(entries, world)
  }
  return { monitor, ana, heard, share, seq: () => world.seq }
}

it('[C6] a bench is told when the last entry of a frame was confirmed', async () => {
  let ms = 100
  const { monitor, ana, heard, share, seq } = await watched(() => ms)
  share()
  ms = 105
  share()
  ms = 120
  monitor.tick()
  monitor.beat()
  for (const sub of ['records', 'rows'])
    expect(heard.frame.find((frame) => frame.sub === sub)?.marks).toEqual({ [seq()]: 105 })
  expect(heard.beat.at(-1)?.mono).toBe(120)
  monitor.leave(ana)
  expect(monitor.counts()).toMatchObject({ connections: 0, subscriptions: 0 })
})

it('[C6] nobody else is told', async () => {
  const { monitor, heard, share } = await watched(null)
  share()
  monitor.tick()
  monitor.beat()
  expect(heard.frame.length).toBeGreaterThan(1)
  for (const message of [...heard.frame, ...heard.beat]) expect(Object.keys(message)).not.toContain('marks')
  expect(heard.beat.map((beat) => 'mono' in beat)).toEqual([false])
})
