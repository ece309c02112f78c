// `npm run load -- --agents N --steps N [--tasks N] [--data folder]`: fill a data folder with load. --steps: of each agent.
import './lib/requireNode.mjs'

const { runProgram } = await import('./lib/runProgram.mjs')

await runProgram('load')
