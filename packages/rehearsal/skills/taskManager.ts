import type { PlannedStage } from '@/lib/mas/steps/outcome'
import { isFirstMessage, jobOf, stepJob, tagged, taggedJson, wordsFor } from '../common'
import { type Job, withJob } from '../job'
import { judge } from '../judge'
import { readNotice } from '../notice'
import type { RehearsalPrompt } from '../readPrompt'
import { begunText, stageNameOf, titleOf } from '../report'
import { withComments } from '../sentBack'
import { chooseAgents, hasWorker, whyNoWorker } from '../team'
import type { Words } from '../words'

export function playTaskManager(prompt: RehearsalPrompt): string {
  const notice = readNotice(prompt)
  if (notice !== null) return judge(prompt, notice)
  const job = jobOf(prompt)
  const words = wordsFor(prompt, job)
  if (job === null || stepJob(prompt) === null) return tagged('skip', words.nothingToCall)
  return writeAddTask(prompt, job, words)
}

export function writeAddTask(prompt: RehearsalPrompt, job: Job, words: Words): string {
  const chosen = chooseAgents(prompt, job)
  const fits = hasWorker(chosen, job)
  const triedBefore = prompt.history.some((item) => item.executor === 'agent_manager')
  if (!fits && prompt.role.skills.includes('agent_manager') && !triedBefore) {
    return taggedJson('get_more_info', {
      step_intention: words.askAgents,
      text_content: withJob(whyNoWorker(job, words), { ...job, pasted: [], do: 'make_agent' }),
    })
  }
  // Nothing is made: the reply tells the asker why.
  if (!fits) return tagged('skip', whyNoWorker(job, words))
  const title = titleOf(job, words)
  const stages = withComments(prompt, stagesFor(prompt, job, words), words)
  const reply = begunText(words.begun(title, stages.length, chosen.members.length), job, words)
  const isFirst = isFirstMessage(prompt, words)
  const made = taggedJson('task_instruction', {
    action: 'add_task',
    task_name: title,
    task_intention: words.taskGoal(job.wish.replace(/\s+/g, ' '), job.asker?.name ?? prompt.role.name),
    members: chosen.members,
    stages,
    ...(isReplyOwed(prompt) ? { reply: isFirst ? `${reply}\n\n${words.intro}` : reply } : {}),
  })
  return isFirst && isReplyOwed(prompt)
    ? `${made}\n${taggedJson('persistent_memory', [{ add: words.introNote }])}`
    : made
}

/** Is the reply to the request still due? A message planned for another purpose does not count. */
const isReplyOwed = (prompt: RehearsalPrompt): boolean =>
  prompt.step.answersTo !== null ||
  prompt.history.some((item) => item.state === 'to come' && item.executor === 'send_message' && item.answers)

function stagesFor(prompt: RehearsalPrompt, whole: Job, words: Words): PlannedStage[] {
  const { reader, analyst, asker } = chooseAgents(prompt, whole)
  const title = titleOf(whole, words)
  const base: Job = { ...whole, title, do: null, about: null }
  if (base.hire !== null && analyst !== null) {
    const { id, name, text } = base.hire
    const goal = withJob(words.hireGoal(id, text), { ...base, pasted: [], report: false, report_path: null })
    return [
      { stage_name: words.hire(name), stage_intention: words.hireStage(id), agent_allocation: { [analyst.id]: goal } },
    ]
  }
  const where = words.whereAll(base.where)
  const askerName = whole.asker?.name ?? prompt.role.name
  /** A stage of one agent, with the asker's check of the report where there is one. */
  const stageOf = (of: Job, intention: string, agent: string, goal: string): PlannedStage => {
    const checker = of.report_path === null ? null : asker
    return {
      stage_name: stageNameOf(of, words),
      stage_intention: intention,
      agent_allocation: {
        [agent]: goal,
        ...(checker === null ? {} : { [checker.id]: words.checkGoal(of.report_path ?? '') }),
      },
      ...(checker === null ? {} : { needs: { [checker.id]: [agent] } }),
    }
  }
  const path = base.report ? base.report_path : null
  if (reader !== null && analyst !== null) {
    const { id, name } = analyst
    const reads: Job = { ...base, part: 'read', deliver_to: { id, name }, pasted: [] }
    const analyses: Job = { ...base, part: 'analyse', report_path: path, pasted: [] }
    const goal =
      path === null
        ? words.wholeGoal(base.wish, reader.name, askerName, null)
        : words.analyseGoal(reader.name, words.verbs[base.op], path)
    const reading = withJob(words.readGoal(where, name, askerName), reads)
    return [
      stageOf({ ...reads, report_path: null }, words.readStage(where), reader.id, reading),
      stageOf(analyses, path === null ? words.resultTitle : words.analyseStage(path), id, withJob(goal, analyses)),
    ]
  }
  const worker = reader ?? analyst
  if (worker === null) return []
  // An agent without a file tool cannot write the report; the result goes into the message.
  const does: Job = { ...base, part: 'all', report_path: worker.tools.length > 0 ? path : null }
  const goal = withJob(words.wholeGoal(base.wish, where, askerName, does.report_path), does)
  return [stageOf(does, words.wholeStage(title), worker.id, goal)]
}
