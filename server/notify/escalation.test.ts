/** What somebody is told who does not look, from the first alert to the last, with real servers at the other end. */
import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { type EscalationMemory, NO_ALERTS_GIVEN, nextEscalation } from '@/client/notify/escalation'
import { selectAlerts } from '@/lib/mas/asks/alerts'
import { asId, type MessageId, type WaitingId } from '@/lib/mas/ids'
import type { AttemptRecord, RequestRecord, World } from '@/lib/mas/records'
import { OWN_CHANNELS } from '@/lib/mas/records'
import { handClock } from '@/test/handClock'
import { memoryData } from '@/test/memoryStore'
import {
  type NotifyTest,
  notifyTimes,
  openNotifyTest,
  openServices,
  READING,
  type Services,
  WEBHOOK_KEY,
} from '@/test/notifyServices'
import { sampleOf } from '@/test/samples'
import { outcomeAt } from '@/test/stories'
import { BASE_TASK, Story, send, TEAM } from '@/test/worldHistories'
import { planNotices } from './plan'

const [ANA, BEN, LEE] = [TEAM.ana.id, TEAM.ben.id, TEAM.lee.id]
const MINUTES = 60
const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

async function reach(more: Partial<Parameters<typeof openNotifyTest>[0]> = {}): Promise<NotifyTest> {
  const services: Services = more.services ?? (await openServices())
  open.push(services.close)
  const made = await openNotifyTest({ ...more, services })
  open.push(() => made.notify.stop())
  return made
}
/** "channel of whom at second: outcome", from the moment it came. */
const lines = (attempts: readonly AttemptRecord[], since: number): string[] =>
  attempts.map(({ channel, person, at, outcome }) => {
    const who = Object.values(TEAM).find(({ id }) => id === person)?.name
    return `${channel} ${who} ${Math.round((at - since) / 1_000)}: ${outcome}`
  })
const ringsOf = (world: World) => selectAlerts(world).rings.filter(({ person }) => person === ANA)
function messageOfRing(world: World): MessageId {
  const [ring] = ringsOf(world)
  const message = ring && world.requests[ring.task]?.[ring.request]?.message
  if (!message) throw new Error('it came with a message')
  return message
}
/** The reader asks Ana, and waits for her. */
async function ask({ put, until }: NotifyTest): Promise<number> {
  await put(ANA, READING)
  const [call] = ringsOf(await until((world) => ringsOf(world).length > 0))
  return call?.since ?? 0
}

/** Ana's page, in the background: it escalates its own alerts and reports each. */
function backgroundPage(test: NotifyTest): (at: number) => Promise<void> {
  let memory: EscalationMemory = NO_ALERTS_GIVEN
  return async (at) => {
    const waiting = ringsOf(test.world()).map(({ request, since }) => ({
      id: request ?? '',
      loudness: 'urgent' as const,
      isAlerting: true,
      askedAt: since,
      since,
      snoozedUntil: 0,
    }))
    const step = nextEscalation(memory, waiting, () => 'away', false, at)
    memory = step.memory
    for (const { kind } of step.effects) {
      const items = waiting.map(({ id }) => id as never)
      if (kind === 'alarm') await test.put(ANA, { type: 'noteTold', items, channel: 'page' })
      if (kind === 'desktop') await test.put(ANA, { type: 'noteTold', items, channel: 'desktop' })
    }
  }
}

