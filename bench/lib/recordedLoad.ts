/**
 * Load as a list of decisions, each with the world after it: made once by a true engine over a store in memory, to be
 * played again as often as one likes at whatever pace.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import type { Entry } from '@/lib/mas/events'
import { type AgentId, asId } from '@/lib/mas/ids'
import type { AgentConfig, World } from '@/lib/mas/records'
import { configCommand, loadConfig } from '@/server/config'
import { openEngine } from '@/server/engine'
import { loadPrompts, runSkill } from '@/server/skills'
import { openToolPool } from '@/server/tools'
import { memoryData, memoryStore } from '@/test/memoryStore'
import { createLoads } from '../load'

export type Decision = { entries: Entry[]; world: World }
/** `before`: the world with the team, its viewers and the tasks; the agents have not begun. */
export type RecordedLoad = { viewers: AgentId[]; before: World; decisions: Decision[]; entries: number }

const viewer = (n: number): AgentConfig => ({
  id: asId<AgentId>(randomUUID()),
  configId: `viewer${n}`,
  kind: 'human',
  name: `Viewer ${n}`,
  role: 'operator',
  profile: '',
  groups: [],
  manager: false,
  mayWait: false,
  model: 'default',
  skills: [],
  tools: [],
  access: 'operator',
})

/** Each viewer is an operator of their own, so rows of `me` and `overview` are made for each. */
export async function recordLoad(wish: {
  viewers: number
  agents: number
  tasks: number
  stepsPerAgent: number
}): Promise<RecordedLoad> {
  const config = loadConfig({}, (path) => readFileSync(path, 'utf8'), { folder: process.cwd() })
  const loads = createLoads({ newId: randomUUID, now: Date.now, sleep: async () => {} })
  const command = loads.configured(configCommand(config))
  const viewers = Array.from({ length: wish.viewers }, (_, n) => viewer(n + 1))
  const pool = openToolPool([], { log: { debug() {}, info() {}, warn() {}, error() {} } })
  const engine = await openEngine({
    store: memoryStore({ data: memoryData(), now: Date.now }),
    node: 'bench',
    runSkill: loads.runSkill(runSkill(loadPrompts('prompts', 'prompts'))),
    models: { get: () => loads.model },
    pool,
    config: { ...command, agents: [...command.agents, ...viewers] },
    now: Date.now,
    clock: () => performance.now(),
    newId: randomUUID,
    log: { warn() {}, error() {} },
    onBroken: (error) => {
      throw error
    },
  })
  const decisions: Decision[] = []
  let over = 0
  const allOver = new Promise<void>((resolve) => {
    engine.onDecision((entries, world) => {
      decisions.push({ entries, world })
      over += entries.filter(({ event }) => event.type === 'task.finished').length
      if (over === wish.tasks) resolve()
    })
  })
  const endless = Number.POSITIVE_INFINITY
  await loads.driver(engine).start({ ...wish, changesPerSecond: endless, seconds: endless, bytes: 200, seed: 1 })
  await allOver
  await engine.stop()
  await pool.close()
  const first = decisions.findIndex(({ world }) => Object.keys(world.tasks).length === wish.tasks + 1)
  const before = decisions[first]?.world
  if (before === undefined) throw new Error('the load was not made')
  const rest = decisions.slice(first + 1)
  const entries = rest.reduce((sum, decision) => sum + decision.entries.length, 0)
  return { viewers: viewers.map(({ id }) => id), before, decisions: rest, entries }
}
