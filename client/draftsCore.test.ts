/** Drafts: kept here at once, at the server soon, and never lost to another device. */
import { describe, expect, it } from 'vitest'
import type { Draft, PutDraft } from '@/lib/wire/http'
import type { Answer } from './api'
import { createDrafts, SAVE_AFTER_MS } from './draftsCore'
import { keepFor, type RawStorage } from './keep'

/** The server's rows: a write over another version keeps the row that was first, and the text that lost beside it. */
function setUp() {
  const rows = new Map<string, Draft>()
  const state = { isUp: true, now: 1_000, puts: 0 }
  const map = new Map<string, string>()
  const raw: RawStorage = {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
    key: (index: number) => [...map.keys()][index] ?? null,
    get length() {
      return map.size
    },
  }
  const none: Draft = { text: '', version: null, other: null, at: 0 }
  const lost: Answer<Draft> = { ok: false, fault: { error: 'NO_ANSWER', message: '', status_code: 0 } }
  const put = async (key: string, { text, version }: PutDraft): Promise<Answer<Draft>> => {
    state.puts += 1
    if (!state.isUp) return lost
    const row = rows.get(key)
    if (row && row.version !== version) rows.set(key, { ...row, other: text })
    else if (text === '') rows.delete(key)
    else rows.set(key, { text, version: (version ?? 0) + 1, other: row?.other ?? null, at: state.now })
    return { ok: true, value: rows.get(key) ?? none }
  }
  let timers: { run: () => void; ms: number }[] = []
  const device = (storage = raw) =>
    createDrafts({
      keep: keepFor(storage, 'draft', 'ana'),
      get: async (key) => (state.isUp ? { ok: true, value: rows.get(key) ?? none } : lost),
      put,
      dropOther: async () => ({ ok: true, value: none }),
      later: (run, ms) => {
        const timer = { run, ms }
        timers.push(timer)
        return () => {
          timers = timers.filter((one) => one !== timer)
        }
      },
      now: () => state.now,
    })
  const settle = async (): Promise<void> => {
    const due = timers
    timers = []
    for (const { run } of due) run()
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  return {
    rows,
    state,
    device,
    settle,
    timers: () => timers,
    kept: map,
    nothing: { ...raw, getItem: () => null, setItem: () => {} },
  }
}

describe('a draft', () => {
  it('[C3] is saved once, 300 ms after the last key', async () => {
    const { rows, state, device, settle, timers } = setUp()
    const draft = device().open('task:1')
    await settle()
    for (const text of ['h', 'he', 'hey']) draft.setText(text)
    expect(timers().map(({ ms }) => ms)).toEqual([SAVE_AFTER_MS])
    expect(draft.state.getState()).toEqual({ text: 'hey', other: null, isSaved: false })
    await settle()
    expect([rows.get('task:1')?.text, state.puts, draft.state.getState().isSaved]).toEqual(['hey', 1, true])
  })

  it('[C3] written without a line is there after a reload, and saved when the line is back', async () => {
    const { rows, state, device, settle } = setUp()
    state.isUp = false
    device().open('task:1').setText('offline')
    await settle()
    const drafts = device()
    const again = drafts.open('task:1')
    expect(again.state.getState().text).toBe('offline')
    await settle()
    state.isUp = true
    drafts.flush()
    await settle()
    expect(rows.get('task:1')?.text).toBe('offline')
  })

  it('[C3] of two devices: the newest wins on both sides, the other text is offered and can be taken', async () => {
    const { rows, device, settle, nothing } = setUp()
    const [here, there] = [device().open('task:1'), device(nothing).open('task:1')]
    await settle()
    there.setText('theirs')
    await settle()
    here.setText('mine')
    await settle()
    expect(here.state.getState()).toEqual({ text: 'mine', other: 'theirs', isSaved: true })
    expect(rows.get('task:1')?.text).toBe('mine')
    here.restoreOther()
    await settle()
    expect(here.state.getState()).toEqual({ text: 'theirs', other: 'mine', isSaved: true })
    expect(rows.get('task:1')?.text).toBe('theirs')
  })

  it('[C3] opened on another device shows what the first wrote', async () => {
    const { device, settle, nothing } = setUp()
    device().open('task:1').setText('words')
    await settle()
    const there = device(nothing).open('task:1')
    await settle()
    expect(there.state.getState().text).toBe('words')
  })

  it('[C3] that was sent is gone here and there', async () => {
    const { rows, device, settle, kept } = setUp()
    const draft = device().open('task:1')
    draft.setText('words')
    await settle()
    draft.clear()
    await settle()
    expect([rows.size, kept.size, draft.state.getState().text]).toEqual([0, 0, ''])
  })
})