describe('an Urgent that nobody sees', () => {
  it('[R43] goes through all attempts: page, desktop, own channels, the next of the role group, to the end', async () => {
    const test = await reach()
    const { services } = test
    await test.notify.subscribe(ANA, services.push.subscription)
    test.isHere(ANA, true)
    const since = await ask(test)
    await test.pass(2 * 60 * MINUTES, backgroundPage(test))

    const told = lines(test.attemptsAt(ANA), since)
    const KNOCKS = [0, 20, 40, 60, 360, 660, 960, 1260, 1560]
    for (const channel of ['page', 'desktop']) {
      expect(told.filter((line) => line.startsWith(channel))).toEqual(KNOCKS.map((at) => `${channel} Ana ${at}: sent`))
    }
    const RUNGS = [60, 360, 660, 960, 1260, 1560]
    for (const channel of ['push', 'webhook']) {
      expect(told.filter((line) => line.startsWith(channel))).toEqual(RUNGS.map((at) => `${channel} Ana ${at}: sent`))
    }
    expect(told.filter((line) => /email|next|none/.test(line))).toEqual(['email Ana 60: sent', 'next Ben 120: sent'])

    // Ben has no page open, and mail alone; he is asked too, and there is no third lead after him.
    const [request] = Object.values(test.world().requests).flatMap((requests) => Object.values(requests))
    expect(request?.asked).toEqual([ANA, BEN])
    expect(lines(test.attemptsAt(BEN), since)).toEqual(['email Ben 125: sent'])
    expect(services.mail.got.map(({ to }) => to)).toEqual([['ana@test'], ['ben@test']])
    expect(services.push.got).toHaveLength(RUNGS.length)
    expect(services.webhook.got).toHaveLength(RUNGS.length)
  })

  it('says who waits, where, and what, in each channel; pushes are for this browser only and signed by us', async () => {
    const test = await reach()
    const { services } = test
    await test.notify.subscribe(ANA, services.push.subscription)
    await ask(test)
    await test.pass(10)
    const [request] = Object.values(test.world().requests).flatMap((requests) => Object.values(requests))
    const url = `https://convene.test/requests/${request?.id}`
    expect(services.push.got).toEqual([
      {
        content: {
          kind: 'show',
          tag: request?.id,
          title: 'Reader is waiting for you',
          text: 'May I go on? · Reading',
          path: `/requests/${request?.id}`,
          isUrgent: true,
          isSilent: false,
          waiting: 1,
          language: 'en',
        },
        topic: expect.stringMatching(/^[\w-]{32}$/),
        urgency: 'high',
        ttl: 1_800,
        signedBy: test.notify.channelsOf(ANA).pushKey,
      },
    ])
    const [mail] = services.mail.got
    expect(mail?.from).toBe('convene@test')
    expect(mail?.text).toContain('Subject: Reader is waiting for you')
    // Long lines are folded on the way.
    expect(mail?.text.replaceAll('=\n', '')).toContain(url)
    const [call] = services.webhook.got
    const { 'convene-id': id, 'convene-timestamp': at, 'convene-signature': signature } = call?.headers ?? {}
    expect(signature).toBe(`v1=${createHmac('sha256', WEBHOOK_KEY).update(`${id}.${at}.${call?.body}`).digest('hex')}`)
    expect(JSON.parse(call?.body ?? '')).toMatchObject({
      type: 'notice',
      id,
      because: 'rings',
      text: `Reader is waiting for you: May I go on? · Reading\n${url}`,
      person: { id: ANA, name: 'Ana' },
      items: [{ from: 'Reader', text: 'May I go on?', url }],
    })
  })

  it('[R43] is told at once outside the page when no page is open, or as soon as the last one is closed', async () => {
    const test = await reach()
    test.isHere(ANA, true)
    const since = await ask(test)
    await test.pass(20)
    expect(test.attemptsAt(ANA)).toEqual([])
    test.isHere(ANA, false)
    await test.pass(10)
    expect(lines(test.attemptsAt(ANA), since)).toEqual(['webhook Ana 25: sent', 'email Ana 25: sent'])
  })

  const urgentToBen = async (): Promise<{ test: NotifyTest; message: MessageId; since: number }> => {
    const test = await reach()
    await test.put(LEE, send(LEE, [BEN], { text: 'The lamp burns', kind: 'urgent' }))
    const [sent] = Object.values(test.world().messages).flatMap((all) => Object.values(all))
    if (!sent) throw new Error('no message')
    return { test, message: sent.id, since: sent.at }
  }

  it('[R45] from one person to another is put to the next of the role group too, who is reached by all attempts of their own', async () => {
    const { test, message, since } = await urgentToBen()
    await test.pass(3 * MINUTES)
    expect(lines(test.attemptsAt(BEN), since)).toEqual(['email Ben 5: sent', 'next Ana 120: sent'])
    expect(lines(test.attemptsAt(ANA), since)).toEqual(['webhook Ana 125: sent', 'email Ana 125: sent'])
    expect(test.world().notices[ANA]?.at(-1)).toMatchObject({ kind: 'not_reached', words: { who: 'Lee', from: 'Ben' } })
    const ringing = () => selectAlerts(test.world()).rings.map(({ person }) => person)
    expect(ringing()).toEqual([ANA, BEN])
    // All attempts are made for the next person, and there is no third lead to ask.
    await test.pass(10 * MINUTES)
    expect(lines(test.attemptsAt(ANA), since).filter((line) => line.startsWith('webhook'))).toEqual([
      'webhook Ana 125: sent',
      'webhook Ana 480: sent',
      'webhook Ana 780: sent',
    ])
    expect(test.attemptsAt(BEN).filter(({ channel }) => channel === 'next')).toHaveLength(1)

    await test.put(ANA, { type: 'markDone', message })
    const outcomes = [BEN, ANA].map((who) => outcomeAt(test.world(), BASE_TASK, message, who))
    expect(outcomes).toMatchObject([
      { state: 'done', by: ANA },
      { state: 'done', by: null, reassigned: { from: BEN, by: 'escalation' } },
    ])
    expect(ringing()).toEqual([])
    await test.pass(30 * MINUTES)
    expect(lines(test.attemptsAt(ANA), since).filter((line) => line.startsWith('webhook'))).toHaveLength(3)
  })

  it('[R45] from one person to another that was acknowledged in time is put to nobody else', async () => {
    const { test, message } = await urgentToBen()
    await test.pass(60)
    await test.put(BEN, { type: 'acknowledge', message })
    await test.pass(10 * MINUTES)
    expect(test.attemptsAt(BEN).filter(({ channel }) => channel === 'next')).toEqual([])
    expect(test.attemptsAt(ANA)).toEqual([])
  })

  it('[R44] that is settled, acknowledged or asked for later is told no further, and its push is taken away', async () => {
    const test = await reach()
    const { push } = test.services
    await test.notify.subscribe(ANA, push.subscription)
    await ask(test)
    await test.pass(10)
    const message = messageOfRing(test.world())
    await test.put(ANA, { type: 'remindMe', about: { message }, minutes: 60 })
    await test.pass(20 * MINUTES)
    expect(push.got).toHaveLength(1)
    await test.pass(45 * MINUTES)
    expect(push.got).toHaveLength(2)
    await test.put(ANA, { type: 'acknowledge', message })
    await test.pass(10 * MINUTES)
    expect(push.got.slice(2).map(({ content }) => content)).toEqual([
      { kind: 'close', tag: push.got[0]?.content.tag, waiting: 1 },
    ])
  })

  it('[R44] is answered before it is due: nobody is told anything', async () => {
    const test = await reach()
    test.isHere(ANA, true)
    await ask(test)
    await test.pass(50)
    const [request] = Object.values(test.world().requests).flatMap((requests) => Object.values(requests))
    if (!request) throw new Error('no request')
    const answer = { decision: 'answer' as const, text: 'Yes', arguments: null, digest: null }
    await test.put(ANA, { type: 'answerRequest', request: request.id, ...answer })
    await test.pass(60 * MINUTES)
    expect(test.attemptsAt(ANA)).toEqual([])
    expect([...test.services.mail.got, ...test.services.webhook.got]).toEqual([])
  })

  it('[R45] that was acknowledged and not answered for a quarter of an hour rings again', async () => {
    const test = await reach()
    await ask(test)
    const message = messageOfRing(test.world())
    await test.put(ANA, { type: 'acknowledge', message })
    await test.pass(14 * MINUTES)
    expect(ringsOf(test.world())).toEqual([])
    await test.pass(1 * MINUTES + 10)
    expect(ringsOf(test.world())).toHaveLength(1)
    const requests = Object.values(test.world().requests).flatMap((own) => Object.values<RequestRecord>(own))
    const request = requests.find((one) => one.message === message)
    expect(request?.notes).toMatchObject([{ kind: 'raisedAgain' }])
    expect(lines(test.attemptsAt(ANA), request?.raisedAt ?? 0)[0]).toBe('webhook Ana 5: sent')
  })
})

