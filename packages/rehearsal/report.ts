/** Writes findings as documents: the result, one line of totals. */

import { stageNameFrom, taskNameFrom } from '@/lib/mas/tasks/taskTitle'
import { type Findings, type FindingsResult, jobResultOf, missingFiles } from './findings'
import type { Job, JobResult } from './job'
import { onlyInOne } from './ops/compare'
import { sumDecimals } from './ops/decimal'
import { type Fact, PAIR_COLUMN } from './ops/facts'
import { fileNameIn, looksLikeFile } from './ops/fileNames'
import type { Words } from './words'

/** Rows of a table before the rest is only counted. */
const MOST_ROWS = 200

/** The whole result as a document to save. */
export function reportText(findings: Findings, job: Job, words: Words): string {
  const result = jobResultOf(findings, job)
  return [
    `# ${titleOf(job, words)}`,
    job.wish === '' ? '' : `> ${job.wish}`,
    words.madeBy,
    ...resultSections(findings, result, job, words),
    filesSection(findings, words),
    answersSection(findings, words),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The result without sources and origins, for a message. */
export function shortResult(findings: Findings, job: Job, words: Words): string {
  const sections = resultSections(findings, jobResultOf(findings, job), job, words)
  return [...sections, ...(job.op === 'list' ? [filesSection(findings, words)] : [])].join('\n\n')
}

export const titleOf = (job: Job, words: Words): string =>
  job.title === ''
    ? shortTitle(job.where, words, (what) => words.title(words.verbs[job.op], what), taskNameFrom)
    : job.title

/** A name for work on these places: the last path segment of each, else their number. */
function shortTitle(
  where: readonly string[],
  words: Words,
  make: (what: string) => string,
  cut: (name: string) => string,
): string {
  const name = make(words.whereAll(where.map(fileNameIn)))
  if (cut(name) === name) return name
  return make(where.every(looksLikeFile) ? words.severalFiles(where.length) : words.severalPlaces(where.length))
}

/** Names a stage by the work of its agents. */
export function stageNameOf(job: Job, words: Words): string {
  if (job.part === 'analyse') return job.report_path === null ? words.resultTitle : words.reportTitle
  const make = (what: string): string =>
    job.part === 'read' ? words.readTitle(what) : words.title(words.verbs[job.op], what)
  return shortTitle(job.where, words, make, stageNameFrom)
}

/** Says that the work has begun, and which clauses were not understood. */
export const begunText = (begun: string, job: Job, words: Words): string =>
  job.ignored.length === 0 ? begun : `${begun}\n\n${words.notUnderstood(job.ignored)}`

/** `price 12.30, qty 4`; without the column name where a list has none. */
export function totalsLine(sums: Record<string, string>, words: Words): string {
  return Object.entries(sums)
    .map(([column, sum]) => (column === PAIR_COLUMN ? sum : `${column} ${sum}`))
    .join(words.list)
}

/** Missing files, with the place that names each. */
export const missingFilesOf = (findings: Findings, words: Words): JobResult['missing'] =>
  missingFiles(findings).map(({ path, named_in }) => ({ path, named_in: named_in && words.line(named_in) }))

export const missingList = (missing: JobResult['missing'], words: Words): string =>
  missing
    .map(({ path, named_in }) => (named_in === null ? path : `${path}${words.aside(words.namedIn(named_in))}`))
    .join(words.list)

function resultSections(findings: Findings, result: FindingsResult, job: Job, words: Words): string[] {
  const cut =
    findings.factsInAll > findings.facts.length ? [words.cutNote(findings.facts.length, findings.factsInAll)] : []
  const { facts } = result
  switch (job.op) {
    case 'compare':
      return [...cut, ...compareSections(result, words)]
    case 'total': {
      const items = facts.map((fact) => [fact.key, fact.column, fact.value, words.line(fact)])
      return [...cut, totalsSection(result, words), ...groupSection(result, words), itemSection(items, words)]
    }
    case 'count':
      return [...cut, countSection(facts, words)]
    case 'extract': {
      const rows = facts.map((fact) => [fact.key, fact.value, words.line(fact)])
      return [...cut, table(words.extractHead, words.extractColumns, rows, words)]
    }
    case 'find': {
      const rows = facts.map((fact) => [words.line(fact), fact.value])
      return [...cut, table(words.hitsHead(job.phrase ?? ''), words.hitColumns, rows, words)]
    }
    case 'list':
      // The files themselves follow.
      return []
  }
}

function compareSections(result: FindingsResult, words: Words): string[] {
  const differ = result.held.filter((one) => one.values.length > 1)
  const differing = differ.map((one) => [
    one.key,
    one.column,
    valuesOf(one.facts, words.clauses, words),
    one.why === 'answer' && one.holds !== null
      ? words.holdsBy(one.holds, one.by)
      : one.why === 'left_out'
        ? words.holdsBy(words.leftOut, one.by)
        : words.undecided,
  ])
  const only = onlyInOne(result.facts).slice(0, MOST_ROWS)
  const items = result.held.flatMap(({ key, column, holds, why, by, facts }) => {
    if (holds === null) return []
    const sources = (of: Fact[]): string => of.map(words.line).join(words.clauses)
    const from =
      why === 'answer' ? words.holdsBy(sources(facts.filter(({ value }) => value === holds)), by) : sources(facts)
    return [[key, column, holds, from]]
  })
  return [
    totalsSection(result, words),
    differ.length === 0
      ? section(words.differHead, words.noContradictions)
      : table(words.differHead, words.differColumns, differing, words),
    ...(only.length === 0
      ? []
      : [section(words.onlyHead, only.map((one) => `- ${one.key}${words.aside(words.line(one))}`).join('\n'))]),
    itemSection(items, words),
  ]
}

const valuesOf = (facts: readonly Fact[], between: string, words: Words): string =>
  facts.map((fact) => `${fact.value}${words.aside(words.line(fact))}`).join(between)

const itemSection = (rows: string[][], words: Words): string => table(words.itemsHead, words.itemColumns, rows, words)

function totalsSection({ held, facts, sums }: FindingsResult, words: Words): string {
  const isOf = (column: string) => (one: { column: string }) => one.column.toLowerCase() === column.toLowerCase()
  const counted = (column: string) =>
    held.length > 0
      ? held.filter(isOf(column)).filter(({ holds }) => holds !== null && sumDecimals([holds]) !== null).length
      : facts.filter(isOf(column)).length
  const rows = Object.entries(sums).map(([column, sum]) => [column, sum, String(counted(column))])
  return table(words.totalsHead, words.totalColumns, rows, words)
}

function groupSection({ groups, facts }: FindingsResult, words: Words): string[] {
  if (groups.length < 2 || groups.length === facts.length) return []
  const rows = groups.flatMap(({ group, sums }) => Object.entries(sums).map(([column, sum]) => [group, column, sum]))
  return [table(words.groupColumns[0] ?? '', words.groupColumns, rows, words)]
}

function countSection(facts: Fact[], words: Words): string {
  const unitOf = (fact: Fact) => Object.entries(words.units).find(([unit]) => unit === fact.column)?.[1] ?? fact.column
  const rows = facts.map((fact) => [fact.key, fact.value, unitOf(fact)])
  const sum = sumDecimals(facts.map((fact) => fact.value))
  const last = facts[0]
  const [source = '', count = '', number = ''] = words.countColumns
  const all = facts.length > 1 && sum !== null && last ? [[`**${words.inAll}**`, `**${sum}**`, unitOf(last)]] : []
  return table(words.countsHead, [source, number, count], [...rows, ...all], words)
}

function filesSection(findings: Findings, words: Words): string {
  const rows = findings.files.map((file) => {
    const notes = [
      words.states[file.state],
      file.named_in === null ? '' : words.namedIn(words.line(file.named_in)),
      file.state === 'failed' ? (file.note ?? '') : '',
    ]
    return [
      file.path,
      file.kind,
      file.lines === null ? '' : String(file.lines),
      notes.filter(Boolean).join(words.clauses),
    ]
  })
  return table(words.filesHead, words.fileColumns, rows, words)
}

function answersSection(findings: Findings, words: Words): string {
  const said = findings.constraints.filter((one) => one.said !== '')
  return said.length === 0
    ? ''
    : section(words.answersHead, said.map((one) => `- ${words.answer(one.question, one.by, one.said)}`).join('\n'))
}

const section = (head: string, body: string): string => `## ${head}\n\n${body}`

/** A section with a table, or with a sentence when there are no rows. */
function table(head: string, columns: readonly string[], rows: string[][], words: Words): string {
  if (rows.length === 0) return section(head, words.nothingFound)
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/\s+/g, ' ').replace(/\|/g, '\\|')).join(' | ')} |`
  const shown = rows.slice(0, MOST_ROWS)
  const more =
    rows.length > shown.length ? [line([`… ${rows.length - shown.length}`, ...columns.slice(1).map(() => '')])] : []
  const lines = [line(columns), line(columns.map(() => '---')), ...shown.map(line), ...more]
  return section(head, lines.join('\n'))
}
