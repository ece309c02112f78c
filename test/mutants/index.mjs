// `npm run mutants -- <folder or file> …`: plant one-line faults in conditions, limits and rights, and say which no test notices.
// `npm run mutants`: the table of what out/mutants.json holds, without planting anything.
//   --tests=<glob>[,<glob>]   other test files than those of AREAS      --at-once=<n>   how many faults are tried at once (2)
//   --sample=<n>              only 1 in n of the faults, always the same ones (1: all)
//   --no-static               no fault in code that runs while a module loads: each of them costs a run of all tests
import '../../scripts/lib/requireNode.mjs'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

const { CannotGoOn, duration, main, say } = await import('../../scripts/lib/say.mjs')
const { ensure } = await import('../../scripts/lib/ensure.mjs')
const { filesBelow } = await import('../../scripts/lib/fingerprint.mjs')
const { inRoot, REPORTS, ROOT } = await import('../../scripts/lib/paths.mjs')
const { listed, oneLine, rowsFor } = await import('./list.mjs')
const { inSample, results } = await import('./sample.mjs')

/** Tests that replace a module for themselves do not fit into a thread that keeps its modules: `fresh` gives each fault one of its own. */
const PASSWORDS = { tests: ['server/gateway/sessions/passwords.test.ts'], fresh: true }

/**
 * Place of sources → the test files that must notice a fault there. A file belongs to the first place that holds it. Random
 * histories and other slow files (`walk`, `race` and `fuzz` among them) are left out: a lower bound.
 */
const AREAS = {
  'lib/mas': {
    tests: [
      'lib/mas/**/!(*.property|baseDays).test.ts',
      'lib/mas/waits/progress.property.test.ts',
      'server/monitor/rows/*.test.ts',
      'server/gateway/routes/messages/{waits,requestList}.test.ts',
      'server/skills/{citations,prompt}.test.ts',
    ],
  },
  'lib/wire': {
    tests: [
      'lib/wire/**/*.test.ts',
      'server/monitor/**/!(watching|law|*.property).test.ts',
      'server/gateway/routes/**/{exact,waits,requestList}.test.ts',
    ],
  },
  'server/engine': { tests: ['server/engine/**/!(idle|hostile|faults).test.ts'] },
  'server/monitor/rows': {
    tests: ['server/monitor/rows/*.test.ts', 'server/gateway/routes/messages/requestList.test.ts'],
  },
  'server/monitor': { tests: ['server/monitor/!(watching|law|*.property).test.ts', 'server/monitor/rows/*.test.ts'] },
  'server/gateway/sessions/passwords.ts': PASSWORDS,
  'server/gateway/sessions/signIn.ts': { tests: ['server/gateway/**/{session,sessions,signIn}.test.ts'] },
  'server/gateway/sessions/knownBrowsers.ts': { tests: ['server/gateway/**/{session,signIn}.test.ts'] },
  'server/gateway/http/connections.ts': { tests: ['server/gateway/http/connections.test.ts'] },
  'server/gateway/index.ts': { tests: ['server/gateway/**/{connections,earlyServer,pages,ready,serving}.test.ts'] },
  'server/gateway/http/earlyServer.ts': { tests: ['server/gateway/**/{connections,earlyServer}.test.ts'] },
  'server/gateway/http/listen.ts': { tests: ['server/gateway/**/{connections,earlyServer,listen,pages}.test.ts'] },
  'server/gateway': { tests: ['server/gateway/**/!(connections|fuzz|passwords|race|signIn|walk).test.ts'] },
  'server/notify': { tests: ['server/notify/**/*.test.ts'] },
  'server/config': { tests: ['server/config/**/*.test.ts'] },
  'server/setup': { tests: ['server/setup/**/*.test.ts', 'server/gateway/routes/team/*.test.ts'] },
  'server/skills': { tests: ['server/skills/**/*.test.ts'] },
  'server/models': { tests: ['server/{models,skills}/**/*.test.ts'] },
  'packages/interop/adapters': { tests: ['packages/interop/adapters/**/*.test.ts'] },
  // The tests of real servers, addresses and streams do not run in a copy of the sources, or take minutes with each fault.
  'server/tools/calls': { tests: ['server/tools/calls/*.test.ts'] },
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
    report(measured())
    return
  }
  const sample = Number(option('sample') ?? 1)
  if (!Number.isInteger(sample) || sample < 1)
    throw new CannotGoOn(`--sample=${option('sample')} is not a number.`, ['Say --sample=4 for one fault in four.'])
  await ensure({ built: false })
  const before = Date.now()
  const found = {}
  mkdirSync(REPORTS, { recursive: true })
  for (const { files, tests, fresh } of groups(sourcesOf(places), option('tests')?.split(','))) {
    say(`${files.length} files against ${tests.join(', ')}`)
    const texts = Object.fromEntries(files.map((file) => [file, readFileSync(inRoot(file), 'utf8')]))
    const tested = []
    const keep = () => {
      Object.assign(found, byFile(tested, sample, texts))
      writeFileSync(RESULTS, `${JSON.stringify({ ...measured(), ...found }, null, 1)}\n`)
    }
    results.tested = (result) => {
      tested.push(result)
      if (tested.length % 100 === 0) keep()
    }
    await plant(files, tests, fresh, {
      atOnce: Number(option('at-once') ?? 2),
      sample,
      ignoreStatic: words.includes('--no-static'),
    })
    keep()
  }
  report(found)
  say(`Planted and tried in ${duration(Date.now() - before)}.`)
})

