// `npm run audit`: licences of the packages that run, a list of them (SBOM), and their known holes where the registry answers.
import './lib/requireNode.mjs'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const { inRoot, REPORTS } = await import('./lib/paths.mjs')
const { run } = await import('./lib/run.mjs')
const { CannotGoOn, main, say } = await import('./lib/say.mjs')
const { holesIn, unfitLicences } = await import('./lib/supplyChain.mjs')

const LIMIT_MS = 120_000
const SBOM = `${REPORTS}/sbom.cdx.json`
/** Without an answer of the registry the audit fails: for a pipeline that must know. */
const mustAnswer = process.argv.includes('--must-answer')

const npm = (...args) => run('npm', args, { limitMs: LIMIT_MS, quiet: true, shell: process.platform === 'win32' })

await main(async () => {
  const { packages } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'))
  const unfit = unfitLicences(packages)
  for (const { name, licence } of unfit) say(`Licence not allowed: ${name} (${licence})`)
  if (unfit.length === 0) say('Licences: each package that runs has an allowed one.')

  const { code, output } = await npm('sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev', '--package-lock-only')
  if (code !== 0 || !output.includes('"CycloneDX"'))
    throw new CannotGoOn('npm could not list the packages.', [output.slice(0, 500)])
  mkdirSync(dirname(SBOM), { recursive: true })
  writeFileSync(SBOM, output.slice(output.indexOf('{')))
  say(`SBOM: ${SBOM}`)

  const holes = holesIn((await npm('audit', '--json', '--omit', 'dev')).output)
  if (holes === null) say('Known holes: NOT CHECKED. The registry gave no answer; try again with a connection to it.')
  else if (holes.length === 0) say('Known holes: none.')
  else for (const { name, severity, title } of holes) say(`Known hole (${severity}): ${name}: ${title}`)

  if (unfit.length > 0 || (holes !== null && holes.length > 0) || (holes === null && mustAnswer)) process.exitCode = 1
})
