/** What falls due happens once, at its time, and an idle world is left alone. */

import { describe, expect, it } from 'vitest'
import type { Command } from '@/lib/mas/commands/command'
import { asId, type RequestId } from '@/lib/mas/ids'
import { emptyWorld } from '@/lib/mas/records'
import type { Due } from '@/lib/mas/selectors/due'
import { handClock } from '@/test/handClock'
import type { CommitAnswer } from './port'
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
    expect(put).toEqual([])
    expect(clock.waiting()).toBe(0)
  })
})
