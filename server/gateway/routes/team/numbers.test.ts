/** The numbers over HTTP: what they are of, whose they are, in which days. */
import { expect, it } from 'vitest'
import { event } from '@/lib/mas/events'
import { type CounterRow, HOUR_MS, NOTHING_COUNTED } from '@/lib/mas/limits/counters'
import type { ModelCall } from '@/lib/mas/records'
import { numbersAnswer } from '@/lib/wire/http'
import { sampleShapeOf } from '@/test/samples'
import { type Double, openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

/** Counters begin here, with these rows. */
async function beginCounting({ store }: Double, rows: CounterRow[] = []): Promise<void> {
  await store.counters.add(0, (await store.journal.head()).seq, rows)
}
const call = (more: Partial<ModelCall>): ModelCall => ({
  ...sampleShapeOf('model.called').call,
  outcome: 'taken',
  estimated: false,
  promptTokens: 1_000,
  cachedTokens: 0,
  completionTokens: 100,
  reasoningTokens: 0,
  ...more,
})
const numbers = async (double: Double, cookie: string, query: string) => {
  const { status, json } = await double.call('GET', `/api/numbers?${query}`, { cookie })
  expect(status, JSON.stringify(json)).toBe(200)
  return numbersAnswer.parse(json)
}
const called = (task: typeof ID.prices | typeof ID.secret | typeof ID.base, more: Partial<ModelCall>) =>
  event('model.called', { task, agent: ID.reader, step: ID.step, call: call(more) })
/** The day of the double's clock. */
const DAY = 'from=2026-11-21&to=2026-11-21'

it('[R491] tokens and cost are summed by day, member, model and task, and calls without a price are counted apart', async () => {
  const double = await openDouble()
  const ana = await double.signIn('ana')
  await beginCounting(double)
  await double.engine.put([
    called(ID.prices, { model: 'large', costUsd: 0.25, firstTokenMs: 300 }),
    called(ID.prices, { model: 'small', costUsd: null, firstTokenMs: 300 }),
    called(ID.secret, { model: 'large', costUsd: 0.5, firstTokenMs: 90_000 }),
  ])
  const { total, days, members, models, tasks, counted } = await numbers(double, ana, DAY)
  expect(counted.upTo).toBe(counted.head)
  expect(total).toMatchObject({ calls: 3, unpricedCalls: 1, nanoUsd: 750_000_000, promptTokens: 3_000 })
  expect(total.firstToken).toEqual([0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  expect(days).toMatchObject([{ day: '2026-11-21', calls: 3 }])
  expect(members.find(({ name }) => name === 'Reader')).toMatchObject({ isPerson: false, calls: 3 })
  expect(models.map(({ model, calls, nanoUsd }) => [model, calls, nanoUsd])).toEqual([
    ['large', 2, 750_000_000],
    ['small', 1, 0],
  ])
  expect(tasks.map(({ id, nanoUsd }) => [id, nanoUsd])).toEqual([
    [ID.secret, 500_000_000],
    [ID.prices, 250_000_000],
  ])
  expect((await numbers(double, ana, `${DAY}&model=small`)).total.calls).toBe(1)
  expect((await numbers(double, ana, `${DAY}&task=${ID.prices}`)).total.calls).toBe(2)
  expect((await numbers(double, ana, `${DAY}&agent=reader`)).total.calls).toBe(3)
  expect((await numbers(double, ana, `${DAY}&agent=manager`)).total.calls).toBe(0)
})

it('[R489] a participant gets the numbers of the tasks that they may read as a whole: neither of others, nor of the base task, nor of one they left', async () => {
  const double = await openDouble()
  const [ben, dev] = [await double.signIn('ben'), await double.signIn('dev')]
  const each = { costUsd: 1 }
  await beginCounting(double)
  await double.engine.put([called(ID.prices, each), called(ID.secret, each), called(ID.base, each)])
  const sums = async (cookie: string) => {
    const { total, tasks, waitingNow } = await numbers(double, cookie, DAY)
    return [total.calls, tasks.map(({ id }) => id).sort(), new Set(waitingNow.map(({ task }) => task))] as const
  }
  const activity = async (cookie: string) =>
    (await double.call('GET', '/api/numbers/activity?of=tasks', { cookie })).json.rows
  await double.engine.put([event('step.finished', { ...sampleShapeOf('step.finished'), task: ID.secret })])
  const [calls, tasks, waiting] = await sums(ben)
  expect([calls, tasks]).toEqual([1, [ID.prices]])
  expect([...waiting].filter((task) => task !== ID.prices)).toEqual([])
  expect(Object.keys((await activity(ben)) as object)).toEqual([])
  expect(Object.keys((await activity(dev)) as object)).toEqual([ID.secret])
  expect((await sums(dev))[0]).toBe(3)
  await double.engine.put([event('task.participantsChanged', { task: ID.prices, added: [], removed: [ID.ben] })])
  expect((await sums(ben)).slice(0, 2)).toEqual([0, []])
})

it('[R490] days are those of the reader’s zone; days of which only sums are kept are those of UTC', async () => {
  const double = await openDouble()
  const ana = await double.signIn('ana')
  const row = (at: string, calls: number) => ({
    ...NOTHING_COUNTED,
    hour: Date.parse(at) / HOUR_MS,
    task: ID.prices,
    agent: ID.reader,
    model: 'large',
    calls,
  })
  await beginCounting(double, [
    row('2026-11-20T22:00:00Z', 1),
    row('2026-11-20T23:00:00Z', 2),
    row('2026-11-21T22:00:00Z', 4),
    row('2026-11-21T23:00:00Z', 8),
    row('2026-08-02T00:00:00Z', 16),
  ])
  const days = async (query: string) =>
    (await numbers(double, ana, query)).days.map(({ day, calls }) => `${day}: ${calls}`)
  expect(await days('from=2026-11-20&to=2026-11-21')).toEqual(['2026-11-20: 3', '2026-11-21: 12'])
  expect(await days('from=2026-11-20&to=2026-11-21&zone=Europe/Berlin')).toEqual(['2026-11-20: 1', '2026-11-21: 6'])
  expect(await days('from=2026-11-22&to=2026-11-22&zone=Europe/Berlin')).toEqual(['2026-11-22: 8'])
  expect(await days('from=2026-11-20&to=2026-11-20&zone=America/New_York')).toEqual(['2026-11-20: 3'])
  expect(await days('from=2026-08-01&to=2026-08-03&zone=America/New_York')).toEqual(['2026-08-02: 16'])
})

it('[R490] a range that is none is refused in words', async () => {
  const double = await openDouble()
  const ana = await double.signIn('ana')
  const refused = async (query: string) => {
    const { status, json } = await double.call('GET', `/api/numbers?${query}`, { cookie: ana })
    return status === 200 ? 'taken' : `${status} ${json.message}`
  }
  expect(await refused('from=2026-11-21&to=2026-11-20')).toContain('400 The last day is before the first')
  expect(await refused('from=2025-11-20&to=2026-11-20')).toBe('taken')
  expect(await refused('from=2025-11-19&to=2026-11-20')).toContain('400 At most 366 days')
  expect(await refused('from=2026-02-31&to=2026-03-05')).toContain('a day that exists')
  expect(await refused('from=yesterday&to=2026-03-05')).toContain('a day such as')
  expect(await refused(`${DAY}&zone=Mars/Base`)).toContain('no time zone Mars/Base')
  expect((await double.call('GET', `/api/numbers?${DAY}`)).status).toBe(401)
})
