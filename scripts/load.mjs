// `npm run load -- --agents N --steps N [--tasks N] [--data folder]`: fill a data folder (else CONVENE_DATA) with labelled load, then end.
import './lib/requireNode.mjs'

const { main } = await import('./lib/say.mjs')
const { ensure } = await import('./lib/ensure.mjs')
const { bundle } = await import('./lib/build.mjs')
const { become } = await import('./lib/run.mjs')
const { inRoot } = await import('./lib/paths.mjs')

await main(async () => {
  await ensure({ built: false })
  const program = inRoot('dist', 'load.cjs')
  await bundle(inRoot('scripts', 'fillWithLoad.ts'), program)
  process.exitCode = await become(process.execPath, ['--enable-source-maps', program, ...process.argv.slice(2)], {
    env: { NODE_ENV: 'production' },
  })
})
