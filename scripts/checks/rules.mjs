// docs/rules.md lists the rules with the tests that hold them.
import { existsSync, readFileSync } from 'node:fs'
import { inRoot } from '../lib/paths.mjs'
import { codeFiles } from './sources.mjs'

export const name = 'rules: each is named by a test, and each that a test names exists'

/** @returns {string[]} one line per rule without a test, per test without a rule, and per test file that its rule does not name */
export function check(files = codeFiles(), rules = readRules()) {
  if (rules === undefined) return []
  const { held, open, filesOf } = idsOf(rules)
  const tests = files.filter(
    ({ path }) =>
      (/\.(test|spec)\.tsx?$/.test(path) || path.startsWith('test/')) &&
      // It contains sample rules.
      path !== 'scripts/checks/checks.test.ts',
  )
  const named = new Map()
  for (const { path, text } of tests) {
    for (const [, id] of text.matchAll(/\[((?:R\d+(?:,\s*)?)+)\]/g))
      for (const one of id.split(/,\s*/)) named.set(one, (named.get(one) ?? new Set()).add(path))
  }
  return [
    ...held.filter((id) => !named.has(id)).map((id) => `docs/rules.md: no test is named by ${id}`),
    ...[...named]
      .filter(([id]) => !held.includes(id) && !open.includes(id))
      .map(([id, paths]) => `${[...paths][0]} names ${id}, which docs/rules.md does not have`),
    ...[...named].flatMap(([id, paths]) =>
      [...paths]
        .filter(
          (path) => filesOf.has(id) && ![...filesOf.get(id)].some((one) => path === one || path.startsWith(`${one}/`)),
        )
        .map((path) => `${path} names ${id}, whose row in docs/rules.md does not name that file`),
    ),
  ]
}

function readRules() {
  const file = inRoot('docs', 'rules.md')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Ids at the beginning of a line, item, heading or row, with the files named there; "not yet held" needs no test. */
function idsOf(rules) {
  const ids = { held: [], open: [], filesOf: new Map() }
  let kind = 'held'
  for (const line of rules.split('\n')) {
    if (/^#+ /.test(line)) kind = /not (yet )?held/i.test(line) ? 'open' : 'held'
    const id = /^(?:[|*#-]+\s*)?\**`?(R\d+)\b/.exec(line)?.[1]
    if (id === undefined) continue
    if (!ids[kind].includes(id)) ids[kind].push(id)
    const files = [...line.matchAll(/`([\w./[\]-]+\/[\w./[\]-]+)`/g)].map((match) => match[1])
    if (files.length > 0) ids.filesOf.set(id, new Set([...(ids.filesOf.get(id) ?? []), ...files]))
  }
  return ids
}
