// `npm run eval [-- --model name --lang en --jobs compare,total …]`: jobs for a model; `--compare one.json other.json`.
import './lib/requireNode.mjs'

const { runProgram } = await import('./lib/runProgram.mjs')

await runProgram('eval')
