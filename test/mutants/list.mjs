// The list of faults that no test notices, as rows of docs/mutants.md: by file and expression, since lines move.
import { readFileSync } from 'node:fs'
import { inRoot } from '../../scripts/lib/paths.mjs'

/** Of a longer expression its first characters stand in the list, with "…" behind them. */
const LONGEST = 110

/** A text of the sources on one line, as the list has it. */
export function oneLine(text, longest = LONGEST) {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > longest ? `${line.slice(0, longest).trimEnd()}…` : line
}

/** `survivors`: {file, expression, replacement}[] → rows without a reason, the faults of one expression on one row. */
export function rowsFor(survivors) {
  const rows = new Map()
  for (const { file, expression, replacement } of survivors) {
    const key = `${file}\0${expression}`
    if (!rows.has(key)) rows.set(key, { file, expression, replacements: [] })
    const { replacements } = rows.get(key)
    if (!replacements.includes(replacement)) replacements.push(replacement)
  }
  return [...rows.values()].map(
    ({ file, expression, replacements }) =>
      `| ${code(file)} | ${code(expression)} | ${replacements.map(code).join(' or ')} | |`,
  )
}

/** The rows of the page's list: {file, expression, replacements, reason}[]. */
export function listed(page = readFileSync(inRoot('docs', 'mutants.md'), 'utf8')) {
  return page
    .split('\n')
    .map((line) => line.split(/(?<!\\)\|/).slice(1, -1))
    .filter((cells) => cells.length === 4 && /^ `(lib|server)\/.*\.ts` $/.test(cells[0]))
    .map(([file, expression, replacements, reason]) => ({
      file: codesIn(file)[0],
      expression: codesIn(expression)[0] ?? '',
      replacements: codesIn(replacements),
      reason: reason.trim(),
    }))
}

/** The rows whose file or expression is not there any more, as sentences; [] when all are. */
export function outdated(rows = listed(), read = (file) => readFileSync(inRoot(file), 'utf8')) {
  return rows.flatMap(({ file, expression }) => {
    try {
      const text = oneLine(read(file), Number.POSITIVE_INFINITY)
      return text.includes(expression.replace(/…$/, '')) ? [] : [`${file} does not hold: ${expression}`]
    } catch {
      return [`${file} does not exist`]
    }
  })
}

/** A text as code in a cell of a table; two quotes around it where it holds one. */
function code(text) {
  const escaped = text.replaceAll('|', '\\|')
  return escaped.includes('`') ? `\`\` ${escaped} \`\`` : `\`${escaped}\``
}

function codesIn(cell) {
  return [...cell.matchAll(/`` (.*?) ``|`([^`]+)`/g)].map(([, two, one]) => (two ?? one).replaceAll('\\|', '|'))
}
