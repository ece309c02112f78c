/** `npm run faults [-- --all] [--seed N] [scenario …]`: runs the fault scenarios one after the other and prints their figures. */
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { SCENARIOS } from '@/test/faults'
import { inWords, print } from './lib/inWords'

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
  let [failed, skipped] = [0, 0]
  for (const { name, holds, lacks, run } of wanted) {
    print(`\n== ${name}: ${holds}`)
    const lacking = lacks?.() ?? null
    if (lacking !== null) {
      skipped += 1
      print(`  skipped: needs ${lacking}`)
      continue
    }
    const from = performance.now()
    try {
      for (const [figure, value] of Object.entries(await run(values.all ? 'all' : 'short', seed)))
        print(`  ${figure.padEnd(40)} ${value}`)
    } catch (error) {
      failed += 1
      print(`  FAILED, seed ${seed}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
    }
    print(`  ${'took, s'.padEnd(40)} ${((performance.now() - from) / 1_000).toFixed(1)}`)
  }
  const passed = wanted.length - failed - skipped
  print(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
  // Resources left open by a failed scenario would keep the process alive.
  process.exit(failed === 0 ? 0 : 1)
}

inWords(main, Error)
