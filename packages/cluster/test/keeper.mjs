// Runs a PostgreSQL server until its own standard input ends: a test process that ends, however it ends, leaves none behind.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'

const [folder, uid, program, ...args] = process.argv.slice(2)
const as = uid === '' ? {} : { uid: Number(uid), gid: Number(uid) }
const server = spawn(program, args, { ...as, stdio: 'ignore', env: { ...process.env, LC_ALL: 'C' } })
// SIGINT: sessions are cut off, and all is written. SIGQUIT: as a crash. SIGKILL: the other processes end when they notice.
const SIGNALS = { stop: 'SIGINT', crash: 'SIGQUIT', kill: 'SIGKILL' }
let isOver = false
server.on('exit', (code) => {
  if (isOver) rmSync(folder, { recursive: true, force: true })
  process.exit(code ?? 1)
})
process.stdin.on('end', () => {
  isOver = true
  server.kill('SIGQUIT')
})
process.stdin.on('data', (word) => {
  server.kill(SIGNALS[`${word}`.trim()])
})
