/** Arguments of `npm run load`. */
import { parseArgs } from 'node:util'

export type LoadArguments = { agents: number; steps: number; tasks: number; data: string | null }

export class LoadError extends Error {}

const USAGE = 'npm run load -- --agents 50 --steps 200 [--tasks 5] [--data folder]'

export const HELP = `${USAGE}

Fills a data folder with synthetic load and ends. Its tasks are called "load 1", "load 2", …

  --agents N     agents of all tasks together, 1 to 10000
  --steps N      steps of each agent, 1 to 100000: 50 agents with 200 steps make 10000 steps, about 50000 journal entries
  --tasks N      tasks, 1 to the number of agents; default 1
  --data folder  the data folder to fill; default: CONVENE_DATA or the configuration's
  --help         this text`
const MOST_AGENTS = 10_000
const MOST_STEPS = 100_000

/** in: the arguments. out: null: help was requested. Throws LoadError with the usage */
export function readLoadArguments(words: string[]): LoadArguments | null {
  try {
    const { values } = parseArgs({
      args: words,
      options: {
        agents: { type: 'string' },
        steps: { type: 'string' },
        tasks: { type: 'string' },
        data: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
    if (values.help === true) return null
    const agents = whole('agents', values.agents, MOST_AGENTS)
    return {
      agents,
      steps: whole('steps', values.steps, MOST_STEPS),
      tasks: whole('tasks', values.tasks ?? '1', agents),
      data: values.data ?? null,
    }
  } catch (error) {
    throw new LoadError(
      `${error instanceof Error ? error.message : String(error)}\n  ${USAGE}\n  npm run load -- --help says more.`,
    )
  }
}

function whole(name: string, text: string | undefined, most: number): number {
  const value = text === undefined || text.trim() === '' ? Number.NaN : Number(text)
  if (Number.isInteger(value) && value >= 1 && value <= most) return value
  throw new LoadError(`--${name} takes a whole number from 1 to ${most}`)
}
