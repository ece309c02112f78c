// `npm run hash-password`: read a password (typed unseen, or piped in) and print its argon2id hash for `password_hash`.
import './lib/requireNode.mjs'

const { CannotGoOn, main } = await import('./lib/say.mjs')
const { ensure } = await import('./lib/ensure.mjs')
const { openLines } = await import('./lib/lines.mjs')

await main(async () => {
  await ensure({ built: false })
  const { hash } = await import('@node-rs/argon2')
  const lines = openLines()
  const password = await lines.ask('Password (not shown): ', true)
  lines.close()
  if (password.length < 8) throw new CannotGoOn('a password needs at least 8 characters.')
  // Memory 19 MiB, two passes, one lane: the package's argon2id defaults, and what the sign-in checks against.
  process.stdout.write(`${await hash(password)}\n`)
  if (process.stdin.isTTY) process.stderr.write('Put this line in the configuration as password_hash of the person.\n')
})
