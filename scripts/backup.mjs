// `npm run backup -- <folder> [--workspace] [--keys]`: copy the data folder, also while the server runs.
import './lib/requireNode.mjs'

const { runProgram } = await import('./lib/runProgram.mjs')

await runProgram('backup')
