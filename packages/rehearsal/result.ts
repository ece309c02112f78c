/** The result of an agent's part: for the judge, for the asker, for the agent's own check. */
import { findingsOf, wasSent } from './common'
import { jobResultOf, readFiles } from './findings'
import { type Job, type JobResult, JobResultShape, lastJob } from './job'
import { ATTACHMENT } from './parseRequest'
import { type RehearsalPrompt, tookIn } from './readPrompt'
import { missingFilesOf, missingList, totalsLine } from './report'
import { errorOf, writtenAndReadBack } from './toolLoop'
import type { Words } from './words'

export function partResult(prompt: RehearsalPrompt, job: Job, words: Words): JobResult {
  if (job.hire !== null) {
    const said = hiredSaid(prompt, job, words)
    return JobResultShape.parse({ done: said !== null, op: job.op, said })
  }
  const findings = findingsOf(prompt, job)
  const read = readFiles(findings).map((file) => file.path)
  const { leftOut, sums } = jobResultOf(findings, job)
  const written = writtenAndReadBack(prompt.history)
  const writes = job.part !== 'read' && job.report_path !== null
  return {
    done: read.length > 0 && (job.part !== 'read' || isHandedOver(prompt, job, words)) && (!writes || written !== null),
    op: job.op,
    files_read: read,
    missing: missingFilesOf(findings, words),
    left_out: leftOut,
    answers: findings.constraints
      .filter((one) => one.said !== '')
      .map((one) => ({ question: one.question, answer: one.said })),
    totals: job.op === 'compare' || job.op === 'total' ? sums : {},
    report_path: writes ? (written?.path ?? null) : null,
    rejected_because: writes && written === null ? whyNotWritten(prompt, words) : null,
    said: null,
  }
}

/** Were the facts sent to the agent that works on with them, if there is one? */
export const isHandedOver = (prompt: RehearsalPrompt, { deliver_to: to }: Job, words: Words): boolean =>
  to === null || wasSent(prompt, words.handoff(to.name))

/** Why the tool step did not write: refused, failed, or never called. */
export function whyNotWritten({ history }: RehearsalPrompt, words: Words): string {
  const step = history.findLast(
    (item) => item.type === 'tool' && item.state !== 'to come' && lastJob(item.text)?.do === 'write',
  )
  return step === undefined ? words.noAbility('write') : errorOf(step) || words.noReason
}

/** The last message of the hired agent with its files, which is its result; null: it did not answer. */
function hiredSaid({ history }: RehearsalPrompt, { hire }: Job, words: Words): string | null {
  const said = hire === null ? undefined : tookIn(history, hire.name).at(-1)?.text
  if (said === undefined) return null
  const saved = [...said.matchAll(ATTACHMENT)].flatMap(([, path]) => path ?? [])
  const text = said.replace(ATTACHMENT, '').trim()
  return saved.length === 0 ? text : `${text}\n${words.savedHere(saved)}`
}

/** What a result says, each as one sentence, or none. */
export function sentencesOf(result: JobResult, words: Words) {
  const { missing, left_out: left, answers, report_path: report } = result
  const totals = totalsLine(result.totals, words)
  const decided = answers.map((one) => `${one.question} → ${one.answer}`.trim()).join(words.clauses)
  return {
    files: [words.filesRead(result.files_read)],
    missing: missing.length === 0 ? [] : [words.missingSay(missingList(missing, words))],
    totals: totals === '' ? [] : [words.totalsSay(totals)],
    report: report === null ? [] : [words.reportAt(report)],
    leftOut: left.length === 0 ? [] : [words.leftOutSay(left.join(words.list))],
    answers: answers.length === 0 ? [] : [words.answersSay(decided)],
  }
}

/** Does the saved file match what was written? One sentence; none when it was not read back. */
export function matchSaid({ history }: RehearsalPrompt, words: Words): string[] {
  const { sent = '', back = null } = writtenAndReadBack(history) ?? {}
  // Tools show a text without its trailing white space.
  return back === null ? [] : [sent.trimEnd() === back.trimEnd() ? words.sameReport : words.otherReport]
}
