/** Messages on their way: in order, once each, whatever happens to the line or the page. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ApiResult, noAnswer } from '@/client/api'
import { namespacedStorage, type RawStorage } from '@/client/storage'
import type { TaskId } from '@/lib/mas/ids'
import type { CommandAnswer, PostMessage } from '@/lib/wire/http'
import { createOutbox, type MessageInput, type Outbox } from './outboxCore'

const task = 't1' as TaskId
const wish = (text: string): MessageInput => ({
  task,
  receivers: 'all',
  text,
  type: 'fyi',
  stage: null,
  answers: null,
  replyTo: null,
  mention: false,
})

function storage(limit = Number.POSITIVE_INFINITY): RawStorage & { map: Map<string, string> } {
  const map = new Map<string, string>()
  return {
    map,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => {
      if (map.size >= limit && !map.has(key)) throw new Error('full')
      map.set(key, value)
    },
    removeItem: (key) => void map.delete(key),
    key: (index) => [...map.keys()][index] ?? null,
    get length() {
      return map.size
    },
  }
}

/** A server that does each id once, and a line that may lose what goes or what comes back. */
function world(raw = storage(), member = 'ana') {
  const known = new Map<string, ApiResult<CommandAnswer>>()
  const state = {
    /** none: no line, and the page knows; no-way, no-answer: what goes, what comes back is lost. */
    line: 'up' as 'up' | 'none' | 'no-way' | 'no-answer',
    forget: () => known.clear(),
    done: [] as string[],
    now: 1_000,
    ids: 0,
    posts: 0,
    behind: 0,
  }
  let timers: (() => void)[] = []
  let page = 0
  const lost: ApiResult<CommandAnswer> = { ok: false, fault: noAnswer() }
  const post = async (body: PostMessage): Promise<ApiResult<CommandAnswer>> => {
    state.posts += 1
    if (state.line === 'no-way') return lost
    const first = known.get(body.id) ?? decide(body)
    known.set(body.id, first)
    return state.line === 'no-answer' ? lost : first
  }
  const decide = (body: PostMessage): ApiResult<CommandAnswer> => {
    if (body.until <= state.now) return { ok: false, fault: { error: 'EXPIRED', message: 'late', status_code: 409 } }
    if (body.text === 'bad') return { ok: false, fault: { error: 'TASK_OVER', message: 'over', status_code: 409 } }
    state.done.push(body.text)
    return { ok: true, value: { seq: state.done.length, reply: { messages: [], dispatch: `d${state.done.length}` } } }
  }
  /** A new page; the one before stops where it is, as a reload does. */
  const open = (): Outbox => {
    page += 1
    timers = []
    const mine = page
    return createOutbox({
      storage: namespacedStorage(raw, 'outbox', member),
      post: (body) => (mine === page ? post(body) : new Promise(() => {})),
      newId: () => `id${++state.ids}`,
      until: () => state.now - state.behind + 30_000,
      now: () => state.now,
      isConnected: () => state.line !== 'none',
      withTabLock: (run) => run(),
      later: (run) => timers.push(run),
    })
  }
  const runTimers = (): void => {
    const due = timers
    timers = []
    for (const run of due) run()
  }
  return { state, open, runTimers, raw }
}

