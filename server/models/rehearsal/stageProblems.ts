/** Problems of a stage that a person can decide about: named files that are missing, a report that may not be written. */

import type { ConstraintQuestion } from './constraints'
import { type Job, type JobResult, lastJob, lastResult, type StageProblem } from './job'
import type { NoticeStage } from './notice'
import { fileNameIn, isReadable } from './ops/fileNames'
import type { Words } from './words'

export type FoundProblem = { problem: StageProblem; job: Job }

/**
 * The first problem that keeps a stage from being accepted, with its job.
 *
 * out     null when there is none, or when the asker accepted their own part already
 */
export function problemOf(stage: NoticeStage): FoundProblem | null {
  const parts = stage.parts.flatMap((part) => {
    const job = lastJob(part.goal)
    const result = part.state === 'finished' ? lastResult(part.summary) : null
    return job === null || result === null ? [] : [{ job, result }]
  })
  for (const { job, result } of parts) {
    const problem = missingFrom(job, result) ?? refusedBy(job, result)
    if (problem !== null && job.asker !== null) return { problem, job }
  }
  return null
}

function missingFrom(job: Job, result: JobResult): StageProblem | null {
  // An analysing agent works on what was handed over: missing files were asked about where they were read.
  if (job.part === 'analyse') return null
  const files = result.missing.filter(({ path }) => isReadable(path))
  return files.length === 0 ? null : { kind: 'missing', files }
}

const refusedBy = (job: Job, result: JobResult): StageProblem | null =>
  job.report_path === null || result.rejected_because === null || result.report_path !== null
    ? null
    : { kind: 'unwritten', path: job.report_path, reason: result.rejected_because }

export function problemQuestion(problem: StageProblem, words: Words): ConstraintQuestion {
  if (problem.kind === 'unwritten')
    return { text: words.whereElse(problem.path, problem.reason), choices: [words.leaveUnwritten], about: problem }
  const named = problem.files.map((file) => ({ name: fileNameIn(file.path), in: shortPlace(file.named_in) }))
  return { text: words.notThere(named), choices: [words.leaveItOut, words.itIsThere], about: problem }
}

/** `prices/index.md line 5` → `index.md line 5`. */
const shortPlace = (place: string | null): string | null => place?.replace(/^\S*\/(?=[^/\s]+(?:\s|$))/, '') ?? null
