// `npm run faults [-- --all] [scenario …]`: kills, a full disk, hostile input, floods and long runs against real servers, with figures.
import './lib/requireNode.mjs'

const { runProgram } = await import('./lib/runProgram.mjs')

await runProgram('faults', { built: true })
