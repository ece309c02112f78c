/**
 * Synthetic load through the true journal: tasks of agents that only count, at a wanted pace. To the program they are tasks like
 * others: an operator adds the agents and makes the tasks. Tasks and agents are called `load`.
 */
import type { CommandOf } from '@/lib/mas/commands/command'
import type { TaskId } from '@/lib/mas/ids'
import { isTaskOver } from '@/lib/mas/statuses'
import type { Engine } from '@/server/engine/port'
import type { Model, ModelPiece } from '@/server/models/model'
import type { Monitor } from '@/server/monitor'
import { errorMessage } from '@/server/shared/errors'
import type { RunSkill } from '@/server/skills/port'
import { goalOf, LOAD_MODEL, runCounting } from './counting'
import { openLoadTeam } from './team'
import { loadTexts } from './texts'
import { timedMonitor } from './times'
import type { LoadProgress, LoadWish } from './wish'

/** Tasks whose agents work at a wanted pace. */
export type LoadDriver = {
  /** Make the tasks; their agents run by themselves. */
  start(wish: LoadWish): Promise<{ id: string }>
  /** null: no such load was started here. */
  progress(id: string): LoadProgress | null
}

export type Loads = {
  /** The model of all load agents; the engine must find it under its name. */
  readonly model: Model
  /** The team's configuration with that model in it. */
  configured(config: CommandOf<'applyConfig'>): CommandOf<'applyConfig'>
  /** Runs the steps of load agents, and those of all others as `runSkill` does. */
  runSkill(runSkill: RunSkill): RunSkill
  /** The monitor, whose frames and beats say when their entries were confirmed (docs/socket.md). */
  timed(core: { monitor: Monitor; engine: Pick<Engine, 'onDecision'> }): Monitor
  /** Pace and texts of the newest load are those of all that still run. */
  driver(engine: Pick<Engine, 'commit' | 'world'>): LoadDriver
}

export type LoadParts = {
  newId: () => string
  /** Epoch ms. */
  now: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  contextTokens?: number
}

/** Entries that one counted step makes: planned, started, its call, finished. */
const ENTRIES_PER_STEP = 4
/** How long a step takes at a node that was not asked for the load, ms. */
const ELSEWHERE_MS = 200
/** As much as a configured model has when nothing is said. */
const CONTEXT_TOKENS = 32_768

type Load = {
  startedAt: number
  from: number
  tasks: TaskId[]
  reason: string | null
  ended: LoadProgress | null
  made: boolean
}

/** Make the model and, once there is an engine, its driver; both share the pace. */
export function createLoads({ newId, now, sleep, contextTokens = CONTEXT_TOKENS }: LoadParts): Loads {
  const loads = new Map<string, Load>()
  // Until a load begins here: steps of one that began at another node.
  let answer = { pauseMs: ELSEWHERE_MS, characters: 64, text: loadTexts(1) }

  const model: Model = {
    name: LOAD_MODEL,
    provider: 'load',
    contextTokens,
    async *call(_turns, { signal }): AsyncIterable<ModelPiece> {
      const { pauseMs, characters, text } = answer
      if (pauseMs >= 1) await sleep(pauseMs, signal)
      yield { type: 'text', text: `<think>${text(characters)}</think>` }
      yield {
        type: 'end',
        usage: { promptTokens: null, completionTokens: null, estimated: true, costUsd: 0 },
        modelVersion: 'load-1',
        finish: 'stop',
      }
    },
  }

  const start = async (engine: Pick<Engine, 'commit' | 'world'>, wish: LoadWish): Promise<{ id: string }> => {
    const { agents, tasks, changesPerSecond, bytes, seed } = wish
    const id = newId()
    answer = {
      pauseMs: (agents * ENTRIES_PER_STEP * 1_000) / Math.max(1, changesPerSecond),
      characters: bytes,
      text: loadTexts(seed),
    }
    const load: Load = { startedAt: now(), from: engine.world().seq, tasks: [], reason: null, ended: null, made: false }
    loads.set(id, load)
    const stepsPerAgent = stepsOf(wish)
    const team = openLoadTeam(engine, newId)
    try {
      const free = await team.agents(agents)
      for (let n = 1; n <= tasks; n++) {
        const own = Math.floor(agents / tasks) + (n <= agents % tasks ? 1 : 0)
        load.tasks.push(await team.task(`load ${n}`, free.splice(0, own), goalOf(stepsPerAgent)))
      }
    } catch (error) {
      load.reason = errorMessage(error)
    }
    load.made = true
    return { id }
  }

  const progress = (engine: Pick<Engine, 'world'>, id: string): LoadProgress | null => {
    const load = loads.get(id)
    if (!load) return null
    if (load.ended) return load.ended
    const world = engine.world()
    const runs = load.tasks.some((task) => {
      const record = world.tasks[task]
      return record !== undefined && !isTaskOver(record)
    })
    const seen: LoadProgress = {
      id,
      state: load.reason !== null ? 'failed' : runs || !load.made ? 'running' : 'finished',
      entries: world.seq - load.from,
      seconds: (now() - load.startedAt) / 1_000,
      reason: load.reason,
    }
    // Its numbers stay as they were when its end was first seen.
    if (seen.state !== 'running') load.ended = seen
    return seen
  }

  return {
    model,
    configured: ({ team, ...rest }) => ({ ...rest, team: { ...team, models: [...(team.models ?? []), LOAD_MODEL] } }),
    runSkill: runCounting,
    timed: ({ monitor, engine }) => timedMonitor(monitor, engine, () => performance.now()),
    driver: (engine) => ({ start: (wish) => start(engine, wish), progress: (id) => progress(engine, id) }),
  }
}

function stepsOf({ agents, stepsPerAgent, changesPerSecond, seconds }: LoadWish): number {
  const inTime = Math.ceil((changesPerSecond * seconds) / ENTRIES_PER_STEP / Math.max(1, agents))
  return Math.max(1, Math.min(stepsPerAgent, inTime))
}
