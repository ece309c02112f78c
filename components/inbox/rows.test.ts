import { describe, expect, it } from 'vitest'
import type { AgentId, HandOverId, TaskId } from '@/lib/mas/ids'
import type { MessageType } from '@/lib/mas/records'
import type { MessageRow, OverviewRow, RequestRow, Who } from '@/lib/wire/rows'
import {
  canTakeOver,
  moreThan,
  type OpenRow,
  openGroupsOf,
  successorOf,
  transferableRows,
  transferOffers,
  viewOf,
} from './rows'

const row = <Group extends MessageRow['group']>(id: string, group: Group, sort: string) =>
  ({ id, group, sort, kind: 'message', message: { id } }) as MessageRow & { group: Group }

describe('the inbox', () => {
  it('the inbox shows what needs me when the address names no view or an unknown one', () => {
    expect([viewOf(null), viewOf('nonsense'), viewOf('fyi')]).toEqual(['needs-me', 'needs-me', 'fyi'])
  })

  it('the inbox shows blocked agents first, and each group in the order of the server', () => {
    const rows = [
      row('c', 'unread', '4:2'),
      row('b', 'action', '2:9'),
      row('a', 'action', '2:1'),
      row('z', 'done', '7:1'),
    ]
    expect(openGroupsOf(rows).map(({ group, rows: inGroup }) => [group, inGroup.map(({ id }) => id)])).toEqual([
      ['action', ['a', 'b']],
      ['unread', ['c']],
    ])
  })

  it('the inbox keeps rows that settled while on screen at their place, and none twice', () => {
    const kept = [row('b', 'mention', '3:2'), row('a', 'mention', '3:1')]
    const [group] = openGroupsOf([row('a', 'action', '2:1'), row('c', 'mention', '3:3')], kept).slice(-1)
    expect(group?.rows.map(({ id }) => id)).toEqual(['b', 'c'])
  })

  it('[R322] the inbox says how many open items it leaves out; what settled is none of them', () => {
    const rows = [row('a', 'action', '2:1'), row('b', 'unread', '4:1'), row('read', 'info', '6:1')]
    expect([moreThan(rows, { needsMe: 5 }), moreThan(rows, { needsMe: 2 }), moreThan(rows, null)]).toEqual([3, 0, 0])
  })

  it('after an answer the next request gets the focus, then those above, and never a message', () => {
    const request = (id: string, sort: string): OpenRow =>
      ({ id, group: 'still', sort, kind: 'request', request: { id } }) as OpenRow
    const groups = openGroupsOf([request('a', '0:1'), request('b', '0:2'), row('m', 'unread', '4:1')])
    expect([successorOf(groups, 'a'), successorOf(groups, 'b'), successorOf(groups, 'm')]).toEqual(['b', 'a', 'a'])
    expect(successorOf(openGroupsOf([request('a', '0:1'), row('m', 'unread', '4:1')]), 'a')).toBeNull()
    expect(successorOf([], 'a')).toBeNull()
  })
})

describe('a transfer', () => {
  const [ana, ben] = ['ana' as AgentId, 'ben' as AgentId]
  const put = (id: string, change: Partial<RequestRow['request']>) =>
    ({
      id,
      group: 'still',
      sort: id,
      kind: 'request',
      asked: [{ id: ana, name: 'Ana' }],
      request: { id, kind: 'answer', asked: [ana], ...change },
    }) as RequestRow & { group: 'still' }
  const transfer = (id: string, at: number) =>
    ({ id: id as HandOverId, from: ana, to: ben, sentence: 'I am away.', at, wasAsked: false }) as const

  const wrote = (id: string, type: MessageType, given: HandOverId | null = null) =>
    ({
      ...row(id, type === 'fyi' ? 'unread' : 'urgent', id),
      message: { id, type, task: 'prices' },
      outcome: {
        request: type === 'fyi' ? null : { asked: [ana], transfer: given === null ? null : transfer(given, 2) },
      },
    }) as unknown as MessageRow & { group: 'urgent' | 'unread' }

  it('requests, parts and people’s Actions and Urgents can be transferred, unless they are offered already', () => {
    const rows = [
      put('open', {}),
      put('part', { kind: 'part' }),
      put('going', { transfer: transfer('h', 1) }),
      put('theirs', { asked: [ben] }),
      wrote('urgent', 'action'),
      wrote('given', 'action', 'h' as HandOverId),
      wrote('fyi', 'fyi'),
    ]
    expect(transferableRows(rows, ana).map(({ id }) => id)).toEqual(['open', 'part', 'urgent'])
  })

  it('a transfer can go to operators and to members of its task; in the base task only requests can', () => {
    const task = (id: string, base: boolean, ...members: AgentId[]) =>
      ({ task: id, base, members: members.map((member) => ({ id: member })) }) as OverviewRow
    const who = (id: AgentId, access: Who['access']) => ({ id, access }) as Who
    const tasks = [task('prices', false, ana), task('base', true, ana, ben)]
    const action = wrote('action', 'action')
    expect(canTakeOver(action, who(ben, 'participant'), tasks)).toBe(false)
    expect(canTakeOver(action, who(ben, 'operator'), tasks)).toBe(true)
    expect(canTakeOver(action, who(ana, 'participant'), tasks)).toBe(true)
    const asked = put('asked', { task: 'base' as TaskId })
    expect(canTakeOver(asked, who(ben, 'participant'), tasks)).toBe(true)
  })

  it('a transfer is one card for everything that was offered at once', () => {
    const late = transfer('late', 9)
    const early = transfer('early', 3)
    const message = { ...wrote('m', 'action'), outcome: { request: { transfer: late } } } as unknown as MessageRow
    const rows = [put('a', { transfer: late }), put('b', { transfer: early }), message, put('d', {})]
    expect(transferOffers(rows, ben).map(({ transfer, rows: of }) => [transfer.id, of.map(({ id }) => id)])).toEqual([
      ['early', ['b']],
      ['late', ['a', 'm']],
    ])
    expect(transferOffers(rows, ana)).toEqual([])
  })
})
