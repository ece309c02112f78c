// `npm run dev`: the server from its TypeScript, restarted when server/ or lib/ change; the pages rebuilt by Next as they change.
import './lib/requireNode.mjs'

const { main } = await import('./lib/say.mjs')
const { ensure } = await import('./lib/ensure.mjs')
const { become } = await import('./lib/run.mjs')
const { inRoot, programOf } = await import('./lib/paths.mjs')

await main(async () => {
  await ensure({ built: false })
  const watch = [
    programOf('tsx', 'dist/cli.mjs'),
    'watch',
    '--clear-screen=false',
    inRoot('server', 'main.ts'),
    '--dev',
  ]
  process.exitCode = await become(process.execPath, [...watch, ...process.argv.slice(2)], {
    env: { NODE_ENV: 'development' },
  })
})
