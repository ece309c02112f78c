/** The audit: who did what when and from where, for operators alone; its filters, its pages, its files. */
import { expect, it } from 'vitest'
import type { AuditPage, AuditRow } from '@/lib/wire/http'
import { type Double, openDouble, PASSWORD } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

const DAY_MS = 24 * 3_600_000
let commands = 0
const command = (fields: object) => ({ id: `audit-command-${commands++}`, until: 4e12, ...fields })

const rowsOf = async ({ call }: Pick<Double, 'call'>, cookie: string, query = ''): Promise<AuditRow[]> => {
  const { status, json } = await call('GET', `/api/audit${query}`, { cookie })
  expect(status).toBe(200)
  return (json as AuditPage).rows
}

async function signInWith({ call }: Pick<Double, 'call'>, id: string, agent: string): Promise<string> {
  const body = { human_agent_id: id, password: PASSWORD }
  const { cookie } = await call('POST', '/api/bind_human_agent', { body, headers: { 'user-agent': agent } })
  return cookie ?? ''
}

/** Ana pauses the task twice, Ben writes in it. out: the cookies of both */
async function somethingDone(double: Double) {
  const { call, clock } = double
  const [ana, ben] = [await signInWith(double, 'ana', 'Firefox/1'), await signInWith(double, 'ben', 'Safari/2')]
  const done = async (cookie: string, path: string, fields: object) => {
    clock.now += 60_000
    expect((await call('POST', path, { cookie, body: command(fields) })).status).toBe(200)
  }
  await done(ana, `/api/tasks/${ID.prices}/pause`, { reason: 'wait for the list' })
  const message = { type: 'fyi', task: ID.prices, stage: null, replyTo: null, answers: null, mention: false }
  await done(ben, '/api/messages', { ...message, receivers: [ID.reader], text: 'a private word' })
  await done(ana, `/api/tasks/${ID.prices}/resume`, { reason: '' })
  return { ana, ben }
}

it('[R522] an operator reads who did what when and from where, the newest first; nobody else does', async () => {
  const double = await openDouble()
  const { call, clock } = double
  const { ana, ben } = await somethingDone(double)
  for (const cookie of [ben, await double.signIn('dev')]) {
    for (const query of ['', '?format=csv', '?format=json'])
      expect((await call('GET', `/api/audit${query}`, { cookie })).status).toBe(403)
  }
  expect((await call('GET', '/api/audit', { cookie: null })).status).toBe(401)
  const rows = await rowsOf(double, ana)
  const anas = { id: expect.stringMatching(/^[0-9a-f]{24}$/), address: '127.0.0.1', browser: 'Firefox/1', token: null }
  const task = { id: ID.prices, name: 'Prices' }
  expect(rows.map(({ seq: _, ...row }) => row)).toEqual([
    {
      at: clock.now,
      who: { id: ID.ana, name: 'Ana' },
      kind: 'tasks',
      what: expect.stringMatching(/^Ana resumed /),
      task,
      session: anas,
    },
    {
      at: clock.now - 60_000,
      who: { id: ID.ben, name: 'Ben' },
      kind: 'messages',
      what: 'Sent a message to Reader',
      task,
      session: { ...anas, browser: 'Safari/2' },
    },
    {
      at: clock.now - 120_000,
      who: { id: ID.ana, name: 'Ana' },
      kind: 'tasks',
      what: expect.stringMatching(/^Ana paused .* · wait for the list$/),
      task,
      session: anas,
    },
  ])
  expect(JSON.stringify(rows)).not.toContain('private')
  const [chinese] = await rowsOf(double, ana, '?language=zh')
  expect(chinese?.what).toMatch(/^Ana 让任务继续/)
})

it('[R522] what an act brings about has no row of its own: a task that an operator makes and manages', async () => {
  const double = await openDouble()
  const ana = await double.signIn('ana')
  const task = { name: 'Prices of May', intention: 'All', manager: 'ana', members: ['ben'], stages: [], reason: 'why' }
  const made = await double.call('POST', '/api/tasks', { cookie: ana, body: command(task) })
  expect(made.status).toBe(200)
  expect((await rowsOf(double, ana)).map(({ what }) => what)).toEqual(['Ana created the task Prices of May · why'])
})

