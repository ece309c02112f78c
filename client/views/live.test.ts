/** Streaming text and drafting notes: last value wins, nothing stays that is over. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { staleSince } from '@/client/connection/stale'
import type { AgentId, StepId, TaskId } from '@/lib/mas/ids'
import type { StepDoing } from '@/lib/wire/views'
import { createLive } from './live'

const DRAFTING_TTL_MS = 6_000
/** Until the next animation frame. */
const FRAME_MS = 16

function setUp() {
  const said: unknown[] = []
  const live = createLive({
    send: (event, message) => said.push([event, message]),
    schedule: (show) => void setTimeout(show, FRAME_MS),
  })
  const does = (doing: StepDoing, attempt = 1): void =>
    live.receive({
      kind: 'doing',
      task: 't' as TaskId,
      agent: 'a' as AgentId,
      step: 's' as StepId,
      attempt,
      since: 5,
      ...doing,
    })
  const text = (at: number, words: string, attempt = 1): void =>
    live.receive({
      kind: 'text',
      task: 't' as TaskId,
      agent: 'a' as AgentId,
      step: 's' as StepId,
      attempt,
      at,
      text: words,
    })
  return { live, said, text, does }
}

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => void vi.useRealTimers())

describe('presence', () => {
  const of = (state: 'online' | 'away' | 'offline') => ({ state, quiet: null })

  it('[C4] presence is the last value received, and starts empty with each connection', () => {
    const { live } = setUp()
    live.receive({ kind: 'presence', person: 'ana' as AgentId, presence: of('online') })
    live.receive({ kind: 'presence', person: 'ana' as AgentId, presence: of('away') })
    expect(live.presence.getState()).toEqual({ ana: of('away') })
    live.connected()
    expect(live.presence.getState()).toEqual({})
  })

  it('[C4] this page’s presence is sent when it changes, and again on a new connection', () => {
    const { live, said } = setUp()
    live.sendPresence(true, null)
    live.sendPresence(true, null)
    live.sendPresence(true, { until: null })
    live.sendPresence(true, { until: 5 })
    live.connected()
    expect(said).toEqual([
      ['presence', { isActive: true, quiet: null }],
      ['presence', { isActive: true, quiet: { until: null } }],
      ['presence', { isActive: true, quiet: { until: 5 } }],
      ['presence', { isActive: true, quiet: { until: 5 } }],
    ])
  })
})

describe('streaming text', () => {
  it('[C4] streamed text grows by pieces, is shown in the next frame, and restarts with another attempt', () => {
    const { live, text } = setUp()
    live.follow('s')
    let shown = 0
    live.texts.subscribe(() => (shown += 1))
    for (let at = 0; at < 50; at++) text(at, 'x')
    expect(shown).toBe(0)
    vi.advanceTimersByTime(FRAME_MS)
    expect(shown).toBe(1)
    expect(live.texts.getState().s?.text).toBe('x'.repeat(50))
    text(0, 'again', 2)
    text(50, 'late', 1)
    vi.advanceTimersByTime(FRAME_MS)
    expect(live.texts.getState().s).toEqual({ attempt: 2, text: 'again', at: FRAME_MS })
  })

  it('[C4] streamed text with a lost piece is requested again, and the whole replaces it', () => {
    const { live, said, text } = setUp()
    live.follow('s')
    vi.advanceTimersByTime(0)
    text(5, 'later')
    expect(said).toEqual([
      ['follow', { steps: ['s'] }],
      ['follow', { steps: ['s'] }],
    ])
    text(0, 'firstlater')
    vi.advanceTimersByTime(100)
    expect(live.texts.getState().s?.text).toBe('firstlater')
  })

  it('[C4] streamed text is dropped when nobody follows it', () => {
    const { live, said, text } = setUp()
    const [leave, also] = [live.follow('s'), live.follow('s')]
    text(0, 'x')
    vi.advanceTimersByTime(100)
    leave()
    leave()
    expect(live.texts.getState().s?.text).toBe('x')
    also()
    expect(live.texts.getState()).toEqual({})
    vi.advanceTimersByTime(0)
    expect(said.at(-1)).toEqual(['follow', { steps: [] }])
  })
})

