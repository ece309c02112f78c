/** What falls due happens once, at its time, and an idle world is left alone. */
import { describe, expect, it } from 'vitest'
import type { Due } from '@/lib/mas/asks/due'
import type { Command } from '@/lib/mas/commands/command'
import { asId, type RequestId } from '@/lib/mas/ids'
import { emptyWorld } from '@/lib/mas/records'
import { handClock } from '@/test/handClock'
import { journalClock } from '../../store/shared/journalClock'
import type { CommitAnswer } from '../port'
import { createTimers, timerId } from './timers'

const HOUR = 3_600_000
const command = (n: number): Command => ({ type: 'claimRequest', request: asId<RequestId>(`r${n}`) })

function stage(list: Due[] = []) {
  const clock = handClock(0)
  const put: string[] = []
  const state = { due: list, looks: 0, answer: { ok: true, seq: 1, reply: null } as CommitAnswer }
  const timers = createTimers({
    due: () => {
      state.looks += 1
      return state.due
    },
    world: () => emptyWorld,
    commit: async ({ id, by }) => {
      put.push(`${by} ${id}`)
      return state.answer
    },
    now: clock.now,
    schedule: clock.schedule,
    onMistake: (error) => {
      throw error
    },
  })
  return { clock, put, state, timers }
}

describe('what is due', () => {
  it('is put at its time and not before, by the timer', () => {
    const due = { at: 2 * HOUR, command: command(1) }
    const { clock, put, timers } = stage([due])
    timers.look()
    clock.pass(2 * HOUR - 1)
    expect(put).toEqual([])
    clock.pass(1)
    expect(put).toEqual([`system:timer ${timerId(due)}`])
  })

  it('[R373] is put after the time that has elapsed, when the clock is set back or was ahead', () => {
    const hand = handClock(20 * HOUR)
    let backMs = 0
    const clock = journalClock({ wall: () => hand.now() - backMs, elapsed: hand.now })
    const put: Command[] = []
    const timers = createTimers({
      due: () => [{ at: 20 * HOUR + 8_000, command: command(1) }],
      world: () => emptyWorld,
      commit: async (envelope) => {
        put.push(envelope.command)
        return { ok: true, seq: 1, reply: null }
      },
      now: clock.now,
      schedule: hand.schedule,
      onMistake: (error) => {
        throw error
      },
    })
    timers.look()
    backMs = 19 * HOUR
    hand.pass(7_999)
    expect(put).toEqual([])
    hand.pass(1)
    expect(put).toEqual([command(1)])
  })

  it('was due while the program was off: it is put at the start, under the same id as before', () => {
    const due = { at: 5, command: command(1) }
    const [first, second] = [stage([due]), stage([due])]
    first.clock.pass(10)
    first.timers.look()
    second.clock.pass(HOUR)
    second.timers.look()
    expect(second.put).toEqual(first.put)
    expect(second.put).toHaveLength(1)
  })

  it('is put once, also when it was refused and stays in the list', () => {
    const { clock, put, state, timers } = stage([{ at: 5, command: command(1) }])
    clock.pass(10)
    timers.look()
    state.due = [...state.due, { at: 20, command: command(2) }]
    timers.onEntries()
    clock.pass(HOUR)
    timers.onEntries()
    clock.pass(HOUR)
    expect(put).toHaveLength(2)
  })

  it('is put at its very moment, with all else that is due then', () => {
    const list = [1, 2].map((n) => ({ at: 5, command: command(n) }))
    const { clock, put, timers } = stage([...list, { at: 6, command: command(3) }])
    clock.pass(5)
    timers.look()
    expect(put).toEqual(list.map((one) => `system:timer ${timerId(one)}`))
  })

  it('first of several that are due later is put at its own time', () => {
    const [late, soon] = [3, 1].map((hours) => ({ at: hours * HOUR, command: command(hours) }))
    if (!late || !soon) throw new Error('two are needed')
    const { clock, put, state, timers } = stage([late, soon])
    timers.look()
    clock.pass(HOUR)
    expect(put).toEqual([`system:timer ${timerId(soon)}`])
    state.due = [late]
    clock.pass(2 * HOUR)
    expect(put.at(-1)).toBe(`system:timer ${timerId(late)}`)
  })

  it('moved to another time is another command', () => {
    expect(timerId({ at: 1, command: command(1) })).not.toBe(timerId({ at: 2, command: command(1) }))
    expect(timerId({ at: 1, command: command(1) })).not.toBe(timerId({ at: 1, command: command(2) }))
  })

  it('that comes nearer by an entry is put at the new time', () => {
    const { clock, put, state, timers } = stage([{ at: 9 * HOUR, command: command(1) }])
    timers.look()
    clock.pass(HOUR)
    state.due = [{ at: 2 * HOUR, command: command(2) }]
    timers.onEntries()
    clock.pass(HOUR)
    expect(put).toEqual([`system:timer ${timerId({ at: 2 * HOUR, command: command(2) })}`])
  })
})

