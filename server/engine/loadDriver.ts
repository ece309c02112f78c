/**
 * Labelled load through the true journal: agents that only count, at a wanted pace. For benches; never shown as work.
 */

import { asId, type TaskId } from '@/lib/mas/ids'
import { isTaskOver } from '@/lib/mas/statuses'
import type { Model, ModelPiece } from '../models/model'
import { loadTexts } from './loadText'
import type { Engine } from './port'

/**
 * changesPerSecond  journal entries that all agents together make in a second; Infinity: as fast as it goes
 * bytes             characters of each answer
 * seconds           no more steps than fit into this time at that pace
 */
export type LoadOptions = {
  agents: number
  tasks: number
  stepsPerAgent: number
  changesPerSecond: number
  bytes: number
  seconds: number
  seed: number
}
export type LoadProgress = {
  id: string
  state: 'running' | 'finished' | 'failed'
  entries: number
  seconds: number
  reason: string | null
}

export type LoadDriver = {
  /** Make the tasks; their agents run by themselves. Pace and texts of the newest load are those of all that still run. */
  start(wish: LoadOptions): Promise<{ id: string }>
  /** null: no such load was started here. */
  progress(id: string): LoadProgress | null
}

export type Loads = {
  /** The model of all load agents; the engine must find it under its name. */
  readonly model: Model
  driver(engine: Pick<Engine, 'commit' | 'world'>): LoadDriver
}

export type LoadParts = {
  newId: () => string
  /** Epoch ms. */
  now: () => number
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
  contextTokens?: number
}

/** Entries that one counted step makes: planned, started, its call, a line of shared info, finished. */
const ENTRIES_PER_STEP = 5
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
  let answer = { pauseMs: 0, characters: 64, text: loadTexts(1) }

  const model: Model = {
    name: 'load',
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

  const start = async (engine: Pick<Engine, 'commit' | 'world'>, wish: LoadOptions): Promise<{ id: string }> => {
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
    for (let n = 1; n <= tasks; n++) {
      const own = Math.floor(agents / tasks) + (n <= agents % tasks ? 1 : 0)
      const command = { type: 'addLoad', name: `load ${n}`, agents: own, stepsPerAgent } as const
      const made = await engine.commit({ id: newId(), by: 'system:load', command })
      if (made.ok) load.tasks.push(taskOf(made.reply))
      else load.reason = made.fault.message
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
    driver: (engine) => ({ start: (wish) => start(engine, wish), progress: (id) => progress(engine, id) }),
  }
}

function stepsOf({ agents, stepsPerAgent, changesPerSecond, seconds }: LoadOptions): number {
  const inTime = Math.ceil((changesPerSecond * seconds) / ENTRIES_PER_STEP / Math.max(1, agents))
  return Math.max(1, Math.min(stepsPerAgent, inTime))
}

function taskOf(reply: unknown): TaskId {
  if (reply === null || typeof reply !== 'object' || !('task' in reply) || typeof reply.task !== 'string')
    throw new Error('adding load answered with no task')
  return asId<TaskId>(reply.task)
}