/** A word of the command line as a path below the root, with forward slashes. */
function placeOf(word) {
  const path = relative(ROOT, join(ROOT, word)).replaceAll('\\', '/')
  if (existsSync(inRoot(path))) return path
  throw new CannotGoOn(`"${word}" does not exist.`, ['Name folders and files below the root of the project.'])
}

/** The files of these places whose faults are planted. */
function sourcesOf(places) {
  const isSource = (path) => /\.ts$/.test(path) && !/\.test\.ts$|[\\/]test[\\/]/.test(path)
  return filesBelow(places, isSource).map((path) => relative(ROOT, path).replaceAll('\\', '/'))
}

/** The files, grouped by the tests that must notice their faults: one run for each group. */
function groups(files, chosenTests) {
  if (chosenTests !== undefined) return [{ files, tests: chosenTests, fresh: false }]
  const byPlace = new Map()
  for (const file of files) {
    const place = Object.keys(AREAS).find((one) => file === one || file.startsWith(`${one}/`))
    if (place === undefined)
      throw new CannotGoOn(`no test files are named for "${file}".`, [
        `Name a place below ${Object.keys(AREAS).join(', ')}, or add --tests=<glob>.`,
      ])
    byPlace.set(place, [...(byPlace.get(place) ?? []), file])
  }
  return [...byPlace].map(([place, group]) => ({ files: group, fresh: false, ...AREAS[place] }))
}

/** Plant every fault of these files, one at a time, in a copy of the sources that is removed afterwards. */
async function plant(files, tests, fresh, { atOnce, sample, ignoreStatic }) {
  process.env.CONVENE_MUTANTS_TESTS = JSON.stringify(tests)
  process.env.CONVENE_MUTANTS_FRESH = fresh ? '1' : ''
  process.env.CONVENE_MUTANTS_SAMPLE = String(sample)
  process.chdir(ROOT)
  const { Stryker } = await import('@stryker-mutator/core')
  const tempDirName = mkdtempSync(join(tmpdir(), 'convene-mutants-'))
  try {
    await new Stryker({
      mutate: files,
      mutator: { excludedMutations: EXCLUDED },
      testRunner: 'sampled-vitest',
      plugins: ['@stryker-mutator/vitest-runner', inRoot('test', 'mutants', 'sample.mjs')],
      vitest: { configFile: 'test/mutants/vitest.ts', related: false },
      coverageAnalysis: 'perTest',
      ignoreStatic,
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
      reporters: ['progress-append-only', 'results'],
      allowConsoleColors: false,
      logLevel: 'warn',
    }).runMutationTest()
  } finally {
    rmSync(tempDirName, { recursive: true, force: true })
  }
}

