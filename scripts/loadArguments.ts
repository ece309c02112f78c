/** What `npm run load` was asked for. */
import { parseArgs } from 'node:util'

export type LoadArguments = { agents: number; steps: number; tasks: number; data: string | null }

export class LoadError extends Error {}

const USAGE = 'npm run load -- --agents 50 --steps 200 [--tasks 5] [--data folder]'
const MOST_AGENTS = 10_000
const MOST_STEPS = 100_000

/**
 * in      the words behind `npm run load --`
 * faults  LoadError with a sentence and the way it is called
 */
export function readLoadArguments(words: string[]): LoadArguments {
  try {
    const { values } = parseArgs({
      args: words,
      options: {
        agents: { type: 'string' },
        steps: { type: 'string' },
        tasks: { type: 'string' },
        data: { type: 'string' },
      },
    })
    const agents = whole('agents', values.agents, MOST_AGENTS)
    return {
      agents,
      steps: whole('steps', values.steps, MOST_STEPS),
      // No task without an agent.
      tasks: whole('tasks', values.tasks ?? '1', agents),
      data: values.data ?? null,
    }
  } catch (error) {
    throw new LoadError(`${error instanceof Error ? error.message : String(error)}\n  ${USAGE}`)
  }
}

function whole(name: string, text: string | undefined, most: number): number {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new LoadError(`--${name} takes a whole number from 1 to ${most}`)
}
