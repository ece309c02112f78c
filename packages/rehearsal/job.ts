/** The job: a request in a form that agents of the rehearsal hand to each other. */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { fieldsIn, jsonValueOf } from '@/lib/json'
import { LANGUAGES } from '@/lib/language'
import { COUNT_UNITS } from './ops/count'
import { EXTRACTS } from './ops/extract'

const OPS = ['compare', 'total', 'count', 'list', 'extract', 'find'] as const
export type Op = (typeof OPS)[number]

/** outside: an agent of another system, which is no member of the task. */
const JobPerson = z.object({ id: z.string(), name: z.string(), outside: z.boolean().optional() })

/** A demand of a person's answer, or of the judge, beyond the request. */
export const ConstraintShape = z.object({
  kind: z.enum(['value', 'drop', 'without_file', 'file_added', 'report_path', 'kinds', 'where', 'paste', 'note']),
  by: z.string().default(''),
  said: z.string().default(''),
  question: z.string().default(''),
  key: z.string().default(''),
  column: z.string().default(''),
  /** By kind: a value, a file to leave out or add, the report's path, a folder, a pasted text, kinds separated by commas. */
  value: z.string().default(''),
})
export type Constraint = z.infer<typeof ConstraintShape>

/** The purpose of a step, where its skill does not say it. */
const DOS = [
  'begun',
  'hire',
  'pass_on',
  'clarify',
  'ask_lack',
  'add_task',
  'make_agent',
  'read',
  'ask',
  'handoff',
  'report',
  'write',
  'read_back',
  'deliver',
  'check',
] as const
export type Do = (typeof DOS)[number]

const MissingFile = z.object({ path: z.string(), named_in: z.string().nullable() })

/** A problem of a finished stage that only a person can decide about. */
const StageProblemShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('missing'), files: z.array(MissingFile) }),
  z.object({ kind: z.literal('unwritten'), path: z.string(), reason: z.string() }),
])
export type StageProblem = z.infer<typeof StageProblemShape>

/** Its keys are in stored texts, so they keep their names. */
export const JobShape = z.object({
  op: z.enum(OPS),
  unit: z.enum(COUNT_UNITS).nullable().default(null),
  extracts: z.array(z.enum(EXTRACTS)).default([]),
  where: z.array(z.string()).default([]),
  pasted: z.array(z.object({ name: z.string(), text: z.string() })).default([]),
  only: z.array(z.string()).default([]),
  keys: z.array(z.string()).default([]),
  group: z.string().nullable().default(null),
  phrase: z.string().nullable().default(null),
  report: z.boolean().default(false),
  report_path: z.string().nullable().default(null),
  title: z.string().default(''),
  /** Clauses of the request that are not understood. */
  ignored: z.array(z.string()).default([]),
  /** The name of the task whose result is to be changed, as `wish` says. */
  change: z.string().nullable().default(null),
  /** The request in the asker's words. */
  wish: z.string().default(''),
  asker: JobPerson.nullable().default(null),
  deliver_to: JobPerson.nullable().default(null),
  part: z.enum(['all', 'read', 'analyse']).default('all'),
  constraints: z.array(ConstraintShape).default([]),
  language: z.enum(LANGUAGES).default('en'),
  do: z.enum(DOS).nullable().default(null),
  /** The path or question of this step. */
  about: z.string().nullable().default(null),
  /** The outside agent that does the work, the request as passed on, and its files. */
  hire: JobPerson.extend({ text: z.string(), files: z.array(z.string()).default([]) })
    .nullable()
    .default(null),
  /** What a manager asks about before it judges. */
  lack: StageProblemShape.nullable().default(null),
})
export type Job = z.infer<typeof JobShape>

/** The result of a part, for the judge. */
export const JobResultShape = z.object({
  done: z.boolean(),
  op: z.enum(OPS).nullable().default(null),
  files_read: z.array(z.string()).default([]),
  missing: z.array(MissingFile).default([]),
  left_out: z.array(z.string()).default([]),
  answers: z.array(z.object({ question: z.string(), answer: z.string() })).default([]),
  totals: z.record(z.string(), z.string()).default({}),
  report_path: z.string().nullable().default(null),
  rejected_because: z.string().nullable().default(null),
  /** The answer of the outside agent that did the work. */
  said: z.string().nullable().default(null),
})
export type JobResult = z.infer<typeof JobResultShape>

/** Appends the job as the last block. It holds no `<`, so nothing in it can end the block. */
export const withJob = (text: string, job: Job): string => `${text}\n${block('job', withoutDefaults(job, NO_JOB))}`
export const withResult = (text: string, result: JobResult): string =>
  `${text}\n${block('job_result', withoutDefaults(result, NO_RESULT))}`

/** The defaults of a job. */
export const NO_JOB: Job = JobShape.parse({ op: 'list' })
const NO_RESULT: JobResult = JobResultShape.parse({ done: false })

/** Leaves out default values, which would make every prompt longer. */
function withoutDefaults(value: Job | JobResult, defaults: Job | JobResult): Record<string, unknown> {
  const empty = new Map<string, unknown>(Object.entries(defaults))
  const isKept = ([key, inner]: [string, unknown]): boolean =>
    key === 'op' || key === 'done' || JSON.stringify(inner) !== JSON.stringify(empty.get(key))
  return Object.fromEntries(Object.entries(value).filter(isKept))
}

/** The job at the end of a text that one of our own agents wrote; null: it ends otherwise. */
export function lastJob(text: string): Job | null {
  return JobShape.safeParse(lastBlock(text, 'job')).data ?? null
}

const BLOCK = /<\u2060*job>([^<]*)<\u2060*\/job>/g

/** The answer, whose steps say of the job only what their part's goal does not. Blocks stand in texts of JSON. */
export const withShortJobs = (answer: string, goal: Job | null): string =>
  goal === null
    ? answer
    : answer.replace(BLOCK, (whole, said: string) => {
        const job = JobShape.safeParse(jsonValueOf(String(jsonValueOf(`"${said}"`)))).data
        if (job === undefined) return whole
        const own = Object.entries(job).filter(([key, value]) => !isDeepStrictEqual(value, goal[key as keyof Job]))
        return JSON.stringify(block('job', Object.fromEntries(own))).slice(1, -1)
      })

/** The text of a step with its whole job. */
export const withWholeJob = (text: string, goal: Job | null): string =>
  goal === null
    ? text
    : text.replace(BLOCK, (whole, said: string) => {
        const own = fieldsIn(jsonValueOf(said))
        if (own.op !== undefined || own.do === undefined) return whole
        return block('job', withoutDefaults(JobShape.parse({ ...goal, ...own }), NO_JOB))
      })

export function lastResult(text: string): JobResult | null {
  return JobResultShape.safeParse(lastBlock(text, 'job_result')).data ?? null
}

function block(tag: string, value: unknown): string {
  return `<${tag}>${JSON.stringify(value).replace(/</g, '\\u003c')}</${tag}>`
}

function lastBlock(text: string, tag: string): unknown {
  const found = new RegExp(`<\\u2060*${tag}>([^<]*)<\\u2060*/${tag}>\\s*$`).exec(text)
  return jsonValueOf(found?.[1] ?? '')
}
