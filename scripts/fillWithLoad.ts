/**
 * Fills a data folder with labelled load through the true engine and journal, without pages, tools or people.
 *
 * Owns: the arguments, and waiting until all of it ran. Not here: what load is (server/engine/loadDriver). Started by scripts/load.mjs.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ConfigError, configCommand, loadConfig } from '@/server/config'
import { openEngine, type RunningEngine } from '@/server/engine'
import { createLoadDriver, loadModel } from '@/server/engine/loadDriver'
import type { Model } from '@/server/models/model'
import { loadPrompts, runSkill } from '@/server/skills'
import { openSqliteStore, StoreLockedError } from '@/server/store'
import { openToolPool } from '@/server/tools'

type Wish = { agents: number; steps: number; tasks: number }

/** When no entry is added for so long, it will not end by itself. */
const STALLED_MS = 60_000
const MOST_AGENTS = 10_000
const MOST_STEPS = 100_000

class LoadError extends Error {}

async function main(): Promise<void> {
  const wish = readArguments()
  const folder = process.cwd()
  const config = loadConfig(process.env, (path) => readFileSync(path, 'utf8'), { folder })
  mkdirSync(config.dataFolder, { recursive: true })
  const store = await openSqliteStore(config.dataFolder, {})
  const pool = openToolPool([], { log: { debug() {}, info() {}, warn: report, error: report } })
  const load = loadModel((ms, signal) => wait(ms, undefined, { signal }))
  const engine = await openEngine({
    store,
    node: config.node,
    runSkill: runSkill(loadPrompts(join(folder, 'prompts'), join(folder, 'config', 'prompts'))),
    models: { get: (name) => (name === load.name ? load : untilNextStart(name)) },
    pool,
    config: configCommand(config),
    now: Date.now,
    clock: () => performance.now(),
    newId: randomUUID,
    log: { warn: report, error: report },
    onBroken(error) {
      process.stderr.write(`The store cannot be written: ${String(error)}\n`)
      process.exit(1)
    },
  })
  try {
    await fill(engine, wish)
  } finally {
    await engine.stop()
    await pool.close()
    await store.close()
  }
  print(`Data folder: ${config.dataFolder}`)
}

/** The team's own agents stand still here: their calls are cut when this ends, and made again at the next start. */
function untilNextStart(name: string): Model {
  return {
    name,
    provider: 'none',
    contextTokens: 4_096,
    async *call(_turns, { signal }) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      signal.throwIfAborted()
    },
  }
}

async function fill(engine: RunningEngine, { agents, steps, tasks }: Wish): Promise<void> {
  print(`Filling with load: ${tasks} tasks, ${agents} agents, ${steps} steps each …`)
  const driver = createLoadDriver(engine, randomUUID)
  // As fast as it goes: a pace beyond reach, and time enough for every step.
  const asFast = { changesPerSecond: 1e9, seconds: 1e9, bytes: 64, seed: 1 }
  const { id } = await driver.start({ agents, tasks, stepsPerAgent: steps, ...asFast })
  let seen = { entries: -1, at: Date.now() }
  for (;;) {
    const progress = driver.progress(id)
    if (progress === null || progress.state === 'failed') throw new LoadError(progress?.reason ?? 'the load is gone')
    if (progress.state === 'finished') {
      const perSecond = Math.round(progress.entries / Math.max(0.001, progress.seconds))
      print(`${progress.entries} entries in ${progress.seconds.toFixed(1)} s, ${perSecond} a second.`)
      return
    }
    if (progress.entries !== seen.entries) seen = { entries: progress.entries, at: Date.now() }
    if (Date.now() - seen.at > STALLED_MS)
      throw new LoadError(`nothing new for ${STALLED_MS / 1000} s, after ${seen.entries} entries`)
    await wait(100)
  }
}

function readArguments(): Wish {
  const usage = 'npm run load -- --agents 50 --steps 200 [--tasks 5]'
  try {
    const { values } = parseArgs({
      options: { agents: { type: 'string' }, steps: { type: 'string' }, tasks: { type: 'string' } },
    })
    const number = (name: string, text: string | undefined, most: number): number => {
      const value = Number(text)
      if (!Number.isInteger(value) || value < 1 || value > most)
        throw new LoadError(`--${name} takes a number from 1 to ${most}`)
      return value
    }
    const agents = number('agents', values.agents, MOST_AGENTS)
    return {
      agents,
      steps: number('steps', values.steps, MOST_STEPS),
      tasks: number('tasks', values.tasks ?? '1', agents),
    }
  } catch (error) {
    throw new LoadError(`${error instanceof Error ? error.message : String(error)}\n  ${usage}`)
  }
}

const report = (data: object, message: string): void => {
  process.stderr.write(`${message} ${JSON.stringify(data)}\n`)
}
const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

main().catch((error: unknown) => {
  const isMendable = [LoadError, ConfigError, StoreLockedError].some((kind) => error instanceof kind)
  process.stderr.write(`${error instanceof Error ? (isMendable ? error.message : error.stack) : String(error)}\n`)
  process.exit(1)
})
