/** The lane of commands: how many go together, who goes first, who is refused when, and what is held. */
import { describe, expect, it } from 'vitest'
import { pieceOf } from '@/lib/mas/archive/branches'
import type { Envelope } from '@/lib/mas/commands/command'
import { emptyWorld } from '@/lib/mas/records'
import { faultyStore } from '@/test/faultyStore'
import { memoryStore } from '@/test/memoryStore'
import { BASE_TASK, send, TEAM, teamConfig } from '@/test/worldHistories'
import { createCommitter } from './committer'

const AT = 1_700_000_000_000
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A committer of the test team. `passes`: ms that deciding one command takes. */
async function opened({ passes = 0 } = {}) {
  const store = faultyStore(memoryStore({ now: () => AT }))
  const broken: unknown[] = []
  const settled: (string | null)[] = []
  let time = 0
  const committer = createCommitter({
    journal: store.journal,
    health: store,
    node: 'n1',
    now: () => AT,
    clock: () => time,
    onEntries: () => {},
    onBroken: (error) => broken.push(error),
    onMistake: (error) => expect.fail(String(error)),
    meter: {
      queued: () => {
        time += passes
      },
      appended: () => {},
      settled: (_, fault) => settled.push(fault),
    },
  })
  await committer.open(emptyWorld)
  await committer.commit({ id: 'config', by: 'system:start', command: teamConfig() })
  store.appends.length = 0
  settled.length = 0
  return { ...committer, store, broken, settled }
}
const message = (id: string, by: string = TEAM.ana.id): Envelope => ({
  id,
  by,
  command: send(TEAM.ana.id, [TEAM.ben.id], { text: id }),
})
const evict = (id: string, by = 'system:timer'): Envelope => ({
  id,
  by,
  command: { type: 'evictRecords', task: BASE_TASK },
})
const codeOf = async (answer: ReturnType<Awaited<ReturnType<typeof opened>>['commit']>): Promise<string | null> => {
  const got = await answer
  return got.ok ? null : got.fault.code
}

describe('a batch', () => {
  it('holds 200 commands; one more goes with the next', async () => {
    for (const [count, sizes] of [
      [200, [200]],
      [201, [200, 1]],
    ] as const) {
      const { commit, store } = await opened()
      const answers = await Promise.all(Array.from({ length: count }, (_, n) => commit(message(`m${n}`))))
      expect(answers.every(({ ok }) => ok)).toBe(true)
      expect(store.appends.map(({ ids }) => ids.length)).toEqual(sizes)
    }
  })

  it('is closed when deciding has taken 10 ms', async () => {
    const { commit, store } = await opened({ passes: 1 })
    await Promise.all(Array.from({ length: 24 }, (_, n) => commit(message(`m${n}`))))
    expect(store.appends.map(({ ids }) => ids.length)).toEqual([10, 10, 4])
  })

  it('begins with what people sent, in their order, whatever the program put before', async () => {
    const { commit, store } = await opened()
    await Promise.all([commit(evict('e1')), commit(message('m1')), commit(evict('e2')), commit(message('m2'))])
    expect(store.appends.map(({ ids }) => ids)).toEqual([['m1', 'm2', 'e1', 'e2']])
  })
})

