/** The true engine for measurements: real runner, skills and prompts; only the model is instant. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import type { AgentConfig } from '@/lib/mas/records'
import { configCommand, loadConfig } from '@/server/config'
import { type EngineParts, openEngine, type RunningEngine } from '@/server/engine'
import type { openMetrics } from '@/server/metrics'
import type { Model } from '@/server/models/model'
import { loadPrompts, runSkill } from '@/server/skills'
import { openToolPool } from '@/server/tools'
import { createLoads } from '../load'
import type { LoadWish } from '../load/wish'

type BenchEngine = {
  engine: RunningEngine
  /** Begins a load, as fast as it goes unless the wish says otherwise. Resolves when all of its tasks are made. */
  load(wish: Pick<LoadWish, 'agents' | 'tasks' | 'stepsPerAgent'> & Partial<LoadWish>): Promise<unknown>
  /** What went wrong; empty when all is well. */
  mistakes: string[]
  stop(): Promise<void>
}

type BenchEngineParts = Pick<EngineParts, 'store' | 'nodes'> & {
  node?: string
  /** People beside those of the configuration. */
  people?: AgentConfig[]
  /** Counts calls and commits, as in the server. */
  metrics?: Pick<ReturnType<typeof openMetrics>, 'models' | 'tools' | 'commits'>
  /** The model of the load, changed. */
  modelOf?: (load: Model) => Model
  /** Something went wrong; default: it is added to the mistakes. */
  onMistake?: (what: string) => void
}

const PLAIN_LOAD = {
  bytes: 200,
  seed: 1,
  changesPerSecond: Number.POSITIVE_INFINITY,
  seconds: Number.POSITIVE_INFINITY,
}
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

export async function openBenchEngine(parts: BenchEngineParts): Promise<BenchEngine> {
  const { people = [], metrics } = parts
  const pool = openToolPool([], { log: quiet })
  const loads = createLoads({ newId: randomUUID, now: Date.now, sleep: async () => {} })
  const config = loads.configured(
    configCommand(loadConfig({}, (path) => readFileSync(path, 'utf8'), { folder: process.cwd() })),
  )
  const model = parts.modelOf?.(loads.model) ?? loads.model
  const models = { get: () => model }
  const mistakes: string[] = []
  const { onMistake = (what) => mistakes.push(what) } = parts
  const log = (data: object, message: string): void => void onMistake(`${message} ${JSON.stringify(data)}`)
  const engine = await openEngine({
    store: parts.store,
    ...(parts.nodes ? { nodes: parts.nodes } : {}),
    node: parts.node ?? 'bench',
    runSkill: loads.runSkill(runSkill(loadPrompts('prompts', 'prompts'))),
    models: metrics?.models.watch(models) ?? models,
    pool: metrics?.tools.watch(pool) ?? pool,
    ...(metrics ? { meter: metrics.commits } : {}),
    config: { ...config, agents: [...config.agents, ...people] },
    now: Date.now,
    clock: () => performance.now(),
    newId: randomUUID,
    log: { warn: log, error: log },
    onBroken: (error) => void onMistake(String(error)),
  })
  return {
    engine,
    load: (wish) => loads.driver(engine).start({ ...PLAIN_LOAD, ...wish }),
    mistakes,
    async stop() {
      await engine.stop()
      await pool.close()
    },
  }
}
