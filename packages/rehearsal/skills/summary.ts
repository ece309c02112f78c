import { withoutNotes } from '@/lib/mas/builtInNotes'
import { findingsOf, jobOf, tagged, wordsFor } from '../common'
import { type Job, type JobResult, withResult } from '../job'
import type { RehearsalPrompt } from '../readPrompt'
import { missingList, titleOf } from '../report'
import { matchSaid, partResult, sentencesOf } from '../result'
import type { Words } from '../words'

export function playSummary(prompt: RehearsalPrompt): string {
  const job = jobOf(prompt)
  const words = wordsFor(prompt, job)
  if (job === null) return tagged('summary', withoutNotes(prompt.step.text) || words.nothingMissing)
  const result = partResult(prompt, job, words)
  const said = sentencesOf(result, words)
  const sentences = [
    headOf(prompt, job, result, words),
    ...said.files,
    ...(job.part === 'read' && result.done && job.deliver_to !== null ? [words.sentTo(job.deliver_to.name)] : []),
    ...said.totals,
    ...said.report,
    ...matchSaid(prompt, words),
    ...said.answers,
    ...said.leftOut,
  ]
  return tagged('summary', withResult(sentences.slice(0, job.hire === null ? undefined : 1).join(words.space), result))
}

function headOf(prompt: RehearsalPrompt, job: Job, { done, missing, rejected_because: why }: JobResult, words: Words) {
  const title = titleOf(job, words)
  if (done && missing.length === 0) return words.summaryDone(title)
  if (done) return words.summaryPartly(title, missingList(missing, words))
  if (job.hire !== null) return words.summaryNot(title, words.hiredNot(job.hire.name))
  if (why !== null) return words.summaryNot(title, words.notWritten(job.report_path ?? '', why))
  const failed = findingsOf(prompt, job).files.find((file) => file.state === 'failed' && file.note !== null)
  return words.summaryNot(title, failed?.note ? words.toolFailed(failed.note) : words.noFacts)
}
