/** Findings as documents: the facts gathered, the result, one line of totals. */
import { stageNameFrom, taskNameFrom } from '@/lib/mas/taskTitle'
import { type Findings, type FindingsResult, jobResultOf } from './findings'
import type { Job } from './job'
import { contradictions, onlyInOne } from './ops/compare'
import { sumDecimals } from './ops/decimal'
import { type Fact, PAIR_COLUMN } from './ops/facts'
import { fileNameIn, looksLikeFile } from './toolLoop'
import type { Words } from './words'

/** Rows of a table before it says how many more there are. */
const MOST_ROWS = 200

/** What was gathered, for the agent that continues. */
export function gatheredText(findings: Findings, job: Job, words: Words): string {
  const { facts, files } = findings
  const read = files.filter((file) => file.state === 'read' || file.state === 'partly')
  const clash = job.op === 'compare' ? contradictions(facts) : []
  return [
    read.length === 0 ? words.noFacts : words.factsHead(facts.length, read.length),
    filesSection(findings, words),
    ...(job.op === 'compare'
      ? [
          `## ${words.contradictionsHead}\n\n${clash.length === 0 ? words.noContradictions : clash.map((group) => `- ${group.key}: ${group.facts.map((fact) => `${fact.value} (${words.line(fact)})`).join(', ')}`).join('\n')}`,
        ]
      : []),
  ].join('\n\n')
}

/** The whole result as a document, ready to be saved. */
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

/** A name for work on these places: with each by its last name, else with how many they are. */
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

/** A stage by what its agents do for the job. */
export function stageNameOf(job: Job, words: Words): string {
  if (job.part === 'analyse') return job.report_path === null ? words.resultTitle : words.reportTitle
  const make = (what: string): string =>
    job.part === 'read' ? words.readTitle(what) : words.title(words.verbs[job.op], what)
  return shortTitle(job.where, words, make, stageNameFrom)
}

/** That the work has begun, and what of the request was not understood. */
export const begunText = (begun: string, job: Job, words: Words): string =>
  job.ignored.length === 0 ? begun : `${begun}\n\n${words.notUnderstood(job.ignored)}`

/** `price 12.30, qty 4`; the column name is left out where a list has none. */
export function totalsLine(sums: Record<string, string>, words: Words): string {
  return Object.entries(sums)
    .map(([column, sum]) => (column === PAIR_COLUMN ? sum : `${column} ${sum}`))
    .join(words.list)
}

function resultSections(findings: Findings, result: FindingsResult, job: Job, words: Words): string[] {
  const cut =
    findings.factsInAll > findings.facts.length ? [words.cutNote(findings.facts.length, findings.factsInAll)] : []
  switch (job.op) {
    case 'compare':
      return [...cut, ...compareSections(result, words)]
    case 'total':
      return [...cut, totalsSection(result, words), ...groupSection(result, words), itemTable(result.facts, words)]
    case 'count':
      return [...cut, countSection(result.facts, words)]
    case 'extract':
      return [
        ...cut,
        section(
          words.extractHead,
          table(
            words.extractColumns,
            result.facts.map((fact) => [fact.key, fact.value, words.line(fact)]),
            words,
          ),
        ),
      ]
    case 'find':
      return [
        ...cut,
        section(
          words.hitsHead(job.phrase ?? ''),
          table(
            words.hitColumns,
            result.facts.map((fact) => [words.line(fact), fact.value]),
            words,
          ),
        ),
      ]
    case 'list':
      return [countKindsSection(findings, words)]
  }
}

function compareSections(result: FindingsResult, words: Words): string[] {
  const differ = result.held.filter((one) => one.values.length > 1)
  const only = onlyInOne(result.facts)
  return [
    totalsSection(result, words),
    ...(differ.length === 0
      ? [section(words.differHead, words.noContradictions)]
      : [
          section(
            words.differHead,
            table(
              words.differColumns,
              differ.map((one) => [
                one.key,
                one.column,
                one.facts.map((fact) => `${fact.value} (${words.line(fact)})`).join('; '),
                one.why === 'answer' && one.holds !== null
                  ? words.holdsBy(one.holds, one.by)
                  : one.why === 'left_out'
                    ? words.holdsBy(words.leftOut, one.by)
                    : words.undecided,
              ]),
              words,
            ),
          ),
        ]),
    ...(only.length === 0
      ? []
      : [
          section(
            words.onlyHead,
            only
              .slice(0, MOST_ROWS)
              .map((one) => `- ${one.key} (${words.line(one)})`)
              .join('\n'),
          ),
        ]),
    section(
      words.itemsHead,
      table(
        words.itemColumns,
        result.held.flatMap((one) =>
          one.holds === null
            ? []
            : [
                [
                  one.key,
                  one.column,
                  one.holds,
                  one.why === 'answer'
                    ? words.holdsBy(sourcesOf(one.facts, one.holds, words), one.by)
                    : one.facts.map(words.line).join('; '),
                ],
              ],
        ),
        words,
      ),
    ),
  ]
}

