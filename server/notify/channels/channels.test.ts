/** What each answer of a channel's server means, and what is sent to whom. */
import { afterEach, describe, expect, it } from 'vitest'
import { asId } from '@/lib/mas/ids'
import { NoAnswerError, PrivateAddressError } from '@/server/net'
import { type MailServer, openMailServer } from '@/test/mailServer'
import { memoryData, memoryStore } from '@/test/memoryStore'
import { notifyConfig, openServices, type Services } from '@/test/notifyServices'
import { openPushService } from '@/test/pushService'
import { TEAM } from '@/test/worldHistories'
import { openPeople } from '../people'
import type { OutsideNote } from '../types'
import { openChannels } from '.'
import { openEmail, withoutSecrets } from './email'
import { failureSentence } from './sentenceOf'
import { openWebhook } from './webhook'
import { openWebPush } from './webPush'

const ANA = TEAM.ana.id
const item = (n: number) => ({
  task: 'Reading',
  from: 'Reader',
  text: `question ${n}`,
  url: `https://convene.test/requests/${n}`,
  since: 0,
})
const note = (more: Partial<OutsideNote> = {}): OutsideNote => ({
  id: 'note-1',
  person: { id: ANA, name: 'Ana' },
  because: 'rings',
  tag: 'tag',
  title: 'Reader is waiting for you',
  text: 'May I go on?',
  url: 'https://convene.test/requests/1?from=mail',
  items: [item(1)],
  language: 'en',
  isSilent: false,
  waiting: 1,
  ...more,
})
const open: { close(): void }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

/** A further try is made for what may pass: too many calls, a time-out, trouble of the server. */
const MAY_PASS: readonly [number, boolean][] = [
  [300, false],
  [400, false],
  [403, false],
  [428, false],
  [429, true],
  [499, false],
  [500, true],
  [503, true],
]

describe('a webhook', () => {
  const calling = (answer: () => Promise<{ status: number }>, key: string | null = 'key') =>
    openWebhook({ outbound: answer as never, key: () => key, now: () => 0 })('https://hook.example', note())

  it('has taken the call when it answers 200 to 299', async () => {
    for (const status of [200, 204, 299]) expect(await calling(async () => ({ status }))).toEqual({ ok: true })
  })

  it.each([...MAY_PASS, [407, false], [408, true], [409, false]] as const)(
    'is tried again by what it answers: %i',
    async (status, again) => {
      const why = `the webhook answers ${status}`
      expect(await calling(async () => ({ status }))).toEqual({ ok: false, why, again })
    },
  )

  it('is tried again when it does not answer, and not when its address is private or there is no key', async () => {
    const failing = (error: Error) => calling(async () => Promise.reject(error))
    expect(await failing(new NoAnswerError(10))).toMatchObject({ ok: false, again: true })
    expect(await failing(new PrivateAddressError('10.0.0.1'))).toEqual({
      ok: false,
      why: 'it leads into a private network',
      again: false,
    })
    const called = calling(async () => Promise.reject(new Error('it was called')), null)
    expect(await called).toEqual({ ok: false, why: 'there is no key to sign with', again: false })
  })
})

describe('a push', () => {
  async function pushing(
    outbound: (address: string, request: { headers: Record<string, string> }) => Promise<{ status: number }>,
  ) {
    const service = await openPushService()
    open.push(service)
    const { people: rows } = memoryStore({ data: memoryData() })
    const people = await openPeople(rows, [ANA])
    await people.addBrowser(ANA, { ...service.subscription, endpoint: 'https://push.example/1' })
    return { people, push: openWebPush({ people, outbound: outbound as never, subject: 'mailto:team@example' }) }
  }

  it('has arrived when the service answers 200 to 299', async () => {
    for (const status of [200, 201, 299]) {
      const { push } = await pushing(async () => ({ status }))
      expect(await push.send(note())).toEqual({ ok: true })
    }
  })

  it.each(MAY_PASS)('is tried again by what the service answers: %i', async (status, again) => {
    const { people, push } = await pushing(async () => ({ status }))
    expect(await push.send(note())).toEqual({ ok: false, why: `the push service answers ${status}`, again })
    expect(people.browsersOf(ANA)).toHaveLength(1)
  })

  it.each([404, 410])('to a browser that is gone (%i) forgets the browser', async (status) => {
    const { people, push } = await pushing(async () => ({ status }))
    expect(await push.send(note())).toMatchObject({ ok: false, again: false })
    expect(people.browsersOf(ANA)).toEqual([])
    expect(await push.send(note())).toEqual({ ok: false, why: 'no browser takes pushes', again: false })
  })

  it('of something urgent lives half an hour and comes first; another one lives half a day', async () => {
    const sent: Record<string, string>[] = []
    const { push } = await pushing(async (_, { headers }) => {
      sent.push(headers)
      return { status: 201 }
    })
    await push.send(note())
    await push.send(note({ because: 'open' }))
    await push.close(ANA, 'tag', 0)
    expect(sent.map(({ TTL, Urgency }) => [TTL, Urgency])).toEqual([
      ['1800', 'high'],
      ['43200', 'normal'],
      ['1800', 'high'],
    ])
  })

  it('that reached one browser of several counts as sent', async () => {
    let calls = 0
    const { people, push } = await pushing(async () => ({ status: ++calls === 1 ? 500 : 201 }))
    const [first] = people.browsersOf(ANA)
    if (first === undefined) throw new Error('no browser')
    await people.addBrowser(ANA, { ...first, endpoint: 'https://push.example/2' })
    expect(await push.send(note())).toEqual({ ok: true })
    expect(calls).toBe(2)
  })

  it('that failed at a browser that is gone is tried again while another browser may still get it', async () => {
    let calls = 0
    const { people, push } = await pushing(async () => ({ status: ++calls === 1 ? 410 : 503 }))
    const [first] = people.browsersOf(ANA)
    if (first === undefined) throw new Error('no browser')
    await people.addBrowser(ANA, { ...first, endpoint: 'https://push.example/2' })
    expect(await push.send(note())).toMatchObject({ ok: false, again: true })
  })
})

