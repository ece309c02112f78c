/** Pages of a list that grows at its head while somebody reads on at its end. */
import { describe, expect, it } from 'vitest'
import type { DirectoryPage } from '@/lib/wire'
import { chipOfVerdict, listOf, withFirst, withNext } from './pages'

type Row = { seq: number; word: string }
const page = (ids: number[], next: string | null, word = 'old'): DirectoryPage<Row> => ({
  rows: ids.map((seq) => ({ seq, word })),
  total: 9,
  next,
})
const ids = ({ rows }: DirectoryPage<Row>): number[] => rows.map(({ seq }) => seq)

describe('withFirst', () => {
  it('puts what came before what was read, each row once and as it is now', () => {
    const held = withNext(page([5, 4], '4'), page([3, 2], '2'))
    const now = withFirst(held, page([6, 5], '5', 'new'))
    expect([ids(now), now.next]).toEqual([[6, 5, 4, 3, 2], '2'])
    expect(now.rows.map(({ word }) => word)).toEqual(['new', 'new', 'old', 'old', 'old'])
  })
  it('begins again from the top when too much came to join the two', () => {
    expect(withFirst(page([5, 4], '4'), page([9, 8], '8'))).toEqual(page([9, 8], '8'))
  })
  it('a list that fits one page is that page: what left it is gone', () => {
    expect(withFirst(page([5, 4], null), page([5], null))).toEqual(page([5], null))
  })
})

it('a page after it adds only what is not there yet', () => {
  expect(ids(withNext(page([5, 4], '4'), page([4, 3], null)))).toEqual([5, 4, 3])
})

it('a verdict that is none of ours is a refusal, and an unknown list is that of the peers', () => {
  expect(['taken', 'retry', 'answered', 'message_too_large'].map(chipOfVerdict)).toEqual([
    'done',
    'waiting',
    'done',
    'failed',
  ])
  expect([listOf('exchange'), listOf('nothing'), listOf(undefined)]).toEqual(['exchange', 'peers', 'peers'])
})
