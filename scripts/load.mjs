// `npm run load -- --agents N --steps N [--tasks N] [--data folder]`: fill a data folder (else CONVENE_DATA) with load, then end. --steps: of each agent.
import './lib/requireNode.mjs'

const { runProgram } = await import('./lib/runProgram.mjs')

await runProgram('load')