/**
 * File → {sample, source, planted, noticed, timedOut, uncovered, missed}, of the faults in the sample; `source` is a digest of the
 * text that was measured, `missed` are {at: 'line:column', expression, replacement, uncovered}.
 */
function byFile(tested, sample, texts) {
  const files = {}
  for (const { fileName, status, location, replacement } of tested) {
    if (!NOTICED.includes(status) && !MISSED.includes(status)) continue
    if (!inSample(sample, { fileName, ...location.start, replacement })) continue
    const file = relative(ROOT, fileName).replaceAll('\\', '/')
    const source = digestOf(texts[file])
    files[file] ??= { sample, source, planted: 0, noticed: 0, timedOut: 0, uncovered: 0, missed: [] }
    files[file].planted += 1
    if (NOTICED.includes(status)) files[file].noticed += 1
    else files[file].missed.push(survivorOf(texts[file], location, replacement, status))
    if (status === 'Timeout') files[file].timedOut += 1
    if (status === 'NoCoverage') files[file].uncovered += 1
  }
  return files
}

function survivorOf(text, { start, end }, replacement, status) {
  const lines = text.split('\n').slice(start.line - 1, end.line)
  lines[lines.length - 1] = lines[lines.length - 1].slice(0, end.column - 1)
  lines[0] = lines[0].slice(start.column - 1)
  const [expression, instead] = [oneLine(lines.join('\n')), oneLine(replacement)]
  return { at: `${start.line}:${start.column}`, expression, replacement: instead, uncovered: status === 'NoCoverage' }
}

function measured() {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {}
}

function digestOf(text) {
  return createHash('sha256').update(text).digest('hex')
}

/** What was not noticed and is not in docs/mutants.md, with its lines and as rows for that page; then a line for each folder. */
function report(files) {
  const reasons = listed()
  const isListed = (file, { expression, replacement }) =>
    /^default:.* satisfies never$/.test(expression) ||
    reasons.some((row) => row.file === file && row.expression === expression && row.replacements.includes(replacement))
  const open = Object.entries(files).flatMap(([file, { missed }]) =>
    missed.filter((one) => !isListed(file, one)).map((one) => ({ file, ...one })),
  )
  for (const { file, at, expression, replacement, uncovered } of open)
    say(`${file}:${at}  ${expression}  →  ${replacement}${uncovered ? '  (no test comes here)' : ''}`)
  if (open.length > 0) say('\nRows for docs/mutants.md:')
  for (const row of rowsFor(open)) say(row)
  table(files)
  const changed = Object.entries(files).filter(([file, { source }]) => {
    return !existsSync(inRoot(file)) || digestOf(readFileSync(inRoot(file), 'utf8')) !== source
  })
  if (changed.length > 0) say(`${changed.length} of ${Object.keys(files).length} files have changed since.`)
}

/** One line for each folder, as Markdown; a folder whose files were measured by samples of several sizes has a line for each. */
function table(files) {
  const folders = {}
  for (const [file, counts] of Object.entries(files)) {
    const { sample = 1 } = counts
    const folder = sample === 1 ? `\`${dirname(file)}\`` : `\`${dirname(file)}\`, 1 in ${sample}`
    folders[folder] ??= { planted: 0, noticed: 0, timedOut: 0, uncovered: 0 }
    for (const key of Object.keys(folders[folder])) folders[folder][key] += counts[key]
  }
  const all = { planted: 0, noticed: 0, timedOut: 0, uncovered: 0 }
  say('| folder | planted | noticed | of these by time | not covered | rate |')
  say('|---|---|---|---|---|---|')
  const line = (name, { planted, noticed, timedOut, uncovered }) =>
    say(
      `| ${name} | ${planted} | ${noticed} | ${timedOut} | ${uncovered} | ${Math.round((100 * noticed) / planted)} % |`,
    )
  for (const [folder, counts] of Object.entries(folders).sort()) {
    line(folder, counts)
    for (const key of Object.keys(all)) all[key] += counts[key]
  }
  line('all', all)
}
