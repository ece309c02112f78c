// `npm run restore -- <folder> [--workspace] | --check`: put a backup into an empty place, or check one.
import './lib/requireNode.mjs'

const { runProgram } = await import('./lib/runProgram.mjs')

await runProgram('restore')
