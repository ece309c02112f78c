/**
 * Sending a message while everything fails, at every point there is: the tab dies, the line goes before or after the server
 * heard. What was typed is there exactly once, or waits in the outbox, or stands in the draft.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ApiResult, noAnswer } from '@/client/api'
import { createDrafts, type DraftHandle } from '@/client/drafts/draftsCore'
import { namespacedStorage, type RawStorage } from '@/client/storage'
import type { TaskId } from '@/lib/mas/ids'
import type { CommandAnswer, DraftAnswer, PostMessage, PutDraft } from '@/lib/wire/http'
import { createOutbox, type Outbox } from './outboxCore'

const task = 't1' as TaskId
const DRAFT = `task:${task}`
const LOST = { ok: false, fault: noAnswer() } as const

/** crash: this tab is gone, with whatever it was about to do. cut: the line is down until the next try. */
type Trouble = 'crash' | 'cut'
type Tab = { isDead: boolean; outbox: Outbox; draft: DraftHandle; runTimers: () => void }

/** A browser with one tab at a time, and a server; `troubles` says what happens at which of their points, counted from 1. */
function town(troubles: ReadonlyMap<number, Trouble>) {
  const disk = new Map<string, string>()
  const sent: { id: string; text: string }[] = []
  let serverDraft: DraftAnswer & { version: number } = { text: '', version: 0, at: 0, other: null }
  let isLineUp = true
  let points = 0
  let ids = 0
  let now = 1_000
  let current: Tab | null = null

  /** Something is about to happen in this tab. out: does it? */
  function point(tab: { isDead: boolean }): boolean {
    if (tab.isDead) return false
    points += 1
    const trouble = troubles.get(points)
    if (trouble === 'crash') tab.isDead = true
    if (trouble === 'cut') isLineUp = false
    return !tab.isDead
  }
  const never = new Promise<never>(() => {})

  async function ask<T>(tab: { isDead: boolean }, serve: () => ApiResult<T>): Promise<ApiResult<T>> {
    await Promise.resolve()
    // Before the server hears it.
    if (!point(tab)) return never
    if (!isLineUp) return LOST
    const answer = serve()
    await Promise.resolve()
    // It was done; the answer is on its way.
    if (!point(tab)) return never
    return isLineUp ? answer : LOST
  }

  function receive({ id, text }: PostMessage): ApiResult<CommandAnswer> {
    const known = sent.findIndex((one) => one.id === id)
    if (known < 0) sent.push({ id, text })
    const seq = known < 0 ? sent.length : known + 1
    return { ok: true, value: { seq, reply: { messages: [], dispatch: `d${seq}` } } }
  }
  function keepDraft({ text, version }: PutDraft): ApiResult<DraftAnswer> {
    if (serverDraft.text !== text && (version ?? 0) !== serverDraft.version)
      return { ok: true, value: { ...serverDraft, other: text } }
    if (serverDraft.text !== text) serverDraft = { ...serverDraft, text, version: serverDraft.version + 1, at: now }
    return { ok: true, value: serverDraft }
  }

  function openTab(): Tab {
    if (current) current.isDead = true
    const life = { isDead: false }
    let timers: (() => void)[] = []
    const raw: RawStorage = {
      getItem: (key) => disk.get(key) ?? null,
      setItem: (key, value) => {
        if (!point(life)) throw new Error('the tab is gone')
        disk.set(key, value)
      },
      removeItem: (key) => {
        if (!point(life)) throw new Error('the tab is gone')
        disk.delete(key)
      },
      key: (index) => [...disk.keys()][index] ?? null,
      get length() {
        return disk.size
      },
    }
    const outbox = createOutbox({
      storage: namespacedStorage(raw, 'outbox', 'ana'),
      post: (body) => ask(life, () => receive(body)),
      newId: () => `id${++ids}`,
      until: () => now + 30_000,
      now: () => now,
      isConnected: () => isLineUp,
      withTabLock: (run) => run(),
      later: (run) => timers.push(run),
    })
    const drafts = createDrafts({
      storage: namespacedStorage(raw, 'draft', 'ana'),
      get: () => ask(life, () => ({ ok: true, value: serverDraft })),
      put: (_, body) => ask(life, () => keepDraft(body)),
      list: () => ask(life, () => ({ ok: true, value: { drafts: [] } })),
      later: (run) => {
        timers.push(run)
        return () => {
          timers = timers.filter((one) => one !== run)
        }
      },
      now: () => now,
    })
    const tab: Tab = Object.assign(life, {
      outbox,
      draft: drafts.open(DRAFT),
      runTimers: () => {
        const due = timers
        timers = []
        for (const run of due) if (!life.isDead) run()
      },
    })
    current = tab
    void outbox.pump()
    return tab
  }

  /** All that is under way comes to its end, or stands still. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 40; turn++) await Promise.resolve()
  }

  return {
    openTab,
    settle,
    points: () => points,
    sent: () => sent.map(({ text }) => text),
    pass: (ms: number) => {
      now += ms
    },
    lineBack: () => {
      isLineUp = true
    },
    /** What the chat shows: what came by its frames, and what is on its way. */
    chat: ({ outbox }: Tab, have: number): string[] => {
      outbox.dropShown(task, have)
      return [...sent.slice(0, have).map(({ text }) => text), ...outbox.items.getState().map(({ wish }) => wish.text)]
    },
  }
}