describe('what a running step does', () => {
  it('[R475] is the last value of the newest attempt, shown in the next frame', () => {
    const { live, does } = setUp()
    live.follow('s')
    does({ what: 'queued', place: 2 })
    does({ what: 'queued', place: 1 })
    expect(live.doings.getState()).toEqual({})
    vi.advanceTimersByTime(FRAME_MS)
    expect(live.doings.getState()).toEqual({ s: { attempt: 1, since: 5, what: 'queued', place: 1 } })
    does({ what: 'asked' }, 2)
    does({ what: 'writing' }, 1)
    vi.advanceTimersByTime(FRAME_MS)
    expect(live.doings.getState()).toEqual({ s: { attempt: 2, since: 5, what: 'asked' } })
  })

  it('[R475] is dropped when nobody follows the step, and not kept of others', () => {
    const { live, does } = setUp()
    does({ what: 'asked' })
    const leave = live.follow('s')
    vi.advanceTimersByTime(FRAME_MS)
    expect(live.doings.getState()).toEqual({})
    does({ what: 'asked' })
    vi.advanceTimersByTime(FRAME_MS)
    does({ what: 'writing' })
    leave()
    vi.advanceTimersByTime(FRAME_MS)
    expect(live.doings.getState()).toEqual({})
  })
})

describe('whether a followed step still speaks', () => {
  it('[C4] the time of a step’s last text counts new text only, in steps of a few seconds', () => {
    const { live, text } = setUp()
    const leave = live.follow('s')
    text(0, '')
    expect(live.textAt.getState()).toEqual({})
    vi.advanceTimersByTime(10_000)
    text(0, 'one')
    expect(live.textAt.getState()).toEqual({ s: 10_000 })
    vi.advanceTimersByTime(1_000)
    text(3, ' two')
    expect(live.textAt.getState()).toEqual({ s: 10_000 })
    vi.advanceTimersByTime(9_000)
    // The whole again, as the server sends it to a page that subscribes again.
    text(0, 'one two')
    expect(live.textAt.getState()).toEqual({ s: 10_000 })
    text(0, 'anew', 2)
    expect(live.textAt.getState()).toEqual({ s: 20_000 })
    leave()
    expect(live.textAt.getState()).toEqual({})
  })

  it('[C4] steps followed at one moment are sent once, the newest first', () => {
    const { live, said } = setUp()
    for (const step of ['a', 'b', 'c']) live.follow(step)
    expect(said).toEqual([])
    vi.advanceTimersByTime(0)
    expect(said).toEqual([['follow', { steps: ['c', 'b', 'a'] }]])
  })

  it('[C4] a step is stale since its last text, once that is known and long ago', () => {
    const at = { startedAt: 100_000, followedAt: 145_000, textAt: null }
    expect(staleSince({ ...at, now: 145_500 })).toBeNull()
    expect(staleSince({ ...at, now: 160_000 })).toBe(100_000)
    expect(staleSince({ ...at, now: 160_000, textAt: 150_000 })).toBeNull()
    expect(staleSince({ ...at, now: 195_000, textAt: 150_000 })).toBe(150_000)
    expect(staleSince({ ...at, now: 160_000, followedAt: null })).toBeNull()
    expect(staleSince({ ...at, now: 160_000 }, 90_000)).toBeNull()
    expect(staleSince({ ...at, now: 190_000 }, 90_000)).toBe(100_000)
  })
})

describe('drafting notes', () => {
  it('[C4] a drafting note expires when it is not repeated', () => {
    const { live } = setUp()
    const note = { kind: 'drafting', request: 'r', person: 'p' as AgentId, name: 'Ben', on: true } as const
    live.receive(note)
    vi.advanceTimersByTime(DRAFTING_TTL_MS - 1)
    live.receive(note)
    vi.advanceTimersByTime(DRAFTING_TTL_MS - 1)
    expect(live.drafting.getState().r).toEqual([{ person: 'p', name: 'Ben' }])
    vi.advanceTimersByTime(1)
    expect(live.drafting.getState().r).toEqual([])
  })

  it('[C4] own drafting notes are sent at most every three seconds, and once at the end', () => {
    const { live, said } = setUp()
    for (let key = 0; key < 10; key++) {
      live.sendDrafting('r', true)
      vi.advanceTimersByTime(400)
    }
    live.sendDrafting('r', false)
    live.sendDrafting('r', false)
    expect(said).toHaveLength(3)
  })
})
