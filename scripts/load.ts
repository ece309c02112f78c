/** `npm run load`: fills a data folder with load through the engine and journal. */
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import '@/server/packages'
import { createLoads, type LoadDriver } from '@/bench/load'
import { configCommand } from '@/server/config'
import { openEngine } from '@/server/engine'
import type { Model } from '@/server/models/model'
import { loadPrompts, runSkill } from '@/server/skills'
import { openStore } from '@/server/store'
import { openToolPool } from '@/server/tools'
import { inWords, print, printTrouble, readConfig } from './lib/inWords'
import { HELP, type LoadArguments, LoadError, readLoadArguments } from './loadArguments'

/** Without a new entry for this long, the load is stuck. */
const STALLED_MS = 60_000
const PROGRESS_MS = 2_000

async function main(): Promise<void> {
  const wish = readLoadArguments(process.argv.slice(2))
  if (wish === null) return print(HELP)
  const folder = process.cwd()
  const environment = wish.data === null ? process.env : { ...process.env, CONVENE_DATA: wish.data }
  const config = readConfig(environment)
  mkdirSync(config.dataFolder, { recursive: true })
  const store = await openStore(config)
  const pool = openToolPool([], { log: { debug() {}, info() {}, warn: report, error: report } })
  const load = createLoads({
    newId: randomUUID,
    now: Date.now,
    sleep: (ms, signal) => wait(ms, undefined, { signal }),
  })
  const engine = await openEngine({
    store,
    node: config.node,
    runSkill: load.runSkill(runSkill(loadPrompts(join(folder, 'prompts'), join(folder, 'config', 'prompts')))),
    models: { get: (name) => (name === load.model.name ? load.model : untilNextStart(name)) },
    pool,
    config: load.configured(configCommand(config)),
    now: Date.now,
    clock: () => performance.now(),
    newId: randomUUID,
    log: { warn: report, error: report },
    onBroken(error) {
      printTrouble(`The store cannot be written: ${String(error)}`)
      process.exit(1)
    },
  })
  try {
    await fill(load.driver(engine), wish)
  } finally {
    await engine.stop()
    await pool.close()
    await store.close()
  }
  print(`Data folder: ${config.dataFolder}`)
}

/** The team's own agents must not work here: their calls wait, are aborted at the end, and repeated at the next start. */
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

async function fill(driver: LoadDriver, { agents, steps, tasks }: LoadArguments): Promise<void> {
  print(`Filling with load: tasks ${tasks}, agents ${agents}, steps of each ${steps} …`)
  // Without pauses.
  const pace = { changesPerSecond: Number.POSITIVE_INFINITY, seconds: Number.POSITIVE_INFINITY, bytes: 400, seed: 1 }
  const { id } = await driver.start({ agents, tasks, stepsPerAgent: steps, ...pace })
  let seen = { entries: -1, at: Date.now() }
  let saidAt = Date.now()
  for (;;) {
    const progress = driver.progress(id)
    if (progress === null || progress.state === 'failed') throw new LoadError(progress?.reason ?? 'the load is gone')
    const { entries, seconds, state } = progress
    const rate = `${entries} entries in ${seconds.toFixed(1)} s, ${Math.round(entries / Math.max(0.001, seconds))} a second`
    if (state === 'finished') {
      print(`Done: ${rate}.`)
      return
    }
    if (entries !== seen.entries) seen = { entries, at: Date.now() }
    if (Date.now() - seen.at > STALLED_MS)
      throw new LoadError(`nothing new for ${STALLED_MS / 1_000} s, after ${entries} entries`)
    if (Date.now() - saidAt >= PROGRESS_MS) {
      print(`  ${rate}`)
      saidAt = Date.now()
    }
    await wait(50)
  }
}

const report = (data: object, message: string): void => {
  printTrouble(`${message} ${JSON.stringify(data)}`)
}

inWords(main, LoadError)
