import { describe, expect, it } from 'vitest'
import type { AgentId, HandOverId, TaskId } from '@/lib/mas/ids'
import type { MessageRow, OverviewRow, RequestRow, Who } from '@/lib/wire/rows'
import { canTakeOver, type OpenRow, openGroupsOf, successorOf, transferableRows, transferOffers, viewOf } from './rows'

const row = (id: string, group: MessageRow['group'], sort: string): OpenRow =>
  ({ id, group, sort, kind: 'message', message: { id } }) as MessageRow

describe('the inbox', () => {
  it('shows what needs me when the address names no view, or none that there is', () => {
    expect([viewOf(null), viewOf('nonsense'), viewOf('fyi')]).toEqual(['needs-me', 'needs-me', 'fyi'])
  })

  it('has what stands still first, and in each group what the server put first', () => {
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

  it('keeps what settled while on screen at its place, and never twice', () => {
    const kept = [row('b', 'mention', '3:2'), row('a', 'mention', '3:1')]
    const [group] = openGroupsOf([row('a', 'action', '2:1'), row('c', 'mention', '3:3')], kept).slice(-1)
    expect(group?.rows.map(({ id }) => id)).toEqual(['b', 'c'])
  })

  it('goes on to the next request after an answer, then to those above, and never to a message', () => {
    const request = (id: string, sort: string): OpenRow =>
      ({ id, group: 'still', sort, kind: 'request', request: { id } }) as RequestRow
    const groups = openGroupsOf([request('a', '0:1'), request('b', '0:2'), row('m', 'unread', '4:1')])
    expect([successorOf(groups, 'a'), successorOf(groups, 'b'), successorOf(groups, 'm')]).toEqual(['b', 'a', 'a'])
    expect(successorOf(openGroupsOf([request('a', '0:1'), row('m', 'unread', '4:1')]), 'a')).toBeNull()
    expect(successorOf([], 'a')).toBeNull()
  })
})

describe('handing over', () => {
  const [ana, ben] = ['ana' as AgentId, 'ben' as AgentId]
  const put = (id: string, change: Partial<RequestRow['request']>): RequestRow =>
    ({
      ...row(id, 'still', id),
      kind: 'request',
      asked: [{ id: ana, name: 'Ana' }],
      request: { id, kind: 'answer', asked: [ana], ...change },
    }) as RequestRow
  const handing = (id: string, at: number) =>
    ({ id: id as HandOverId, from: ana, to: ben, sentence: 'I am away.', at, wasAsked: false }) as const

  const wrote = (id: string, needReply: boolean, given: HandOverId | null = null): MessageRow =>
    ({
      ...row(id, needReply ? 'urgent' : 'unread', id),
      message: { id, needReply, task: 'prices' },
      receipt: given === null ? {} : { handing: handing(given, 2) },
    }) as MessageRow

  it('takes all that asks me for something, parts and what people wrote too; what is on its way already stays', () => {
    const rows = [
      put('open', {}),
      put('part', { kind: 'part' }),
      put('going', { handing: handing('h', 1) }),
      put('theirs', { asked: [ben] }),
      wrote('urgent', true),
      wrote('given', true, 'h' as HandOverId),
      wrote('fyi', false),
    ]
    expect(transferableRows(rows, ana).map(({ id }) => id)).toEqual(['open', 'part', 'urgent'])
  })

  it('goes to who can see it: operators, members of its task; of the base task requests alone', () => {
    const task = (id: string, base: boolean, ...members: AgentId[]) =>
      ({ task: id, base, members: members.map((member) => ({ id: member })) }) as OverviewRow
    const who = (id: AgentId, access: Who['access']) => ({ id, access }) as Who
    const tasks = [task('prices', false, ana), task('base', true, ana, ben)]
    const action = wrote('action', true)
    expect(canTakeOver(action, who(ben, 'participant'), tasks)).toBe(false)
    expect(canTakeOver(action, who(ben, 'operator'), tasks)).toBe(true)
    expect(canTakeOver(action, who(ana, 'participant'), tasks)).toBe(true)
    const asked = put('asked', { task: 'base' as TaskId })
    expect(canTakeOver(asked, who(ben, 'participant'), tasks)).toBe(true)
  })

  it('is one card for all that was handed over at once', () => {
    const late = handing('late', 9)
    const early = handing('early', 3)
    const message = { ...wrote('m', true), receipt: { handing: late } } as MessageRow
    const rows = [put('a', { handing: late }), put('b', { handing: early }), message, put('d', {})]
    expect(transferOffers(rows, ben).map(({ transfer, rows: of }) => [transfer.id, of.map(({ id }) => id)])).toEqual([
      ['early', ['b']],
      ['late', ['a', 'm']],
    ])
    expect(transferOffers(rows, ana)).toEqual([])
  })
})
