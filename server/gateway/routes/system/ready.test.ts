/** GET /api/ready: each reason for 503, and its end. */
import { get } from 'node:http'
import { expect, it, vi } from 'vitest'
import { watchCutOff } from '@/server/cutOff'
import { openEarlyServer } from '../..'
import { openDouble } from '../../test/gatewayDouble'

const READY = { ready: true, reasons: [] }

it('[R71] the server is ready when it can take commands', async () => {
  const { call } = await openDouble({ disk: { freeBytes: async () => 1_000, leastBytes: 1_000 } })
  expect(await call('GET', '/api/ready')).toMatchObject({ status: 200, json: READY })
})

it('[R71] the server is not ready while too little disk space is free, and is again when there is space', async () => {
  let free: number | null = 999
  const { call } = await openDouble({ disk: { freeBytes: async () => free, leastBytes: 1_000 } })
  const refused = { status: 503, json: { ready: false, reasons: ['disk'] } }
  expect(await call('GET', '/api/ready')).toMatchObject(refused)
  expect((await call('GET', '/api/health')).status).toBe(200)
  free = 1_000
  expect(await call('GET', '/api/ready')).toMatchObject({ status: 200, json: READY })
  // Unknown free space counts as enough.
  free = null
  expect(await call('GET', '/api/ready')).toMatchObject({ status: 200, json: READY })
})

it('[R71] the server is not ready while the store refuses to write, and names every reason at once', async () => {
  const { call, engine } = await openDouble({ disk: { freeBytes: async () => 0, leastBytes: 1 } })
  engine.breakStore('no space')
  expect(await call('GET', '/api/ready')).toMatchObject({
    status: 503,
    json: { ready: false, reasons: ['disk', 'store'] },
  })
})

it('[R373] a clock that was ahead is named, and the server stays ready', async () => {
  const { call, store, clock } = await openDouble()
  clock.now += 5_001
  store.now()
  clock.now -= 5_001
  expect(await call('GET', '/api/ready')).toMatchObject({ status: 200, json: { ready: true, reasons: ['clock'] } })
  clock.now += 1
  expect(await call('GET', '/api/ready')).toMatchObject({ status: 200, json: READY })
})

it('[R375] a command with an honest time limit is done, whether its sender follows the clock of the server or its own', async () => {
  const { call, signIn, store, clock, engine } = await openDouble()
  const cookie = await signIn('ben')
  const ahead = 2 * 24 * 3_600_000
  clock.now += ahead
  store.now()
  clock.now -= ahead
  const limitOf = async (until: number): Promise<number | undefined> => {
    await call('POST', '/api/messages/some/done', { cookie, body: { id: `until-${until}`, until } })
    return engine.envelopes.at(-1)?.until
  }
  expect(await limitOf(clock.now + 30_000)).toBe(clock.now + ahead + 30_000)
  expect(await limitOf(clock.now + ahead + 20_000)).toBe(clock.now + ahead + 20_000)
})

it('[R71] the server is ready again when the store can write again', async () => {
  const { call, engine } = await openDouble()
  const state = vi.spyOn(engine, 'storeState').mockReturnValue({ is: 'refusing', reason: 'the disk is full' })
  expect(await call('GET', '/api/ready')).toMatchObject({ status: 503, json: { ready: false, reasons: ['store'] } })
  state.mockRestore()
  expect(await call('GET', '/api/ready')).toMatchObject({ status: 200, json: READY })
})

it('[R71] a node is not ready once it has had no way to the node that decides for 5 s, until it has one', async () => {
  let [now, isJoined] = [0, true]
  const isCutOff = watchCutOff(
    () => isJoined,
    () => now,
  )
  const { call } = await openDouble({ isCutOff })
  const isReady = async (at: number): Promise<boolean> => {
    now = at
    const answer = await call('GET', '/api/ready')
    if (answer.status !== 200) expect(answer.json).toEqual({ ready: false, reasons: ['nodes'] })
    return answer.status === 200
  }
  isJoined = false
  expect([await isReady(1_000), await isReady(5_999), await isReady(6_000)]).toEqual([true, true, false])
  isJoined = true
  expect(await isReady(6_001)).toBe(true)
  // A takeover is shorter than that, however many there are.
  isJoined = false
  expect([await isReady(7_000), await isReady(11_999)]).toEqual([true, true])
})

it('[R71] the server is not ready while it stops, and health says so too', async () => {
  let letGo = (): void => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  // The stop waits at its first step: the server still answers.
  const { call, gateway } = await openDouble({ sockets: () => ({ close: () => held }) })
  expect(await call('GET', '/api/ready')).toMatchObject({ status: 200, json: READY })
  const stopped = gateway.stop()
  expect(await call('GET', '/api/ready')).toMatchObject({
    status: 503,
    json: { ready: false, reasons: ['draining'] },
  })
  expect(await call('GET', '/api/health')).toMatchObject({ status: 503, json: { status: 'stopping' } })
  letGo()
  await stopped
})

it('[R71] the server is not ready while it starts', async () => {
  const early = await openEarlyServer('127.0.0.1', 0, { node: 'n', version: '0', rehearsal: true })
  const heard = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    get({ host: '127.0.0.1', port: early.port, path: '/api/ready' }, (answer) => {
      let text = ''
      answer.on('data', (piece: Buffer) => {
        text += piece.toString()
      })
      answer.on('end', () => resolve({ status: answer.statusCode, text }))
    }).on('error', reject)
  })
  expect(heard.status).toBe(503)
  expect(JSON.parse(heard.text)).toEqual({ ready: false, reasons: ['starting'] })
  early.http.closeAllConnections()
  await new Promise((resolve) => early.http.close(resolve))
})
