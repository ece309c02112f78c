/** Limits of bodies, texts and pages, each at the limit and beyond it. */
import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { bodyOf } from '@/lib/mas/bodies'
import { event } from '@/lib/mas/events'
import { asId, type RequestId, type StepId } from '@/lib/mas/ids'
import { sayInLanguage } from '@/lib/mas/words'
import { sampleShapeOf } from '@/test/samples'
import { bytesInWords } from './http/readJson'
import { workText } from './routes/tasks/work'
import { type Double, noServers, openDouble } from './test/gatewayDouble'
import { ID, seed as stepSeed } from './test/world'

const KIB = 1024
const MIB = 1024 * KIB
let counter = 0
const head = (until = Date.UTC(2030, 0)) => ({ id: `limit-${counter++}-${'x'.repeat(8)}`, until })
const work = (more: object = {}) => ({ ...head(), wish: 'Count', pasted: '', files: [], ...more })
const errorOf = async (answer: ReturnType<Double['call']>): Promise<unknown> => {
  const { status, json } = await answer
  return status === 200 ? null : json.error
}

describe('new work', () => {
  it('new work carries files of 2 MiB each and 8 MiB together, and none beyond', async () => {
    const { call, signIn, workspace } = await openDouble()
    const cookie = await signIn('ben')
    const put = (files: { name: string; text: string }[]) =>
      errorOf(call('POST', '/api/work', { cookie, body: work({ files }) }))
    const file = (bytes: number, name = 'a.csv') => ({ name, text: 'x'.repeat(bytes) })
    expect(await put([file(2 * MIB + 1)])).toBe('TOO_LARGE')
    const long = { files: [file(2 * MIB + 1, 'n'.repeat(150))] }
    const { json } = await call('POST', '/api/work', { cookie, body: work(long) })
    expect([json.error, String(json.message).match(/n{50,}/)?.[0].length ?? 0]).toEqual(['TOO_LARGE', 100])
    const four = [1, 2, 3, 4].map((n) => file(2 * MIB, `${n}.csv`))
    expect(await put([...four, file(1)])).toBe('TOO_LARGE')
    expect(await readdir(workspace)).toEqual([])
    expect(await put(four)).toBeNull()
  })

  it('pasted text is in the message while it fits, and in a file beyond that', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const saved = async (bytes: number) =>
      (await call('POST', '/api/work', { cookie, body: work({ wish: 'x', pasted: 'y'.repeat(bytes) }) })).json.saved
    // 8 of the 64 KiB are reserved for the names of files.
    expect(await saved(56 * KIB - 1)).toEqual([])
    expect(await saved(56 * KIB)).toEqual(['inbox/2026-11-21-1/pasted.txt'])
    const much = work({ pasted: 'y'.repeat(2 * MIB + 1) })
    expect(await errorOf(call('POST', '/api/work', { cookie, body: much }))).toBe('TOO_LARGE')
  })

  it('new work is refused from the end of its time on', async () => {
    const { call, signIn, clock } = await openDouble()
    const cookie = await signIn('ben')
    const until = (at: number) => errorOf(call('POST', '/api/work', { cookie, body: { ...work(), ...head(at) } }))
    expect(await until(clock.now)).toBe('EXPIRED')
    expect(await until(clock.now + 1)).toBeNull()
  })

  it('the message of new work has no fence without a pasted text, and the demo names its folder', () => {
    expect(workText('do it', ' \n')).toBe('do it')
    expect(workText('do it', 'a\n')).toBe('do it\n\n```\na\n```')
    expect(['prices', '价格表'].map((folder) => sayInLanguage('zh', 'demoWork', { folder }))).toEqual([
      '比较 prices 里的清单，写一份报告',
      '比较“价格表”文件夹里的清单，写一份报告',
    ])
  })
})

