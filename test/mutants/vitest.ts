// How Vitest runs the tests against planted faults (test/mutants/index.mjs). CONVENE_MUTANTS_TESTS: test files, JSON globs.
import { fileURLToPath } from 'node:url'
import { defineConfig, mergeConfig } from 'vitest/config'
import {
  BaseSequencer,
  type PoolOptions,
  type PoolWorker,
  type TestSpecification,
  ThreadsPoolWorker,
  type WorkerRequest,
} from 'vitest/node'
import base from '../../vitest.config'

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

/** Faults tried in one thread before it is replaced: what a fault leaves behind in it does not reach far. */
const RUNS_PER_THREAD = process.env.CONVENE_MUTANTS_FRESH === '1' ? 1 : 25

let kept: { thread: ThreadsPoolWorker; runs: number } | null = null

async function endKept(): Promise<void> {
  const thread = kept?.thread
  kept = null
  await thread?.stop()
}

/**
 * A thread that stays for the next run, with the sources loaded: loading them takes longer than most runs. A fault in code that
 * runs while a module loads (`static`) gets a thread of its own.
 */
class KeptThread implements PoolWorker {
  readonly name = 'kept'
  private readonly options: PoolOptions
  private readonly isStatic: boolean
  private readonly heard: [string, (value: unknown) => void][] = []
  private thread: ThreadsPoolWorker | null = null

  constructor(options: PoolOptions) {
    this.options = options
    this.isStatic = Reflect.get(options.project.getProvidedContext(), 'mutantActivation') === 'static'
  }

  async start(): Promise<void> {
    if (this.isStatic) await endKept()
    if (kept === null) {
      kept = { thread: new ThreadsPoolWorker(this.options), runs: 0 }
      await kept.thread.start()
    }
    this.thread = kept.thread
  }

  on(event: string, callback: (value: unknown) => void): void {
    this.heard.push([event, callback])
    this.thread?.on(event, callback)
  }

  off(event: string, callback: (value: unknown) => void): void {
    this.thread?.off(event, callback)
  }

  send(message: WorkerRequest): void {
    if (message.type !== 'stop') this.thread?.send(message)
    else
      for (const [event, callback] of this.heard)
        if (event === 'message') callback({ type: 'stopped', __vitest_worker_response__: true })
  }

  deserialize(data: unknown): unknown {
    return data
  }

  async stop(): Promise<void> {
    for (const [event, callback] of this.heard) this.off(event, callback)
    if (kept === null) return
    kept.runs += 1
    if (this.isStatic || kept.runs >= RUNS_PER_THREAD) await endKept()
  }
}

const config = mergeConfig(
  base,
  defineConfig({
    plugins: [
      {
        name: 'kept-thread',
        // Stryker asks for threads by name, over what a configuration says.
        configureVitest({ project }) {
          const createPoolWorker = (options: PoolOptions) => new KeptThread(options)
          Object.assign(project.config, { pool: 'kept', poolRunner: { name: 'kept', createPoolWorker } })
        },
      },
    ],
    test: {
      isolate: false,
      retry: 0,
      setupFiles: [fileURLToPath(new URL('./setup.ts', import.meta.url))],
      sequence: { sequencer: QuickFirst },
    },
  }),
)

/** One project: the faults' own, not those of the configuration. */
export default { ...config, test: { ...config.test, include: tests, projects: undefined } }
