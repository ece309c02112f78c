// `npm run build`: what `npm start` does before it serves.
import './lib/requireNode.mjs'

const { main, say } = await import('./lib/say.mjs')
const { ensure } = await import('./lib/ensure.mjs')

await main(async () => {
  await ensure({ built: true })
  say('Pages and server are built from the sources as they are.')
})
