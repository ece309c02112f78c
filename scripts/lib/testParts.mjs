// The parts of `npm test`.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { bundle } from './build.mjs'
import { copyCore } from './corePart.mjs'
import { ensure } from './ensure.mjs'
import { filesBelow } from './fingerprint.mjs'
import { inRoot, programOf, REPORTS } from './paths.mjs'
import { runNode } from './run.mjs'
import { CannotGoOn, duration, say } from './say.mjs'

const MINUTE = 60_000
// The browser tests need the gallery, which the build of `npm start` omits: one build serves all parts.
process.env.CONVENE_GALLERY = '1'
// For the tests of the PostgreSQL store only; servers started by other parts use folders of their own.
const { DATABASE_URL } = process.env
delete process.env.DATABASE_URL
const none = () => ({ passed: 0, failed: 0, skipped: 0, trouble: [] })

/** Name → a function that returns {passed, failed, skipped, trouble}; `trouble`: lines about failures. In this order. */
export const PARTS = { checks, build, unit, faults, e2e, core }
/** Those that run by their name or with --all only. */
export const LONG_PARTS = ['core']

/**
 * The parts in groups that run at the same time. The short fault scenarios mostly wait for processes, so they run beside the unit
 * tests; the long ones judge times and memory.
 */
export const groupsOf = (parts) =>
  parts.reduce((groups, part) => {
    if (part === 'faults' && !isAll() && groups.at(-1)?.includes('unit')) groups.at(-1).push(part)
    else groups.push([part])
    return groups
  }, [])

/** Types, lint and the project's own rules: each one is a test. */
async function checks() {
  await install()
  const own = await Promise.all(
    [
      'arrows',
      'pureLib',
      'messages',
      'words',
      'rules',
      'mentions',
      'contracts',
      'fileNames',
      'lazyFiles',
      'timers',
      'memberKinds',
      'eventFolders',
      'bodies',
      'exportNames',
      'nameSets',
      'testNames',
    ].map((file) => import(`../checks/${file}.mjs`)),
  )
  const count = none()
  const others = [
    oneCheck(count, 'types: tsc --noEmit', types),
    oneCheck(count, 'style: biome check', style),
    oneCheck(count, 'unused: knip finds no file, export or package that nobody uses', unused),
  ]
  for (const { name, check } of own) await oneCheck(count, name, check)
  await Promise.all(others)
  return count
}

async function oneCheck(count, name, check) {
  const from = Date.now()
  const problems = await check()
  const took = duration(Date.now() - from)
  if (problems.length === 0) {
    count.passed += 1
    say(`ok     ${name} (${took})`)
    return
  }
  const lines = [`FAILED ${name} (${took})`, ...problems.slice(0, 60).map((problem) => `       ${problem}`)]
  if (problems.length > 60) lines.push(`       and ${problems.length - 60} more`)
  for (const line of lines) say(line)
  count.failed += 1
  count.trouble.push(...lines)
}

const style = () =>
  linesOf(
    [
      programOf('@biomejs/biome', 'bin/biome'),
      'check',
      '--colors=off',
      '--diagnostic-level=error',
      '--max-diagnostics=20',
    ],
    10 * MINUTE,
  )

const unused = () => linesOf([programOf('knip', 'bin/knip.js'), '--no-progress', '--no-config-hints'], 10 * MINUTE)

async function types() {
  if (!hasNextTypes()) {
    const written = await linesOf([programOf('next', 'dist/bin/next'), 'typegen'], 2 * MINUTE)
    if (written.length > 0) return written
  }
  return linesOf(
    [programOf('typescript', 'bin/tsc'), '--noEmit', '--pretty', 'false', '-p', inRoot('tsconfig.json')],
    10 * MINUTE,
  )
}

/** Next generates types of its modules: missing in a fresh clone, possibly the dev server's after `npm run dev`. */
function hasNextTypes() {
  const file = inRoot('next-env.d.ts')
  if (!existsSync(file)) return false
  const imported = [...readFileSync(file, 'utf8').matchAll(/^import "\.\/([^"]+)"/gm)].map((match) => match[1])
  return imported.every((path) => existsSync(inRoot(path)))
}

