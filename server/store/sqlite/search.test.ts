/** What a search costs: it walks its index from the newest and stops; nothing is sorted and no text is read. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { queryOf } from '@/lib/format/searchWords'
import { LONGEST_BLOCK_MS, longestBlock } from '@/test/loopBlocks'
import type { SearchLine } from '../interfaces'
import { openConnection } from './database/connection'
import { FIND, sqliteSearch } from './search'

const LINES = process.env.CONVENE_ALL === '1' ? 100_000 : 10_000
const SLICE = 1_000

it(`[R75] finds the newest of ${LINES} messages by walking its index backwards, and is soon through it for words that never meet`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'convene-search-'))
  const connection = openConnection(join(folder, 'convene.db'))
  onTestFinished(async () => {
    connection.close()
    await rm(folder, { recursive: true })
  })
  connection.write('test', () => connection.query('insert into head values (1, ?, ?, 0, 0, 0, 0)').run('j', LINES))
  const search = sqliteSearch(connection)
  for (let after = 0; after < LINES; after += SLICE) {
    const lines = Array.from({ length: SLICE }, (_, n): SearchLine => {
      const seq = after + n + 1
      const text = `Message ${seq} about the ${seq % 2 === 0 ? 'north' : 'south'} price of bolts 价格表${seq % 100 === 0 ? ' rare' : ''}`
      return { seq, kind: 'message', task: `t${seq % 50}`, text }
    })
    await search.add(after, after + SLICE, lines, [], [])
  }
  const find = (wish: string, tasks: string[] | null = null) =>
    search.find({ parts: queryOf(wish), kind: 'message', tasks, before: LINES + 1, limit: 8 })
  const newest = Array.from({ length: 8 }, (_, n) => LINES - n)
  expect(await find('bolt price')).toEqual(newest)
  expect(await find('格表')).toEqual(newest)
  expect(await find('rare')).toEqual(newest.map((_, n) => LINES - n * 100))
  expect(await find('price', ['t7'])).toEqual(newest.map((_, n) => LINES - 43 - n * 50))
  const { blockMs, outcome } = await longestBlock(() => find('north south'))
  expect(outcome).toEqual([])
  expect(blockMs).toBeLessThan(LONGEST_BLOCK_MS)
  const plan = connection.query<{ detail: string }>(`explain query plan ${FIND}`).all('words : "a"', 9, 9)
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringMatching(/^SCAN search VIRTUAL TABLE INDEX .*M/)])
})