describe('do not disturb', () => {
  const rest = (until: number | null, urgentBreaksThrough: boolean) => ({
    rest: { isOn: true, until, daily: null, urgentBreaksThrough },
  })
  it('[R44] holds what is sent, says until when, and lets it go on afterwards', async () => {
    const test = await reach()
    const until = test.clock.now() + 10 * 60_000
    await test.store.people.put(ANA, 'settings', rest(until, false), null)
    test.notify.settingsChanged(ANA)
    const since = await ask(test)
    await test.pass(9 * MINUTES)
    const held = test.attemptsAt(ANA).filter(({ person }) => person === ANA)
    expect(held).toMatchObject([{ channel: 'none', outcome: 'held', until }])
    expect(test.services.mail.got.flatMap(({ to }) => to)).not.toContain('ana@test')
    await test.pass(2 * MINUTES)
    expect(lines(test.attemptsAt(ANA), since).filter((line) => line.startsWith('email Ana'))).toEqual([
      `email Ana ${Math.round((until - since) / 1_000)}: sent`,
    ])
  })

  it('lets an Urgent through without a sound where the person says so', async () => {
    const test = await reach()
    await test.notify.subscribe(ANA, test.services.push.subscription)
    await test.store.people.put(ANA, 'settings', rest(null, true), null)
    test.notify.settingsChanged(ANA)
    await ask(test)
    await test.pass(10)
    expect(test.services.push.got[0]?.content).toMatchObject({ isSilent: true })
  })
})

