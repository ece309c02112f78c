/** Owns: task_manager: the task and its stages for a job, and the judgement on a stage or a task. */

import type { PlannedStage } from '@/lib/mas/outcome'
import { jobOf, json, stepJob, wordsOf } from '../common'
import { type Constraint, type Job, type JobResult, lastJob, lastResult, withJob, withoutBlock } from '../job'
import { type Notice, type NoticePart, type NoticeStage, readNotice } from '../notice'
import { namesFile } from '../ops/fileNames'
import type { Prompt } from '../readPrompt'
import { titleOf, totalsLine } from '../report'
import { chooseCrew, isManned, madeIds } from '../team'
import { nameOf } from '../toolLoop'
import type { Words } from '../words'

/** A stage is tried again so often at most. */
const MOST_TRIES = 3

export function taskManager(prompt: Prompt): string {
  const notice = prompt.step.message === null ? null : readNotice(prompt.step.message.text)
  if (notice !== null && prompt.step.message?.kind === 'system') return judge(prompt, notice)
  const job = jobOf(prompt)
  const words = wordsOf(prompt, job)
  if (job === null || stepJob(prompt) === null) return words.nothingToCall
  return job.do === 'add_stage' ? addStages(prompt, job, words) : addTask(prompt, job, words)
}

function addTask(prompt: Prompt, job: Job, words: Words): string {
  const crew = chooseCrew(prompt, job)
  const fits = isManned(crew, job)
  const triedBefore = prompt.history.some((item) => item.executor === 'agent_manager')
  if (!fits && prompt.role.skills.includes('agent_manager') && !triedBefore) {
    return json('get_more_info', {
      step_intention: words.askAgents,
      text_content: withJob(words.noAgentFits, { ...job, pasted: [], do: 'make_agent' }),
    })
  }
  // Without an instruction the step fails with this sentence, and the asker is told it.
  if (!fits) return words.noAgentFits
  return json('task_instruction', {
    action: 'add_task',
    task_name: titleOf(job, words),
    task_intention: words.taskGoal(job.wish.replace(/\s+/g, ' '), job.asker?.name ?? prompt.role.name),
    members: crew.members,
  })
}

function addStages(prompt: Prompt, job: Job, words: Words): string {
  const added = prompt.history.findLast(
    (item) =>
      item.executor === 'task_manager' &&
      item.state === 'finished' &&
      lastJob(item.text)?.do === 'add_task' &&
      madeIds(item).task !== null,
  )
  const task = added === undefined ? null : madeIds(added).task
  if (task === null) return words.notBegun(titleOf(job, words), words.noReason)
  return json('task_instruction', { action: 'add_stage', task_id: task, stages: stagesFor(prompt, job, words) })
}

function stagesFor(prompt: Prompt, whole: Job, words: Words): PlannedStage[] {
  const { reader, analyst, asker, stages } = chooseCrew(prompt, whole)
  const title = titleOf(whole, words)
  const base: Job = { ...whole, title, do: null, about: null }
  const where = words.whereAll(base.where)
  const askerName = asker?.name ?? prompt.role.name
  const check = (path: string | null): Record<string, string> =>
    path === null || asker === null ? {} : { [asker.id]: words.checkGoal(path) }
  if (stages === 2 && reader !== null && analyst !== null) {
    const path = base.report ? base.report_path : null
    const to = { id: analyst.id, name: analyst.name }
    const verb = words.verbs[base.op]
    return [
      {
        stage_intention: words.readStage(where),
        agent_allocation: {
          [reader.id]: withJob(words.readGoal(where, to.name, askerName), {
            ...base,
            part: 'read',
            deliver_to: to,
            pasted: [],
          }),
        },
      },
      {
        stage_intention: path === null ? title : words.analyseStage(title, path),
        agent_allocation: {
          [analyst.id]: withJob(
            path === null
              ? words.wholeGoal(base.wish, reader.name, askerName, null)
              : words.analyseGoal(reader.name, verb, path, askerName),
            { ...base, part: 'analyse', report_path: path, pasted: [] },
          ),
          ...check(path),
        },
      },
    ]
  }
  const worker = reader ?? analyst
  if (worker === null) return []
  const path = base.report ? base.report_path : null
  // Who has no tool for files cannot write one: the result goes into the message then.
  const canWrite = worker.tools.length > 0
  return [
    {
      stage_intention: words.wholeStage(title),
      agent_allocation: {
        [worker.id]: withJob(words.wholeGoal(base.wish, where, askerName, canWrite ? path : null), {
          ...base,
          part: 'all',
          report_path: canWrite ? path : null,
        }),
        ...check(canWrite ? path : null),
      },
    },
  ]
}

