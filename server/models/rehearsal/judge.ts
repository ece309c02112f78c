/** Judges a stage or task: results of the parts, a person's decision if one is needed, then a retry or the end. */
import type { PlannedStage } from '@/lib/mas/outcome'
import { knownConstraints } from './answers'
import { finishedItems, planned, taggedJson, wordsFor } from './common'
import { type Constraint, type JobResult, lastJob, lastResult, withJob, withoutBlock } from './job'
import type { Notice, NoticePart, NoticeStage } from './notice'
import { fileNameIn, namesFile } from './ops/fileNames'
import type { RehearsalPrompt } from './readPrompt'
import { missingList, stageNameOf, totalsLine } from './report'
import { type FoundProblem, problemOf, problemQuestion } from './stageProblems'
import type { Words } from './words'

const MOST_TRIES = 3

export function judge(prompt: RehearsalPrompt, notice: Notice): string {
  const jobs = notice.stages
    .flatMap((stage) => stage.parts.map((part) => lastJob(part.goal)))
    .filter((job) => job !== null)
  const words = wordsFor(prompt, jobs.at(-1) ?? null)
  const task = prompt.step.taskId
  const stage = notice.stages.find((one) => one.id === notice.stage)
  if (notice.judges === 'task' || stage === undefined) return finishTask(prompt, notice, task, words)
  const mayTry = triesBefore(notice, stage) < MOST_TRIES - 1
  const retry = (constraints: Constraint[]): string =>
    taggedJson('task_instruction', {
      action: 'retry_stage',
      task_id: task,
      stage_id: stage.id,
      stages: [again(prompt, stage, constraints, words)],
    })
  const refused = mayTry ? refusal(prompt, notice, stage) : []
  if (refused.length > 0) return retry(refused)
  const found = mayTry ? problemOf(stage) : null
  if (found !== null && prompt.step.members.some((member) => member.id === found.job.asker?.id)) {
    const answers = decided(prompt, found, words)
    if (answers === null) return askFirst(found, words)
    if (answers.length > 0) return retry(answers)
  }
  const agents = stage.parts.filter((part) => !isPerson(prompt, part.id))
  const works =
    agents.length === 0 || agents.some((part) => part.state === 'finished' && (lastResult(part.summary)?.done ?? true))
  if (!works) return finishTask(prompt, notice, task, words)
  return taggedJson('task_instruction', { action: 'finish_stage', task_id: task, stage_id: stage.id })
}

const isPerson = (prompt: RehearsalPrompt, id: string): boolean =>
  prompt.step.members.some((member) => member.id === id && member.kind === 'person')

/** Number of earlier tries of this stage: the failed stages directly before it. */
function triesBefore(notice: Notice, stage: NoticeStage): number {
  const at = notice.stages.findIndex((one) => one.id === stage.id)
  const standing = notice.stages.slice(0, at).findLastIndex((one) => one.state !== 'failed')
  return at - standing - 1
}

/** The constraints in a person's refusal that names one of the files: a retry without that file. */
function refusal(prompt: RehearsalPrompt, notice: Notice, stage: NoticeStage): Constraint[] {
  const refused = stage.parts.find(
    (part) => part.state === 'failed' && isPerson(prompt, part.id) && (part.failure ?? '') !== '',
  )
  if (refused === undefined) return []
  const files = notice.stages.flatMap((one) => one.parts.flatMap((part) => lastResult(part.summary)?.files_read ?? []))
  const said = refused.failure ?? ''
  return [...new Set(files)]
    .filter((file) => namesFile(said, file))
    .map((file) => ({
      kind: 'without_file',
      by: refused.agent,
      said,
      question: withoutBlock(refused.goal),
      key: '',
      column: '',
      value: fileNameIn(file),
    }))
}

/** A person's decision about this problem; null when they were not asked yet in this stage. */
function decided(prompt: RehearsalPrompt, { problem }: FoundProblem, words: Words): Constraint[] | null {
  const { text } = problemQuestion(problem, words)
  if (!finishedItems(prompt, 'send_message').some((item) => item.result.includes(text))) return null
  return knownConstraints(prompt).filter((one) => one.question === text && one.kind !== 'note')
}

