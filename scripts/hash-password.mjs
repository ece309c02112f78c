// `npm run hash-password`: read a password (typed unseen, or piped in) and print its argon2id hash for `password_hash`.
import './lib/requireNode.mjs'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

const { CannotGoOn, main } = await import('./lib/say.mjs')
const { ensure } = await import('./lib/ensure.mjs')

await main(async () => {
  await ensure({ built: false })
  const { hash } = await import('@node-rs/argon2')
  const password = await ask()
  if (password.length < 8) throw new CannotGoOn('a password needs at least 8 characters.')
  // Memory 19 MiB, two passes, one lane: the package's argon2id defaults, and what the sign-in checks against.
  process.stdout.write(`${await hash(password)}\n`)
  if (process.stdin.isTTY) process.stderr.write('Put this line in the configuration as password_hash of the person.\n')
})

/** The first line of the input; on a terminal nothing that is typed is shown. */
function ask() {
  const isTerminal = process.stdin.isTTY === true
  if (isTerminal) process.stderr.write('Password (not shown): ')
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: isTerminal ? unseen : undefined, terminal: isTerminal })
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      if (isTerminal) process.stderr.write('\n')
      resolve(line)
      lines.close()
    })
    lines.once('close', () => resolve(''))
  })
}