describe('a command', () => {
  it('[R57] with the id of a program is refused from you, and taken from the program', async () => {
    const { commit, settled } = await opened()
    expect(await codeOf(commit(message('timer:1')))).toBe('COMMAND_ID_TAKEN')
    expect(await codeOf(commit(evict('timer:1')))).not.toBe('COMMAND_ID_TAKEN')
    expect(settled[0]).toBe('COMMAND_ID_TAKEN')
  })

  it('that comes when the lane closes is refused; those before it are done, and closing waits for them', async () => {
    const { commit, close, world } = await opened()
    const before = commit(message('before'))
    const closing = close()
    expect(await codeOf(commit(message('late')))).toBe('STOPPING')
    await closing
    const texts = Object.values(world().messages[BASE_TASK] ?? {}).map(({ text }) => text)
    expect(texts).toEqual(['before'])
    expect((await before).ok).toBe(true)
  })

  it('[R9] is refused for ever when another process took the journal', async () => {
    const { commit, store, broken, state } = await opened()
    await store.journal.take('another node')
    expect(await codeOf(commit(message('m1')))).toBe('STORE_BROKEN')
    expect(await codeOf(commit(message('m2')))).toBe('STORE_BROKEN')
    expect(store.appends).toHaveLength(1)
    expect(broken).toHaveLength(1)
    expect(state()).toEqual({ is: 'lost', reason: expect.stringContaining('another process took the journal') })
  })
})

describe('while the store cannot be written', () => {
  it('[R80] what runners, timers, senders and adapters hand in, a takeover and a recovery are held and done later; all else is refused', async () => {
    const { commit, store, hold, state, world } = await opened()
    hold()
    store.script('refuse')
    expect(await codeOf(commit(message('m1')))).toBe('STORE_BROKEN')
    expect(state().is).toBe('refusing')
    const held = ['runner', 'timer', 'notify', 'adapters', 'start', 'recovery'].map((who) =>
      commit(evict(`${who}:1`, `system:${who}`)),
    )
    expect(await codeOf(commit(evict('config:1', 'system:config')))).toBe('STORE_BROKEN')
    // Waking a task is asked for again with the message that wakes it.
    const piece = pieceOf(world(), BASE_TASK)
    const wakes: Envelope = {
      id: 'wake:1',
      by: 'system:adapters',
      command: { type: 'wakeTask', task: BASE_TASK, piece },
    }
    expect(await codeOf(commit(wakes))).toBe('STORE_BROKEN')
    const tried = store.appends.length
    await turn()
    expect(store.appends.length).toBe(tried)
    store.comeBack()
    for (const answer of await Promise.all(held)) if (!answer.ok) expect(answer.fault.code).not.toBe('STORE_BROKEN')
    expect(state().is).toBe('ok')
    expect((await commit(message('m2'))).ok).toBe(true)
  })

  it('[R80] nothing is held before the engine runs: it is the end at once', async () => {
    const { commit, store, broken } = await opened()
    store.script('refuse')
    expect(await codeOf(commit(evict('runner:1', 'system:runner')))).toBe('STORE_BROKEN')
    expect(broken).toHaveLength(1)
  })

  it('[R80] what is held is refused when the process stops, and from then on nothing is held', async () => {
    const { commit, store, hold, stopWaiting } = await opened()
    hold()
    store.script('refuse')
    await commit(message('m1'))
    const held = commit(evict('runner:1', 'system:runner'))
    stopWaiting()
    expect(await codeOf(held)).toBe('STORE_BROKEN')
    expect(await codeOf(commit(evict('runner:2', 'system:runner')))).toBe('STORE_BROKEN')
  })

  it('[R80] what is held is refused when the store is lost', async () => {
    const { commit, store, hold, broken, state } = await opened()
    hold()
    store.script('refuse')
    await commit(message('m1'))
    const held = commit(evict('runner:1', 'system:runner'))
    store.lose('the folder is gone')
    expect(await codeOf(held)).toBe('STORE_BROKEN')
    expect([broken.length, state()]).toEqual([1, { is: 'lost', reason: 'the folder is gone' }])
    // It is lost once.
    store.lose('again')
    expect(broken).toHaveLength(1)
  })
})

describe('when nothing is wrong', () => {
  it('stopping refuses nothing that waits', async () => {
    const { commit, hold, stopWaiting } = await opened()
    hold()
    const waiting = [commit(message('m1')), commit(evict('runner:1', 'system:runner'))]
    stopWaiting()
    for (const answer of await Promise.all(waiting)) if (!answer.ok) expect(answer.fault.code).not.toBe('STORE_BROKEN')
  })
})
