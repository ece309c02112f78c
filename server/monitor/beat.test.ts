/** What a beat says. */
import { expect, it } from 'vitest'
import type { ServerMessage } from '@/lib/wire/views'
import { beginning, PEOPLE } from '@/test/histories'
import { openMonitor } from './monitor'

it('[R4] a beat says the time by which commands are judged: the clock, or the newest entry where the clock was ahead of itself', async () => {
  const { world } = beginning()
  expect(world.at).toBeGreaterThan(1)
  let now = 0
  const monitor = openMonitor({
    engine: { node: 'n1', world: () => world, onDecision: () => () => {} },
    journal: 'j',
    run: 'r',
    now: () => now,
    schedule: () => () => {},
  })
  const beats: ServerMessage<'beat'>[] = []
  monitor.join({ person: PEOPLE.ana, send: (_, message) => beats.push(message as ServerMessage<'beat'>) })
  for (const [clock, said] of [
    [world.at - 1, world.at],
    [world.at + 1, world.at + 1],
  ] as const) {
    now = clock
    monitor.beat()
    expect(beats.at(-1)?.at).toBe(said)
  }
})
