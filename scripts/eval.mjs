// `npm run eval [-- --model name --lang en --jobs compare,total …]`: twelve jobs per language by a model, checked by a program; `--compare one.json other.json`.
import './lib/requireNode.mjs'

const { runProgram } = await import('./lib/runProgram.mjs')

await runProgram('eval')
