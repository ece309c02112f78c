/** A server that dies in the middle of a call; with `--at-start` it never comes up; with `--stubborn` it ends for nothing but SIGKILL, and so does its own child. */
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
