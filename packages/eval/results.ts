/** The result of an evaluation: its file, its table, and the comparison of two results. */
import { z } from 'zod'
import { LANGUAGES } from '@/lib/language'
import { FORMS, figuresShape, type JobFigures, REPAIR_KINDS, repairsOf, sumFigures, sumForm } from './measure'

const jobShape = figuresShape.extend({
  job: z.string(),
  language: z.enum(LANGUAGES),
  verdict: z.enum(['done', 'refused', 'failed']),
  /** The expected verdict: done, or refused where the job must be refused. */
  right: z.boolean(),
  why: z.array(z.string()),
  /** Of a wrong job: its failed steps and the messages to people, each with its step. */
  trace: z.array(z.string()),
  /** The folder with the files and calls of a wrong job; null: nothing is kept. */
  kept: z.string().nullable(),
  /** What the model was asked for: objects of a schema, or tags. mixed: the server takes schemas in part. null: no call was answered. */
  form: z.enum(FORMS).nullable(),
  wallMs: z.number(),
})
export type ResultRow = z.infer<typeof jobShape>

export const resultShape = z.object({
  version: z.literal(3),
  /** The configured name; the model's name at its server (null: it has none); the version that the server reported. */
  model: z.string(),
  modelName: z.string().nullable(),
  modelVersion: z.string().nullable(),
  /** Digest of all skill prompts: results with different digests differ in more than the model. */
  promptsDigest: z.string(),
  jobs: z.array(jobShape),
  /** The same jobs by a plain loop; null: it did not run. */
  loop: z.array(jobShape).nullable(),
})
export type EvalResult = z.infer<typeof resultShape>

export type Row = readonly string[]

/** Aligned columns: the first to the left, the others to the right. */
export function table(rows: readonly Row[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  return rows
    .map((row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
    )
    .join('\n')
}

const thousands = (tokens: number): string => (tokens < 10_000 ? String(tokens) : `${(tokens / 1_000).toFixed(1)}k`)
const dollars = (cost: number | null): string => (cost === null ? '-' : cost.toFixed(4))
const seconds = (ms: number): string => (ms / 1_000).toFixed(1)
const sayRepairs = (figures: Pick<JobFigures, 'repairs'>): string =>
  REPAIR_KINDS.flatMap((kind) => (figures.repairs[kind] ? [`${kind} ${figures.repairs[kind]}`] : [])).join(', ') || '-'

const HEAD: Row = ['job', 'end', 'form', 'calls', 'repairs', 'lost', 'sent', 'cached', 'got', 'cost $', 'time s']

const rowOf = (name: string, end: string, one: Pick<ResultRow, 'form' | 'wallMs'> & JobFigures): Row => [
  name,
  end,
  one.form ?? '-',
  String(one.calls),
  sayRepairs(one),
  String(one.lostCalls),
  thousands(one.tokens.sent),
  thousands(one.tokens.cached),
  thousands(one.tokens.got),
  dollars(one.cost),
  seconds(one.wallMs),
]

export const nameOf = ({ job, language }: Pick<ResultRow, 'job' | 'language'>): string => `${job} (${language})`

/** The model, and the table of its jobs. */
export const sayResult = (result: EvalResult): string => `model: ${sayOrigin(result)}\n\n${resultTable(result.jobs)}`

/** One line per job and the sums; below, the reasons of unexpected verdicts, and the folders that are kept. */
export function resultTable(jobs: readonly ResultRow[]): string {
  const rows = jobs.map((one) => rowOf(nameOf(one), one.right ? one.verdict : `${one.verdict} !`, one))
  const all = totals({ jobs })
  const why = jobs.flatMap((one) =>
    one.right
      ? []
      : [
          ...one.why.map((line) => `  ${nameOf(one)}: ${line}`),
          ...one.trace.map((line) => `    ${line}`),
          ...(one.kept === null ? [] : [`    kept in ${one.kept}`]),
        ],
  )
  return [
    table([HEAD, ...rows, rowOf('all', `${all.right} of ${jobs.length} right`, all)]),
    ...(why.length === 0 ? [] : ['', ...why]),
  ].join('\n')
}

type Totals = JobFigures & Pick<ResultRow, 'form' | 'wallMs'> & { right: number; done: number; refused: number }

export const totals = ({ jobs }: { jobs: readonly ResultRow[] }): Totals => ({
  ...sumFigures(jobs),
  form: sumForm(jobs.map(({ form }) => form)),
  right: jobs.filter(({ right }) => right).length,
  done: jobs.filter(({ verdict }) => verdict === 'done').length,
  refused: jobs.filter(({ verdict }) => verdict === 'refused').length,
  wallMs: jobs.reduce((sum, { wallMs }) => sum + wallMs, 0),
})

const change = (one: number, other: number): string =>
  one === 0 ? (other === 0 ? '=' : 'new') : `${other >= one ? '+' : ''}${(((other - one) / one) * 100).toFixed(0)} %`

/** Two results side by side: the jobs in both, then their sums. */
export function compareResults(one: EvalResult, other: EvalResult): string {
  const pairs = one.jobs.flatMap((left) => {
    const right = other.jobs.find((row) => row.job === left.job && row.language === left.language)
    return right === undefined ? [] : [{ left, right }]
  })
  const cells = (name: string, left: Compared, right: Compared): Row => [
    name,
    left.end,
    right.end,
    `${left.calls} → ${right.calls}`,
    `${repairsOf(left)} → ${repairsOf(right)}`,
    `${thousands(left.tokens.sent)} → ${thousands(right.tokens.sent)}`,
    change(left.tokens.sent, right.tokens.sent),
    `${dollars(left.cost)} → ${dollars(right.cost)}`,
    `${seconds(left.wallMs)} → ${seconds(right.wallMs)}`,
  ]
  const endOf = (row: ResultRow): string => (row.right ? row.verdict : `${row.verdict} !`)
  const sums = (side: 'left' | 'right'): Compared => {
    const jobs = pairs.map((pair) => pair[side])
    const all = totals({ jobs })
    return { ...all, end: `${all.right} right` }
  }
  const head: Row = ['job', 'one', 'other', 'calls', 'repairs', 'tokens sent', '', 'cost $', 'time s']
  const rows = pairs.map(({ left, right }) =>
    cells(nameOf(left), { ...left, end: endOf(left) }, { ...right, end: endOf(right) }),
  )
  const alone = one.jobs.length + other.jobs.length - 2 * pairs.length
  return [
    `one:   ${sayOrigin(one)}`,
    `other: ${sayOrigin(other)}${one.promptsDigest === other.promptsDigest ? '' : ' (other prompts)'}`,
    '',
    table([head, ...rows, cells('all', sums('left'), sums('right'))]),
    ...(alone === 0 ? [] : [`${alone} jobs stand in one of the two only.`]),
  ].join('\n')
}

type Compared = Pick<JobFigures, 'calls' | 'repairs' | 'tokens' | 'cost'> & { end: string; wallMs: number }

function sayOrigin(result: EvalResult): string {
  const { model, modelName, modelVersion, promptsDigest } = result
  const names = [...new Set([modelName, modelVersion])].filter((name) => name !== null && name !== model)
  const form = totals(result).form
  return [
    `${model}${names.length === 0 ? '' : ` (${names.join(', ')})`}`,
    ...(form === null ? [] : [`answers as ${form}`]),
    `prompts ${promptsDigest.slice(0, 8)}`,
  ].join(', ')
}
