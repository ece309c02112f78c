// `npm run doctor`: try each configured model and tool server, and say in plain words what is wrong and what to do.
import './lib/requireNode.mjs'

const { main } = await import('./lib/say.mjs')
const { ensure } = await import('./lib/ensure.mjs')
const { bundle } = await import('./lib/build.mjs')
const { become } = await import('./lib/run.mjs')
const { inRoot } = await import('./lib/paths.mjs')

await main(async () => {
  await ensure({ built: false })
  const program = inRoot('dist', 'doctor.cjs')
  await bundle(inRoot('scripts', 'doctor.ts'), program)
  process.exitCode = await become(process.execPath, ['--enable-source-maps', program], {
    env: { NODE_ENV: 'production' },
  })
})
