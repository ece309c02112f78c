/** Pages of a list as one; the words of verdicts. */
import { expect, it } from 'vitest'
import type { DirectoryPage } from '@/lib/wire'
import { chipOfVerdict, listOf, withNext } from './pages'

type Row = { seq: number; word: string }
const page = (ids: number[], next: string | null, word = 'old'): DirectoryPage<Row> => ({
  rows: ids.map((seq) => ({ seq, word })),
  total: 9,
  next,
})
const ids = ({ rows }: DirectoryPage<Row>): number[] => rows.map(({ seq }) => seq)

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
