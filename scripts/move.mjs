// `npm run move -- --to postgres://… | <folder>`: move the team to PostgreSQL or back. The server must not run.
import './lib/requireNode.mjs'

const { runProgram } = await import('./lib/runProgram.mjs')

await runProgram('move')
