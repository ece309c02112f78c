/** The end of a task: the results of its parts as text, headline, facts and what was left out. */
import { taggedJson } from './common'
import { type JobResult, JobResultShape, lastJob, lastResult } from './job'
import type { Notice, NoticePart } from './notice'
import { PAIR_COLUMN } from './ops/facts'
import type { RehearsalPrompt } from './readPrompt'
import { missingList, titleOf, totalsLine } from './report'
import { sentencesOf } from './result'
import type { Words } from './words'

export const isPerson = (prompt: RehearsalPrompt, id: string): boolean =>
  prompt.step.members.some((member) => member.id === id && member.kind === 'person')

/** The instruction that ends the task, from the results of its stages. */
export function endTask(prompt: RehearsalPrompt, notice: Notice, task: string, words: Words): string {
  const counted = notice.stages.filter((stage) => stage.state !== 'failed')
  const parts = counted.flatMap((stage) => stage.parts)
  const results = parts.flatMap((part) => {
    const result = isPerson(prompt, part.id) ? null : lastResult(part.summary)
    return result === null ? [] : [result]
  })
  const last = results.at(-1)
  const state =
    last === undefined
      ? parts.every((part) => part.state === 'finished')
      : last.done && !parts.some((part) => part.state === 'failed' && !isPerson(prompt, part.id))
  return taggedJson('task_instruction', {
    action: 'finish_task',
    task_id: task,
    state: state ? 'finished' : 'failed',
    ...structuredResult(parts, wholeOf(results), state, words),
    task_summary: sayTask(prompt, parts, results, words) || words.noFacts,
  })
}

function sayTask(prompt: RehearsalPrompt, parts: NoticePart[], results: JobResult[], words: Words): string {
  const rejected = results.at(-1)?.rejected_because ?? null
  const theirs = results.flatMap(({ said }) => said ?? [])
  const said = sentencesOf(wholeOf(results), words)
  return [
    ...said.report,
    ...(rejected === null ? [] : [words.notWritten('', rejected).trim()]),
    ...said.totals,
    ...theirs,
    ...(theirs.length > 0 && results.every((one) => one.files_read.length === 0) ? [] : said.files),
    ...said.missing,
    ...said.leftOut,
    ...said.answers,
    ...parts
      .filter((part) => part.state === 'failed')
      .map((part) => words.partFailed(part.agent, part.failure ?? words.noReason)),
    ...parts
      .filter((part) => isPerson(prompt, part.id) && part.summary !== '')
      .map((part) => words.says(part.agent, part.summary)),
  ].join(words.space)
}

/** The results of all parts as one. */
function wholeOf(results: JobResult[]): JobResult {
  const missing = new Map(results.flatMap((one) => one.missing).map((file) => [file.path, file]))
  const answers = new Map(results.flatMap((one) => one.answers).map((answer) => [answer.question, answer]))
  return JobResultShape.parse({
    done: true,
    files_read: [...new Set(results.flatMap((one) => one.files_read))],
    missing: [...missing.values()],
    left_out: [...new Set(results.at(-1)?.left_out)],
    answers: [...answers.values()],
    totals: results.findLast((one) => Object.keys(one.totals).length > 0)?.totals,
    report_path: results.findLast((one) => one.report_path !== null)?.report_path,
  })
}

/** The parts of the result beside its text: only what the agents read, counted and wrote. */
function structuredResult(parts: NoticePart[], said: JobResult, isDone: boolean, words: Words) {
  const job = parts.map((part) => lastJob(part.goal)).findLast((one) => one !== null) ?? null
  const { totals, files_read: read, report_path: report, missing, left_out: left } = said
  const source = report === null ? {} : { source: report }
  const change = job?.change ?? null
  const ignored = change === null ? [] : (job?.ignored ?? [])
  const facts = [
    ...(job === null || change === null ? [] : [{ label: words.changeFact(change), value: job.wish }]),
    ...Object.entries(totals).map(([column, sum]) => ({
      label: words.totalOf(column === PAIR_COLUMN ? '' : column),
      value: sum,
      ...source,
    })),
    ...(report === null ? [] : [{ label: words.reportFact, value: report }]),
    ...(read.length === 0 ? [] : [{ label: words.filesFact, value: read.join(words.list) }]),
  ]
  const failed = parts.filter((part) => part.state === 'failed')
  return {
    ...(job === null
      ? {}
      : {
          headline: words.headline(
            titleOf(job, words),
            totalsLine(totals, words),
            read.length,
            isDone && ignored.length === 0,
          ),
        }),
    // What does not fit is in the text.
    facts: facts.filter(({ label, value }) => label.length <= 80 && value.length <= 400).slice(0, 30),
    left_out: [
      ...(ignored.length === 0 ? [] : [words.notUnderstood(ignored)]),
      ...missing.map((file) => words.missingSay(missingList([file], words))),
      ...left.map((what) => words.leftOutSay(what)),
      ...(said.rejected_because === null ? [] : [words.notWritten('', said.rejected_because).trim()]),
      ...failed.map((part) => words.partFailed(part.agent, part.failure ?? words.noReason)),
    ],
  }
}
