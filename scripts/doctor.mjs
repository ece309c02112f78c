// `npm run doctor`: try each configured model and tool server, and say in plain words what is wrong and what to do.
// `npm run doctor -- --empty-aside`: only remove the files of bodies that no entry names.
import './lib/requireNode.mjs'

const { runProgram } = await import('./lib/runProgram.mjs')

await runProgram('doctor')
