/** Waits over HTTP: who sees which, and the acts on them as commands of the session's person. */
import { describe, expect, it } from 'vitest'
import { type EventShape, event } from '@/lib/mas/events'
import { type AgentId, asId, type RequestId, type WaitingId } from '@/lib/mas/ids'
import { openItemsOf } from '@/server/monitor/rows/openItems'
import { type Double, openDouble } from '../../test/gatewayDouble'
import { ID } from '../../test/world'

let counter = 0
const head = (more: object = {}) => ({ id: `wait-${counter++}-${'x'.repeat(8)}`, until: Date.UTC(2030, 0), ...more })
const waiting = asId<WaitingId>('w-1')
const asked = asId<RequestId>('00000000-0000-4000-8000-000000000901')

/** Reader waits for Ben in Prices, and for Ana in Secret. */
const seed = (more: Partial<EventShape<'request.opened'>['seed']>): EventShape<'request.opened'>['seed'] => ({
  kind: 'answer',
  asked: [ID.ben],
  asker: ID.reader,
  type: 'urgent',
  message: ID.question,
  step: null,
  stage: ID.stage,
  lock: waiting,
  thread: null,
  number: 7,
  question: 'Which holds?',
  choices: [],
  call: null,
  fingerprint: 'running',
  ...more,
})
async function withWaits(): Promise<Double> {
  const double = await openDouble()
  const secret = asId<RequestId>('00000000-0000-4000-8000-000000000902')
  const lock = { kind: 'message', stage: null, message: null } as const
  const hidden = asId<WaitingId>('w-2')
  await double.engine.put([
    event('request.opened', { task: ID.prices, request: asked, seed: seed({}) }),
    event('lock.added', {
      agent: ID.reader,
      task: ID.prices,
      lock: { ...lock, id: waiting, step: ID.step, on: ID.ben, message: ID.question, request: asked, stage: ID.stage },
    }),
    event('request.opened', {
      task: ID.secret,
      request: secret,
      seed: seed({ asked: [ID.ana], lock: hidden, message: null, stage: null, question: 'The secret?' }),
    }),
    event('lock.added', {
      agent: ID.reader,
      task: ID.secret,
      lock: { ...lock, id: hidden, step: ID.secretStep, on: ID.ana, request: secret },
    }),
  ])
  return double
}

describe('GET /api/waits', () => {
  it('[R25] the waits are paged by cursor: all of them for an operator, those of their tasks for a participant', async () => {
    const { call, signIn } = await withWaits()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    const mine = await call('GET', '/api/waits', { cookie: ben })
    expect(mine.json).toMatchObject({
      total: 2,
      blocked: 0,
      next: null,
      // A question without a lock counts too.
      waits: [
        { id: ID.ask, lock: null, forWhom: [{ id: ID.ben }] },
        {
          id: 'w-1',
          lock: 'message',
          task: ID.prices,
          state: 'waiting',
          what: 'Which holds?',
          request: asked,
          circle: null,
        },
      ],
    })
    const all = await call('GET', '/api/waits?limit=3', { cookie: ana })
    const ids = [{ id: ID.ask }, { id: ID.confirm }, { id: 'w-1' }]
    expect(all.json).toMatchObject({ total: 4, waits: ids, next: expect.any(String) })
    const rest = await call('GET', `/api/waits?limit=1&after=${encodeURIComponent(String(all.json.next))}`, {
      cookie: ana,
    })
    expect(rest.json).toMatchObject({ waits: [{ id: 'w-2', what: 'The secret?' }], next: null })
    expect((await call('GET', '/api/waits')).status).toBe(401)
  })
})