function askFirst({ problem, job }: FoundProblem, words: Words): string {
  const name = job.asker?.name ?? ''
  const asks = { ...job, lack: problem, pasted: [] }
  const text = words.askAboutProblemText(name, problemQuestion(problem, words).text)
  return taggedJson('decision_step', [
    planned('skill', 'send_message', words.askAboutProblem(name), text, asks, 'ask_lack'),
  ])
}

/** The stage again, with the constraints added to every goal that holds a job. */
function again(prompt: RehearsalPrompt, stage: NoticeStage, constraints: Constraint[], words: Words): PlannedStage {
  const [first] = constraints
  const said = words.answer('', first?.by ?? '', first?.said ?? '').trim()
  const path = constraints.find((one) => one.kind === 'report_path')?.value
  const goal = (part: NoticePart): string => {
    const job = lastJob(part.goal)
    if (job === null) return part.goal
    const report_path = path !== undefined && job.report_path !== null ? path : job.report_path
    return withJob(`${withoutBlock(part.goal)} ${said}`, {
      ...job,
      report_path,
      constraints: [...job.constraints, ...constraints],
    })
  }
  const [people, agents] = [true, false].map((wanted) =>
    stage.parts.flatMap(({ id }) => (isPerson(prompt, id) === wanted ? [id] : [])),
  )
  const checks = people?.length && agents?.length ? { needs: Object.fromEntries(people.map((id) => [id, agents])) } : {}
  const job = stage.parts.map((part) => lastJob(part.goal)).find((one) => one !== null) ?? null
  return {
    ...(job === null ? {} : { stage_name: stageNameOf(job, words) }),
    stage_intention: `${stage.goal}${words.aside(saysConstraints(constraints, words))}`,
    agent_allocation: Object.fromEntries(stage.parts.map((part) => [part.id, goal(part)])),
    ...checks,
  }
}

function saysConstraints(constraints: Constraint[], words: Words): string {
  const of = (kind: Constraint['kind']): string =>
    constraints
      .filter((one) => one.kind === kind)
      .map((one) => one.value)
      .join(words.list)
  const [without, added, path] = [of('without_file'), of('file_added'), of('report_path')]
  return [
    ...(without === '' ? [] : [words.leftOutSay(without)]),
    ...(added === '' ? [] : [words.addedSay(added)]),
    ...(path === '' ? [] : [words.otherPathSay(path)]),
  ].join(words.space)
}

function finishTask(prompt: RehearsalPrompt, notice: Notice, task: string, words: Words): string {
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
    task_summary: sayTask(prompt, parts, results, words) || words.noFacts,
  })
}

function sayTask(prompt: RehearsalPrompt, parts: NoticePart[], results: JobResult[], words: Words): string {
  const files = [...new Set(results.flatMap((result) => result.files_read))]
  const missing = [...new Map(results.flatMap((result) => result.missing).map((one) => [one.path, one])).values()]
  const leftOut = [...new Set(results.at(-1)?.left_out ?? [])]
  const answers = [...new Map(results.flatMap((result) => result.answers).map((one) => [one.question, one])).values()]
  const totals = totalsLine(results.findLast((result) => Object.keys(result.totals).length > 0)?.totals ?? {}, words)
  const report = results.findLast((result) => result.report_path !== null)?.report_path ?? null
  const rejected = results.at(-1)?.rejected_because ?? null
  return [
    ...(report === null ? [] : [words.reportAt(report)]),
    ...(rejected === null ? [] : [words.notWritten('', rejected).trim()]),
    ...(totals === '' ? [] : [words.totalsSay(totals)]),
    ...results.flatMap(({ said }) => said ?? []),
    ...(files.length === 0 && results.some(({ said }) => said !== null) ? [] : [words.filesRead(files)]),
    ...(missing.length === 0 ? [] : [words.missingSay(missingList(missing, words))]),
    ...(leftOut.length === 0 ? [] : [words.leftOutSay(leftOut.join(words.list))]),
    ...(answers.length === 0
      ? []
      : [words.answersSay(answers.map((one) => `${one.question} → ${one.answer}`.trim()).join(words.clauses))]),
    ...parts
      .filter((part) => part.state === 'failed')
      .map((part) => words.partFailed(part.agent, part.failure ?? words.noReason)),
    ...parts
      .filter((part) => isPerson(prompt, part.id) && part.summary !== '')
      .map((part) => words.says(part.agent, part.summary)),
  ].join(words.space)
}
