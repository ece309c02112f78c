/** A client that missed a thousand entries continues by cursor: one answer, nothing missing. */
import { expect, test } from '@playwright/test'
import { io, type Socket } from 'socket.io-client'
import type { World } from '@/lib/mas/records'
import { emptyWorld } from '@/lib/mas/records'
import { patchedRow } from '@/lib/wire/recordPatch'
import { isRecordRow, withRecords } from '@/lib/wire/records'
import type { AnyRow } from '@/lib/wire/rows'
import type { Reset, View, ViewFrame } from '@/lib/wire/views'
import { startServer, type TestServer } from '../fixtures/server'
import { type Caller, callerOf, isBase, newCommandHead, tasksOf } from './http'

type Seen = { answers: (ViewFrame | Reset)[]; rows: Map<string, AnyRow>; cursor: string; to: number }

const worldOf = ({ rows }: Seen): World => withRecords(emptyWorld, [...rows.values()].filter(isRecordRow), [])

/** A client of one view of records, written by docs/socket.md. */
async function look(server: TestServer, cookie: string, view: View, from?: Seen) {
  const socket: Socket = io(server.url, {
    transports: ['websocket'],
    extraHeaders: { cookie },
    reconnection: false,
    forceNew: true,
  })
  const seen: Seen = from ? { ...from, answers: [] } : { answers: [], rows: new Map(), cursor: '', to: 0 }
  socket.on('reset', (message: Reset) => {
    seen.answers.push(message)
    const { to, cursor } = message
    Object.assign(seen, { rows: new Map(message.rows.map((row) => [row.id, row])), to, cursor })
  })
  socket.on('frame', (message: ViewFrame) => {
    seen.answers.push(message)
    if (message.from > seen.to || message.to <= seen.to) return
    const rows = new Map(seen.rows)
    for (const id of message.del) rows.delete(id)
    for (const row of message.set) rows.set(row.id, row)
    for (const patch of message.patch) {
      const row = rows.get(patch.id)
      if (row !== undefined && isRecordRow(row)) rows.set(row.id, patchedRow(row, patch))
    }
    Object.assign(seen, { rows, to: message.to, cursor: message.cursor })
  })
  socket.emit('subscribe', { sub: 'here', asked: 1, view, ...(from ? { cursor: from.cursor } : {}) })
  await expect.poll(() => seen.answers.length).toBeGreaterThan(0)
  return { seen, close: () => socket.close() }
}

const seqOf = async (caller: Caller): Promise<number> => (await caller.get<{ seq: number }>('/api/health')).body.seq

test('a client that missed 1,000 entries gets one answer without a gap', async ({ browserName: _ }, info) => {
  test.skip(info.project.name !== 'desktop', 'there is no page in this test')
  const server = await startServer({ withLoad: true })
  try {
    const ana = await callerOf(server, 'ana')
    const cookie = await server.signIn('ana')
    const base = (await tasksOf(ana)).find(isBase)?.task_id ?? ''
    const view: View = `task:${base}`
    const first = await look(server, cookie, view)
    expect(first.seen.answers[0]).toHaveProperty('rows')
    first.close()
    const before = await seqOf(ana)

    // Others continue working, and a few messages for this client arrive.
    const load = { agents: 10, tasks: 1, stepsPerAgent: 30, changesPerSecond: 10_000, bytes: 100, seconds: 60, seed: 7 }
    const begun = await server.load(load)
    const texts = Array.from({ length: 20 }, (_, n) => `while you were away ${n}`)
    for (const text of texts) {
      const wish = {
        ...newCommandHead(),
        task: base,
        receivers: ['ben'],
        text,
        type: 'fyi',
        stage: null,
        answers: null,
        replyTo: null,
        mention: false,
      }
      expect((await ana.post('/api/messages', wish)).status).toBe(200)
    }
    await expect.poll(async () => (await server.loadProgress(begun))?.state, { timeout: 30_000 }).toBe('finished')
    expect((await seqOf(ana)) - before).toBeGreaterThan(1_000)

    const back = await look(server, cookie, view, first.seen)
    const fresh = await look(server, cookie, view)
    expect(back.seen.answers).toHaveLength(1)
    const [answer] = back.seen.answers
    if (!answer || !('set' in answer)) throw new Error('it was no frame')
    expect(answer.from).toBe(first.seen.to)
    expect(answer.to).toBe(await seqOf(ana))
    const ids = answer.set.map(({ id }) => id)
    expect(ids).toHaveLength(new Set(ids).size)
    const read = Object.values(worldOf(back.seen).messages).flatMap((own) => Object.values(own).map((one) => one.text))
    for (const text of texts) expect(read).toContain(text)
    expect(back.seen.rows).toEqual(fresh.seen.rows)
    back.close()
    fresh.close()

    // A view that missed more gets a reset: also one answer.
    const loaded = (await tasksOf(ana)).find((task) => !isBase(task))
    if (loaded) {
      const busy: View = `task:${loaded.task_id}`
      const whole = await look(server, cookie, busy)
      expect(whole.seen.to).toBe(await seqOf(ana))
      whole.close()
    }
  } finally {
    await server.stop()
  }
})

test('a client continues by the same cursor after the server was killed and restarted', async ({
  browserName: _,
}, info) => {
  test.skip(info.project.name !== 'desktop', 'there is no page in this test')
  const server = await startServer()
  try {
    const ana = await callerOf(server, 'ana')
    const cookie = await server.signIn('ana')
    const base = (await tasksOf(ana)).find(isBase)?.task_id ?? ''
    const first = await look(server, cookie, `task:${base}`)
    first.close()
    const text = 'said before the crash'
    const wish = {
      ...newCommandHead(),
      task: base,
      receivers: ['ben'],
      text,
      type: 'fyi',
      stage: null,
      answers: null,
      replyTo: null,
      mention: false,
    }
    expect((await ana.post('/api/messages', wish)).status).toBe(200)
    await server.kill()
    await server.start()
    const back = await look(server, cookie, `task:${base}`, first.seen)
    const fresh = await look(server, cookie, `task:${base}`)
    expect(back.seen.answers).toHaveLength(1)
    expect(back.seen.answers[0]).toHaveProperty('set')
    expect(back.seen.rows).toEqual(fresh.seen.rows)
    const read = Object.values(worldOf(back.seen).messages).flatMap((own) => Object.values(own).map((one) => one.text))
    expect(read).toContain(text)
    back.close()
    fresh.close()
  } finally {
    await server.stop()
  }
})