/** The output lines of a program that is only of interest when it fails; [] on success. */
async function linesOf(args, limitMs) {
  const { code, output, timedOut } = await runNode(args, { limitMs, quiet: true })
  if (timedOut) return [`it took longer than ${duration(limitMs)}`]
  if (code === 0) return []
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 0 ? lines : [`it ended with exit code ${code}`]
}

/** Unit tests: Vitest over every *.test.ts. */
async function unit() {
  await install()
  const report = freshReport('unit.json')
  const args = [
    programOf('vitest', 'vitest.mjs'),
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ]
  const result = await runNode(args, {
    limitMs: (isAll() ? 60 : 20) * MINUTE,
    env: { NODE_ENV: 'test', ...(DATABASE_URL === undefined ? {} : { DATABASE_URL }) },
  })
  return counted(report, result, (found) => {
    // A file that fails to load has no tests: it counts as one failure.
    const broken = found.testResults.filter(
      (file) => file.status === 'failed' && !file.assertionResults.some(({ status }) => status === 'failed'),
    ).length
    return {
      passed: found.numPassedTests,
      failed: found.numFailedTests + broken,
      skipped: found.numPendingTests + found.numTodoTests,
      trouble: failuresIn(found.testResults),
    }
  })
}

/** Builds pages and server, which must not change the committed compiler settings. */
async function build() {
  await install()
  const before = digest('tsconfig.json')
  await ensure({ built: true })
  if (digest('tsconfig.json') !== before) throw new CannotGoOn('the build changed tsconfig.json: commit what it wrote.')
  say('ok     pages and server are built')
  return { ...none(), passed: 1 }
}

/** Fault scenarios against real servers (test/faults), the short form unless all are requested. */
async function faults() {
  await install()
  await ensure({ built: true })
  const program = inRoot('dist', 'faults.cjs')
  await bundle(inRoot('scripts', 'faults.ts'), program)
  // The same seed for each short run.
  const options = isAll() ? ['--all'] : ['--seed', '20261123']
  const result = await runNode([program, ...options], { limitMs: (isAll() ? 120 : 10) * MINUTE, quiet: true })
  say(result.output.trimEnd())
  const last = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m.exec(result.output)
  if (!last || result.timedOut) return { ...none(), failed: 1, trouble: ['FAILED faults: they did not come to an end'] }
  const trouble = [...result.output.matchAll(/^== (\S+):[^\n]*\n(?: {2}(?!FAILED)[^\n]*\n)* {2}(FAILED[^\n]*)/gm)]
  return {
    passed: Number(last[1]),
    failed: Number(last[2]),
    skipped: Number(last[3] ?? 0),
    trouble: trouble.map(([, name, why]) => `FAILED faults › ${name}: ${why}`),
  }
}

/** Browser tests: Playwright in e2e/, with a server per file or test, against the build with the gallery. */
async function e2e() {
  await install()
  if (filesBelow(['e2e'], (file) => file.endsWith('.spec.ts')).length === 0) {
    say('There are no browser tests yet.')
    return none()
  }
  await ensure({ built: true })
  const { ensureBrowser, ensureFonts } = await import('../browser.mjs')
  const browser = await ensureBrowser({ isShell: process.env.CONVENE_ALL !== '1' })
  await ensureFonts()
  say(`Browser: ${browser}`)
  const report = freshReport('e2e.json')
  const result = await runNode([programOf('@playwright/test', 'cli.js'), 'test'], {
    limitMs: 45 * MINUTE,
    env: { CONVENE_BROWSER: browser, CONVENE_E2E_REPORT: report },
  })
  return counted(report, result, ({ suites, stats, errors }) => ({
    // Flaky: passed only on a retry, where enabled (playwright.config.ts). It is reported.
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + (stats.unexpected === 0 ? errors.length : 0),
    skipped: stats.skipped,
    trouble: linesOfTrouble(suites),
  }))
}