const sourcesOf = (facts: Fact[], value: string, words: Words): string =>
  facts
    .filter((fact) => fact.value === value)
    .map(words.line)
    .join('; ')

function totalsSection(result: FindingsResult, words: Words): string {
  const counted = (column: string) =>
    result.held.length > 0
      ? result.held.filter(
          (one) =>
            one.column.toLowerCase() === column.toLowerCase() &&
            one.holds !== null &&
            sumDecimals([one.holds]) !== null,
        ).length
      : result.facts.filter((fact) => fact.column.toLowerCase() === column.toLowerCase()).length
  return section(
    words.totalsHead,
    table(
      words.totalColumns,
      Object.entries(result.sums).map(([column, sum]) => [column, sum, String(counted(column))]),
      words,
    ),
  )
}

function groupSection(result: FindingsResult, words: Words): string[] {
  if (result.groups.length < 2 || result.groups.length === result.facts.length) return []
  return [
    section(
      words.groupColumns[0] ?? '',
      table(
        words.groupColumns,
        result.groups.flatMap(({ group, sums }) => Object.entries(sums).map(([column, sum]) => [group, column, sum])),
        words,
      ),
    ),
  ]
}

const itemTable = (facts: Fact[], words: Words): string =>
  section(
    words.itemsHead,
    table(
      words.itemColumns,
      facts.map((fact) => [fact.key, fact.column, fact.value, words.line(fact)]),
      words,
    ),
  )

function countSection(facts: Fact[], words: Words): string {
  const unitOf = (fact: Fact) => Object.entries(words.units).find(([unit]) => unit === fact.column)?.[1] ?? fact.column
  const rows = facts.map((fact) => [fact.key, fact.value, unitOf(fact)])
  const sum = sumDecimals(facts.map((fact) => fact.value))
  const last = facts[0]
  return section(
    words.countsHead,
    table(
      [words.countColumns[0] ?? '', words.countColumns[2] ?? '', words.countColumns[1] ?? ''],
      facts.length > 1 && sum !== null && last ? [...rows, [`**${words.inAll}**`, `**${sum}**`, unitOf(last)]] : rows,
      words,
    ),
  )
}

function countKindsSection(findings: Findings, words: Words): string {
  const kinds = new Map<string, number>()
  for (const file of findings.files) if (file.state !== 'missing') kinds.set(file.kind, (kinds.get(file.kind) ?? 0) + 1)
  return section(
    words.countsHead,
    table(
      [words.countColumns[0] ?? '', words.countColumns[2] ?? ''],
      [...kinds].map(([kind, count]) => [kind, String(count)]),
      words,
    ),
  )
}

function filesSection(findings: Findings, words: Words): string {
  const rows = findings.files.map((file) => {
    const place = file.named_in
    const notes = [
      words.states[file.state],
      place === null ? null : words.namedIn(words.line(place)),
      file.state === 'failed' ? file.note : null,
    ]
    return [
      file.path,
      file.kind,
      file.lines === null ? '' : String(file.lines),
      notes.filter((note) => note !== null && note !== '').join('; '),
    ]
  })
  return section(words.filesHead, table(words.fileColumns, rows, words))
}

function answersSection(findings: Findings, words: Words): string {
  const said = findings.constraints.filter((one) => one.said !== '')
  return said.length === 0
    ? ''
    : section(words.answersHead, said.map((one) => `- ${words.answer(one.question, one.by, one.said)}`).join('\n'))
}

const section = (head: string, body: string): string => `## ${head}\n\n${body}`

function table(columns: readonly string[], rows: string[][], words: Words): string {
  if (rows.length === 0) return words.nothingFound
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replace(/\s+/g, ' ').replace(/\|/g, '\\|')).join(' | ')} |`
  const shown = rows.slice(0, MOST_ROWS)
  const more =
    rows.length > shown.length ? [line([`… ${rows.length - shown.length}`, ...columns.slice(1).map(() => '')])] : []
  return [line(columns), line(columns.map(() => '---')), ...shown.map(line), ...more].join('\n')
}