describe('an answer', () => {
  it('an answer has at most 64 KiB of text, and edited arguments of 1 MiB', async () => {
    const { call, signIn } = await openDouble({ tools: noServers })
    const cookie = await signIn('ana')
    const answer = (more: object) =>
      errorOf(
        call('POST', `/api/requests/${ID.confirm}/answer`, {
          cookie,
          body: { ...head(), decision: 'refuse', text: '', arguments: null, digest: 'digest-1', ...more },
        }),
      )
    const json = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2))
    expect(await answer({ text: 'x'.repeat(64 * KIB + 1) })).toBe('TOO_LARGE')
    expect(await answer({ decision: 'approve_edited', arguments: json(MIB + 1) })).toBe('TOO_LARGE')
    expect(await answer({ decision: 'approve_edited', arguments: json(MIB) })).not.toBe('TOO_LARGE')
    expect(await answer({ decision: 'approve_edited', arguments: `${'['.repeat(200)}${']'.repeat(200)}` })).toBe(
      'BAD_ARGUMENTS',
    )
    // The step is over, which is checked after the size.
    expect(await answer({ text: 'x'.repeat(64 * KIB) })).toBe('STEP_OVER')
  })

  it.each([
    ['{}', 'BAD_INPUT'],
    ['{"colour":"red"}', null],
  ])('an answer to a form of a tool is checked by its schema: %s', async (filled, error) => {
    const { call, engine, signIn } = await openDouble()
    const request = asId<RequestId>('00000000-0000-4000-8000-000000000561')
    const { seed } = sampleShapeOf('request.opened')
    const schema = { type: 'object', required: ['colour'] }
    const tool = { server: 'files', tool: 'paint', asks: 'form', schema, url: null, body: null } as const
    const step = asId<StepId>('00000000-0000-4000-8000-0000000003f9')
    await engine.put([
      event('step.added', stepSeed(step, ID.prices, { kind: 'tool', executor: 'files' })),
      event('step.started', { task: ID.prices, agent: ID.reader, step, node: 'test', epoch: 1, attempt: 1 }),
      event('request.opened', {
        task: ID.prices,
        request,
        seed: {
          ...seed,
          kind: 'tool',
          asked: [ID.ben],
          asker: ID.reader,
          step,
          call: null,
          message: null,
          lock: null,
          tool,
        },
      }),
    ])
    const body = { ...head(), decision: 'answer', text: '', arguments: filled, digest: null }
    const cookie = await signIn('ben')
    expect(await errorOf(call('POST', `/api/requests/${request}/answer`, { cookie, body }))).toBe(error)
  })

  it('a text that a tool wants a model to complete is shown whole to the people asked, while it is kept', async () => {
    const { call, engine, signIn, store } = await openDouble()
    const request = asId<RequestId>('00000000-0000-4000-8000-000000000562')
    const { seed } = sampleShapeOf('request.opened')
    const { body, ref } = bodyOf(JSON.stringify({ messages: ['x'.repeat(1_000)] }), 'application/json')
    const tool = { server: 'files', tool: 'paint', asks: 'sampling', schema: {}, url: null, body: ref } as const
    const rest = { kind: 'tool', asker: ID.reader, step: null, call: null, message: null } as const
    const opened = { ...seed, ...rest, asked: [ID.ben], lock: null, tool }
    await engine.put([event('request.opened', { task: ID.prices, request, seed: opened })])
    const cookie = await signIn('ben')
    const read = async () => (await call('GET', `/api/requests/${request}/arguments`, { cookie })).json
    expect((await read()).error).toBe('NOT_FOUND')
    await store.bodies.put(body.bytes, body.mime)
    expect(await read()).toMatchObject({ json: { messages: ['x'.repeat(1_000)] }, digest: ref.sha, ran: null })
  })

  it('an answer with a form is checked only where a tool asks with one', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ana')
    const body = { ...head(), decision: 'approve_edited', text: '', arguments: '[]', digest: 'digest-1' }
    expect(await errorOf(call('POST', `/api/requests/${ID.confirm}/answer`, { cookie, body }))).toBe('STEP_OVER')
  })
})

