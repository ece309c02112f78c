/** GET /metrics: who may read it. */
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '@/server/shared/limits'
import { type Double, openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

const TOKEN = 'a-token-for-the-scraper'
const PAGE = '# HELP x y\n# TYPE x counter\nx 1\n'

const opened = (more: { token?: string | null; hasProxy?: boolean } = {}): Promise<Double> =>
  openDouble({
    metrics: {
      contentType: 'text/plain; version=0.0.4; charset=utf-8',
      text: async () => PAGE,
      token: TOKEN,
      hasProxy: true,
      ...more,
    },
  })

type Heard = { status: number; type: string; text: string }

/** With node:http: fetch does not let a caller set Host. */
const read = ({ url }: Double, headers: Record<string, string> = {}, path = '/metrics'): Promise<Heard> =>
  new Promise((resolve, reject) => {
    httpRequest(url + path, { headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (piece: string) => {
        text += piece
      })
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, type: answer.headers['content-type'] ?? '', text }),
      )
    })
      .on('error', reject)
      .end()
  })

const refusal = (heard: Heard): unknown => JSON.parse(heard.text)

describe('[R70] reading the metrics', () => {
  it('an operator who is signed in reads the metrics', async () => {
    const double = await opened()
    const heard = await read(double, { cookie: await double.signIn(ID.ana) })
    expect(heard).toEqual({ status: 200, type: 'text/plain; version=0.0.4; charset=utf-8', text: PAGE })
  })

  it('a participant is refused the metrics with 403, also on the same machine without a proxy', async () => {
    for (const hasProxy of [true, false]) {
      const double = await opened({ hasProxy })
      const heard = await read(double, { cookie: await double.signIn(ID.ben) })
      expect(heard.status).toBe(403)
      expect(refusal(heard)).toMatchObject({ error: 'NOT_ALLOWED', status_code: 403 })
    }
  })

  it('the bearer of the token reads the metrics, behind a proxy too', async () => {
    const double = await opened()
    const forwarded = { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '203.0.113.7' }
    expect((await read(double, forwarded)).status).toBe(200)
  })

  it('a wrong token is refused the metrics with 401, also on the same machine without a proxy', async () => {
    const double = await opened({ hasProxy: false })
    const wrong = [`Bearer ${TOKEN}x`, `Bearer ${TOKEN.slice(0, -1)}`, 'Bearer ', `Basic ${TOKEN}`, TOKEN]
    for (const authorization of wrong) {
      const heard = await read(double, { authorization })
      expect(heard.status, authorization).toBe(401)
      expect(refusal(heard)).toMatchObject({ error: 'NOT_SIGNED_IN', status_code: 401 })
    }
  })

  it('every token is refused the metrics while none is configured', async () => {
    const double = await opened({ token: null })
    for (const authorization of ['Bearer null', 'Bearer undefined', 'Bearer x', 'Bearer ']) {
      expect((await read(double, { authorization })).status).toBe(401)
    }
  })

  it('a program on the same machine reads the metrics while no proxy is configured, and not otherwise', async () => {
    expect((await read(await opened({ hasProxy: false }))).status).toBe(200)
    const behind = await read(await opened({ hasProxy: true }))
    expect(behind.status).toBe(401)
    expect(refusal(behind)).toMatchObject({ error: 'NOT_SIGNED_IN', status_code: 401 })
  })

  it('a forwarded request from the same machine is refused the metrics', async () => {
    const double = await opened({ hasProxy: false })
    const headers = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']
    for (const name of headers) expect((await read(double, { [name]: '127.0.0.1' })).status, name).toBe(401)
  })

  it('a request from the same machine for another host is refused the metrics', async () => {
    const double = await opened({ hasProxy: false })
    for (const host of ['evil.example', 'evil.example:3000', 'localhost.evil.example', '10.0.0.1:3000']) {
      expect((await read(double, { host })).status, host).toBe(401)
    }
    for (const host of ['localhost:3000', '127.0.0.1:3000', '127.0.0.2', '[::1]:3000']) {
      expect((await read(double, { host })).status, host).toBe(200)
    }
  })

  it('an address without a session may try the metrics as often as the request limit allows, and no more', async () => {
    const rule = { most: 2, windowMs: 60_000 }
    const double = await openDouble({
      metrics: { contentType: 'text/plain', text: async () => PAGE, token: TOKEN, hasProxy: true },
      limits: { ...LIMITS, strangers: rule },
    })
    const wrong = { authorization: 'Bearer wrong' }
    expect((await read(double, wrong)).status).toBe(401)
    expect((await read(double, wrong)).status).toBe(401)
    expect((await read(double, wrong)).status).toBe(429)
    double.clock.now += 60_000
    expect((await read(double, wrong)).status).toBe(401)
  })

  it('a page of another site is refused the metrics, no matter who is signed in', async () => {
    const double = await opened()
    const cookie = await double.signIn(ID.ana)
    expect((await read(double, { cookie, origin: 'https://evil.example' })).status).toBe(403)
  })
})

it('[R70] a request whose connection closed before the end of its answer is counted as aborted', async () => {
  const ended: (number | null)[] = []
  const meter = {
    answered: (_: string, status: number | null) => void ended.push(status),
    refused: () => {},
    signedIn: () => {},
    short: () => {},
  }
  const double = await openDouble({ meter })
  expect((await read(double, {}, '/api/health')).status).toBe(200)
  await expect.poll(() => ended).toEqual([200])
  const socket = connect(Number(new URL(double.url).port), '127.0.0.1')
  socket.write('POST /api/bind_human_agent HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n')
  socket.write('Content-Length: 100\r\n\r\n{', () => setImmediate(() => socket.destroy()))
  await expect.poll(() => ended).toEqual([200, null])
})
