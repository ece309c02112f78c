/** What one page may hold: steps whose text it follows, and messages that it has not read. */
import { afterEach, describe, expect, it } from 'vitest'
import type { Ephemeral } from '@/lib/wire/views'
import { PEOPLE, TASKS } from '@/test/histories'
import { met, openSocketBench, type SocketBench } from '../test/socketBench'
import { SOCKET_LIMITS } from './sockets'

let bench: SocketBench
afterEach(() => bench.close())

it('a page follows the text of 60 steps, and of no further one', async () => {
  bench = await openSocketBench()
  const place = Object.keys(bench.engine.world().tasks).indexOf(TASKS.build)
  const [added] = bench.engine.act('stepAdded', place, 1)
  if (added?.event.type !== 'step.added') throw new Error('no step')
  const { step, agent, task } = added.event
  const others = Array.from({ length: 60 }, (_, n) => `other-${n}`)
  const [within, beyond] = [bench.page('c=ben'), bench.page('c=ben')]
  await met(() => expect(bench.sockets.count()).toBe(2))
  bench.engine.texts.set(step, { attempt: 1, text: 'so far' })
  beyond.socket.emit('follow', { steps: [...others, step] })
  within.socket.emit('follow', { steps: [...others.slice(1), step] })
  await met(() => expect(within.heard.ephemeral).toMatchObject([{ kind: 'text', step, text: 'so far' }]))
  bench.engine.note({ kind: 'text', task, agent, step, attempt: 1, at: 6, text: ' on' })
  bench.engine.note({ kind: 'read', person: PEOPLE.ben, place: 'notices', seq: 7 })
  await met(() => expect(within.heard.ephemeral.map(({ kind }) => kind)).toEqual(['text', 'text', 'read']))
  await met(() => expect(beyond.heard.ephemeral.map(({ kind }) => kind)).toEqual(['read']))
})

describe('messages that wait for a page', () => {
  // Nothing else is sent to the pages meanwhile.
  const open = async (backlog: number) => {
    bench = await openSocketBench({ limits: { backlog }, beatMs: 3_600_000 })
    const [ben, ana] = [bench.page('c=ben'), bench.page('c=ana')]
    await met(() => expect([ben.socket.connected, ana.socket.connected]).toEqual([true, true]))
    await met(() => expect(bench.sockets.bufferedBytes()).toBe(0))
    return { ben, ana }
  }
  const note = (n: number): Ephemeral => ({ kind: 'read', person: PEOPLE.ben, place: 'notices', seq: n })
  const notes = (count: number): Ephemeral[] => Array.from({ length: count }, (_, n) => note(n))
  /** The first one leaves at once; the others wait until the loop turns. */
  const FULL = 1 + 21

  it('up to the backlog they are sent, all of them and in order, and what was sent counts no longer', async () => {
    const { ben } = await open(20)
    for (const one of notes(FULL)) bench.engine.note(one)
    await met(() => expect(ben.heard.ephemeral).toEqual(notes(FULL)))
    for (const one of notes(FULL)) bench.engine.note(one)
    await met(() => expect(ben.heard.ephemeral).toEqual([...notes(FULL), ...notes(FULL)]))
    expect(ben.socket.connected).toBe(true)
  })

  it('beyond the backlog the page is disconnected, and no page of another person', async () => {
    const { ben, ana } = await open(20)
    for (const one of notes(FULL + 1)) bench.engine.note(one)
    await met(() => expect(ben.socket.connected).toBe(false))
    expect(ana.socket.connected).toBe(true)
    expect(bench.sockets.count()).toBe(1)
  })

  it('the backlog of a page of ours is 2,000 messages', () => {
    expect(SOCKET_LIMITS).toMatchObject({ backlog: 2_000, follows: 60 })
  })
})

describe('pages of one person', () => {
  it('[R455] one more than the limit ends the oldest, in words, over all of their sessions; nobody else’s', async () => {
    bench = await openSocketBench({ limits: { pages: 3 } })
    bench.cookies.set('c=ben2', { person: PEOPLE.ben, sessionId: 's-ben-2' })
    const ana = bench.page('c=ana')
    const own: ReturnType<SocketBench['page']>[] = []
    for (const cookie of ['c=ben', 'c=ben2', 'c=ben']) {
      const page = bench.page(cookie)
      own.push(page)
      await met(() => expect(page.socket.connected).toBe(true))
    }
    const isOpen = () => [ana, ...own].map(({ socket }) => socket.connected)
    await met(() => expect(isOpen()).toEqual([true, true, true, true]))
    expect(own[0]?.heard.crowded).toEqual([])
    own.push(bench.page('c=ben2'))
    await met(() => expect(isOpen()).toEqual([true, false, true, true, true]))
    expect(own.map(({ heard }) => heard.crowded)).toEqual([[{ most: 3 }], [], [], []])
    expect(bench.sockets.count()).toBe(4)
  })

  it('[R786] pages of a token are counted for it alone: a program closes no page of its person', async () => {
    bench = await openSocketBench({ limits: { pages: 1 } })
    bench.cookies.set('c=program', { person: PEOPLE.ben, sessionId: 's-token', scopes: ['read'] })
    const page = bench.page('c=ben')
    const programs = [bench.page('c=program')]
    await met(() => expect(bench.sockets.count()).toBe(2))
    programs.push(bench.page('c=program'))
    await met(() => expect(programs.map(({ socket }) => socket.connected)).toEqual([false, true]))
    expect(page.socket.connected).toBe(true)
  })

  it('a person may have 20 pages', () => {
    expect(SOCKET_LIMITS.pages).toBe(20)
  })
})
