// `npm run mcp-conformance`: run every client scenario of the MCP conformance suite against our own tool client and say how it went.
// `npm run mcp-conformance -- <url>`: be the client of one scenario that another program runs (the suite's --command).
// `npm run mcp-conformance -- <scenario> …`: only these.
import './lib/requireNode.mjs'

const { CannotGoOn, main, say } = await import('./lib/say.mjs')
const { ensure } = await import('./lib/ensure.mjs')
const { bundle } = await import('./lib/build.mjs')
const { become, run } = await import('./lib/run.mjs')
const { inRoot, programOf } = await import('./lib/paths.mjs')

const CLIENT = inRoot('dist', 'mcp-conformance-client.cjs')
const SUITE = programOf('@modelcontextprotocol/conformance', 'dist/index.js')
const LIMIT_MS = 120_000

await main(async () => {
  await ensure({ built: false })
  await bundle(inRoot('test', 'mcpConformanceClient.ts'), CLIENT)
  const words = process.argv.slice(2)
  if (words.length === 1 && /^https?:\/\//.test(words[0])) {
    process.exitCode = await become(process.execPath, ['--enable-source-maps', CLIENT, words[0]], { env: {} })
    return
  }
  const known = await scenarios()
  const unknown = words.find((word) => !known.includes(word))
  if (unknown !== undefined) throw new CannotGoOn(`there is no scenario called "${unknown}".`, known)
  let passed = 0
  const wanted = words.length > 0 ? words : known
  for (const name of wanted) {
    const { isPassed, count, reason } = await play(name)
    if (isPassed) passed += 1
    say(`${isPassed ? 'passed' : 'FAILED'}  ${name}  ${count}`)
    if (!isPassed) say(reason)
  }
  say(`${passed} of ${wanted.length} scenarios passed`)
  process.exitCode = passed === wanted.length ? 0 : 1
})

async function scenarios() {
  const { output } = await run(process.execPath, [SUITE, 'list', '--client'], { limitMs: LIMIT_MS, quiet: true })
  return [...output.matchAll(/^ {2}- (\S+)$/gm)].map(([, name]) => name)
}

/** The suite starts its own server, runs our client against it, and checks the traffic. */
async function play(name) {
  const command = `${process.execPath} ${CLIENT}`
  const words = [SUITE, 'client', '--command', command, '--scenario', name]
  const { code, output } = await run(process.execPath, words, { limitMs: LIMIT_MS, quiet: true })
  const count = /^Passed: .*$/m.exec(output)?.[0] ?? 'no result'
  return { isPassed: code === 0, count, reason: output.trim().split('\n').slice(-30).join('\n') }
}
