/** Judges a stage or task: results of the parts, a person's decision if one is needed, then a retry or the end. */

import { withoutNotes } from '@/lib/mas/builtInNotes'
import type { PlannedStage } from '@/lib/mas/steps/outcome'
import { finishedItems, knownConstraints, planned, taggedJson, wordsFor } from './common'
import { endTask, isPerson } from './endTask'
import { type Constraint, type Job, type JobResult, lastJob, lastResult, type StageProblem, withJob } from './job'
import type { Notice, NoticePart, NoticeStage } from './notice'
import { fileNameIn, isReadable, namesFile } from './ops/fileNames'
import { problemQuestion } from './questions'
import type { RehearsalPrompt } from './readPrompt'
import { stageNameOf } from './report'
import { withComments } from './sentBack'
import { questionAhead } from './skills/planning'
import type { Words } from './words'

const MOST_TRIES = 3

export function judge(prompt: RehearsalPrompt, notice: Notice): string {
  const jobs = notice.stages
    .flatMap((stage) => stage.parts.map((part) => lastJob(part.goal)))
    .filter((job) => job !== null)
  const words = wordsFor(prompt, jobs.at(-1) ?? null)
  const task = prompt.step.taskId
  const stage = notice.stages.find((one) => one.id === notice.stage)
  if (notice.judges === 'task' || stage === undefined) return endTask(prompt, notice, task, words)
  const mayTry = triesBefore(notice, stage) < MOST_TRIES - 1
  const retry = (constraints: Constraint[]): string =>
    taggedJson('task_instruction', {
      action: 'retry_stage',
      task_id: task,
      stage_id: stage.id,
      stages: withComments(prompt, [again(prompt, stage, constraints, words)], words),
    })
  const refused = mayTry ? refusal(prompt, notice, stage) : []
  if (refused.length > 0) return retry(refused)
  const found = mayTry ? problemOf(stage) : null
  if (found !== null && prompt.step.members.some((member) => member.id === found.job.asker?.id)) {
    const answers = decided(prompt, found, words)
    if (answers === null) return askFirst(prompt, found, words)
    if (answers.length > 0) return retry(answers)
  }
  const agents = stage.parts.filter((part) => !isPerson(prompt, part.id))
  const works =
    agents.length === 0 || agents.some((part) => part.state === 'finished' && (lastResult(part.summary)?.done ?? true))
  const isLast = !/^stage [^:\n]+: init\b/m.test(prompt.step.taskState)
  if (!works || isLast) return endTask(prompt, notice, task, words)
  return taggedJson('task_instruction', { action: 'finish_stage', task_id: task, stage_id: stage.id })
}

/** Number of earlier tries of this stage: the failed stages directly before it. */
function triesBefore(notice: Notice, stage: NoticeStage): number {
  const at = notice.stages.findIndex((one) => one.id === stage.id)
  const standing = notice.stages.slice(0, at).findLastIndex((one) => one.state !== 'failed')
  return at - standing - 1
}

type FoundProblem = { problem: StageProblem; job: Job }

/**
 * The first problem that keeps a stage from being accepted, with its job.
 *
 * out     null when there is none, or when the asker accepted their own part already
 */
function problemOf(stage: NoticeStage): FoundProblem | null {
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
      question: withoutNotes(refused.goal),
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

function askFirst(prompt: RehearsalPrompt, { problem, job }: FoundProblem, words: Words): string {
  const name = job.asker?.name ?? ''
  const asks = { ...job, lack: problem, pasted: [] }
  const text = words.askAboutProblemText(name, problemQuestion(problem, words).text)
  const step = planned('skill', 'send_message', words.askAboutProblem(name), text, asks, 'ask_lack')
  const ahead = job.asker && questionAhead(prompt, job.asker.id, problemQuestion(problem, words), false, words)
  return taggedJson('decision_step', [{ ...step, ...(ahead === null ? {} : { send_message: ahead }) }])
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
    return withJob(`${withoutNotes(part.goal)} ${said}`, {
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

/** What the constraints say, one sentence for each kind. */
function saysConstraints(constraints: Constraint[], words: Words): string {
  const says: [Constraint['kind'], (values: string) => string][] = [
    ['without_file', words.leftOutSay],
    ['file_added', words.addedSay],
    ['report_path', words.otherPathSay],
  ]
  return says
    .flatMap(([kind, say]) => {
      const values = constraints.filter((one) => one.kind === kind).map((one) => one.value)
      return values.length === 0 ? [] : [say(values.join(words.list))]
    })
    .join(words.space)
}
