import type { PlannedStage } from '@/lib/mas/outcome'
import { jobOf, json, stepJob, wordsOf } from '../common'
import { type Job, lastJob, withJob } from '../job'
import { judge } from '../judge'
import { readNotice } from '../notice'
import type { RehearsalPrompt } from '../readPrompt'
import { titleOf } from '../report'
import { chooseCrew, isManned, madeIds } from '../team'
import type { Words } from '../words'

export function playTaskManager(prompt: RehearsalPrompt): string {
  const notice = prompt.step.message === null ? null : readNotice(prompt.step.message.text)
  if (notice !== null && prompt.step.message?.kind === 'system') return judge(prompt, notice)
  const job = jobOf(prompt)
  const words = wordsOf(prompt, job)
  if (job === null || stepJob(prompt) === null) return words.nothingToCall
  return job.do === 'add_stage' ? addStages(prompt, job, words) : addTask(prompt, job, words)
}

function addTask(prompt: RehearsalPrompt, job: Job, words: Words): string {
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

function addStages(prompt: RehearsalPrompt, job: Job, words: Words): string {
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

function stagesFor(prompt: RehearsalPrompt, whole: Job, words: Words): PlannedStage[] {
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
