/** The sockets over real connections: handshakes, views, ephemeral notes, signing out. */
import type { Socket } from 'socket.io-client'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { Ephemeral } from '@/lib/wire/views'
import { PEOPLE, TASKS } from '@/test/histories'
import { met, openSocketBench, type SocketBench } from '../test/socketBench'
import type { SocketsParts } from './sockets'

let bench: SocketBench
const start = async (change: Partial<SocketsParts> = {}): Promise<SocketBench> => {
  bench = await openSocketBench(change)
  return bench
}
const failure = (socket: Socket): Promise<string> =>
  new Promise((resolve) => socket.once('connect_error', (error) => resolve(error.message)))

afterEach(() => bench.close())

describe('a handshake', () => {
  it('[V5] a handshake without a session is refused by name', async () => {
    await start()
    expect(await failure(bench.page('c=nobody').socket)).toBe('NOT_SIGNED_IN')
  })

  it('[V5] a handshake is not refused while the store cannot say whose it is: its connection ends, and is tried again', async () => {
    let isBroken = true
    await start({
      sessionOf: async ({ cookie }) => {
        if (isBroken) throw new Error('the store cannot read')
        return bench.cookies.get(cookie ?? '') ?? null
      },
    })
    const { socket } = bench.page('c=ana')
    const refusals: string[] = []
    socket.on('connect_error', ({ message }) => refusals.push(message))
    await new Promise<void>((resolve) => socket.io.once('close', () => resolve()))
    isBroken = false
    socket.connect()
    await met(() => expect(bench.sockets.count()).toBe(1))
    expect(refusals).toEqual([])
  })

  it('[V5] a handshake from a foreign Origin is refused, from ours or none is not', async () => {
    await start()
    const foreign = bench.page('c=ana', 'http://theirs').socket
    const refused = await new Promise((resolve) => foreign.once('connect_error', (error) => resolve(error)))
    expect(refused).toMatchObject({ description: { message: 'Unexpected server response: 403' } })
    await met(() => expect(bench.sockets.count()).toBe(0))
    bench.page('c=ana', 'http://ours')
    bench.page('c=ana')
    await met(() => expect(bench.sockets.count()).toBe(2))
  })
})

