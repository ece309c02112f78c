/**
 * One measured run of the whole engine: a store of its own, the true runner, skills and prompts, a model that answers
 * at once.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { StepId } from '@/lib/mas/ids'
import { configCommand, loadConfig } from '@/server/config'
import { openEngine } from '@/server/engine'
import { openMetrics } from '@/server/metrics'
import { loadPrompts, runSkill } from '@/server/skills'
import { openSqliteStore } from '@/server/store'
import { openToolPool } from '@/server/tools'
import { createLoads } from '../load'

/** Each agent has a task of its own. */
export type RunOptions = { folder: string; agents: number; steps: number; characters: number; seed: number }

export type RunFigures = {
  steps: number
  msPerStep: number
  cpuMsPerStep: number
  /** When each step was finished and confirmed, ms after the start, in the order of their ends. */
  finishedAt: number[]
  /** Bytes of the texts that agents produced, as the model gave them. */
  textBytes: number
  /** The growth of the folder in bytes, by the size of files on disk. */
  storedBytes: number
  entries: number
}

const prompts = loadPrompts('prompts', 'prompts')
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

export async function runEngine({ folder, agents, steps, characters, seed }: RunOptions): Promise<RunFigures> {
  const config = loadConfig({ CONVENE_DATA: folder }, (path) => readFileSync(path, 'utf8'), { folder: process.cwd() })
  await (await openSqliteStore(folder)).close()
  const emptyBytes = await bytesIn(folder)
  const store = await openSqliteStore(folder)
  const pool = openToolPool([], { log: quiet })
  const loads = createLoads({ newId: randomUUID, now: Date.now, sleep: async () => {} })
  const mistakes: string[] = []
  // Counted as in the server.
  const metrics = openMetrics({ version: 'bench', clock: () => performance.now() })
  const engine = await openEngine({
    store,
    node: 'bench',
    runSkill: loads.runSkill(runSkill(prompts)),
    models: metrics.models.watch({ get: () => loads.model }),
    pool: metrics.tools.watch(pool),
    meter: metrics.commits,
    config: loads.configured(configCommand(config)),
    now: Date.now,
    clock: () => performance.now(),
    newId: randomUUID,
    log: { warn: (_, message) => mistakes.push(message), error: (_, message) => mistakes.push(message) },
    onBroken: (error) => mistakes.push(String(error)),
  })
  const from = engine.world().seq
  const finishedAt: number[] = []
  const counting = new Set<StepId>()
  let textBytes = 0
  let start = 0
  let cpu = process.cpuUsage()
  let over = 0
  const allOver = new Promise<void>((resolve) => {
    engine.onDecision((entries) => {
      metrics.commits.decided(entries)
      metrics.models.decided(entries)
      const at = performance.now()
      for (const { event } of entries) {
        // From the first task on: a few more are made while its agent runs already.
        if (event.type === 'task.added' && start === 0) {
          start = at
          cpu = process.cpuUsage()
        }
        // What plans and judges is no step of the load.
        if (event.type === 'step.added' && event.executor === 'think') counting.add(event.step)
        if (event.type === 'step.finished' && counting.has(event.step)) finishedAt.push(at - start)
        if (event.type === 'model.called') textBytes += event.call.answer?.bytes ?? 0
        if (event.type === 'step.failed') mistakes.push(`a step failed: ${event.reason}`)
        if (event.type === 'task.finished') over += 1
        if (over === agents) resolve()
      }
    })
  })
  const begun = loads.driver(engine).start({
    agents,
    tasks: agents,
    stepsPerAgent: steps,
    changesPerSecond: Number.POSITIVE_INFINITY,
    seconds: Number.POSITIVE_INFINITY,
    bytes: characters,
    seed,
  })
  await Promise.all([begun, allOver])
  const wall = performance.now() - start
  const used = process.cpuUsage(cpu)
  const entries = engine.world().seq - from
  await engine.stop()
  await pool.close()
  await store.close()
  metrics.close()
  if (mistakes.length > 0 || finishedAt.length !== agents * steps)
    throw new Error(`the run went wrong: ${finishedAt.length} steps, ${mistakes.slice(0, 3).join('; ')}`)
  return {
    steps: finishedAt.length,
    msPerStep: wall / finishedAt.length,
    cpuMsPerStep: (used.user + used.system) / 1_000 / finishedAt.length,
    finishedAt,
    textBytes,
    storedBytes: (await bytesIn(folder)) - emptyBytes,
    entries,
  }
}

/** Sizes of all files below a folder. */
export async function bytesIn(folder: string): Promise<number> {
  let bytes = 0
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    // A database that was closed takes its passing files away when it likes.
    if (entry.isFile()) bytes += (await stat(join(entry.path, entry.name)).catch(() => null))?.size ?? 0
  }
  return bytes
}
