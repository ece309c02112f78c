// Runs scripts/<name>.ts, or that of a package (packages/*/programs), bundled when it is stale:
// `npm run backup`, `by-hand`, `doctor`, `eval`, `faults`, `hash-password`, `load`, `move`, `restore`.
import './lib/requireNode.mjs'

const { bundle, OPERATOR_PROGRAMS, programFile } = await import('./lib/build.mjs')
const { ensure } = await import('./lib/ensure.mjs')
const { programSource } = await import('./lib/packages.mjs')
const { become } = await import('./lib/run.mjs')
const { CannotGoOn, main } = await import('./lib/say.mjs')

const [name, ...words] = process.argv.slice(2)

await main(async () => {
  const source = programSource(name)
  if (source === undefined)
    throw new CannotGoOn(`npm run ${name} is part of a package that is not here.`, [
      'Put it into packages/, and try again.',
    ])
  const isOfOperator = OPERATOR_PROGRAMS.includes(name)
  // The fault scenarios start servers, so pages and server are built first.
  const built = name === 'faults'
  await ensure({ built, bundled: built || isOfOperator })
  const program = programFile(name)
  if (!isOfOperator) await bundle(source, program)
  process.exitCode = await become(process.execPath, ['--enable-source-maps', program, ...words], {
    env: { NODE_ENV: 'production' },
  })
})
