/** Drafts: kept here at once, at the server soon, and never lost to another device. */
import { describe, expect, it } from 'vitest'
import { type ApiResult, noAnswer } from '@/client/api'
import { namespacedStorage, type RawStorage } from '@/client/storage'
import { Fault, faultBody } from '@/lib/faults'
import type { DraftAnswer, PutDraft } from '@/lib/wire/http'
import { createDrafts } from './draftsCore'

const SAVE_AFTER_MS = 300

/** The server's rows: a write over another version keeps the row that was first, and the text that lost beside it. */
function setUp() {
  const rows = new Map<string, DraftAnswer>()
  const state = { isUp: true, now: 1_000, puts: 0 }
  type Line = { isUp: boolean }
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
  const none: DraftAnswer = { text: '', version: null, other: null, at: 0 }
  const lost: ApiResult<DraftAnswer> = { ok: false, fault: noAnswer() }
  const put = async (key: string, { text, more, version, other }: PutDraft): Promise<ApiResult<DraftAnswer>> => {
    const row = rows.get(key)
    if (row && row.version !== version) rows.set(key, { ...row, other: text, ...(more ? { otherMore: more } : {}) })
    else if (text === '' && Object.keys(more ?? {}).length === 0 && !other) rows.delete(key)
    else {
      const aside = other ? { other: other.text, ...(other.more ? { otherMore: other.more } : {}) } : { other: null }
      rows.set(key, { text, ...(more ? { more } : {}), version: (version ?? 0) + 1, ...aside, at: state.now })
    }
    for (const hear of pages) hear(key)
    return { ok: true, value: rows.get(key) ?? none }
  }
  let timers: { run: () => void; ms: number }[] = []
  const pages: ((key: string) => void)[] = []
  type Heard = (answer: Promise<ApiResult<DraftAnswer>>) => Promise<ApiResult<DraftAnswer>>
  const device = (storage = raw, line: Line = state, hear: Heard = (answer) => answer) => {
    const drafts = createDrafts({
      storage: namespacedStorage(storage, 'draft', 'ana'),
      get: async (key) => (line.isUp ? { ok: true, value: rows.get(key) ?? none } : lost),
      put: async (key, body) => {
        state.puts += 1
        return line.isUp ? hear(put(key, body)) : lost
      },
      list: async () =>
        line.isUp ? { ok: true, value: { drafts: [...rows.keys()].map((key) => ({ key, isWritten: true })) } } : lost,
      later: (run, ms) => {
        const timer = { run, ms }
        timers.push(timer)
        return () => {
          timers = timers.filter((one) => one !== timer)
        }
      },
      now: () => state.now,
    })
    pages.push((key) => {
      const row = rows.get(key)
      if (line.isUp) drafts.receiveNote({ key, version: row?.version ?? null, isWritten: row !== undefined })
    })
    return drafts
  }
  const settle = async (): Promise<void> => {
    const due = timers
    timers = []
    for (const { run } of due) run()
    for (let turn = 0; turn < 40; turn++) await Promise.resolve()
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
  it('[R454] a draft that the server refuses stays here, with the reason, until it is saved', async () => {
    const { state, device, settle, rows, kept } = setUp()
    const fault = faultBody(new Fault('QUOTA', { what: 'drafts', limit: 2, mib: false }))
    let isFull = true
    const draft = device(undefined, state, async (answer) => (isFull ? { ok: false, fault } : answer)).open('task:1')
    await settle()
    draft.setText('kept')
    await settle()
    expect(draft.state.getState()).toMatchObject({ text: 'kept', refused: { error: 'QUOTA' } })
    expect([...kept.values()].join()).toContain('kept')
    isFull = false
    draft.setText('kept and saved')
    await settle()
    expect(draft.state.getState()).toEqual({ text: 'kept and saved', more: {}, other: null })
    expect(rows.get('task:1')?.text).toBe('kept and saved')
  })

  it('[C3] a draft is saved once, 300 ms after the last key', async () => {
    const { rows, state, device, settle, timers } = setUp()
    const draft = device().open('task:1')
    await settle()
    for (const text of ['h', 'he', 'hey']) draft.setText(text)
    expect(timers().map(({ ms }) => ms)).toEqual([SAVE_AFTER_MS])
    expect(draft.state.getState()).toEqual({ text: 'hey', more: {}, other: null })
    await settle()
    expect([rows.get('task:1')?.text, state.puts]).toEqual(['hey', 1])
  })

  it('[C3] a draft written offline survives a reload, and is saved when the connection is back', async () => {
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

  it('[C3] of two devices that wrote apart each keeps its text and offers the other, which can be restored', async () => {
    const { rows, state, device, settle, nothing } = setUp()
    const line = { isUp: true }
    const drafts = { here: device(), there: device(nothing, line) }
    const [here, there] = [drafts.here.open('task:1'), drafts.there.open('task:1')]
    await settle()
    line.isUp = false
    there.setText('theirs')
    await settle()
    here.setText('mine')
    await settle()
    line.isUp = true
    drafts.there.flush()
    await settle()
    const told = { more: {} }
    expect(there.state.getState()).toEqual({ ...told, text: 'theirs', other: 'mine' })
    expect(here.state.getState()).toEqual({ ...told, text: 'mine', other: 'theirs' })
    // A third one gets both from the server.
    const third = device(setUp().nothing).open('task:1')
    await settle()
    expect(third.state.getState()).toEqual({ ...told, text: 'theirs', other: 'mine' })
    here.restoreOther()
    await settle()
    expect(here.state.getState()).toEqual({ ...told, text: 'theirs', other: 'mine' })
    expect(rows.get('task:1')).toMatchObject({ text: 'theirs', other: 'mine' })
    here.dropOther()
    await settle()
    expect(rows.get('task:1')).toMatchObject({ text: 'theirs', other: null })
    expect(state.isUp).toBe(true)
  })

  it.each([
    ['elsewhere later', 2_000, { text: 'theirs', other: 'mine' }],
    ['elsewhere earlier', 500, { text: 'mine', other: 'theirs' }],
    ['elsewhere at the same moment', 1_000, { text: 'mine', other: 'theirs' }],
  ])(
    '[C3] of two texts, one written here while offline and one %s, a reloaded page shows the newer and offers the other',
    async (_, at, shown) => {
      const { rows, state, device, settle } = setUp()
      state.isUp = false
      device().open('task:1').setText('mine')
      await settle()
      rows.set('task:1', { text: 'theirs', version: 1, other: null, at })
      state.isUp = true
      const again = device().open('task:1')
      await settle()
      expect(again.state.getState()).toMatchObject(shown)
      expect(rows.get('task:1')).toMatchObject(shown)
    },
  )

  it.each(['the tab died', 'the connection dropped'])(
    '[C3] a text continued while it was being saved is the newest, without a conflict, when %s before the answer came',
    async (why) => {
      const { rows, state, device, settle } = setUp()
      const never = new Promise<never>(() => {})
      const line = { isUp: true, holds: true }
      const drafts = device(undefined, line, async (answer) => {
        const heard = await answer
        if (!line.holds) return heard
        return why === 'the tab died' ? never : { ok: false, fault: noAnswer() }
      })
      const draft = drafts.open('task:1')
      await settle()
      draft.setText('the list')
      // The server is slow: it hears of this after what is written next.
      state.now += 5_000
      await settle()
      expect(rows.get('task:1')?.text).toBe('the list')
      state.now -= 4_000
      draft.setText('the lists are ready')
      state.now += 4_000
      line.holds = false
      const [page, open] = why === 'the tab died' ? [device(), null] : [drafts, draft]
      const after = open ?? page.open('task:1')
      page.flush()
      await settle()
      expect(after.state.getState()).toEqual({ text: 'the lists are ready', more: {}, other: null })
      expect(rows.get('task:1')).toMatchObject({ text: 'the lists are ready', other: null })
    },
  )

  it('[C3] a draft continued on another device is the same everywhere, without a conflict', async () => {
    const { device, settle, nothing } = setUp()
    const [here, there] = [device().open('task:1'), device(nothing).open('task:1')]
    here.setText('one')
    await settle()
    expect(there.state.getState().text).toBe('one')
    there.setText('one two')
    await settle()
    expect([here, there].map(({ state }) => state.getState())).toEqual(
      Array(2).fill({ text: 'one two', more: {}, other: null }),
    )
  })

  it('[C3] of two offline tabs of one browser neither text is lost, even when both tabs die', async () => {
    const { state, device, settle } = setUp()
    state.isUp = false
    const tabs = { here: device(), there: device() }
    const [here, there] = [tabs.here.open('task:1'), tabs.there.open('task:1')]
    here.setText('mine')
    // The other tab's word has not come yet when its first key is pressed.
    there.setText('theirs')
    tabs.here.storageChanged('task:1')
    expect(here.state.getState()).toMatchObject({ text: 'mine', other: 'theirs' })
    expect(there.state.getState()).toMatchObject({ text: 'theirs', other: 'mine' })
    await settle()
    expect(device().open('task:1').state.getState()).toMatchObject({ text: 'theirs', other: 'mine' })
  })

  it('[C3] a draft cleared in one tab is cleared in the other tabs', async () => {
    const { device, settle } = setUp()
    const tabs = { here: device(), there: device() }
    const [here, there] = [tabs.here.open('task:1'), tabs.there.open('task:1')]
    here.setText('words')
    tabs.there.storageChanged('task:1')
    expect(there.state.getState().text).toBe('words')
    here.clear()
    tabs.there.storageChanged('task:1')
    expect(there.state.getState().text).toBe('')
    await settle()
    expect(there.state.getState()).toMatchObject({ text: '', other: null })
  })

  it('[C3] a draft keeps its attachments after a reload and on another device', async () => {
    const { rows, device, settle, nothing } = setUp()
    const draft = device().open('task:1')
    draft.setText('words')
    draft.setMore({ to: ['ben'], type: 'urgent', replyTo: 'm1' })
    draft.setMore({ replyTo: null })
    await settle()
    const whole = { text: 'words', more: { to: ['ben'], type: 'urgent' } }
    expect(rows.get('task:1')).toMatchObject(whole)
    expect(device().open('task:1').state.getState()).toMatchObject(whole)
    const there = device(nothing).open('task:1')
    await settle()
    expect(there.state.getState()).toMatchObject(whole)
    draft.clear()
    await settle()
    expect([rows.size, there.state.getState()]).toMatchObject([0, { text: '', more: {} }])
  })

  it('[C3] a draft marks its place while it has text, here or on another device', async () => {
    const { rows, device, settle, nothing } = setUp()
    rows.set('task:2', { text: 'from the phone', version: 1, other: null, at: 1 })
    const drafts = device()
    const marked = () => Object.keys(drafts.marks.places.getState())
    const draft = drafts.open('task:1')
    draft.setText('words')
    expect(marked()).toEqual(['task:1'])
    drafts.marks.watch()
    await settle()
    expect(marked().sort()).toEqual(['task:1', 'task:2'])
    const there = device(nothing).open('task:2')
    await settle()
    there.clear()
    draft.clear()
    await settle()
    expect(marked()).toEqual([])
    // Who would get it says nothing yet.
    draft.setMore({ to: ['ben'] })
    expect(marked()).toEqual([])
  })

  it('[C3] a draft opened on another device shows the first device’s text', async () => {
    const { device, settle, nothing } = setUp()
    device().open('task:1').setText('words')
    await settle()
    const there = device(nothing).open('task:1')
    await settle()
    expect(there.state.getState().text).toBe('words')
  })

  it('[C3] a sent draft is gone on all devices', async () => {
    const { rows, device, settle, kept } = setUp()
    const draft = device().open('task:1')
    draft.setText('words')
    await settle()
    draft.clear()
    await settle()
    expect([rows.size, kept.size, draft.state.getState().text]).toEqual([0, 0, ''])
  })
})
