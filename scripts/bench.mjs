// `npm run bench -- <name>`: run one of bench/*.ts against the built server; without a name, say which there are.
import './lib/requireNode.mjs'
import { existsSync, readdirSync } from 'node:fs'

const { CannotGoOn, main } = await import('./lib/say.mjs')
const { ensure } = await import('./lib/ensure.mjs')
const { bundle } = await import('./lib/build.mjs')
const { become } = await import('./lib/run.mjs')
const { inRoot } = await import('./lib/paths.mjs')

await main(async () => {
  const [name, ...rest] = process.argv.slice(2)
  const names = existsSync(inRoot('bench')) ? benchNames() : []
  if (name === undefined || !names.includes(name)) {
    const which = name === undefined ? 'say which measurement to run.' : `there is no measurement called "${name}".`
    throw new CannotGoOn(
      which,
      names.map((known) => `npm run bench -- ${known}`),
    )
  }
  await ensure({ built: true })
  // Bundled like the server: a TypeScript loader would add a call to each function created at run time.
  const program = inRoot('dist', 'bench', `${name}.mjs`)
  await bundle(inRoot('bench', `${name}.ts`), program)
  process.exitCode = await become(process.execPath, ['--enable-source-maps', program, ...rest], {
    env: { NODE_ENV: 'production' },
  })
})

function benchNames() {
  return readdirSync(inRoot('bench'))
    .filter((file) => /^[a-z][a-z0-9-]*\.ts$/.test(file))
    .map((file) => file.replace(/\.ts$/, ''))
    .sort()
}
