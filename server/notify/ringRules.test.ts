/** What may ring by the rules that a person made about tasks and about who asks; an Urgent always may. */
import { afterEach, describe, expect, it } from 'vitest'
import type { Settings } from '@/lib/wire'
import { type NotifyTest, openNotifyTest, openServices, READING } from '@/test/notifyServices'
import { BASE_TASK, send, TEAM } from '@/test/worldHistories'

const [ANA, BEN, LEE] = [TEAM.ana.id, TEAM.ben.id, TEAM.lee.id]
const open: (() => void)[] = []
afterEach(() => {
  for (const close of open.splice(0)) close()
})

async function reach(person: typeof ANA, settings: Settings): Promise<NotifyTest> {
  const services = await openServices()
  const test = await openNotifyTest({ services })
  open.push(services.close, () => test.notify.stop())
  await test.store.people.put(person, 'settings', settings, null)
  test.notify.settingsChanged(person)
  await test.pass(1)
  return test
}

/** Ben is asked for something by Lee and by Ana; hours later: the subjects of his mails. */
async function subjects(settings: Settings): Promise<(string | undefined)[]> {
  const test = await reach(BEN, settings)
  for (const sender of [LEE, ANA]) await test.put(sender, send(sender, [BEN], { text: 'one', kind: 'action' }))
  for (let hour = 0; hour < 5; hour++) {
    test.clock.pass(3_599_000)
    await test.pass(1)
  }
  return test.services.mail.got.map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1]?.trim())
}

describe('what may ring', () => {
  it('[R142] channels outside the page tell what is open for hours as the rules about tasks and askers say', async () => {
    expect(await subjects({})).toEqual(['2 items are waiting for you'])
    expect(await subjects({ senders: { [LEE]: 'urgent' } })).toEqual(['1 item is waiting for you'])
    expect(await subjects({ levels: { [BASE_TASK]: 'urgent' } })).toEqual([])
    // The rule about who asks counts before that of the task.
    expect(await subjects({ levels: { [BASE_TASK]: 'urgent' }, senders: { [LEE]: 'mentions' } })).toEqual([
      '1 item is waiting for you',
    ])
  })

  it('[R142] no rule holds an Urgent back', async () => {
    const quiet = { senders: { [TEAM.reader.id]: 'urgent' as const } }
    const test = await reach(ANA, quiet)
    await test.put(ANA, READING)
    await test.pass(70)
    expect(test.services.mail.got).toHaveLength(1)
  })
})
