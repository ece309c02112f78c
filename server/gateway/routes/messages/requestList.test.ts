/** The list of requests for programs: who sees which, its filters, its pages. */
import { describe, expect, it } from 'vitest'
import { type EventShape, event } from '@/lib/mas/events'
import { asId, type MessageId, type RequestId, type TaskId } from '@/lib/mas/ids'
import { type Double, openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

type Seed = EventShape<'request.opened'>['seed']
const requestOf = (n: number) => asId<RequestId>(`00000000-0000-4000-8000-${String(900 + n)}00000000`.slice(0, 36))
const opened = (n: number, task: TaskId, more: Partial<Seed>) =>
  event('request.opened', {
    task,
    request: requestOf(n),
    seed: {
      kind: 'answer',
      asked: [ID.ana],
      asker: ID.reader,
      type: 'action',
      message: null,
      step: null,
      stage: null,
      lock: null,
      thread: null,
      number: n,
      question: `Question ${n}?`,
      choices: [],
      call: null,
      fingerprint: '',
      ...more,
    },
  })
const thread = asId<MessageId>('00000000-0000-4000-8000-000000000801')

/** Beside the two of the usual world: one of Ana's threads of the base task, one there that is put to Ben, a limit in Prices. */
async function withRequests(): Promise<Double> {
  const double = await openDouble()
  await double.engine.put([
    opened(1, ID.base, { thread }),
    opened(2, ID.base, { thread, asked: [ID.ben] }),
    opened(3, ID.prices, { kind: 'limit', asker: 'system:task' }),
  ])
  return double
}
const questionsOf = (json: Record<string, unknown>): string[] =>
  (json.requests as { request: { question: string } }[]).map(({ request }) => request.question)

describe('[R160] GET /api/requests', () => {
  it('holds what is open and put to me, as the inbox shows it', async () => {
    const { call, signIn } = await withRequests()
    const ben = await signIn('ben')
    const { status, json } = await call('GET', '/api/requests?state=open&for=me', { cookie: ben })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      total: 2,
      next: null,
      requests: [
        {
          id: ID.ask,
          kind: 'request',
          group: 'urgent',
          request: { question: 'Which holds?', choices: ['3.20', '3.50'], state: 'open' },
          taskName: 'Prices',
          asker: { name: 'Reader' },
          asked: [{ name: 'Ben' }],
        },
        { request: { question: 'Question 2?' }, taskName: 'MAS base task' },
      ],
    })
    expect((await call('GET', '/api/requests')).status).toBe(401)
  })

  it('a participant reads those of their tasks and threads, an operator and a developer all', async () => {
    const { call, signIn } = await withRequests()
    const [ana, ben, dev] = [await signIn('ana'), await signIn('ben'), await signIn('dev')]
    const all = async (cookie: string, query = '') =>
      questionsOf((await call('GET', `/api/requests${query}`, { cookie })).json)
    expect(await all(ben)).toEqual(['Which holds?', 'Question 2?', 'Question 3?'])
    const whole = ['Which holds?', 'Allow write_file?', 'Question 1?', 'Question 2?', 'Question 3?']
    expect(await all(ana)).toEqual(whole)
    expect(await all(dev)).toEqual(whole)
    expect(await all(dev, '?for=me')).toEqual([])
    // What somebody else is asked is read with the caller's own rights.
    expect(await all(ben, '?for=ana')).toEqual(['Question 3?'])
    expect(await all(ana, '?for=ben')).toEqual(['Which holds?', 'Question 2?'])
  })

  it('is narrowed by task, kind, asker and state; what it cannot find it refuses', async () => {
    const { call, engine, signIn } = await withRequests()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    const some = async (query: string) =>
      questionsOf((await call('GET', `/api/requests?${query}`, { cookie: ana })).json)
    expect(await some(`task=TaskState_${ID.secret}`)).toEqual(['Allow write_file?'])
    expect(await some('kind=limit')).toEqual(['Question 3?'])
    expect(await some('asker=system:task')).toEqual(['Question 3?'])
    expect(await some(`asker=reader&task=${ID.prices}`)).toEqual(['Which holds?'])
    await engine.put([
      event('request.answered', {
        task: ID.prices,
        request: ID.ask,
        answer: { by: ID.ben, for: null, decision: 'answer', text: '3.20', arguments: null },
      }),
    ])
    expect(await some(`asker=reader&task=${ID.prices}`)).toEqual([])
    expect(await some('state=over')).toEqual(['Which holds?'])
    expect(await some(`state=all&task=${ID.prices}`)).toEqual(['Which holds?', 'Question 3?'])
    const refused = async (query: string) => (await call('GET', `/api/requests?${query}`, { cookie: ben })).json.error
    expect(await refused(`task=${ID.secret}`)).toBe('NOT_FOUND')
    expect(await refused('asker=nobody')).toBe('NOT_FOUND')
    expect(await refused('state=any')).toBe('BAD_INPUT')
  })

  it('comes by pages that hold each request once, also when an earlier one was answered between two', async () => {
    const { call, engine, signIn } = await withRequests()
    const cookie = await signIn('ana')
    const first = await call('GET', '/api/requests?limit=2', { cookie })
    expect(questionsOf(first.json)).toEqual(['Which holds?', 'Allow write_file?'])
    expect(first.json.total).toBe(5)
    await engine.put([
      event('request.ended', { task: ID.prices, request: ID.ask, state: 'superseded', by: null, reason: 'over' }),
    ])
    const second = await call('GET', `/api/requests?limit=3&after=${first.json.next}`, { cookie })
    expect(questionsOf(second.json)).toEqual(['Question 1?', 'Question 2?', 'Question 3?'])
    expect(second.json.next).toBeNull()
  })
})