it('[R522] it is filtered by person, kind, task and time, and a person that does not exist is named', async () => {
  const double = await openDouble()
  const { call, clock } = double
  const { ana } = await somethingDone(double)
  const found = async (query: string) => (await rowsOf(double, ana, query)).map(({ who }) => who.name)
  expect(await found('?who=ben')).toEqual(['Ben'])
  expect(await found('?act=tasks')).toEqual(['Ana', 'Ana'])
  expect(await found('?act=team')).toEqual([])
  expect(await found(`?task=${ID.prices}&act=messages`)).toEqual(['Ben'])
  expect(await found(`?task=${ID.secret}`)).toEqual([])
  expect(await found(`?from=${clock.now - 60_000}&to=${clock.now}`)).toEqual(['Ben'])
  const nobody = await call('GET', '/api/audit?who=nobody', { cookie: ana })
  expect([nobody.status, nobody.json.error]).toEqual([404, 'NOT_FOUND'])
  for (const wrong of ['act=all', 'from=yesterday', 'limit=0', 'limit=201', 'format=pdf'])
    expect((await call('GET', `/api/audit?${wrong}`, { cookie: ana })).status).toBe(400)
})

it('[R522] pages follow one another without a gap and without a row twice', async () => {
  const double = await openDouble()
  const { call } = double
  const { ana } = await somethingDone(double)
  const all = await rowsOf(double, ana)
  const seen: AuditRow[] = []
  let after = ''
  for (let page = 0; page < 10; page++) {
    const { json } = await call('GET', `/api/audit?limit=1${after}`, { cookie: ana })
    const { rows, next } = json as AuditPage
    seen.push(...rows)
    if (next === null) break
    after = `&after=${next}`
  }
  expect(seen).toEqual(all)
  expect(seen.length).toBe(3)
})

it('[R520] address and browser of a session that ended are shown for 90 days; its rows stay', async () => {
  const double = await openDouble()
  const { call, clock, store } = double
  const { ana, ben } = await somethingDone(double)
  await call('POST', '/api/sessions/end', { cookie: ben })
  const bens = async () => (await rowsOf(double, await double.signIn('ana'), '?who=ben'))[0]?.session
  expect(await rowsOf(double, ana, '?who=ben')).toHaveLength(1)
  clock.now += 90 * DAY_MS - 1
  await store.accounts.sweep(clock.now)
  expect(await bens()).toMatchObject({ address: '127.0.0.1', browser: 'Safari/2' })
  clock.now += 1
  await store.accounts.sweep(clock.now)
  expect(await bens()).toEqual({ id: expect.any(String), address: null, browser: null, token: null })
})

it('[R523] all rows are downloaded as CSV or JSON, one file at a time, and no cell is a formula', async () => {
  const double = await openDouble()
  const { call, logged, url } = double
  const ana = await signInWith(double, 'ana', '=cmd|x')
  const paused = await call('POST', `/api/tasks/${ID.prices}/pause`, {
    cookie: ana,
    body: command({ reason: 'a "quoted", reason' }),
  })
  expect(paused.status).toBe(200)
  const download = (query: string) => fetch(`${url}/api/audit?${query}`, { headers: { cookie: ana } })
  const csv = await download('format=csv')
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(csv.headers.get('content-disposition')).toContain('convene-audit.csv')
  const bytes = new Uint8Array(await csv.arrayBuffer())
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const lines = new TextDecoder().decode(bytes).split('\r\n')
  expect(lines[0]).toBe(
    '"Time","Who","Person (id)","What","Kind","Task","Task (id)","Address","Browser","Token","Session (id)"',
  )
  expect(lines[1]).toContain('a ""quoted"", reason"')
  expect(lines[1]).toContain('"127.0.0.1","\'=cmd|x",')
  expect(lines[2]).toBe('')
  const json = await download('format=json&who=ana')
  expect(await json.json()).toEqual(await rowsOf(double, ana))
  expect(logged).toContainEqual(expect.objectContaining({ by: ID.ana }))

  let go = (): void => {}
  const waiting = new Promise<void>((resolve) => {
    go = resolve
  })
  const { acts } = double.store.archive
  let reads = 0
  double.store.archive.acts = async (wish) => {
    reads += 1
    await waiting
    return acts(wish)
  }
  const first = download('format=csv').then((answer) => answer.text())
  await expect.poll(() => reads).toBe(1)
  const second = await call('GET', '/api/audit?format=json', { cookie: ana })
  expect([second.status, second.json.error]).toEqual([429, 'TOO_MANY'])
  go()
  expect(await first).toContain('quoted')
  expect(await rowsOf(double, ana)).toHaveLength(1)
})