describe('a body', () => {
  it('a body has at most 1 MiB, announced or not, and its content type is JSON', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const put = (raw: string, type = 'application/json') =>
      call('PUT', '/api/me/settings', { cookie, raw, headers: { 'content-type': type } })
    const padded = (bytes: number) => `{"theme":"dark"}${' '.repeat(bytes - 16)}`
    expect((await put(padded(MIB))).status).toBe(200)
    const over = await put(padded(MIB + 1))
    expect([over.status, over.json.message]).toEqual([413, expect.stringContaining('1 MiB')])
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON'])
      expect((await put('{}', type)).status).toBe(200)
    for (const type of ['text/plain', 'application/jsonl', '']) expect((await put('{}', type)).status).toBe(415)
  })

  it('a body with many errors is refused with five of them', async () => {
    const { call, signIn } = await openDouble()
    const cookie = await signIn('ben')
    const { json } = await call('POST', '/api/messages', { cookie, body: {} })
    expect(String(json.message).split('; ')).toHaveLength(5)
    const whole = await call('POST', '/api/messages', { cookie, body: [] })
    expect(whole.json.message).toContain('the body: ')
  })
})

describe('a size in words', () => {
  it.each([
    [0, '0 bytes'],
    [1_023, '1023 bytes'],
    [1_024, '1 KiB'],
    [1_536, '1.5 KiB'],
    [MIB - 1_024, '1023 KiB'],
    [MIB, '1 MiB'],
    [2.5 * MIB, '2.5 MiB'],
  ])('%i bytes are written as %s', (bytes, words) => {
    expect(bytesInWords(bytes)).toBe(words)
  })
})

describe('a page of a list', () => {
  it('[R99] a page begins after the last row of the page before, and an unknown cursor is refused', async () => {
    const { call, signIn, engine } = await openDouble()
    const cookie = await signIn('ana')
    const get = async (path: string) => (await call('GET', path, { cookie })).json
    const first = await get(`/api/tasks/${ID.secret}/steps?limit=1`)
    const second = await get(`/api/tasks/${ID.secret}/steps?limit=1&after=${first.next}`)
    const third = await get(`/api/tasks/${ID.secret}/steps?limit=1&after=${second.next}`)
    expect(
      [first.steps, second.steps, third.steps].map((steps) => (steps as { id: string }[]).map(({ id }) => id)),
    ).toEqual([[ID.secretStep], [ID.badStep], []])
    expect(third.next).toBeNull()
    for (const path of [
      `/api/tasks/${ID.secret}/steps?after=5`,
      `/api/tasks/${ID.secret}/steps?after=s`,
      '/api/tasks/archived?after=none',
    ])
      expect([path, (await get(path)).error]).toEqual([path, 'BAD_INPUT'])
    // There are no waits: after any cursor the page is empty.
    expect(await get('/api/waits?after=zzz')).toMatchObject({ waits: [], next: null })
    expect(engine.envelopes).toEqual([])
  })

  it('a page of steps holds those that the caller may read', async () => {
    const { call, signIn, engine } = await openDouble()
    await engine.put([event('task.participantsChanged', { task: ID.prices, added: [], removed: [ID.ben] })])
    const cookie = await signIn('ben')
    const { status, json } = await call('GET', `/api/tasks/${ID.secret}/steps`, { cookie })
    expect([status, json.error]).toEqual([404, 'NOT_FOUND'])
    const mine = await call('GET', `/api/tasks/${ID.prices}/steps`, { cookie })
    expect(mine.status).toBe(200)
  })
})

describe('the OpenAPI document', () => {
  it('the OpenAPI document says of each route whether it needs a session', async () => {
    const { gateway } = await openDouble()
    const security = new Map(
      gateway.app.openAPIRegistry.definitions.flatMap((one) =>
        one.type === 'route' ? [[`${one.route.method} ${one.route.path}`, one.route.security] as const] : [],
      ),
    )
    expect(security.get('get /api/health')).toEqual([])
    expect(security.get('post /api/bind_human_agent')).toEqual([])
    expect(security.get('get /api/me')).toEqual([{ session: [] }, { token: ['read'] }])
    expect(security.get('get /api/people')).toEqual([{ session: [] }, { token: ['read'] }])
  })
})
