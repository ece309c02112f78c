/** `npm run faults [-- --all] [--seed N] [scenario …]`: runs the fault scenarios and prints their figures. */
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { SCENARIOS, type Scenario, type Size } from '@/test/faults'
import { inWords, print } from './lib/inWords'

/** Scenarios at a time in the short form, which mostly waits for processes; the long form judges times and memory. */
const AT_A_TIME = 2

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { all: { type: 'boolean', default: false }, seed: { type: 'string' } },
  })
  const unknown = positionals.filter((name) => !SCENARIOS.some((scenario) => scenario.name === name))
  if (unknown.length > 0)
    throw new Error(`unknown: ${unknown.join(', ')}. Scenarios: ${SCENARIOS.map(({ name }) => name).join(', ')}`)
  const seed = values.seed === undefined ? Date.now() % 1_000_000 : Number(values.seed)
  const wanted = SCENARIOS.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  const count: Record<Ending, number> = { passed: 0, failed: 0, skipped: 0 }
  const runNext = async (): Promise<void> => {
    for (let next = wanted.shift(); next !== undefined; next = wanted.shift())
      count[await reported(next, values.all ? 'all' : 'short', seed)] += 1
  }
  await Promise.all(Array.from({ length: values.all ? 1 : AT_A_TIME }, runNext))
  const { passed, failed, skipped } = count
  print(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  // Resources left open by a failed scenario would keep the process alive.
  process.exit(failed === 0 ? 0 : 1)
}

type Ending = 'passed' | 'failed' | 'skipped'

/** Runs a scenario; its lines are printed together when it has ended. */
async function reported({ name, holds, lacks, run }: Scenario, size: Size, seed: number): Promise<Ending> {
  const lines = [`\n== ${name}: ${holds}`]
  const figure = (of: string, value: number | string): number => lines.push(`  ${of.padEnd(40)} ${value}`)
  const end = (ending: Ending): Ending => {
    print(lines.join('\n'))
    return ending
  }
  const lacking = lacks?.() ?? null
  if (lacking !== null) {
    lines.push(`  skipped: needs ${lacking}`)
    return end('skipped')
  }
  const from = performance.now()
  const took = (): number => figure('took, s', ((performance.now() - from) / 1_000).toFixed(1))
  try {
    for (const [of, value] of Object.entries(await run(size, seed))) figure(of, value)
    took()
    return end('passed')
  } catch (error) {
    lines.push(`  FAILED, seed ${seed}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    took()
    return end('failed')
  }
}

inWords(main, Error)
