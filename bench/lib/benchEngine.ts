/** The true engine for measurements: real runner, skills and prompts; only the model is instant. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { configCommand, loadConfig } from '@/server/config'
import { openEngine, type RunningEngine } from '@/server/engine'
import type { LoadPort } from '@/server/gateway/ports'
import type { Schedule } from '@/server/shared/later'
import { loadPrompts, runSkill } from '@/server/skills'
import type { Store } from '@/server/store'
import { openToolPool } from '@/server/tools'
import { createLoads } from '../load'

export type BenchEngine = {
  engine: RunningEngine
  load: LoadPort
  /** What went wrong; empty when all is well. */
  mistakes: string[]
  stop(): Promise<void>
}

export type BenchEngineParts = {
  store: Pick<Store, 'journal' | 'bodies' | 'snapshots' | 'state' | 'onState'>
  /** Epoch ms; default: the clock. */
  now?: () => number
  schedule?: Schedule
  /** Steps of load pause for real, at the pace of the load; default: the model answers at once. */
  paced?: boolean
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

export async function openBenchEngine({
  store,
  now = Date.now,
  schedule,
  paced,
}: BenchEngineParts): Promise<BenchEngine> {
  const config = loadConfig({}, (path) => readFileSync(path, 'utf8'), { folder: process.cwd() })
  const pool = openToolPool([], { log: quiet })
  const loads = createLoads({ newId: randomUUID, now, sleep: paced ? pause : async () => {} })
  const mistakes: string[] = []
  const engine = await openEngine({
    store,
    node: 'bench',
    runSkill: loads.runSkill(runSkill(loadPrompts('prompts', 'prompts'))),
    models: { get: () => loads.model },
    pool,
    config: loads.configured(configCommand(config)),
    now,
    clock: () => performance.now(),
    newId: randomUUID,
    ...(schedule ? { schedule } : {}),
    log: {
      warn: (data, message) => mistakes.push(`${message} ${JSON.stringify(data)}`),
      error: (data, message) => mistakes.push(`${message} ${JSON.stringify(data)}`),
    },
    onBroken: (error) => mistakes.push(String(error)),
  })
  return {
    engine,
    load: loads.driver(engine),
    mistakes,
    async stop() {
      await engine.stop()
      await pool.close()
    },
  }
}
