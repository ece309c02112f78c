/** Presence of people, from the reports of their pages. */
import { describe, expect, it } from 'vitest'
import type { AgentId } from '@/lib/mas/ids'
import type { PresenceState, Quiet } from '@/lib/wire/views'
import { memoryStore } from '@/test/memoryStore'
import { SETTINGS_KEY } from '../routes/account/session'
import { createPresence, LEAVE_MS, quietKept } from './presence'

const ANA = 'ana' as AgentId

function setUp() {
  const told: [AgentId, PresenceState][] = []
  let timers: { run: () => void; ms: number }[] = []
  const said: [AgentId, { isActive: boolean; quiet: Quiet | null } | null][] = []
  const book = createPresence({
    changedHere: (person, now) => said.push([person, now]),
    changed: (person, presence) => told.push([person, presence]),
    later: (run, ms) => timers.push({ run, ms }),
  })
  const pass = (ms: number): void => {
    const due = timers.filter((timer) => timer.ms <= ms)
    timers = timers.filter((timer) => timer.ms > ms)
    for (const { run } of due) run()
  }
  return { book, told, said, pass }
}
const here = { isActive: true, quiet: null }
const idle = { isActive: false, quiet: null }

describe('presence', () => {
  it('[P1] a person is online while any of their pages is active, and away while all are idle', () => {
    const { book, told } = setUp()
    const [first, second] = [{}, {}]
    book.says(first, ANA, here)
    book.says(second, ANA, idle)
    book.says(first, ANA, idle)
    expect(told.map(([, { state }]) => state)).toEqual(['online', 'away'])
  })

  it('[P1] an unchanged presence is not announced again', () => {
    const { book, told } = setUp()
    const page = {}
    for (let time = 0; time < 5; time++) book.says(page, ANA, here)
    expect(told).toHaveLength(1)
  })

  it('[P1] a page that is reloaded is not announced as gone, one that stays away is', () => {
    const { book, told, pass } = setUp()
    const [first, second] = [{}, {}]
    book.says(first, ANA, here)
    book.gone(first, ANA)
    book.says(second, ANA, here)
    pass(LEAVE_MS)
    expect(told.map(([, { state }]) => state)).toEqual(['online'])
    book.gone(second, ANA)
    expect(told).toHaveLength(1)
    pass(LEAVE_MS)
    expect(told.map(([, { state }]) => state)).toEqual(['online', 'offline'])
    expect(book.all()).toEqual([])
  })

  it('[P1] do-not-disturb follows the newest report, and outlives the last page', () => {
    const { book, pass } = setUp()
    const [first, second] = [{}, {}]
    book.says(first, ANA, here)
    book.says(second, ANA, { isActive: true, quiet: { until: 900 } })
    expect(book.all()).toEqual([[ANA, { state: 'online', quiet: { until: 900 } }]])
    book.gone(first, ANA)
    book.gone(second, ANA)
    pass(LEAVE_MS)
    expect(book.all()).toEqual([[ANA, { state: 'offline', quiet: { until: 900 } }]])
  })

  it('[P1] do-not-disturb of a person without a page comes from their settings, and a page overrides it', () => {
    const { book } = setUp()
    book.restOf(ANA, { until: null })
    expect(book.all()).toEqual([[ANA, { state: 'offline', quiet: { until: null } }]])
    book.says({}, ANA, here)
    book.restOf(ANA, { until: null })
    expect(book.all()).toEqual([[ANA, { state: 'online', quiet: null }]])
  })

  it('[P1] when one of several pages closes, the change to the idle ones is announced at once', () => {
    const { book, told } = setUp()
    const [first, second] = [{}, {}]
    book.says(first, ANA, here)
    book.says(second, ANA, idle)
    book.gone(first, ANA)
    expect(told.map(([, { state }]) => state)).toEqual(['online', 'away'])
  })

  it('[P1] closing a page that never reported changes nothing', () => {
    const { book, told, pass } = setUp()
    book.gone({}, ANA)
    const page = {}
    book.says(page, ANA, here)
    book.gone({}, ANA)
    pass(LEAVE_MS)
    expect(told.map(([, { state }]) => state)).toEqual(['online'])
  })

  it('[P1] another end of do-not-disturb is announced, the same one is not', () => {
    const { book, told } = setUp()
    const page = {}
    const until = (time: number | null) => book.says(page, ANA, { isActive: true, quiet: { until: time } })
    until(900)
    until(900)
    until(901)
    until(null)
    book.says(page, ANA, here)
    expect(told.map(([, { quiet }]) => quiet)).toEqual([{ until: 900 }, { until: 901 }, { until: null }, null])
  })
})

describe('presence at several nodes', () => {
  function nodes() {
    const [north, south] = [setUp(), setUp()]
    const states = ({ told }: typeof north) => told.map(([, { state }]) => state)
    return { north, south, states }
  }

  it('[R250] a person is online while a page at any node is active, and leaves with the last of all', () => {
    const { north, states } = nodes()
    const page = {}
    north.book.says(page, ANA, idle)
    north.book.saysNode('south', ANA, here)
    north.book.saysNode('south', ANA, idle)
    north.book.gone(page, ANA)
    north.pass(LEAVE_MS)
    north.book.saysNode('south', ANA, null)
    expect(states(north)).toEqual(['away', 'online', 'away', 'offline'])
  })

  it('[R250] other nodes hear what the pages here say together, once, and never their own words back', () => {
    const { north, south } = nodes()
    const [first, second] = [{}, {}]
    north.book.says(first, ANA, here)
    north.book.says(second, ANA, idle)
    expect(north.said).toEqual([[ANA, here]])
    expect(north.book.here()).toEqual([[ANA, here]])
    south.book.says({}, ANA, { isActive: true, quiet: { until: 5 } })
    // Each hears the other at once, and their words differ.
    for (const [person, said] of [...south.said]) north.book.saysNode('south', person, said)
    for (const [person, said] of [...north.said]) south.book.saysNode('north', person, said)
    expect([north.said.length, south.said.length]).toEqual([1, 1])
  })

  it('[R250] a node that is back within the time of a reload was never gone', () => {
    const { north, states } = nodes()
    north.book.saysNode('south', ANA, here)
    north.book.nodeGone(null)
    north.book.saysNode('south', ANA, { ...here })
    north.pass(LEAVE_MS)
    expect(states(north)).toEqual(['online'])
    north.book.nodeGone('south')
    north.pass(LEAVE_MS)
    expect(states(north)).toEqual(['online', 'offline'])
  })
})

describe('do-not-disturb in the settings', () => {
  it('[P1] do-not-disturb in the settings holds until its time; without a time until it is switched off', async () => {
    const restOf = async (rest: unknown) => {
      const { people } = memoryStore({ now: () => 0 })
      await people.put(ANA, SETTINGS_KEY, { rest }, null)
      return quietKept(people, ANA, 1_000)
    }
    const rest = { isOn: true, until: 1_001, daily: null, urgentBreaksThrough: true }
    expect(await restOf(rest)).toEqual({ until: 1_001 })
    expect(await restOf({ ...rest, until: 1_000 })).toBeNull()
    expect(await restOf({ ...rest, until: null })).toEqual({ until: null })
    expect(await restOf({ ...rest, isOn: false })).toBeNull()
    const { people } = memoryStore({ now: () => 0 })
    expect(await quietKept(people, ANA, 0)).toBeNull()
  })
})
