/** Who is there, by what their pages say. */
import { describe, expect, it } from 'vitest'
import type { AgentId } from '@/lib/mas/ids'
import type { Presence } from '@/lib/wire/views'
import { createPresence, LEAVE_MS } from './presence'

const ANA = 'ana' as AgentId

function setUp() {
  const told: [AgentId, Presence][] = []
  let timers: { run: () => void; ms: number }[] = []
  const book = createPresence({
    changed: (person, presence) => told.push([person, presence]),
    later: (run, ms) => timers.push({ run, ms }),
  })
  const pass = (ms: number): void => {
    const due = timers.filter((timer) => timer.ms <= ms)
    timers = timers.filter((timer) => timer.ms > ms)
    for (const { run } of due) run()
  }
  return { book, told, pass }
}
const here = { isActive: true, quiet: null }
const idle = { isActive: false, quiet: null }

describe('presence', () => {
  it('[P1] is online while any page of the person is active, away while all are idle', () => {
    const { book, told } = setUp()
    const [first, second] = [{}, {}]
    book.says(first, ANA, here)
    book.says(second, ANA, idle)
    book.says(first, ANA, idle)
    expect(told.map(([, { state }]) => state)).toEqual(['online', 'away'])
  })

  it('[P1] says nothing twice', () => {
    const { book, told } = setUp()
    const page = {}
    for (let time = 0; time < 5; time++) book.says(page, ANA, here)
    expect(told).toHaveLength(1)
  })

  it('[P1] a page that is loaded anew is no leaving; one that stays away is', () => {
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

  it('[P1] do not disturb is as the newest word says, and outlives the last page', () => {
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

  it('[P1] of who has no page the settings say whether to disturb them; a page knows better', () => {
    const { book } = setUp()
    book.restOf(ANA, { until: null })
    expect(book.all()).toEqual([[ANA, { state: 'offline', quiet: { until: null } }]])
    book.says({}, ANA, here)
    book.restOf(ANA, { until: null })
    expect(book.all()).toEqual([[ANA, { state: 'online', quiet: null }]])
  })
})