/** The program without its packages, in a copy: its types, its build, and every unit test of what is left. */
async function core() {
  await install()
  const { folder, left } = copyCore()
  say(`${left.length} files of tests and measurements need a package and are left out:`)
  for (const path of left) say(`  ${path}`)
  const env = { NODE_ENV: 'test' }
  const built = await runNode([join(folder, 'scripts', 'test.mjs'), 'build', 'unit'], {
    limitMs: 40 * MINUTE,
    cwd: folder,
    env,
    quiet: true,
  })
  say(built.output.trimEnd())
  const types = await runNode([programOf('typescript', 'bin/tsc'), '--noEmit', '--pretty', 'false', '-p', folder], {
    limitMs: 10 * MINUTE,
    quiet: true,
  })
  const [, passed, failed, skipped] = built.output.trim().match(/(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/) ?? []
  rmSync(folder, { recursive: true, force: true })
  const wrong = types.output.split('\n').filter((line) => line.includes('error TS'))
  return {
    passed: Number(passed ?? 0) + (wrong.length === 0 ? 1 : 0),
    failed: Number(failed ?? 1) + (wrong.length === 0 ? 0 : 1),
    skipped: Number(skipped ?? 0),
    trouble: [
      ...wrong.map((line) => `FAILED core, types: ${line}`),
      ...built.output.split('\n').filter((line) => /^(FAILED|FLAKY) /.test(line)),
    ],
  }
}

/** Names each unit test that failed in any attempt, with its message. Tests that passed on a retry have messages too. */
function failuresIn(files) {
  return files.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(inRoot('.'), name)
    const troubled = assertionResults.filter(({ failureMessages }) => failureMessages.length > 0)
    if (troubled.length === 0) return status === 'failed' ? [`FAILED ${file}: ${message}`] : []
    return troubled.flatMap((test) => [
      `${test.status === 'passed' ? 'FLAKY ' : 'FAILED'} ${file} › ${test.fullName}`,
      ...test.failureMessages.flatMap((text) => firstLines(text, 12)),
    ])
  })
}

/** Names each test that failed in any attempt, with its errors and the page's content, since a trace cannot be opened elsewhere. */
function linesOfTrouble(suites) {
  const lines = []
  for (const suite of suites) {
    lines.push(...linesOfTrouble(suite.suites ?? []))
    for (const { title, tests } of suite.specs) {
      for (const { status, projectName, results } of tests) {
        if (status === 'expected' || status === 'skipped') continue
        lines.push(`${status === 'flaky' ? 'FLAKY ' : 'FAILED'} [${projectName}] ${suite.file} › ${title}`)
        for (const { message = '' } of results.flatMap(({ errors }) => errors)) lines.push(...firstLines(message, 16))
        const contexts = results
          .flatMap(({ attachments }) => attachments)
          .filter(({ name }) => name === 'error-context')
        for (const { path } of contexts) if (path && existsSync(path)) lines.push(...pageIn(readFileSync(path, 'utf8')))
      }
    }
  }
  return lines
}

/** The page's accessibility tree from Playwright's error context; at most 60 lines. */
function pageIn(context) {
  return firstLines(/^```yaml\n([\s\S]*?)^```/m.exec(context)?.[1] ?? '', 60)
}

/** The first lines of a text, indented, without terminal colours; [] for an empty text. */
function firstLines(text, count) {
  const plain = stripVTControlCharacters(text).trimEnd()
  if (plain === '') return []
  return plain
    .split('\n')
    .slice(0, count)
    .map((line) => `       ${line}`)
}

/** Reads a runner's report; a failed runner without a failed test, or without a report, counts as one failure. */
function counted(report, { code, timedOut }, count) {
  if (timedOut) say('FAILED: the time limit of this part is over')
  if (!existsSync(report)) {
    say(`FAILED: no report was written (exit code ${code})`)
    return { ...none(), failed: 1 }
  }
  const found = count(JSON.parse(readFileSync(report, 'utf8')))
  return code !== 0 && found.failed === 0 ? { ...found, failed: 1 } : found
}

function freshReport(name) {
  mkdirSync(REPORTS, { recursive: true })
  const file = join(REPORTS, name)
  rmSync(file, { force: true })
  return file
}

async function install() {
  try {
    await ensure({ built: false })
  } catch (error) {
    if (error instanceof CannotGoOn) error.endsAll = true
    throw error
  }
}

const isAll = () => process.env.CONVENE_ALL === '1'
const digest = (file) =>
  createHash('sha256')
    .update(readFileSync(inRoot(file)))
    .digest('hex')
