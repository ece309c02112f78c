import { describe, expect, it } from 'vitest'
import { ringOf } from '@/client/notify/escalation'
import { messageRow } from '@/components/inbox/test/openRows'
import { type AgentId, asId, type TaskId } from '@/lib/mas/ids'
import type { RingRules } from '@/lib/wire/levels'
import type { InboxGroup } from '@/lib/wire/rows'
import { CODER, fixtureWho } from '@/test/gallery/fixtures/people'
import { waitingItems } from './waiting'

const ME = asId<AgentId>('ana')
const LEE = { ...fixtureWho(CODER), id: asId<AgentId>('lee') }
const row = (group: InboxGroup) =>
  messageRow(
    group,
    {
      task: asId<TaskId>('prices'),
      type: group === 'urgent' || group === 'action' ? group : 'fyi',
    },
    {},
    { group, sender: LEE },
  )
const levels = (rules: RingRules): Record<string, string> =>
  Object.fromEntries(
    waitingItems([row('urgent'), row('action'), row('mention'), row('unread')], rules, ME).map(({ waiting }) => [
      waiting.id,
      waiting.loudness,
    ]),
  )

describe('what rings in the page', () => {
  it('[R142] a rule about who asks makes their messages quieter or louder, and never holds an Urgent back', () => {
    expect(levels({})).toEqual({ urgent: 'urgent', action: 'call', mention: 'call', unread: 'quiet' })
    expect(levels({ senders: { lee: 'urgent' } })).toEqual({
      urgent: 'urgent',
      action: 'quiet',
      mention: 'quiet',
      unread: 'quiet',
    })
    expect(levels({ senders: { lee: 'all' } }).unread).toBe('call')
    expect(levels({ senders: { ana: 'urgent' } }).action).toBe('call')
  })

  it('an Urgent that was raised again rings from then on, also where it was folded before', () => {
    const urgent = (raisedAt?: number) =>
      messageRow(
        'urgent',
        { type: 'urgent', at: 5 },
        {},
        { group: 'urgent' },
        raisedAt === undefined ? {} : { raisedAt },
      )
    const rings = waitingItems([urgent(), urgent(9_000)], {}, ME).map(({ waiting }) => waiting)
    expect(rings.map(({ since }) => since)).toEqual([5, 9_000])
    expect(new Set(rings.map(ringOf)).size).toBe(2)
  })

  it('[R142] the rule about who asks counts before that of the task', () => {
    expect(levels({ levels: { prices: 'urgent' } }).action).toBe('quiet')
    expect(levels({ levels: { prices: 'urgent' }, senders: { lee: 'mentions' } }).action).toBe('call')
    expect(levels({ levels: { prices: 'all' }, senders: { lee: 'urgent' } }).unread).toBe('quiet')
  })
})
