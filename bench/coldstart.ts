/**
 * From the start of the process to the first page: `npm run bench -- coldstart [rounds]`. A bare http server of Node is started in
 * turns with it: on a busy machine both are late.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@/packages/cluster/test'
import { type Goal, goalTable, holds, median, ms } from './lib/figures'

const ROUNDS = Number(process.argv[2] ?? 9)
const POLL_MS = 4
const LIMIT_MS = 60_000
const PAGE_MS = 2_000
const BARE = ['-e', `require('node:http').createServer((_, res) => res.end('a page')).listen(process.env.PORT)`]

const folder = await mkdtemp(join(tmpdir(), 'convene-coldstart-'))
const CONVENE = ['--enable-source-maps', resolve('dist', 'server.cjs')]
const env = { CONVENE_DATA: join(folder, 'data'), CONVENE_WORKSPACE: join(folder, 'workspace'), HOST: '127.0.0.1' }

/** ms from the start of the process until each path answers with 200, and until the first one answers at all. */
async function startTimes(program: string[], paths: string[]): Promise<{ answered: number; ok: number[] }> {
  const port = await freePort()
  const begun = performance.now()
  const child = spawn(process.execPath, program, {
    env: { ...process.env, ...env, NODE_ENV: 'production', PORT: `${port}` },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const over = once(child, 'exit')
  let answered = Number.NaN
  const okAt = async (path: string): Promise<number> => {
    for (;;) {
      if (child.exitCode !== null) throw new Error(`the server ended with code ${child.exitCode}`)
      const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null)
      await answer?.arrayBuffer()
      const now = performance.now() - begun
      if (answer !== null && Number.isNaN(answered)) answered = now
      if (answer?.ok) return now
      if (now > LIMIT_MS) throw new Error(`${path} did not answer within ${ms(LIMIT_MS)}`)
      await wait(POLL_MS)
    }
  }
  try {
    const ok = await Promise.all(paths.map(okAt))
    return { answered, ok }
  } finally {
    child.kill('SIGTERM')
    await over
  }
}

try {
  const rounds: { answered: number; page: number; bare: number }[] = []
  // The first one makes the data folder, and is not counted.
  for (let n = 0; n <= ROUNDS; n++) {
    const { answered, ok } = await startTimes(CONVENE, ['/login', '/api/health'])
    const bare = await startTimes(BARE, ['/'])
    if (n > 0) rounds.push({ answered, page: Math.max(...ok), bare: Math.max(...bare.ok) })
  }
  const middle = (of: 'answered' | 'page' | 'bare'): number => median(rounds.map((one) => one[of]))
  const goals: Goal[] = [
    {
      what: 'first page, of 2 s',
      figures: `${ms(middle('page'))}, a bare server ${ms(middle('bare'))}`,
      ratio: middle('page') / PAGE_MS,
      most: 1,
    },
    {
      what: 'first answer at all, over the first page',
      figures: ms(middle('answered')),
      ratio: median(rounds.map(({ answered, page }) => answered / page)),
      most: 0.9,
    },
  ]
  console.log(`${goalTable(goals)}\nMedian of ${ROUNDS} starts.`)
  process.exitCode = goals.every(holds) ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
