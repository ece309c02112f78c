import { findingsOf, jobOf, tagged, wasSent, wordsFor } from '../common'
import { jobResultOf, readFiles } from '../findings'
import { hiredSaid } from '../hired'
import { type Job, type JobResult, JobResultShape, withoutBlock, withResult } from '../job'
import type { RehearsalPrompt } from '../readPrompt'
import { missingFilesOf, titleOf, totalsLine } from '../report'
import { writtenAndReadBack } from '../toolLoop'
import type { Words } from '../words'
import { isSame } from './reflection'
import { missingWords, whyNotWritten } from './sendMessage'

export function playSummary(prompt: RehearsalPrompt): string {
  const job = jobOf(prompt)
  const words = wordsFor(prompt, job)
  if (job === null) return tagged('summary', withoutBlock(prompt.step.text) || words.nothingMissing)
  if (job.hire !== null) return hiredSummary(prompt, job, job.hire.name, words)
  const result = jobResult(prompt, job, words)
  return tagged('summary', withResult(sentences(prompt, job, result, words), result))
}

function hiredSummary(prompt: RehearsalPrompt, job: Job, name: string, words: Words): string {
  const said = hiredSaid(prompt, job, words)
  const result = JobResultShape.parse({ done: said !== null, op: job.op, said })
  const title = titleOf(job, words)
  const head = said === null ? words.summaryNot(title, words.hiredNot(name)) : words.summaryDone(title)
  return tagged('summary', withResult(head, result))
}

function jobResult(prompt: RehearsalPrompt, job: Job, words: Words): JobResult {
  const findings = findingsOf(prompt, job)
  const read = readFiles(findings).map((file) => file.path)
  const result = jobResultOf(findings, job)
  const written = writtenAndReadBack(prompt.history)
  const writes = job.part !== 'read' && job.report_path !== null
  const handedOver =
    job.part !== 'read' || job.deliver_to === null || wasSent(prompt, words.handoff(job.deliver_to.name))
  return {
    done: read.length > 0 && handedOver && (!writes || written !== null),
    op: job.op,
    files_read: read,
    missing: missingFilesOf(findings, words),
    left_out: result.leftOut,
    answers: findings.constraints
      .filter((one) => one.said !== '')
      .map((one) => ({ question: one.question, answer: one.said })),
    totals: job.op === 'compare' || job.op === 'total' ? result.sums : {},
    report_path: writes ? (written?.path ?? null) : null,
    rejected_because: writes && written === null ? whyNotWritten(prompt, words) : null,
    said: null,
  }
}

function sentences(prompt: RehearsalPrompt, job: Job, result: JobResult, words: Words): string {
  const title = titleOf(job, words)
  const findings = findingsOf(prompt, job)
  const missing = missingWords(findings, words)
  const failed = findings.files.find((file) => file.state === 'failed' && file.note !== null)
  const written = writtenAndReadBack(prompt.history)
  const why =
    result.rejected_because !== null
      ? words.notWritten(job.report_path ?? '', result.rejected_because)
      : failed?.note
        ? words.toolFailed(failed.note)
        : words.noFacts
  const totals = totalsLine(result.totals, words)
  return [
    !result.done
      ? words.summaryNot(title, why)
      : missing === ''
        ? words.summaryDone(title)
        : words.summaryPartly(title, missing),
    words.filesRead(result.files_read),
    ...(job.part === 'read' && result.done && job.deliver_to !== null ? [words.sentTo(job.deliver_to.name)] : []),
    ...(totals === '' ? [] : [words.totalsSay(totals)]),
    ...(result.report_path === null ? [] : [words.reportAt(result.report_path)]),
    ...(written?.back ? [isSame(written.sent, written.back) ? words.sameReport : words.otherReport] : []),
    ...(result.answers.length === 0
      ? []
      : [words.answersSay(result.answers.map((one) => `${one.question} → ${one.answer}`).join(words.clauses))]),
    ...(result.left_out.length === 0 ? [] : [words.leftOutSay(result.left_out.join(words.list))]),
  ].join(words.space)
}
