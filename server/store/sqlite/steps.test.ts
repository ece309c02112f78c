/** What reading and writing the index of steps costs: each statement finds its rows by an index, in their order. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { LONGEST_BLOCK_MS, longestBlock } from '@/test/loopBlocks'
import { STEP_SQL } from '../shared/stepRows'
import type { StepChange } from '../stepIndex'
import { openConnection } from './database/connection'
import { sqliteSearch } from './search'
import { SQLITE_STEP_READS, sqliteSteps } from './steps'

const STEPS = process.env.CONVENE_ALL === '1' ? 100_000 : 5_000
const SLICE = 50

async function openIndex() {
  const folder = await mkdtemp(join(tmpdir(), 'convene-steps-'))
  const connection = openConnection(join(folder, 'convene.db'))
  onTestFinished(async () => {
    connection.close()
    await rm(folder, { recursive: true })
  })
  return connection
}

const planOf = (connection: ReturnType<typeof openConnection>, sql: string): string[] => {
  const count = new Set(sql.match(/\$\d/g)).size
  const asked = connection.query<{ detail: string }>(`explain query plan ${sql.replaceAll(/\$(\d)/g, '?$1')}`)
  return asked.all(...Array.from({ length: count }, () => 1)).map(({ detail }) => detail)
}

it('[R553] each question and each change of the index of steps finds its rows by an index, in their order', async () => {
  const connection = await openIndex()
  // The failures of a task come in their order, and are joined lane by lane.
  const isIndexed = (line: string): boolean =>
    /^(SEARCH|SCAN (CONSTANT ROW|json_each|f$)|(CORRELATED |LIST |SCALAR )+SUBQUERY|CO-ROUTINE f|USE TEMP B-TREE FOR GROUP BY)/.test(
      line,
    )
  for (const [name, sql] of Object.entries({ ...SQLITE_STEP_READS, ...STEP_SQL }))
    expect(
      planOf(connection, sql).filter((line) => !isIndexed(line)),
      name,
    ).toEqual([])
  expect(planOf(connection, SQLITE_STEP_READS.at)).toEqual([
    expect.stringContaining('INDEX step_place (task=? AND stage=? AND agent=? AND place>? AND place<?)'),
  ])
  expect(planOf(connection, SQLITE_STEP_READS.failedBefore)).toEqual([
    expect.stringContaining('INDEX step_failed (task=? AND stage=? AND agent=? AND place<?)'),
  ])
  expect(planOf(connection, SQLITE_STEP_READS.newest)).toEqual([
    expect.stringContaining('INDEX step_of_task (task=? AND rowid<?)'),
  ])
  expect(planOf(connection, SQLITE_STEP_READS.newestOfAgent)).toEqual([
    expect.stringContaining('INDEX step_of_agent (task=? AND agent=? AND rowid<?)'),
  ])
  // By the calls: the failures of a lane may be many.
  expect(planOf(connection, STEP_SQL.call)).toContainEqual(
    expect.stringContaining('INDEX step_failed_call (task=? AND stage=? AND agent=? AND call=?)'),
  )
})

it(`[R553] no question about ${STEPS} steps of one task, of which each failed, blocks the event loop`, async () => {
  const connection = await openIndex()
  connection.write('test', () => connection.query('insert into head values (1, ?, ?, 0, 0, 0, 0)').run('j', 9e9))
  const search = sqliteSearch(connection)
  for (let n = 0; n < STEPS; n += SLICE) {
    const changes = Array.from({ length: SLICE }, (_, at): StepChange[] => {
      const [step, seq] = [`step ${n + at}`, (n + at) * 2 + 1]
      const lane = { task: 't', stage: 's', agent: `a${at % 5}` }
      return [
        { kind: 'added', seq, step, ...lane, type: 'skill', executor: 'think', retryOf: null },
        { kind: 'ended', seq: seq + 1, step, isFailure: true },
      ]
    }).flat()
    await search.add(n * 2, (n + SLICE) * 2, [], [], changes)
  }
  const steps = sqliteSteps(connection)
  const lane = { stage: 's', agent: 'a1' }
  const { blockMs, outcome } = await longestBlock(async () => [
    await steps.failedOf('t', 100_000),
    await steps.stepsAt('t', lane, STEPS / 10, STEPS / 10 + 100),
    await steps.newestSteps('t', { agent: 'a2' }, STEPS, 100),
    await steps.failedIn('t', lane, { after: STEPS / 10 }, 100),
  ])
  expect(outcome.map((rows) => rows.length)).toEqual([STEPS, 100, 100, 100])
  expect(blockMs).toBeLessThan(LONGEST_BLOCK_MS)
})
