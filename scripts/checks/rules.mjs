// docs/rules.md says what must be true.
import { existsSync, readFileSync } from 'node:fs'
import { inRoot } from '../lib/paths.mjs'
import { codeFiles } from './sources.mjs'

export const name = 'rules: each is named by a test, and each that a test names exists'

/** @returns {string[]} one line per rule without a test and per test without a rule; [] while there is no list of rules */
export function check(files = codeFiles(), rules = readRules()) {
  if (rules === undefined) return []
  const { held, open } = idsOf(rules)
  const tests = files.filter(
    ({ path }) => /\.(test|spec)\.tsx?$/.test(path) || path.startsWith('test/') || path.includes('/contract/'),
  )
  const named = new Map()
  for (const { path, text } of tests) {
    for (const [, id] of text.matchAll(/\[((?:R\d+(?:,\s*)?)+)\]/g))
      for (const one of id.split(/,\s*/)) named.set(one, path)
  }
  return [
    ...held.filter((id) => !named.has(id)).map((id) => `docs/rules.md: no test is named by ${id}`),
    ...[...named]
      .filter(([id]) => !held.includes(id) && !open.includes(id))
      .map(([id, path]) => `${path} names ${id}, which docs/rules.md does not have`),
  ]
}

function readRules() {
  const file = inRoot('docs', 'rules.md')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** Ids at the beginning of a line, a list item, a heading or a table row; those under "not yet held" need no test. */
function idsOf(rules) {
  const ids = { held: [], open: [] }
  let kind = 'held'
  for (const line of rules.split('\n')) {
    if (/^#+ /.test(line)) kind = /not (yet )?held/i.test(line) ? 'open' : 'held'
    const id = /^(?:[|*#-]+\s*)?\**`?(R\d+)\b/.exec(line)?.[1]
    if (id !== undefined && !ids[kind].includes(id)) ids[kind].push(id)
  }
  return ids
}
