/** The true engine for measurements: real runner, skills and prompts; only the model is instant. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import type { AgentConfig } from '@/lib/mas/records'
import { configCommand, loadConfig } from '@/server/config'
import { openEngine, type RunningEngine } from '@/server/engine'
import { loadPrompts, runSkill } from '@/server/skills'
import type { Store } from '@/server/store'
import { openToolPool } from '@/server/tools'
import { createLoads } from '../load'
import type { LoadWish } from '../load/wish'

type BenchEngine = {
  engine: RunningEngine
  /** Begins a load, as fast as it goes unless the wish says otherwise. Resolves when all of its tasks are made. */
  load(wish: Pick<LoadWish, 'agents' | 'tasks' | 'stepsPerAgent'> & Partial<LoadWish>): Promise<void>
  /** What went wrong; empty when all is well. */
  mistakes: string[]
  stop(): Promise<void>
}

const PLAIN_LOAD = {
  bytes: 200,
  seed: 1,
  changesPerSecond: Number.POSITIVE_INFINITY,
  seconds: Number.POSITIVE_INFINITY,
}
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

/** in: people: beside those of the configuration */
export async function openBenchEngine({
  store,
  people = [],
}: {
  store: Store
  people?: AgentConfig[]
}): Promise<BenchEngine> {
  const pool = openToolPool([], { log: quiet })
  const loads = createLoads({ newId: randomUUID, now: Date.now, sleep: async () => {} })
  const config = loads.configured(
    configCommand(loadConfig({}, (path) => readFileSync(path, 'utf8'), { folder: process.cwd() })),
  )
  const mistakes: string[] = []
  const log = (data: object, message: string): void => void mistakes.push(`${message} ${JSON.stringify(data)}`)
  const engine = await openEngine({
    store,
    node: 'bench',
    runSkill: loads.runSkill(runSkill(loadPrompts('prompts', 'prompts'))),
    models: { get: () => loads.model },
    pool,
    config: { ...config, agents: [...config.agents, ...people] },
    now: Date.now,
    clock: () => performance.now(),
    newId: randomUUID,
    log: { warn: log, error: log },
    onBroken: (error) => void mistakes.push(String(error)),
  })
  return {
    engine,
    async load(wish) {
      await loads.driver(engine).start({ ...PLAIN_LOAD, ...wish })
    },
    mistakes,
    async stop() {
      await engine.stop()
      await pool.close()
    },
  }
}