describe('a mail', () => {
  async function mailing(answer: string | null, more: Partial<OutsideNote> = {}): Promise<[unknown, MailServer]> {
    const server = await openMailServer()
    open.push(server)
    if (answer !== null) server.answers.push(answer)
    const sent = await openEmail({ server: () => server.url, from: 'convene@test' })('ana@test', note(more))
    return [sent, server]
  }

  it.each([
    ['450 later', true],
    ['499 later', true],
    ['500 what', false],
    ['550 nobody', false],
  ])('is sent again only when the server may take it later: %s', async (answer, again) => {
    const [sent] = await mailing(answer)
    expect(sent).toMatchObject({ ok: false, again, why: expect.stringContaining(answer) })
  })

  it('is sent again when there is no connection, and not when no server or sender is named', async () => {
    const closed = await openMailServer()
    closed.close()
    const send = (server: string | null, from: string | null) =>
      openEmail({ server: () => server, from })('ana@test', note())
    expect(await send(closed.url, 'convene@test')).toEqual({
      ok: false,
      why: 'no connection (ECONNREFUSED)',
      again: true,
    })
    const none = { ok: false, why: 'there is no mail server', again: false }
    expect(await send(null, 'convene@test')).toEqual(none)
    expect(await send(closed.url, null)).toEqual(none)
  })

  it('is marked as important when somebody waits, and lists several items', async () => {
    const [, urgent] = await mailing(null)
    expect(urgent.got[0]?.text).toContain('Importance: high')
    expect(urgent.got[0]?.text).not.toContain('- Reader: question 1')
    const [, daily] = await mailing(null, { because: 'open', items: [item(1), item(2)] })
    expect(daily.got[0]?.text).not.toContain('Importance')
    expect(daily.got[0]?.text).toContain('- Reader: question 1')
    expect(daily.got[0]?.text).toContain('https://convene.test/requests/2')
  })

  it('that fails says so without name and password of the server', () => {
    expect(withoutSecrets('535 ana and p@ss are wrong', 'smtp://ana:p%40ss@mail.example')).toBe('535 … and … are wrong')
    expect(withoutSecrets('535 no', 'smtp://mail.example')).toBe('535 no')
    expect(withoutSecrets('535 no', 'mail.example')).toBe('535 no')
  })
})

it('a failure is one sentence that does not say where the channel leads', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:25'), { syscall: 'connect' })
  expect(failureSentence(refused)).toBe('no connection (ECONNREFUSED)')
  expect(failureSentence(new Error('554 no'))).toBe('554 no')
  expect(failureSentence('a text')).toBe('a text')
})

describe('the channels of a person', () => {
  async function channels(more: (services: Services) => object = () => ({})) {
    const services = await openServices()
    open.push(services)
    const { people: rows } = memoryStore({ data: memoryData() })
    const people = await openPeople(rows, [ANA, TEAM.lee.id])
    const config = notifyConfig(services)
    return { services, people, channels: openChannels({ ...config, ...more(services) }, people, () => 0) }
  }

  it('are those that are set up for them, with their addresses and without secrets', async () => {
    const { people, services, channels: own } = await channels()
    expect(own.readyFor(ANA)).toEqual(['webhook', 'email'])
    expect(own.readyFor(TEAM.lee.id)).toEqual([])
    await people.addBrowser(ANA, services.push.subscription)
    expect(own.readyFor(ANA)).toEqual(['push', 'webhook', 'email'])
    expect(own.stateFor(ANA)).toMatchObject({
      email: { state: 'ready', to: 'ana@test' },
      webhook: { state: 'ready', to: new URL(services.webhook.url).host },
    })
    expect(own.stateFor(TEAM.lee.id)).toMatchObject({
      email: { state: 'none', to: null },
      webhook: { state: 'none', to: null },
    })
  })

  it('are not ready while a variable is not set', async () => {
    const { channels: own } = await channels(() => ({ secret: () => undefined }))
    expect(own.readyFor(ANA)).toEqual([])
    expect(own.stateFor(ANA)).toMatchObject({ email: { state: 'notReady' }, webhook: { state: 'notReady' } })
  })

  it('take a test: by one browser or by all, and say what is not set up', async () => {
    const { people, services, channels: own } = await channels()
    const { id } = await people.addBrowser(ANA, services.push.subscription)
    expect(await own.sendTest('push', id, note())).toEqual({ ok: true })
    expect(await own.sendTest('push', null, note())).toEqual({ ok: true })
    expect(services.push.got).toHaveLength(2)
    expect(await own.sendTest('push', 'another', note())).toEqual({
      ok: false,
      why: 'this browser is not known',
      again: false,
    })
    expect(await own.sendTest('email', null, note({ person: { id: asId(TEAM.lee.id), name: 'Lee' } }))).toEqual({
      ok: false,
      why: 'it is not set up',
      again: false,
    })
  })
})
