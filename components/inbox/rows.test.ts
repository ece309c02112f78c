import { describe, expect, it } from 'vitest'
import type { AgentId, HandOverId } from '@/lib/mas/ids'
import type { MessageRow, RequestRow } from '@/lib/wire/rows'
import { goesOver, groupsOf, handedTo, type OpenRow, staysWithMe, successorOf, viewOf } from './rows'

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
    expect(groupsOf(rows).map(({ group, rows: inGroup }) => [group, inGroup.map(({ id }) => id)])).toEqual([
      ['action', ['a', 'b']],
      ['unread', ['c']],
    ])
  })

  it('keeps what settled while on screen at its place, and never twice', () => {
    const kept = [row('b', 'mention', '3:2'), row('a', 'mention', '3:1')]
    const [group] = groupsOf([row('a', 'action', '2:1'), row('c', 'mention', '3:3')], kept).slice(-1)
    expect(group?.rows.map(({ id }) => id)).toEqual(['b', 'c'])
  })

  it('goes on to the next request after an answer, then to those above, and never to a message', () => {
    const request = (id: string, sort: string): OpenRow =>
      ({ id, group: 'still', sort, kind: 'request', request: { id } }) as RequestRow
    const groups = groupsOf([request('a', '0:1'), request('b', '0:2'), row('m', 'unread', '4:1')])
    expect([successorOf(groups, 'a'), successorOf(groups, 'b'), successorOf(groups, 'm')]).toEqual(['b', 'a', 'a'])
    expect(successorOf(groupsOf([request('a', '0:1'), row('m', 'unread', '4:1')]), 'a')).toBeNull()
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

  it('takes what is put to me and mine to give; a part, and what is on its way already, stay', () => {
    const rows = [
      put('open', {}),
      put('part', { kind: 'part' }),
      put('going', { handing: handing('h', 1) }),
      put('theirs', { asked: [ben] }),
    ]
    expect(goesOver(rows, ana).map(({ id }) => id)).toEqual(['open'])
    expect(staysWithMe(rows, ana).parts.map(({ id }) => id)).toEqual(['part'])
  })

  it('is one card for all that was handed over at once', () => {
    const late = handing('late', 9)
    const early = handing('early', 3)
    const rows = [put('a', { handing: late }), put('b', { handing: early }), put('c', { handing: late }), put('d', {})]
    expect(handedTo(rows, ben).map(({ from, requests }) => [from.name, requests.map(({ id }) => id)])).toEqual([
      ['Ana', ['b']],
      ['Ana', ['a', 'c']],
    ])
    expect(handedTo(rows, ana)).toEqual([])
  })
})
