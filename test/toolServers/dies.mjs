/** A server that dies during a call; `--at-start`: it never comes up; `--stubborn`: it and its child need SIGKILL. */
import { spawn } from 'node:child_process'
import { serve, text } from './serve.mjs'

if (process.argv.includes('--at-start')) {
  process.stderr.write(`cannot open ${process.env.STATE_FILE ?? 'the state'}\n`)
  process.exit(2)
}
if (process.argv.includes('--silent-start')) await new Promise(() => setInterval(() => {}, 1000))

let grandchild
if (process.argv.includes('--stubborn')) {
  process.on('SIGTERM', () => {})
  setInterval(() => {}, 1000)
  grandchild = spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], {
    stdio: 'inherit',
  })
}

await serve({
  die: {
    run: () => {
      process.stderr.write('first words\nout of paper\n', () => process.exit(3))
      return new Promise(() => {})
    },
  },
  grandchild: { annotations: { readOnlyHint: true }, run: () => text(String(grandchild?.pid)) },
  environment: { annotations: { readOnlyHint: true }, run: () => text(Object.keys(process.env).sort().join(',')) },
})