function judge(prompt: Prompt, notice: Notice): string {
  const jobs = notice.stages
    .flatMap((stage) => stage.parts.map((part) => lastJob(part.goal)))
    .filter((job) => job !== null)
  const words = wordsOf(prompt, jobs.at(-1) ?? null)
  const task = notice.taskId ?? prompt.step.taskId
  const stage = notice.stages.find((one) => one.id === notice.stage)
  if (notice.judges === 'task' || stage === undefined) return finishTask(prompt, notice, task, words)
  const again = retry(prompt, notice, stage, words)
  if (again !== null)
    return json('task_instruction', { action: 'retry_stage', task_id: task, stage_id: stage.id, ...again })
  const agents = stage.parts.filter((part) => !isPerson(prompt, part.id))
  const works =
    agents.length === 0 || agents.some((part) => part.state === 'finished' && (lastResult(part.summary)?.done ?? true))
  if (!works) return finishTask(prompt, notice, task, words)
  return json('task_instruction', { action: 'finish_stage', task_id: task, stage_id: stage.id })
}

const isPerson = (prompt: Prompt, id: string): boolean =>
  prompt.step.members.some((member) => member.id === id && member.kind === 'person')

/** A person who refuses with words that name one of the files: the stage again without that file. */
function retry(prompt: Prompt, notice: Notice, stage: NoticeStage, words: Words): PlannedStage | null {
  const tries = notice.stages.filter((one) => one.state === 'failed').length
  const refused = stage.parts.find(
    (part) => part.state === 'failed' && isPerson(prompt, part.id) && (part.failure ?? '') !== '',
  )
  if (refused === undefined || tries >= MOST_TRIES - 1) return null
  const files = notice.stages.flatMap((one) => one.parts.flatMap((part) => lastResult(part.summary)?.files_read ?? []))
  const said = refused.failure ?? ''
  const named = [...new Set(files)].filter((file) => namesFile(said, file))
  if (named.length === 0) return null
  const constraints: Constraint[] = named.map((file) => ({
    kind: 'without_file',
    by: refused.agent,
    said,
    question: withoutBlock(refused.goal),
    key: '',
    column: '',
    value: nameOf(file),
  }))
  const allocation = Object.fromEntries(
    stage.parts.map((part) => {
      const job = lastJob(part.goal)
      return [
        part.id,
        job === null
          ? part.goal
          : withJob(`${withoutBlock(part.goal)} ${words.answer('', refused.agent, said).trim()}`, {
              ...job,
              constraints: [...job.constraints, ...constraints],
            }),
      ]
    }),
  )
  return {
    stage_intention: `${stage.goal} (${words.leftOutSay(named.join(words.list))})`,
    agent_allocation: allocation,
  }
}

function finishTask(prompt: Prompt, notice: Notice, task: string, words: Words): string {
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
  return json('task_instruction', {
    action: 'finish_task',
    task_id: task,
    state: state ? 'finished' : 'failed',
    task_summary: sayTask(prompt, parts, results, words) || words.noFacts,
  })
}

function sayTask(prompt: Prompt, parts: NoticePart[], results: JobResult[], words: Words): string {
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
    words.filesRead(files),
    ...(missing.length === 0
      ? []
      : [
          words.missingSay(
            missing
              .map((one) =>
                one.named_in === null ? one.path : `${one.path}${words.aside(words.namedIn(one.named_in))}`,
              )
              .join(words.list),
          ),
        ]),
    ...(leftOut.length === 0 ? [] : [words.leftOutSay(leftOut.join(words.list))]),
    ...(answers.length === 0
      ? []
      : [words.answersSay(answers.map((one) => `${one.question} → ${one.answer}`.trim()).join('; '))]),
    ...parts
      .filter((part) => part.state === 'failed')
      .map((part) => words.partFailed(part.agent, part.failure ?? words.noReason)),
    ...parts
      .filter((part) => isPerson(prompt, part.id) && part.summary !== '')
      .map((part) => words.says(part.agent, part.summary)),
  ].join(words.space)
}
