// Runs a PostgreSQL server until its own standard input ends: a test process that is killed leaves none behind.
import { spawn } from 'node:child_process'

const [uid, program, ...args] = process.argv.slice(2)
const as = uid === '' ? {} : { uid: Number(uid), gid: Number(uid) }
const server = spawn(program, args, {
  ...as,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, LC_ALL: 'C' },
})
server.on('exit', (code) => process.exit(code ?? 1))
process.stdin.on('end', () => server.kill('SIGQUIT'))
process.stdin.on('data', (word) => {
  // SIGINT: sessions are cut off, and all is written.
  if (`${word}`.trim() === 'stop') server.kill('SIGINT')
  if (`${word}`.trim() === 'crash') server.kill('SIGQUIT')
})
