/** A page holds so many places and no more. */
import { expect, it } from 'vitest'
import { Story, TEAM } from '@/test/worldHistories'
import { openMonitor } from '.'
import { SUBS_PER_CONNECTION } from './monitor'

it('[R61] a place beyond the hundredth is passed over until another one is left; those that are held may move', async () => {
  const story = new Story()
  const monitor = openMonitor({
    engine: { node: 'n1', world: () => story.world, onDecision: () => () => {} },
    journal: 'journal',
    run: 'run',
    now: () => 0,
    schedule: () => () => {},
  })
  const sent: string[] = []
  const connection = {
    person: TEAM.ana.id,
    send: (event: string, message: unknown) => void sent.push(`${event} ${(message as { sub: string }).sub}`),
  }
  const ask = (sub: string, asked = 1): string[] => {
    monitor.attach(connection, { sub, asked, view: 'overview' })
    return sent.splice(0)
  }
  expect(SUBS_PER_CONNECTION).toBe(100)
  for (let n = 1; n <= 100; n++) expect(ask(`place${n}`)).toEqual([`reset place${n}`])
  expect(ask('place101')).toEqual([])
  expect(monitor.counts().subscriptions).toBe(100)
  expect(ask('place7', 2)).toEqual(['reset place7'])
  monitor.detach(connection, 'place7')
  expect(ask('place101')).toEqual(['reset place101'])
  expect(ask('place102')).toEqual([])
})