describe('[R28] acts on waits', () => {
  it('an operator releases a wait with a reason', async () => {
    const { call, engine, signIn } = await withWaits()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    const body = (more: object = {}) => head({ agent: 'reader', waiting: 'w-1', reason: 'it is late', ...more })
    expect((await call('POST', '/api/waits/release', { cookie: ben, body: body() })).json.error).toBe('NOT_MANAGER')
    const empty = await call('POST', '/api/waits/release', { cookie: ana, body: body({ reason: '' }) })
    expect(empty.json.error).toBe('REASON_MISSING')
    expect((await call('POST', '/api/waits/release', { cookie: ana, body: body() })).status).toBe(200)
    expect(engine.world().work[ID.reader]?.locks.map(({ id }) => id)).toEqual(['w-2'])
    expect((await call('POST', '/api/waits/release', { cookie: ana, body: body() })).status).toBe(404)
    expect((await call('GET', `/api/requests/${asked}`, { cookie: ben })).json).toMatchObject({
      request: { state: 'released' },
      changes: [],
    })
  })

  it('a person answers for another with a reason, takes over, asks back, and reminds', async () => {
    const { call, signIn } = await withWaits()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    const at = `/api/requests/${asked}`
    expect((await call('POST', `${at}/claim`, { cookie: ben, body: head() })).status).toBe(200)
    expect((await call('POST', `${at}/claim`, { cookie: ana, body: head() })).json.error).toBe('REQUEST_CLAIMED')
    const taken = await call('POST', `${at}/claim`, { cookie: ana, body: head({ reason: 'Ben is away' }) })
    expect(taken.status).toBe(200)
    const back = await call('POST', `${at}/ask_back`, { cookie: ben, body: head({ text: 'Which list?' }) })
    expect(back.json.reply).toMatchObject({ message: expect.any(String) })
    const remind = `/api/messages/${ID.question}/remind`
    expect((await call('POST', remind, { cookie: ben, body: head() })).json.error).toBe('NOT_ALLOWED')
    expect((await call('POST', remind, { cookie: ana, body: head() })).json.reply).toEqual({ reminded: [ID.ben] })
    const again = await call('POST', remind, { cookie: ana, body: head() })
    expect([again.status, again.json.error]).toEqual([429, 'TOO_MANY'])
    const answer = { decision: 'answer', text: '3.20', arguments: null, digest: null }
    expect((await call('POST', `${at}/answer`, { cookie: ana, body: head(answer) })).json.error).toBe('REASON_MISSING')
    const done = await call('POST', `${at}/answer`, { cookie: ana, body: head({ ...answer, reason: 'Ben is away' }) })
    expect(done.status).toBe(200)
  })

  it('a person transfers a request to another, who accepts; and asks to be reminded', async () => {
    const { call, engine, signIn } = await withWaits()
    const [ana, ben] = [await signIn('ana'), await signIn('ben')]
    const later = await call('POST', '/api/reminders', { cookie: ben, body: head({ request: asked, minutes: 5 }) })
    expect(later.json.reply).toMatchObject({ until: expect.any(Number) })
    expect((await call('POST', '/api/reminders', { cookie: ben, body: head({ minutes: 5 }) })).json.error).toBe(
      'BAD_INPUT',
    )
    const both = head({ request: asked, message: ID.question, minutes: 5 })
    expect((await call('POST', '/api/reminders', { cookie: ben, body: both })).json.error).toBe('BAD_INPUT')
    const offer = { to: 'ana', requests: [asked], sentence: 'I am away.' }
    const offered = await call('POST', '/api/hand_overs', { cookie: ben, body: head(offer) })
    const { handOver } = offered.json.reply as { handOver: string }
    expect(engine.world().requests[ID.prices]?.[asked]?.asked).toEqual([ID.ben, ID.ana])
    const settle = (accept: boolean) => ({ cookie: ana, body: head({ accept }) })
    expect((await call('POST', `/api/hand_overs/${handOver}`, settle(true))).status).toBe(200)
    expect(engine.world().requests[ID.prices]?.[asked]?.asked).toEqual([ID.ana])
    // The message of the question does not return to his inbox by itself.
    const about = engine.world().requests[ID.prices]?.[asked]?.message
    const openFor = (person: AgentId) => openItemsOf(engine.world(), ID.prices, person)
    expect(openFor(ID.ben).filter((item) => item.kind === 'message' && item.message.id === about)).toEqual([])
    expect(openFor(ID.ana).some((item) => item.kind === 'request' && item.request.id === asked)).toBe(true)
    expect((await call('POST', `/api/hand_overs/${handOver}`, settle(true))).status).toBe(404)
    // What has a number is named by its request.
    const message = { to: 'ben', requests: [], messages: [ID.question], sentence: 'Yours.' }
    const asks = await call('POST', '/api/hand_overs', { cookie: ana, body: head(message) })
    expect(asks.json.error).toBe('HANDOVER_UNFIT')
    const none = await call('POST', '/api/hand_overs', { cookie: ben, body: head({ ...offer, to: 'nobody' }) })
    expect(none.json.error).toBe('RECEIVER_UNKNOWN')
  })
})
