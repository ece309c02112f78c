/** When the world is kept as a snapshot. */
import { describe, expect, it } from 'vitest'
import { emptyWorld, type World } from '@/lib/mas/records'
import { openSnapshotPace } from './snapshotPace'

const [MINUTE_MS, LEAST_MS, MANY] = [60_000, 15_000, 10_000]

function pace() {
  let [now, seq, failure] = [0, 0, null as Error | null]
  const [saved, warned]: [number[], number[]] = [[], []]
  const timers = new Set<{ at: number; run: () => void }>()
  const opened = openSnapshotPace({
    worlds: {
      save: async (world: World) => {
        if (failure !== null) throw failure
        saved.push(world.seq)
      },
    },
    world: () => ({ ...emptyWorld, seq }),
    clock: () => now,
    schedule: (run, ms) => {
      const timer = { at: now + ms, run }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    log: { warn: () => void warned.push(seq) },
  })
  return {
    ...opened,
    saved,
    warned,
    fail: (error: Error) => {
      failure = error
    },
    change: (entries: number) => {
      seq += entries
      opened.changed(entries)
    },
    pass: (ms: number) => {
      now += ms
      for (const timer of [...timers]) {
        if (timer.at > now) continue
        timers.delete(timer)
        timer.run()
      }
    },
  }
}

describe('[S13] a snapshot of the world', () => {
  it('is kept at once when there is little to do, unless nothing changed', () => {
    const { change, pass, rest, saved } = pace()
    rest()
    expect(saved).toEqual([])
    change(1)
    rest()
    rest()
    expect(saved).toEqual([1])
    pass(MINUTE_MS)
    expect(saved).toEqual([1])
  })

  it('is kept a minute after the first change since the one before, and not sooner', () => {
    const { change, pass, saved } = pace()
    pass(MINUTE_MS)
    expect(saved).toEqual([])
    change(1)
    pass(MINUTE_MS - 1)
    change(1)
    expect(saved).toEqual([])
    pass(1)
    expect(saved).toEqual([2])
    pass(MINUTE_MS)
    expect(saved).toEqual([2])
  })

  it('is kept at once after 10,000 entries, when the one before is 15 s old, and its minute begins anew', () => {
    const { change, pass, saved } = pace()
    pass(LEAST_MS - 1)
    change(MANY)
    expect(saved).toEqual([])
    pass(1)
    change(1)
    expect(saved).toEqual([MANY + 1])
    change(MANY - 1)
    pass(LEAST_MS)
    expect(saved).toHaveLength(1)
    change(1)
    expect(saved).toEqual([MANY + 1, 2 * MANY + 1])
    pass(MINUTE_MS)
    expect(saved).toHaveLength(2)
  })

  it('that cannot be kept is logged, and the next one is tried in its time', async () => {
    const { change, pass, saved, warned, fail } = pace()
    fail(new Error('the disk is full'))
    change(3)
    pass(MINUTE_MS)
    await Promise.resolve()
    expect([saved, warned]).toEqual([[], [3]])
    change(1)
    pass(MINUTE_MS)
    await Promise.resolve()
    expect(warned).toEqual([3, 4])
  })

  it('is not kept after the pace was stopped', () => {
    const { change, pass, saved, stop } = pace()
    change(1)
    stop()
    pass(MINUTE_MS)
    expect(saved).toEqual([])
  })
})
