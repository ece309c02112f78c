// `npm run mutants -- <folder, file or glob> …`: plant one-line faults in conditions, limits and rights, and say which no test notices.
// `npm run mutants`: the table of what out/mutants.json holds, without planting anything.
//   --tests=<glob>[,<glob>]   other test files than those of AREAS      --at-once=<n>   how many faults are tried at once (2)
//   --sample=<n>              only 1 in n of the faults, always the same ones (1: all)
import './lib/requireNode.mjs'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

const { CannotGoOn, duration, main, say } = await import('./lib/say.mjs')
const { ensure } = await import('./lib/ensure.mjs')
const { inRoot, REPORTS, ROOT } = await import('./lib/paths.mjs')
const { inSample } = await import('./mutants.sample.mjs')

/** Folder of sources → the test files that must notice a fault there. Random histories and other slow files are left out: a lower bound. */
const AREAS = {
  'lib/mas': ['lib/mas/**/!(*.property|baseDays).test.ts'],
  'lib/wire': ['lib/wire/**/*.test.ts'],
  'server/engine': ['server/engine/**/*.test.ts'],
  'server/monitor': ['server/monitor/**/*.test.ts'],
  'server/gateway': ['server/gateway/**/*.test.ts'],
}

/** What is not a condition, a limit or a right: texts, empty blocks, empty lists, `?.`, `++`, patterns. */
const EXCLUDED = [
  'ArrayDeclaration',
  'ArrowFunction',
  'AssignmentOperator',
  'BlockStatement',
  'ObjectLiteral',
  'OptionalChaining',
  'Regex',
  'StringLiteral',
  'UnaryOperator',
  'UpdateOperator',
]

const RESULTS = join(REPORTS, 'mutants.json')
const NOTICED = ['Killed', 'Timeout']
const MISSED = ['Survived', 'NoCoverage']

await main(async () => {
  const words = process.argv.slice(2)
  const option = (name) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
  const places = words.filter((word) => !word.startsWith('--')).map(placeOf)
  if (places.length === 0) {
    table(measured())
    return
  }
  const tests = option('tests')?.split(',') ?? [...new Set(places.flatMap(testsOf))]
  const sample = Number(option('sample') ?? 1)
  if (!Number.isInteger(sample) || sample < 1)
    throw new CannotGoOn(`--sample=${option('sample')} is not a number.`, ['Say --sample=4 for one fault in four.'])
  await ensure({ built: false })
  const before = Date.now()
  const results = await plant(places, tests, Number(option('at-once') ?? 2), sample)
  const found = byFile(results, sample)
  mkdirSync(REPORTS, { recursive: true })
  writeFileSync(RESULTS, `${JSON.stringify({ ...measured(), ...found }, null, 1)}\n`)
  for (const [file, { missed }] of Object.entries(found)) for (const line of missed) say(`${file}:${line}`)
  table(found)
  say(`Planted and tried in ${duration(Date.now() - before)}.`)
})

/** A word of the command line as a path below the root, with forward slashes. */
function placeOf(word) {
  return relative(ROOT, join(ROOT, word)).replaceAll('\\', '/')
}

function testsOf(place) {
  const area = Object.keys(AREAS).find((folder) => place === folder || place.startsWith(`${folder}/`))
  if (area !== undefined) return AREAS[area]
  throw new CannotGoOn(`no test files are named for "${place}".`, [
    `Name a place below ${Object.keys(AREAS).join(', ')}, or add --tests=<glob>.`,
  ])
}

/** Plant every fault of these places, one at a time, in a copy of the sources that is removed afterwards. */
async function plant(places, tests, atOnce, sample) {
  process.env.CONVENE_MUTANTS_TESTS = JSON.stringify(tests)
  process.env.CONVENE_MUTANTS_SAMPLE = String(sample)
  process.chdir(ROOT)
  const { Stryker } = await import('@stryker-mutator/core')
  const tempDirName = mkdtempSync(join(tmpdir(), 'convene-mutants-'))
  try {
    return await new Stryker({
      mutate: [...places.map(globOf), '!**/*.test.{ts,tsx}'],
      mutator: { excludedMutations: EXCLUDED },
      testRunner: 'sampled-vitest',
      plugins: ['@stryker-mutator/vitest-runner', inRoot('scripts', 'mutants.sample.mjs')],
      vitest: { configFile: 'scripts/mutants.vitest.ts', related: false },
      coverageAnalysis: 'perTest',
      concurrency: atOnce,
      timeoutMS: 30_000,
      timeoutFactor: 4,
      dryRunTimeoutMinutes: 20,
      tempDirName,
      cleanTempDir: 'always',
      ignorePatterns: ['.next', 'out', 'dist', 'workspace', '.convene', 'test-results', 'docs/images', 'e2e'],
      disableTypeChecks: false,
      // Nothing reads the compiler's settings in the copy; Stryker would rewrite them with an older compiler's functions.
      tsconfigFile: 'none',
      checkers: [],
      reporters: ['progress-append-only'],
      allowConsoleColors: false,
      logLevel: 'warn',
    }).runMutationTest()
  } finally {
    rmSync(tempDirName, { recursive: true, force: true })
  }
}

function globOf(place) {
  const path = inRoot(place)
  return existsSync(path) && statSync(path).isDirectory() ? `${place}/**/*.ts` : place
}

/**
 * File → {sample, planted, noticed, uncovered, missed}, of the faults in the sample; `missed` are lines
 * `line:column  what was there → what stood there instead`.
 */
function byFile(results, sample) {
  const files = {}
  for (const { fileName, status, location, replacement } of results) {
    if (!NOTICED.includes(status) && !MISSED.includes(status)) continue
    if (!inSample(sample, { fileName, ...location.start, replacement })) continue
    const file = relative(ROOT, fileName).replaceAll('\\', '/')
    files[file] ??= { sample, planted: 0, noticed: 0, uncovered: 0, missed: [] }
    files[file].planted += 1
    if (NOTICED.includes(status)) files[file].noticed += 1
    else files[file].missed.push(lineOf(file, location, replacement, status))
    if (status === 'NoCoverage') files[file].uncovered += 1
  }
  return files
}

function lineOf(file, { start, end }, replacement, status) {
  const lines = readFileSync(inRoot(file), 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line)
  lines[lines.length - 1] = lines[lines.length - 1].slice(0, end.column - 1)
  lines[0] = lines[0].slice(start.column - 1)
  const short = (text) => text.replace(/\s+/g, ' ').trim().slice(0, 120)
  const uncovered = status === 'NoCoverage' ? '  (no test comes here)' : ''
  return `${start.line}:${start.column}  ${short(lines.join('\n'))}  →  ${short(replacement)}${uncovered}`
}

function measured() {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {}
}

/** One line for each folder, as Markdown; a folder whose files were measured by samples of several sizes has a line for each. */
function table(files) {
  const folders = {}
  for (const [file, counts] of Object.entries(files)) {
    const { sample = 1 } = counts
    const folder = sample === 1 ? dirname(file) : `${dirname(file)}, 1 in ${sample}`
    folders[folder] ??= { planted: 0, noticed: 0, uncovered: 0 }
    for (const key of Object.keys(folders[folder])) folders[folder][key] += counts[key]
  }
  say('| folder | planted | noticed | not covered | rate |')
  say('|---|---|---|---|---|')
  for (const [folder, { planted, noticed, uncovered }] of Object.entries(folders).sort()) {
    say(`| ${folder} | ${planted} | ${noticed} | ${uncovered} | ${Math.round((100 * noticed) / planted)} % |`)
  }
}
