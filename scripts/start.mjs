// `npm start`: install if missing, build if stale, serve.
import './lib/requireNode.mjs'

const { main } = await import('./lib/say.mjs')
const { ensure } = await import('./lib/ensure.mjs')
const { become } = await import('./lib/run.mjs')
const { SERVER_BUNDLE, SERVER_ENVIRONMENT } = await import('./lib/paths.mjs')

await main(async () => {
  await ensure({ built: true })
  process.exitCode = await become(process.execPath, ['--enable-source-maps', SERVER_BUNDLE, ...process.argv.slice(2)], {
    env: SERVER_ENVIRONMENT,
  })
})
