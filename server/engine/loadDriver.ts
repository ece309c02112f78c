/**
 * Labelled load through the true journal: agents that only count, at a wanted pace. For benches; never shown as work.
 *
 * Owns: the `load` model (an answer of so many bytes, after a pause), starting loads, how far they are.
 */

import type { Model, ModelPiece } from '../models/model'
import type { RunningEngine } from './index'

export type LoadWish = {
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

/** Entries that one counted step makes: started, its call, finished, a line of shared info, the part's state now and then. */
const ENTRIES_PER_STEP = 4

/** The pace of the load that runs now; the model that all load agents share reads it. */
const pace = { pauseMs: 0, bytes: 64 }

type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

/** A model that answers at once with a text of the wanted size. */
export function loadModel(sleep: Sleep): Model {
  return {
    name: 'load',
    provider: 'load',
    contextTokens: 4_096,
    async *call(_turns, { signal }): AsyncIterable<ModelPiece> {
      if (pace.pauseMs > 0) await sleep(pace.pauseMs, signal)
      yield {
        type: 'text',
        text: `<think>${'0123456789abcdef'.repeat(Math.ceil(pace.bytes / 16)).slice(0, pace.bytes)}</think>`,
      }
      yield {
        type: 'end',
        usage: { promptTokens: null, completionTokens: null, estimated: true, costUsd: 0 },
        modelVersion: 'load-1',
        finish: 'stop',
      }
    },
  }
}

export function createLoadDriver(engine: RunningEngine, newId: () => string) {
  const loads = new Map<
    string,
    { startedAt: number; from: number; steps: number; tasks: string[]; reason: string | null }
  >()
  return {
    /** Make the tasks; their agents run by themselves. Pace and bytes are those of the newest load. */
    async start(wish: LoadWish): Promise<{ id: string }> {
      const id = newId()
      pace.bytes = wish.bytes
      pace.pauseMs = (wish.agents * ENTRIES_PER_STEP * 1_000) / Math.max(1, wish.changesPerSecond)
      const steps = Math.min(
        wish.stepsPerAgent,
        Math.ceil((wish.changesPerSecond * wish.seconds) / ENTRIES_PER_STEP / Math.max(1, wish.agents)),
      )
      const load = {
        startedAt: Date.now(),
        from: engine.world().seq,
        steps,
        tasks: [] as string[],
        reason: null as string | null,
      }
      loads.set(id, load)
      for (let n = 1; n <= wish.tasks; n++) {
        const agents = Math.floor(wish.agents / wish.tasks) + (n <= wish.agents % wish.tasks ? 1 : 0)
        const command = { type: 'addLoad', name: `load ${n}`, agents, stepsPerAgent: steps } as const
        const answer = await engine.commit({ id: newId(), by: 'system:load', command })
        if (!answer.ok) load.reason = answer.fault.message
        else if (answer.reply && typeof answer.reply === 'object' && 'task' in answer.reply)
          load.tasks.push(String(answer.reply.task))
      }
      return { id }
    },
    progress(id: string): LoadProgress | null {
      const load = loads.get(id)
      if (!load) return null
      const world = engine.world()
      const isBusy = load.tasks.some((task) =>
        Object.values(world.steps).some((agents) =>
          Object.values(agents).some((own) =>
            Object.values(own).some(
              (step) => step.task === task && step.state !== 'finished' && step.state !== 'failed',
            ),
          ),
        ),
      )
      return {
        id,
        state: load.reason === null ? (isBusy ? 'running' : 'finished') : 'failed',
        entries: world.seq - load.from,
        seconds: (Date.now() - load.startedAt) / 1_000,
        reason: load.reason,
      }
    },
  }
}
