import { describe, expect, it } from 'vitest'
import type { MessageRow, RequestRow } from '@/lib/wire/rows'
import { groupsOf, type OpenRow, successorOf, viewOf } from './rows'

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
