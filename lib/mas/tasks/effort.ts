/** Cost, files and sources of work, for checkpoints. */
import { sumKnown } from '@/lib/sumKnown'
import { selectFilesOfTask } from '../files/files'
import type { TaskId } from '../ids'
import type { StepRecord, World } from '../records'
import { addressesOf } from '../steps/callWords'
import { selectTaskCost } from './taskResult'

/** An unknown figure is absent; a list may be empty. */
type Effort = {
  tokenUsage?: { inputTokens?: number; outputTokens?: number; totalTokens: number; isEstimated?: true }
  costUsd?: number
  /** Workspace paths that were created, changed or removed. */
  filesTouched: string[]
  /** Objects that tool calls named and did not change: paths, addresses of pages, resources. */
  sourcesConsulted?: string[]
}

export function selectEffortOfSteps(world: Pick<World, 'files'>, steps: readonly StepRecord[]): Effort {
  const calls = steps.flatMap((step) => step.calls)
  const input = sumKnown(calls.map((call) => call.promptTokens))
  const output = sumKnown(calls.map((call) => call.completionTokens))
  const costUsd = sumKnown(calls.map((call) => call.costUsd))
  const ids = new Set(steps.map(({ id }) => id))
  const touched = Object.entries(world.files).flatMap(([path, versions]) =>
    versions.some(({ step }) => ids.has(step)) ? [path] : [],
  )
  const consulted = steps.flatMap((step) => (step.state === 'finished' ? addressesOf(step.instruction) : []))
  return {
    ...(input === null && output === null
      ? {}
      : {
          tokenUsage: {
            ...(input === null ? {} : { inputTokens: input }),
            ...(output === null ? {} : { outputTokens: output }),
            totalTokens: (input ?? 0) + (output ?? 0),
            ...(calls.some(({ estimated }) => estimated) ? { isEstimated: true as const } : {}),
          },
        }),
    ...(costUsd === null ? {} : { costUsd }),
    filesTouched: touched.sort(),
    sourcesConsulted: [...new Set(consulted)].filter((one) => !touched.includes(one)).sort(),
  }
}

/** For a whole task, from the counts of its limits, which include evicted records. */
export function selectEffortOfTask(world: World, task: TaskId): Effort {
  const { tokens, costUsd } = selectTaskCost(world, task)
  return {
    ...(tokens === 0 ? {} : { tokenUsage: { totalTokens: tokens } }),
    // There 0 also means an unknown price.
    ...(costUsd === null || costUsd === 0 ? {} : { costUsd }),
    filesTouched: selectFilesOfTask(world, task)
      .map(({ path }) => path)
      .sort(),
  }
}