/** What a person does: writes three texts, sends two; after a crash goes on with whatever the page still shows. */
async function writeAndSend(troubles: ReadonlyMap<number, Trouble>) {
  const { openTab, settle, points, sent, pass, lineBack, chat } = town(troubles)
  const typed: string[] = []
  let tab = openTab()
  let have = 0

  /** The page as the person finds it; a new one when the one before died. */
  async function look(): Promise<Tab> {
    await settle()
    if (tab.isDead) tab = openTab()
    await settle()
    lineBack()
    tab.runTimers()
    void tab.outbox.pump()
    await settle()
    if (tab.isDead) return look()
    // The frames come after the answers.
    const shown = chat(tab, have)
    have = sent().length
    // A reader who sees the text in the chat does not send it again.
    if (shown.includes(tab.draft.state.getState().text)) tab.draft.clear()
    return tab
  }
  async function type(text: string): Promise<void> {
    const { draft } = await look()
    const before = draft.state.getState().text
    if (before !== '') await send()
    tab.draft.setText(text)
    if (!tab.isDead) typed.push(text)
    pass(400)
    tab.runTimers()
  }
  async function send(): Promise<void> {
    const { draft, outbox } = await look()
    const { text } = draft.state.getState()
    if (text === '') return
    const wish = { task, receivers: 'all', text, type: 'fyi', stage: null, answers: null, replyTo: null } as const
    if (outbox.send({ ...wish, mention: false }) !== null) draft.clear()
    pass(50)
  }

  await type('one')
  await send()
  await type('two')
  await send()
  await type('three')
  for (let turn = 0; turn < 4; turn++) await look()
  const text = tab.draft.state.getState().text
  const chatShows = chat(tab, have)
  return { typed, sent: sent(), draft: text, chatShows, waiting: tab.outbox.items.getState().length, points: points() }
}

function expectNothingLost(end: Awaited<ReturnType<typeof writeAndSend>>, what: string): void {
  const { typed, sent, draft, chatShows, waiting } = end
  for (const text of typed) {
    const places = [...sent.filter((one) => one === text), ...(draft === text ? ['draft'] : [])]
    expect(places, `${what}: ${text}`).toHaveLength(1)
  }
  expect(new Set(sent).size, what).toBe(sent.length)
  expect([...sent], what).toEqual(typed.filter((text) => sent.includes(text)))
  expect({ chatShows, waiting }, what).toEqual({ chatShows: sent, waiting: 0 })
}

describe('a message on its way', () => {
  it('a message arrives when nothing fails', async () => {
    const end = await writeAndSend(new Map())
    expectNothingLost(end, 'no trouble')
    expect(end).toMatchObject({ sent: ['one', 'two'], draft: 'three' })
    expect(end.points).toBeGreaterThan(25)
  })

  it('[R47] a message is there once, or waits, or is in the draft, wherever the tab dies or the connection drops', async () => {
    const { points } = await writeAndSend(new Map())
    for (const trouble of ['crash', 'cut'] as const) {
      for (let at = 1; at <= points; at++) {
        expectNothingLost(await writeAndSend(new Map([[at, trouble]])), `${trouble} at point ${at}`)
      }
    }
  })

  it('[C2] a message survives several failures one after the other', async () => {
    const trouble = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.constantFrom('crash', 'cut' as const))
    await fc.assert(
      fc.asyncProperty(fc.array(trouble, { minLength: 2, maxLength: 6 }), async (troubles) => {
        expectNothingLost(await writeAndSend(new Map(troubles)), JSON.stringify(troubles))
      }),
      { numRuns: 300, seed: 9 },
    )
  })
})