describe('a channel that fails', () => {
  it('[R43] is repeated with pauses, and its outcome is a line with the reason', async () => {
    const test = await reach()
    const { webhook, mail } = test.services
    webhook.answers.push(503, 500, 204)
    mail.answers.push('554 no such person')
    const since = await ask(test)
    await test.pass(30)
    expect(lines(test.attemptsAt(ANA), since)).toEqual(['webhook Ana 5: sent', 'email Ana 5: failed'])
    expect(new Set(webhook.got.map(({ headers }) => headers['convene-id'])).size).toBe(1)
    expect(webhook.got).toHaveLength(3)
    const failed = test.attemptsAt(ANA).find(({ channel }) => channel === 'email')
    expect(failed?.note).toContain('554 no such person')
    expect(failed?.note).not.toContain('letmein')
  })

  it('says so when somebody has no channel of their own, once', async () => {
    const test = await reach()
    await test.put(ANA, send(ANA, [LEE], { text: 'Come', kind: 'urgent' }))
    await test.pass(60 * MINUTES)
    expect(test.attemptsAt(LEE)).toMatchObject([{ channel: 'none', outcome: 'missing' }])
  })

  it('forgets a browser that takes no pushes any more', async () => {
    const test = await reach()
    await test.notify.subscribe(LEE, test.services.push.subscription)
    test.services.push.answers.push(410)
    await test.put(ANA, send(ANA, [LEE], { text: 'Come', kind: 'urgent' }))
    await test.pass(10)
    expect(test.attemptsAt(LEE)).toMatchObject([
      { channel: 'push', outcome: 'failed' },
      { channel: 'none', outcome: 'missing' },
    ])
    expect(test.notify.channelsOf(LEE).browsers).toEqual([])
  })
})

describe('Actions that have been open for hours', () => {
  it('[R43] are told in one notice, then daily, to somebody who has no page open', async () => {
    const test = await reach()
    for (const text of ['one', 'two', 'three']) await test.put(LEE, send(LEE, [BEN], { text, kind: 'action' }))
    const hours = async (count: number): Promise<void> => {
      for (let hour = 0; hour < count; hour++) {
        test.clock.pass(3_599_000)
        await test.pass(1)
      }
    }
    await hours(3)
    expect(test.services.mail.got).toEqual([])
    await hours(2)
    expect(test.services.mail.got).toHaveLength(1)
    expect(test.services.mail.got[0]?.text).toContain('Subject: 3 items are waiting for you')
    await hours(20)
    expect(test.services.mail.got).toHaveLength(1)
    await hours(6)
    expect(test.services.mail.got).toHaveLength(2)
  })
})

