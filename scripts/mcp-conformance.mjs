// `npm run mcp-conformance`: run every client scenario of the MCP conformance suite against our own tool client and say how it went.
import './lib/requireNode.mjs'

const { main, say } = await import('./lib/say.mjs')
const { ensure } = await import('./lib/ensure.mjs')
const { bundle } = await import('./lib/build.mjs')
const { runNode } = await import('./lib/run.mjs')
const { inRoot, programOf } = await import('./lib/paths.mjs')

const CLIENT = inRoot('dist', 'mcp-conformance-client.cjs')
const SUITE = programOf('@modelcontextprotocol/conformance', 'dist/index.js')
const suite = (...words) => runNode([SUITE, ...words], { limitMs: 120_000, quiet: true })

await main(async () => {
  await ensure({ built: false })
  await bundle(inRoot('test', 'mcpConformanceClient.ts'), CLIENT)
  const { output: list } = await suite('list', '--client')
  const names = [...list.matchAll(/^ {2}- (\S+)$/gm)].map(([, name]) => name)
  let passed = 0
  for (const name of names) {
    // The suite starts its own server, runs our client against it, and checks the traffic.
    const { code, output } = await suite('client', '--command', `${process.execPath} ${CLIENT}`, '--scenario', name)
    if (code === 0) passed += 1
    say(`${code === 0 ? 'passed' : 'FAILED'}  ${name}  ${/^Passed: .*$/m.exec(output)?.[0] ?? 'no result'}`)
    if (code !== 0) say(output.trim().split('\n').slice(-30).join('\n'))
  }
  say(`${passed} of ${names.length} scenarios passed`)
  process.exitCode = names.length > 0 && passed === names.length ? 0 : 1
})
