// What test/mutants/index.mjs adds to StrykerJS: a sample of the planted faults (--sample=N), and each result as soon as it is there.
import { createHash } from 'node:crypto'
import { relative } from 'node:path'
import { strykerPlugins as vitestPlugins } from '@stryker-mutator/vitest-runner'
import { ROOT } from '../../scripts/lib/paths.mjs'

/**
 * Whether a fault belongs to the sample of 1 in `size`. A hash of file, line, column and replacement decides: each run of the same
 * sources tries the same faults. `line` and `column` count from 1.
 */
export function inSample(size, { fileName, line, column, replacement }) {
  if (size === 1) return true
  const file = relative(ROOT, fileName).replaceAll('\\', '/')
  const hash = createHash('sha256').update(`${file}:${line}:${column}:${replacement}`).digest()
  return hash.readUInt32BE(0) % size === 0
}

/** StrykerJS's Vitest runner; a fault outside the sample ends as an error without a run, which the table does not count. */
function sampledRunner(injector) {
  const runner = injector.injectFunction(vitestPlugins[0].factory)
  const size = Number(process.env.CONVENE_MUTANTS_SAMPLE)
  const run = runner.mutantRun.bind(runner)
  runner.mutantRun = async (options) => {
    const { fileName, location, replacement } = options.activeMutant
    // Here lines and columns count from 0.
    const place = { fileName, line: location.start.line + 1, column: location.start.column + 1, replacement }
    return inSample(size, place) ? run(options) : { status: 'error', errorMessage: 'Not in the sample.' }
  }
  return runner
}
sampledRunner.inject = ['$injector']

/** `tested` is called with the result of each fault: a run that breaks off loses none. */
export const results = { tested: () => {} }
const resultReporter = () => ({ onMutantTested: (result) => results.tested(result) })
resultReporter.inject = []

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'sampled-vitest', factory: sampledRunner },
  { kind: 'Reporter', name: 'results', factory: resultReporter },
]