describe('a program that is killed', () => {
  it('[R43] between the entry and the send: pushes and webhooks are made up for, a mail counts as unknown', async () => {
    const [data, services, clock] = [memoryData(), await openServices(), handClock()]
    const first = await reach({ data, services, clock })
    await first.notify.subscribe(ANA, services.push.subscription)
    await ask(first)
    first.notify.stop()
    const items = ringsOf(first.world()).map(({ task, request }) => ({ task, request }))
    const wish = { person: ANA, items, because: 'rings', rung: 1, outcome: 'began', until: null, node: 'n1' } as const
    for (const channel of ['push', 'webhook', 'email'] as const) {
      expect((await first.put('system:notify', { type: 'attemptNotice', ...wish, channel })).ok).toBe(true)
      // The one who wants the same once more is refused: it is sent by the one who reads the entry, once.
      expect((await first.put('system:notify', { type: 'attemptNotice', ...wish, channel })).ok).toBe(false)
    }
    await first.engine.stop()

    const second = await reach({ data, services, clock, prefix: 'second' })
    await second.pass(10)
    expect(second.attemptsAt(ANA).map(({ channel, outcome }) => `${channel} ${outcome}`)).toEqual([
      'push sent',
      'webhook sent',
      'email unknown',
    ])
    expect([services.push.got.length, services.webhook.got.length, services.mail.got.length]).toEqual([1, 1, 0])
    expect(services.webhook.got[0]?.headers['convene-id']).toBe(second.attemptsAt(ANA)[1]?.id)
  })

  it('finds pages coming back to it before it counts anybody as gone', async () => {
    const [data, services, clock] = [memoryData(), await openServices(), handClock()]
    const first = await reach({ data, services, clock })
    first.isHere(ANA, true)
    await ask(first)
    await first.pass(5)
    first.notify.stop()
    await first.engine.stop()
    const second = await reach({ data, services, clock, prefix: 'second' })
    second.isHere(ANA, true)
    await second.pass(20)
    expect(second.attemptsAt(ANA)).toEqual([])
    await second.pass(30)
    expect(second.attemptsAt(ANA)).not.toEqual([])
  })

  it('[R43] between two attempts: nothing is sent twice and the rest comes; of what was missed only the latest', async () => {
    const [data, services, clock] = [memoryData(), await openServices(), handClock()]
    const first = await reach({ data, services, clock })
    const since = await ask(first)
    await first.pass(7 * MINUTES)
    first.notify.stop()
    await first.engine.stop()
    clock.pass(10 * 60_000)
    const second = await reach({ data, services, clock, prefix: 'second' })
    await second.pass(60 * MINUTES)
    expect(lines(second.attemptsAt(ANA), since).filter((line) => line.startsWith('webhook'))).toEqual(
      [5, 360, 1020, 1260, 1560].map((at) => `webhook Ana ${at}: sent`),
    )
    expect(services.webhook.got).toHaveLength(5)
    expect(services.mail.got.map(({ to }) => to[0])).toEqual(['ana@test', 'ben@test'])
  })
})

describe('a thousand messages among agents', () => {
  it('[R44] a thousand messages among agents alert nobody', () => {
    const story = new Story()
    const sample = sampleOf('message.sent')
    if (sample.type !== 'message.sent') throw new Error('another sample')
    for (let n = 0; n < 1_000; n++) {
      const message = asId<MessageId>(`message-${n}`)
      const waiting = n % 2 === 0 ? [asId<WaitingId>(`waiting-${n}`)] : null
      const [from, to] = n % 3 === 0 ? [TEAM.reader.id, TEAM.analyst.id] : [TEAM.analyst.id, TEAM.reader.id]
      story.happens({ ...sample, task: BASE_TASK, message, sender: from, receivers: [to], waiting })
    }
    const situation = {
      node: 'n1',
      times: notifyTimes,
      escalation: [{ group: 'leads', afterMs: 0 }],
      channelsOf: () => OWN_CHANNELS,
      goneSince: () => 0,
      restOf: () => ({ isResting: false, until: null, lets: true }),
      rulesOf: () => ({}),
    }
    expect(Object.keys(story.world.messages[BASE_TASK] ?? {})).toHaveLength(1_000)
    expect(planNotices(story.world, story.world.at + 86_400_000, situation)).toEqual([])
  })
})