describe('an idle world', () => {
  it('with nothing due has no timer, and is never looked at', () => {
    const { clock, state, timers } = stage()
    timers.look()
    expect(clock.waiting()).toBe(0)
    clock.pass(240 * HOUR)
    expect(state.looks).toBe(1)
  })

  it('with something due later is looked at when it is due, though the clock is read in between', () => {
    const { clock, state, timers } = stage([{ at: 24 * HOUR, command: command(1) }])
    timers.look()
    clock.pass(24 * HOUR - 1)
    expect(state.looks).toBe(1)
    expect(clock.waiting()).toBe(1)
    clock.pass(1)
    expect(state.looks).toBe(2)
  })

  it('a crowd of entries is one look', () => {
    const { clock, state, timers } = stage()
    for (let n = 0; n < 1_000; n++) timers.onEntries()
    expect(clock.waiting()).toBe(1)
    clock.pass(HOUR)
    expect(state.looks).toBe(1)
  })

  it('is left alone after the stop', () => {
    const { clock, put, timers } = stage([{ at: 5, command: command(1) }])
    timers.look()
    timers.stop()
    timers.onEntries()
    clock.pass(HOUR)
    timers.look()
    expect(put).toEqual([])
    expect(clock.waiting()).toBe(0)
  })
})

/** A clock that leaps: the machine slept, or somebody set it. Timers know nothing of it and fire when the test says. */
function leaping(list: Due[]) {
  const set: { run: () => void; ms: number }[] = []
  const clock = { now: 0 }
  const put: string[] = []
  const timers = createTimers({
    due: () => list,
    world: () => emptyWorld,
    commit: async ({ id }) => {
      put.push(id)
      return { ok: true, seq: 1, reply: null }
    },
    now: () => clock.now,
    schedule(run, ms) {
      const timer = { run, ms }
      set.push(timer)
      return () => set.splice(set.indexOf(timer), 1)
    },
    onMistake: (error) => {
      throw error
    },
  })
  return {
    clock,
    put,
    set,
    timers,
    /** out: after how many ms it was to fire */
    fire(): number {
      const timer = set.shift()
      if (!timer) throw new Error('no timer is set')
      timer.run()
      return timer.ms
    },
  }
}

describe('a clock that leaps', () => {
  const TEN_MINUTES = 600_000

  it('what is due in 60 days waits by timers of ten minutes: none is longer than setTimeout can count', () => {
    const due = { at: 60 * 24 * HOUR, command: command(1) }
    const { clock, put, fire, timers } = leaping([due])
    timers.look()
    let fired = 0
    while (put.length === 0) {
      const ms = fire()
      expect(ms).toBeLessThanOrEqual(TEN_MINUTES)
      // The timer that put it has fired; each before it moved the clock on.
      if (put.length === 0) clock.now += ms
      fired += 1
    }
    expect(clock.now).toBe(due.at)
    expect(fired).toBe(due.at / TEN_MINUTES + 1)
    expect(put).toEqual([timerId(due)])
  })

  it('forward, as after a sleep: what fell due is put with the next reading, at most ten minutes later', () => {
    const due = { at: 4 * HOUR, command: command(1) }
    const { clock, put, fire, timers } = leaping([due])
    timers.look()
    clock.now = 5 * HOUR
    expect(fire()).toBe(TEN_MINUTES)
    expect(put).toEqual([timerId(due)])
  })

  it('back: what was nearly due is put at its time, not when the timer fires', () => {
    const due = { at: 4 * HOUR, command: command(1) }
    const { clock, put, fire, timers } = leaping([due])
    clock.now = due.at - 5_000
    timers.look()
    clock.now = due.at - HOUR
    expect(fire()).toBe(5_000)
    expect(put).toEqual([])
    expect(fire()).toBe(TEN_MINUTES)
    clock.now = due.at - 1
    fire()
    expect(put).toEqual([])
    clock.now = due.at
    expect(fire()).toBe(1)
    expect(put).toEqual([timerId(due)])
  })

  it('forward and back: what is put again at its own time is the same command, so it is done once', () => {
    const due = { at: HOUR, command: command(1) }
    const { clock, put, fire, set, timers } = leaping([due])
    timers.look()
    clock.now = 2 * HOUR
    fire()
    clock.now = 1_000
    timers.onEntries()
    while (set.length > 0 && clock.now < 3 * HOUR) clock.now += fire()
    expect(new Set(put)).toEqual(new Set([timerId(due)]))
  })
})
