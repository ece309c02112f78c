// How Vitest runs the tests against planted faults (scripts/mutants.mjs). CONVENE_MUTANTS_TESTS: the test files, as a JSON list of globs.
import { defineConfig, mergeConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import base from '../vitest.config.ts'

const tests: string[] = JSON.parse(process.env.CONVENE_MUTANTS_TESTS ?? '[]')

/** The quick files first: the first failure ends the run, and most faults are noticed by a quick test. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const took = ({ moduleId, project }: TestSpecification) =>
      this.ctx.cache.getFileTestResults(`${project.name}:${moduleId.slice(this.ctx.config.root.length + 1)}`)
        ?.duration ?? 0
    return [...files].sort((one, other) => took(one) - took(other))
  }
}

const config = mergeConfig(
  base,
  defineConfig({
    test: {
      // One process loads the modules once for all test files: most of the time of a run is loading.
      isolate: false,
      retry: 0,
      sequence: { sequencer: QuickFirst },
    },
  }),
)

export default { ...config, test: { ...config.test, include: tests } }
