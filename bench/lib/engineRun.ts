/**
 * One measured run of the whole engine: a store of its own, the true runner, skills and prompts, a model that answers
 * at once.
 */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { StepId } from '@/lib/mas/ids'
import { openMetrics } from '@/server/metrics'
import { openSqliteStore } from '@/server/store'
import { openBenchEngine } from './benchEngine'

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

export async function runEngine({ folder, agents, steps, characters, seed }: RunOptions): Promise<RunFigures> {
  await (await openSqliteStore(folder)).close()
  const emptyBytes = await bytesIn(folder)
  const store = await openSqliteStore(folder)
  // Counted as in the server.
  const metrics = openMetrics({ version: 'bench', clock: () => performance.now() })
  const { engine, load, mistakes, stop } = await openBenchEngine({ store, metrics })
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
  const begun = load({ agents, tasks: agents, stepsPerAgent: steps, bytes: characters, seed })
  await Promise.all([begun, allOver])
  const wall = performance.now() - start
  const used = process.cpuUsage(cpu)
  const entries = engine.world().seq - from
  await stop()
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
