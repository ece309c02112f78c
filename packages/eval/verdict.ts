/** The verdict of a job. */
import type { End, Job } from './job'
import type { ResultRow } from './results'

export type JobResult = Omit<ResultRow, 'right'>
type Verdict = JobResult['verdict']

/** `refused`: nothing was produced, no task claims it, and the person was told why; `failed`: any other job that is not done */
export function verdictOf(job: Pick<Job, 'mustRefuse'>, end: End, why: readonly string[]): Verdict {
  if (why.length === 0) return job.mustRefuse ? 'refused' : 'done'
  const claims = end.tasks.some((task) => task.state === 'finished')
  const isOpen = end.tasks.some((task) => task.state !== 'finished' && task.state !== 'failed')
  return !claims && !isOpen && end.told.length > 0 ? 'refused' : 'failed'
}

/** Is the verdict the expected one? */
export const isRight = (job: Pick<Job, 'mustRefuse'>, result: Pick<JobResult, 'verdict' | 'why'>): boolean =>
  result.why.length === 0 && result.verdict === (job.mustRefuse ? 'refused' : 'done')