describe('the outbox', () => {
  it('[C2] the outbox sends in order and shows each message until the view has it', async () => {
    const { state, open } = world()
    const outbox = open()
    outbox.send(wish('one'))
    outbox.send(wish('two'))
    await outbox.pump()
    expect(state.done).toEqual(['one', 'two'])
    expect(outbox.items.getState().map(({ state: at, seq }) => [at, seq])).toEqual([
      ['sent', 1],
      ['sent', 2],
    ])
    outbox.dropShown(task, 1)
    expect(outbox.items.getState().map(({ wish: { text } }) => text)).toEqual(['two'])
  })

  it('[C2] a message without an answer is retried under the same id, so it is there once', async () => {
    const { state, open, runTimers } = world()
    const outbox = open()
    state.line = 'no-answer'
    const id = outbox.send(wish('one'))
    await outbox.pump()
    expect(outbox.items.getState()[0]?.state).toBe('waiting')
    // It may be there: taking it back would lie.
    expect(outbox.takeBack(id ?? '')).toBeNull()
    state.line = 'up'
    runTimers()
    await outbox.pump()
    expect(state.done).toEqual(['one'])
  })

  it('[C2] an expired message was never done, and is sent as a new command', async () => {
    const { state, open } = world()
    const outbox = open()
    state.line = 'no-way'
    outbox.send(wish('one'))
    await outbox.pump()
    state.now += 60_000
    state.line = 'up'
    await outbox.pump()
    expect(state.done).toEqual(['one'])
  })

  it('[C2] a page whose clock is behind retries after a pause, and succeeds once it knows the time', async () => {
    const { state, open, runTimers } = world()
    state.behind = 300_000
    const outbox = open()
    outbox.send(wish('one'))
    await outbox.pump()
    // One for `send`, one for `pump`, no more.
    expect([state.posts, outbox.items.getState()[0]?.state]).toEqual([2, 'waiting'])
    state.behind = 0
    runTimers()
    await outbox.pump()
    expect(state.done).toEqual(['one'])
  })

  it('[C2] a refused message stays with its reason, can be edited or retried, and does not block the next', async () => {
    const { state, open } = world()
    const outbox = open()
    const bad = outbox.send(wish('bad')) ?? ''
    outbox.send(wish('good'))
    await outbox.pump()
    expect(state.done).toEqual(['good'])
    expect(outbox.items.getState()[0]).toMatchObject({
      state: 'failed',
      fault: { error: 'TASK_OVER', message: 'over' },
    })
    outbox.retry(bad)
    await outbox.pump()
    expect(outbox.items.getState()[0]?.state).toBe('failed')
    expect(outbox.takeBack(bad)).toEqual(wish('bad'))
    expect(outbox.items.getState()).toHaveLength(1)
  })

  it('[C2] the outbox survives a reload, for its person only', async () => {
    const { state, open, raw } = world()
    state.line = 'no-way'
    const outbox = open()
    outbox.send(wish('one'))
    await outbox.pump()
    state.line = 'up'
    const other = world(raw, 'ben')
    const theirs = other.open()
    await theirs.pump()
    expect([theirs.items.getState(), other.state.done]).toEqual([[], []])
    await open().pump()
    expect(state.done).toEqual(['one'])
    expect(raw.map.size).toBe(0)
  })

  it('[C2] nothing is sent while offline, so that it can be taken back', async () => {
    const { state, open } = world()
    const outbox = open()
    state.line = 'none'
    const id = outbox.send(wish('one')) ?? ''
    await outbox.pump()
    expect([state.posts, outbox.items.getState()[0]?.state]).toEqual([0, 'waiting'])
    expect(outbox.takeBack(id)).toEqual(wish('one'))
    state.line = 'up'
    await outbox.pump()
    expect(state.done).toEqual([])
  })

  it('[C2] a message older than the server remembers is not retried automatically', async () => {
    const { state, open } = world()
    const outbox = open()
    state.line = 'no-answer'
    const id = outbox.send(wish('one')) ?? ''
    await outbox.pump()
    state.now += 25 * 60 * 60_000
    state.line = 'up'
    state.forget()
    await outbox.pump()
    expect(state.done).toEqual(['one'])
    expect(outbox.items.getState()[0]).toMatchObject({ state: 'failed', fault: { error: 'NO_ANSWER' } })
    outbox.retry(id)
    await outbox.pump()
    expect(state.done).toEqual(['one', 'one'])
  })

  it('[C2] a message taken back in one tab is not sent by another', async () => {
    const { state, open } = world()
    state.line = 'none'
    const one = open()
    const id = one.send(wish('one')) ?? ''
    const other = open()
    state.line = 'up'
    expect(one.takeBack(id)).toEqual(wish('one'))
    const sending = other.pump()
    // And the other way round: what is being sent elsewhere is no longer this tab's to take.
    const second = other.send(wish('two')) ?? ''
    await sending
    expect(one.takeBack(second)).toBeNull()
    expect(state.done).toEqual(['two'])
  })

  it('[C2] a message that could not be stored is reported', () => {
    const { open } = world(storage(0))
    expect(open().send(wish('one'))).toBeNull()
  })

  it('[C2] whatever is lost and whenever the page reloads, all messages arrive in order, once', async () => {
    const step = fc.constantFrom('send', 'pump', 'reload', 'up', 'no-way', 'no-answer', 'late' as const)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
        const { state, open, runTimers } = world()
        let outbox = open()
        let count = 0
        for (const one of steps) {
          if (one === 'send') outbox.send(wish(`m${++count}`))
          else if (one === 'pump') runTimers()
          else if (one === 'reload') outbox = open()
          else if (one === 'late') state.now += 40_000
          else state.line = one
          await Promise.resolve()
        }
        state.line = 'up'
        await outbox.pump()
        await outbox.pump()
        expect(state.done).toEqual(Array.from({ length: count }, (_, index) => `m${index + 1}`))
      }),
      { numRuns: 300, seed: 5 },
    )
  })
})
