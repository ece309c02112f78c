// docs/rules/ lists the rules, a page per subject, with the tests that hold them: that column is written by `npm run rules`.
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { filesBelow } from '../lib/fingerprint.mjs'
import { ROOT } from '../lib/paths.mjs'
import { codeFiles } from './sources.mjs'

export const name = 'rules: each is named by a test, and its row names the tests'

const ROW = /^\| (R\d+) \| (.*) \| ([^|]*) \|$/

/** @returns {string[]} one line per rule without a test or with two rows, per test without a rule, and per row that says otherwise */
export function check(files = codeFiles(), pages = rulePages()) {
  const holders = holdersIn(files)
  const rows = pages.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line) => {
      const [, id, , said] = ROW.exec(line) ?? []
      return id === undefined ? [] : [{ path, id, said }]
    }),
  )
  const known = new Map(rows.map((row) => [row.id, row]))
  return [
    ...rows
      .filter((row) => known.get(row.id) !== row)
      .map(({ path, id }) => `${path}: ${id} stands in another row, too`),
    ...rows.filter(({ id }) => !holders.has(id)).map(({ path, id }) => `${path}: no test is named by ${id}`),
    ...[...holders]
      .filter(([id]) => !known.has(id))
      .map(([id, paths]) => `${paths[0]} names ${id}, which no page of docs/rules has`),
    ...rows
      .filter(({ id, said }) => holders.has(id) && said !== cellOf(holders.get(id)))
      .map(({ path, id }) => `${path}: the tests of ${id} are others now: npm run rules`),
  ]
}

/** The text of a page with the tests of now in the last column. */
export function withHolders(text, files = codeFiles()) {
  const holders = holdersIn(files)
  return text
    .split('\n')
    .map((line) => {
      const [, id, rule] = ROW.exec(line) ?? []
      return id === undefined || !holders.has(id) ? line : `| ${id} | ${rule} | ${cellOf(holders.get(id))} |`
    })
    .join('\n')
}

/** @returns {{path: string, text: string}[]} */
export const rulePages = () =>
  filesBelow(['docs/rules'], (file) => file.endsWith('.md')).map((file) => ({
    path: relative(ROOT, file).split('\\').join('/'),
    text: readFileSync(file, 'utf8'),
  }))

const cellOf = (paths) => paths.map((path) => `\`${path}\``).join(', ')

/** @returns {Map<string, string[]>} rule → the files whose tests are named by it, sorted */
function holdersIn(files) {
  const tests = files.filter(
    ({ path }) =>
      (/\.(test|spec)\.tsx?$/.test(path) || path.startsWith('test/')) &&
      // It contains sample rules.
      path !== 'scripts/checks/checks.test.ts',
  )
  const named = new Map()
  for (const { path, text } of tests)
    for (const [, ids] of text.matchAll(/\[((?:R\d+(?:,\s*)?)+)\]/g))
      for (const id of ids.split(/,\s*/)) named.set(id, (named.get(id) ?? new Set()).add(path))
  return new Map([...named].map(([id, paths]) => [id, [...paths].sort()]))
}
