/**
 * From the start of the process to the first page, beside a minimal Next server: `npm run bench -- coldstart`.
 *
 * Both are started in turns, so that other load of the machine affects both. bench/README.md says how to read it.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { goalTable, holds, median, ms, table } from './lib/figures'
import { buildMinimalNext } from './lib/minimalNext'
import { type Program, startTimes } from './lib/startTimes'

const ROUNDS = 9
const NEVER = { answered: Number.NaN, ok: Number.NaN }
const folder = await mkdtemp(join(tmpdir(), 'convene-coldstart-'))
const small = resolve('out', 'coldstart')

try {
  console.log('Building a minimal Next app to compare with …')
  const minimal: Program = { ...buildMinimalNext(small), env: {}, paths: ['/'] }
  const convene: Program = {
    file: resolve('dist', 'server.cjs'),
    folder: process.cwd(),
    env: { CONVENE_DATA: join(folder, 'data'), CONVENE_WORKSPACE: join(folder, 'workspace'), HOST: '127.0.0.1' },
    paths: ['/api/health', '/login'],
  }
  // Once each, uncounted: the data folder is made, and the files are in the machine's memory for both.
  await startTimes(convene)
  await startTimes(minimal)
  const taken: { health: number; well: number; page: number; minimal: number }[] = []
  for (let n = 0; n < ROUNDS; n++) {
    const [health = NEVER, page = NEVER] = await startTimes(convene)
    const [other = NEVER] = await startTimes(minimal)
    taken.push({ health: health.answered, well: health.ok, page: page.ok, minimal: other.ok })
  }
  const middle = (of: 'health' | 'well' | 'page' | 'minimal'): string => ms(median(taken.map((one) => one[of])))
  const rows = [
    ['', `from the start of the process, median of ${ROUNDS}`],
    ['Convene: /api/health answers (starting)', middle('health')],
    ['Convene: /api/health says ok', middle('well')],
    ['Convene: first page', middle('page')],
    ['minimal Next: first page', middle('minimal')],
  ]
  const goals = [
    {
      what: 'first page, over a minimal Next server',
      figures: '',
      ratio: median(taken.map(({ page, minimal }) => page / minimal)),
      most: 1.3,
    },
    {
      what: '/api/health, over the first page',
      figures: `first in ${taken.filter(({ health, page }) => health < page).length} of ${ROUNDS} starts`,
      ratio: median(taken.map(({ health, page }) => health / page)),
      most: 1,
    },
  ]
  console.log(`\n${table(rows)}\n\n${goalTable(goals)}`)
  if (!goals.every(holds)) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
  await rm(small, { recursive: true, force: true })
}