describe('a connection without a session', () => {
  it('[R65] a connection is closed at a deadline, silent or refused; one that shows a session in time stays', async () => {
    await start({ limits: { joinMs: 300 } })
    const open = () => new Promise<number>((resolve) => bench.http.getConnections((_, count) => resolve(count)))
    const { socket } = bench.page('c=ana')
    await met(() => expect(bench.sockets.count()).toBe(1))
    bench.page('c=nobody')
    const silent = new WebSocket(`${bench.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
    const closed = new Promise((resolve) => silent.once('close', resolve))
    await new Promise((resolve) => silent.once('open', resolve))
    expect(await open()).toBeGreaterThan(1)
    await closed
    await expect.poll(open).toBe(1)
    expect(socket.connected).toBe(true)
  })
})

describe('a page', () => {
  it('[V5] a page gets the whole of a view, then each change, and beats meanwhile', async () => {
    await start()
    const { socket, heard } = bench.page('c=ben')
    socket.emit('subscribe', { sub: 'a', asked: 1, view: `task:${TASKS.build}` })
    await met(() => expect(heard.reset).toHaveLength(1))
    const [entry] = bench.engine.act('shared', Object.keys(bench.engine.world().tasks).indexOf(TASKS.build), 1)
    const line = { kind: 'record', of: 'line', record: { line: { seq: entry?.seq } } }
    await met(() => expect(heard.frame.at(-1)).toMatchObject({ sub: 'a', set: [line], del: [] }))
    const gen = heard.reset[0]?.gen
    await met(() => expect(heard.beat.at(-1)?.subs).toEqual({ a: [1, gen, bench.engine.world().seq] }))
  })

  it('[R265] a page that subscribes gets a view with what was acknowledged before, once its node has read it', async () => {
    await start()
    const { socket, heard } = bench.page('c=ben')
    await met(() => expect(heard.beat.length).toBeGreaterThan(0))
    let go = (): void => {}
    bench.engine.readsUntil(
      new Promise((resolve) => {
        go = resolve
      }),
    )
    const place = Object.keys(bench.engine.world().tasks).indexOf(TASKS.build)
    socket.emit('subscribe', { sub: 'a', asked: 1, view: `task:${TASKS.build}` })
    const [entry] = bench.engine.act('shared', place, 1)
    await met(() => expect(heard.beat.at(-1)?.head).toBe(entry?.seq))
    expect(heard.reset).toEqual([])
    go()
    await met(() => expect(heard.reset[0]?.to).toBe(entry?.seq))
  })

  it('[V5] a page gets nothing of a task that its person cannot see', async () => {
    await start()
    const { socket, heard } = bench.page('c=ben')
    socket.emit('subscribe', { sub: 'a', asked: 1, view: `task:${TASKS.docs}` })
    await met(() => expect(heard.closed).toEqual([{ sub: 'a', asked: 1, n: 1, reason: 'not-allowed' }]))
  })

  it('[V5] a page that sends invalid messages is ignored and stays connected', async () => {
    await start()
    const { socket, heard } = bench.page('c=ben')
    for (const rubbish of [
      null,
      7,
      'x',
      {},
      { sub: 1, asked: 'x', view: [] },
      { sub: 'a', asked: 1, view: 'x'.repeat(900) },
    ]) {
      socket.emit('subscribe', rubbish)
      socket.emit('follow', rubbish)
      socket.emit('drafting', rubbish)
      socket.emit('unsubscribe', rubbish)
    }
    socket.emit('subscribe', { sub: 'b', asked: 1, view: 'nothing:known' })
    await met(() => expect(heard.closed).toEqual([{ sub: 'b', asked: 1, n: 1, reason: 'bad-view' }]))
    expect(socket.connected).toBe(true)
  })

  it('[R70] bytes that a page has not read yet are counted until it has', async () => {
    await start()
    const { heard } = bench.page('c=ben')
    await met(() => expect(heard.beat).not.toEqual([]))
    const note: Ephemeral = { kind: 'read', person: PEOPLE.ben, place: 'x'.repeat(1_000), seq: 1 }
    for (let n = 0; n < 20; n++) bench.engine.note(note)
    expect(bench.sockets.bufferedBytes()).toBeGreaterThan(10_000)
    await met(() => expect(heard.ephemeral.filter(({ kind }) => kind === 'read')).toHaveLength(20))
    await met(() => expect(bench.sockets.bufferedBytes()).toBe(0))
  })

  it('[V5] a page that asks too often is not answered beyond its rate', async () => {
    await start({ limits: { messages: { most: 10, windowMs: 3_600_000 } } })
    const { socket, heard } = bench.page('c=ben')
    for (let asked = 1; asked <= 100; asked++) socket.emit('subscribe', { sub: 'a', asked, view: 'me' })
    await met(() => expect(heard.beat.length).toBeGreaterThan(3))
    expect(heard.reset.length).toBeGreaterThan(0)
    expect(heard.reset.length).toBeLessThan(20)
  })
})

describe('ephemeral notes', () => {
  it('[V6] streaming text goes to pages that follow the step and may see it, whole for a late one', async () => {
    await start()
    // One step of Coder in `build`, where Ben is a member and Cyn is not.
    const place = Object.keys(bench.engine.world().tasks).indexOf(TASKS.build)
    const [added] = bench.engine.act('stepAdded', place, 1)
    if (added?.event.type !== 'step.added') throw new Error('no step')
    const { step, agent, task } = added.event
    bench.engine.texts.set(step, { attempt: 1, text: 'so far' })
    const [ben, cyn, other] = [bench.page('c=ben'), bench.page('c=cyn'), bench.page('c=ben')]
    await met(() => expect(bench.sockets.count()).toBe(3))
    ben.socket.emit('follow', { steps: [step] })
    cyn.socket.emit('follow', { steps: [step] })
    await met(() => expect(ben.heard.ephemeral).toMatchObject([{ kind: 'text', step, at: 0, text: 'so far' }]))
    const beats = cyn.heard.beat.length
    bench.engine.note({ kind: 'text', task, agent, step, attempt: 1, at: 6, text: ' on' })
    await met(() => expect(ben.heard.ephemeral).toHaveLength(2))
    await met(() => expect(cyn.heard.beat.length).toBeGreaterThan(beats + 1))
    expect(cyn.heard.ephemeral).toEqual([])
    expect(other.heard.ephemeral).toEqual([])
  })

  it('[V6] a note of who is writing an answer goes to the others who may answer, not to the writer or to others', async () => {
    await start()
    const tasks = Object.keys(bench.engine.world().tasks)
    const [opened] = bench.engine.act('part', tasks.indexOf(TASKS.build), 1)
    if (opened?.event.type !== 'request.opened') throw new Error('no request')
    expect(opened.event.seed.asked).toEqual([PEOPLE.ben])
    const [ana, ben, cyn] = [bench.page('c=ana'), bench.page('c=ben'), bench.page('c=cyn')]
    await met(() => expect(bench.sockets.count()).toBe(3))
    cyn.socket.emit('drafting', { request: opened.event.request, on: true })
    ben.socket.emit('drafting', { request: opened.event.request, on: true })
    await met(() =>
      expect(ana.heard.ephemeral).toMatchObject([{ kind: 'drafting', person: PEOPLE.ben, name: 'Ben', on: true }]),
    )
    const beats = cyn.heard.beat.length
    await met(() => expect(cyn.heard.beat.length).toBeGreaterThan(beats + 1))
    expect([...ben.heard.ephemeral, ...cyn.heard.ephemeral]).toEqual([])
  })
})

describe('presence', () => {
  it('[P2] presence is sent to everybody, to a new page at once, with the end of do-not-disturb', async () => {
    await start({ quietOf: async (person) => (person === PEOPLE.cyn ? { until: null } : null) })
    const ana = bench.page('c=ana')
    await met(() => expect(bench.sockets.count()).toBe(1))
    ana.socket.emit('presence', { isActive: true, quiet: { until: 99 } })
    ana.socket.emit('presence', { isActive: 'yes' })
    await met(() => expect(ana.heard.ephemeral.filter(({ kind }) => kind === 'presence').length).toBeGreaterThan(0))
    const ben = bench.page('c=ben')
    await met(() =>
      expect(ben.heard.ephemeral).toEqual(
        expect.arrayContaining([
          { kind: 'presence', person: PEOPLE.cyn, presence: { state: 'offline', quiet: { until: null } } },
          { kind: 'presence', person: PEOPLE.ana, presence: { state: 'online', quiet: { until: 99 } } },
        ]),
      ),
    )
  })

  it('[R786] a program that only reads does not make its person present; one that answers does', async () => {
    await start()
    const opens = async (scopes: readonly string[]) => {
      bench.cookies.set(`c=${scopes}`, { person: PEOPLE.ben, sessionId: `s-${scopes}`, scopes })
      const page = bench.page(`c=${scopes}`)
      await met(() => expect(page.socket.connected).toBe(true))
      page.socket.emit('presence', { isActive: true, quiet: null })
      const beats = page.heard.beat.length
      await met(() => expect(page.heard.beat.length).toBeGreaterThan(beats + 2))
      return page.heard.ephemeral.map((note) => note.kind)
    }
    expect(await opens(['read'])).toEqual([])
    expect(await opens(['read', 'answer'])).toEqual(['presence'])
  })

  it('[P2] do-not-disturb is read at the start from the settings of people, and of nobody else', async () => {
    const asked: string[] = []
    await start({
      quietOf: async (person) => {
        asked.push(person)
        return null
      },
    })
    expect(asked.sort()).toEqual(Object.values(PEOPLE).sort())
  })

  it('[P2] a note of who is writing in a chat goes to its readers, and to nobody else', async () => {
    await start()
    const [ana, ben, cyn] = [bench.page('c=ana'), bench.page('c=ben'), bench.page('c=cyn')]
    await met(() => expect(bench.sockets.count()).toBe(3))
    ben.socket.emit('drafting', { request: `task:${TASKS.base}`, on: true })
    cyn.socket.emit('drafting', { request: `task:${TASKS.build}`, on: true })
    ben.socket.emit('drafting', { request: `task:${TASKS.build}`, on: true })
    await met(() =>
      expect(ana.heard.ephemeral).toMatchObject([{ request: `task:${TASKS.build}`, person: PEOPLE.ben, on: true }]),
    )
    expect([ben.heard.ephemeral, cyn.heard.ephemeral]).toEqual([[], []])
  })

  it('[P2] read cursors, drafts and changed settings go to the person’s own pages only', async () => {
    await start()
    const [ana, ben] = [bench.page('c=ana'), bench.page('c=ben')]
    await met(() => expect(bench.sockets.count()).toBe(2))
    bench.engine.note({ kind: 'read', person: PEOPLE.ben, place: 'notices', seq: 7 })
    const draft = { kind: 'draft', person: PEOPLE.ben, key: 'task:a', version: 2, isWritten: true } as const
    const settings = { kind: 'settings', person: PEOPLE.ben } as const
    bench.engine.note(draft)
    bench.engine.note(settings)
    await met(() =>
      expect(ben.heard.ephemeral).toMatchObject([{ kind: 'read', place: 'notices', seq: 7 }, draft, settings]),
    )
    expect(ana.heard.ephemeral).toEqual([])
  })
})

describe('signing out', () => {
  it('[V5] ending a session closes its pages and those whose cookie is no longer valid, and no others', async () => {
    await start()
    bench.cookies.set('c=ben2', { person: PEOPLE.ben, sessionId: 's-ben2' })
    const [ben, second, ana] = [bench.page('c=ben'), bench.page('c=ben2'), bench.page('c=ana')]
    await met(() => expect(bench.sockets.count()).toBe(3))
    bench.cookies.delete('c=ben')
    bench.end({ person: PEOPLE.ben, session: 's-renewed', reason: 'ended' })
    await met(() => expect(ben.heard.signedOut).toEqual([{ reason: 'ended' }]))
    await met(() => expect(ben.socket.connected).toBe(false))
    expect([second.socket.connected, ana.socket.connected]).toEqual([true, true])
  })

  it('[V5] ending a session closes its page at once although its cookie is still valid, and not the other one', async () => {
    await start()
    bench.cookies.set('c=ben2', { person: PEOPLE.ben, sessionId: 's-ben2' })
    const [ben, second] = [bench.page('c=ben'), bench.page('c=ben2')]
    await met(() => expect(bench.sockets.count()).toBe(2))
    bench.end({ person: PEOPLE.ben, session: 's-ben', reason: 'ended' })
    await met(() => expect(ben.heard.signedOut).toEqual([{ reason: 'ended' }]))
    await met(() => expect(bench.sockets.count()).toBe(1))
    expect(second.socket.connected).toBe(true)
  })

  it('[V5] an expired session closes its pages by itself, and none while the store cannot say', async () => {
    let isBroken = true
    await start({
      sessionsMs: 20,
      sessionOf: async ({ cookie }) => {
        if (isBroken && bench.sockets.count() === 2) throw new Error('the store cannot read')
        return bench.cookies.get(cookie ?? '') ?? null
      },
    })
    const [ben, ana] = [bench.page('c=ben'), bench.page('c=ana')]
    await met(() => expect(bench.sockets.count()).toBe(2))
    bench.cookies.delete('c=ben')
    const beats = ben.heard.beat.length
    await met(() => expect(ben.heard.beat.length).toBeGreaterThan(beats + 3))
    expect(ben.socket.connected).toBe(true)
    isBroken = false
    await met(() => expect(ben.heard.signedOut).toEqual([{ reason: 'expired' }]))
    await met(() => expect(ben.socket.connected).toBe(false))
    expect(ana.socket.connected).toBe(true)
  })

  it('[V5] ending all sessions of a person closes all their pages', async () => {
    await start()
    const both = [bench.page('c=ben'), bench.page('c=ben')]
    await met(() => expect(bench.sockets.count()).toBe(2))
    bench.end({ person: PEOPLE.ben, session: null, reason: 'access' })
    for (const { heard } of both) await met(() => expect(heard.signedOut).toEqual([{ reason: 'access' }]))
    await met(() => expect(bench.monitor.counts()).toMatchObject({ connections: 0, streams: 0 }))
  })
})
