/** Which attempts of the journal this node sends, when it stops, and what it learns from pages and other nodes. */

import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { selectAlerts } from '@/lib/mas/asks/alerts'
import type { RequestId } from '@/lib/mas/ids'
import type { OwnChannel } from '@/lib/mas/records'
import type { NodeNote } from '@/server/nodes'
import { handClock } from '@/test/handClock'
import { memoryData } from '@/test/memoryStore'
import { type NotifyTest, openNotifyTest, openServices, READING } from '@/test/notifyServices'
import { BASE_TASK, send, TEAM } from '@/test/worldHistories'

const [ANA, BEN, LEE] = [TEAM.ana.id, TEAM.ben.id, TEAM.lee.id]
const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

async function reach(more: Partial<Parameters<typeof openNotifyTest>[0]> = {}): Promise<NotifyTest> {
  const services = more.services ?? (await openServices())
  open.push(services.close)
  const made = await openNotifyTest({ ...more, services })
  open.push(() => made.notify.stop())
  return made
}
/** The reader waits for Ana. out: the item */
async function ask(test: NotifyTest): Promise<RequestId> {
  await test.put(ANA, READING)
  const ringing = () => selectAlerts(test.world()).rings.filter(({ person }) => person === ANA)
  await test.until(() => ringing().length > 0)
  const [call] = ringing()
  if (call === undefined) throw new Error('nothing rings')
  return call.request
}
const subjectsOf = ({ services }: NotifyTest): (string | undefined)[] =>
  services.mail.got.map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1]?.trim())
/** Text that a mail holds, without its folding. */
const textsOf = ({ services }: NotifyTest): string[] =>
  services.mail.got.map(({ text }) => text.replaceAll('=\n', '').replaceAll('=3D', '='))

it('[R43] after a stop nothing is tried again, and the attempt stays open for the next start', async () => {
  const test = await reach()
  const { webhook } = test.services
  webhook.answers.push(503)
  await ask(test)
  test.clock.pass(6_000)
  // The first try is on its way.
  await test.until(() => test.attemptsAt(ANA).length > 0)
  test.notify.stop()
  await expect.poll(() => webhook.got.length).toBe(1)
  for (let second = 0; second < 60; second++) {
    test.clock.pass(1_000)
    await turn()
  }
  expect(webhook.got).toHaveLength(1)
  expect(test.attemptsAt(ANA).find(({ channel }) => channel === 'webhook')?.outcome).toBe('began')
})

it('[R43] what another node has begun is left to it', async () => {
  const test = await reach()
  test.isHere(ANA, true)
  const request = await ask(test)
  const task = Object.keys(test.world().requests).find((id) => id !== BASE_TASK) as typeof BASE_TASK
  const put = (channel: OwnChannel, node: string) =>
    test.put('system:notify', {
      type: 'attemptNotice',
      person: ANA,
      items: [{ task, request }],
      because: 'rings',
      rung: 1,
      outcome: 'began',
      until: null,
      channel,
      node,
    })
  expect((await put('email', 'n2')).ok).toBe(true)
  await turn()
  expect(test.services.mail.got).toEqual([])
  expect((await put('webhook', 'n1')).ok).toBe(true)
  await test.until(() => test.services.webhook.got.length === 1)
})

it('[R44] a push that an earlier process sent is taken away when its item is settled', async () => {
  const [data, services, clock] = [memoryData(), await openServices(), handClock()]
  const first = await reach({ data, services, clock })
  await first.notify.subscribe(ANA, services.push.subscription)
  const request = await ask(first)
  await first.pass(10)
  expect(services.push.got).toHaveLength(1)
  first.notify.stop()
  await first.engine.stop()

  const second = await reach({ data, services, clock, prefix: 'second' })
  const asked = Object.values(second.world().requests).flatMap((own) => own[request] ?? [])[0]
  if (!asked?.message) throw new Error('it came with a message')
  await second.put(ANA, { type: 'acknowledge', message: asked.message })
  await second.pass(1)
  expect(services.push.got.slice(1).map(({ content }) => content)).toEqual([
    { kind: 'close', tag: services.push.got[0]?.content.tag, waiting: 1 },
  ])
})

it('a person without a page is gone since the last one closed, however often that is said', async () => {
  const test = await reach()
  test.isHere(ANA, true)
  await ask(test)
  await test.pass(10)
  test.isHere(ANA, false)
  await test.pass(3)
  test.isHere(ANA, false)
  await test.pass(1)
  expect(test.attemptsAt(ANA)).toEqual([])
  await test.pass(2)
  expect(test.attemptsAt(ANA).map(({ channel }) => channel)).toEqual(['webhook', 'email'])
})

it('what another node says of a person’s settings is read again, and changes here are said to the others', async () => {
  const told: NodeNote[] = []
  let hear: (note: NodeNote, from: string) => void = () => undefined
  const test = await reach({
    nodes: {
      tell: (note) => void told.push(note),
      onNote: (listener) => {
        hear = listener
        return () => undefined
      },
    },
  })
  const rest = { isOn: true, until: null, daily: null, urgentBreaksThrough: false }
  await test.store.people.put(ANA, 'settings', { rest }, null)
  hear({ is: 'person', person: ANA }, 'n2')
  await test.pass(1)
  await ask(test)
  await test.pass(70)
  expect(test.attemptsAt(ANA).filter(({ person }) => person === ANA)).toMatchObject([
    { channel: 'none', outcome: 'held' },
  ])
  expect(told).toEqual([])
  const { id } = await test.notify.subscribe(BEN, test.services.push.subscription)
  await test.notify.unsubscribe(BEN, id)
  test.notify.settingsChanged(LEE)
  expect(told).toEqual([
    { is: 'person', person: BEN },
    { is: 'person', person: BEN },
    { is: 'person', person: LEE },
  ])
})

it('a mail says whether somebody waits or only something is urgent, and leads to the item, of several to the inbox', async () => {
  const urgent = await reach()
  await urgent.put(LEE, send(LEE, [BEN], { text: 'The lamp burns', kind: 'urgent' }))
  await urgent.pass(10)
  expect(subjectsOf(urgent)).toEqual(['Urgent from Lee'])

  const hours = async (count: number): Promise<NotifyTest> => {
    const test = await reach()
    for (let n = 0; n < count; n++) await test.put(LEE, send(LEE, [BEN], { text: `thing ${n}`, kind: 'action' }))
    for (let hour = 0; hour < 5; hour++) {
      test.clock.pass(3_599_000)
      await test.pass(1)
    }
    return test
  }
  const [one, two] = [await hours(1), await hours(2)]
  expect(subjectsOf(one)).toEqual(['1 item is waiting for you'])
  expect(textsOf(one)[0]).toContain(`https://convene.test/tasks/${BASE_TASK}/messages/`)
  expect(textsOf(one)[0]).not.toContain('https://convene.test/inbox')
  expect(textsOf(two)[0]).toContain('https://convene.test/inbox')
})
