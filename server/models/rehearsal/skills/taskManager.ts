import type { PlannedStage } from '@/lib/mas/outcome'
import { compactJson, isFirstMessage, jobOf, stepJob, tagged, wordTokens } from '../common'
import { type Job, withJob } from '../job'
import { judge } from '../judge'
import { readNotice } from '../notice'
import type { RehearsalPrompt } from '../readPrompt'
import { begunText, stageNameOf, titleOf } from '../report'
import { chooseCrew, isManned } from '../team'
import type { Words } from '../words'

export function playTaskManager(prompt: RehearsalPrompt): string {
  const notice = readNotice(prompt)
  if (notice !== null) return judge(prompt, notice)
  const job = jobOf(prompt)
  const words = wordTokens(prompt, job)
  if (job === null || stepJob(prompt) === null) return tagged('skip', words.nothingToCall)
  return addTask(prompt, job, words)
}

function addTask(prompt: RehearsalPrompt, job: Job, words: Words): string {
  const crew = chooseCrew(prompt, job)
  const fits = isManned(crew, job)
  const triedBefore = prompt.history.some((item) => item.executor === 'agent_manager')
  if (!fits && prompt.role.skills.includes('agent_manager') && !triedBefore) {
    return compactJson('get_more_info', {
      step_intention: words.askAgents,
      text_content: withJob(words.noAgentFits, { ...job, pasted: [], do: 'make_agent' }),
    })
  }
  // Nothing is made: the reply tells the asker why.
  if (!fits) return tagged('skip', words.noAgentFits)
  const title = titleOf(job, words)
  const stages = stagesFor(prompt, job, words)
  const reply = begunText(words.begun(title, stages.length, crew.members.length), job, words)
  const isFirst = isFirstMessage(prompt, words)
  const made = compactJson('task_instruction', {
    action: 'add_task',
    task_name: title,
    task_intention: words.taskGoal(job.wish.replace(/\s+/g, ' '), job.asker?.name ?? prompt.role.name),
    members: crew.members,
    stages,
    ...(isReplyOwed(prompt) ? { reply: isFirst ? `${reply}\n\n${words.intro}` : reply } : {}),
  })
  return isFirst && isReplyOwed(prompt)
    ? `${made}\n${compactJson('persistent_memory', [{ add: words.introNote }])}`
    : made
}

/** The reply to the request is to come; a message that a plan of our own holds is none. */
const isReplyOwed = (prompt: RehearsalPrompt): boolean =>
  prompt.history.some((item) => item.state === 'to come' && item.executor === 'send_message' && item.answers)

function stagesFor(prompt: RehearsalPrompt, whole: Job, words: Words): PlannedStage[] {
  const { reader, analyst, asker, stages } = chooseCrew(prompt, whole)
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
  const check = (path: string | null): Record<string, string> =>
    path === null || asker === null ? {} : { [asker.id]: words.checkGoal(path) }
  const checkNeeds = (path: string | null, writer: string): Pick<PlannedStage, 'needs'> =>
    path === null || asker === null ? {} : { needs: { [asker.id]: [writer] } }
  if (stages === 2 && reader !== null && analyst !== null) {
    const path = base.report ? base.report_path : null
    const to = { id: analyst.id, name: analyst.name }
    const verb = words.verbs[base.op]
    return [
      {
        stage_name: stageNameOf({ ...base, part: 'read' }, words),
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
        stage_name: stageNameOf({ ...base, part: 'analyse', report_path: path }, words),
        stage_intention: path === null ? title : words.analyseStage(title, path),
        agent_allocation: {
          [analyst.id]: withJob(
            path === null
              ? words.wholeGoal(base.wish, reader.name, askerName, null)
              : words.analyseGoal(reader.name, verb, path),
            { ...base, part: 'analyse', report_path: path, pasted: [] },
          ),
          ...check(path),
        },
        ...checkNeeds(path, analyst.id),
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
      stage_name: stageNameOf({ ...base, part: 'all' }, words),
      stage_intention: words.wholeStage(title),
      agent_allocation: {
        [worker.id]: withJob(words.wholeGoal(base.wish, where, askerName, canWrite ? path : null), {
          ...base,
          part: 'all',
          report_path: canWrite ? path : null,
        }),
        ...check(canWrite ? path : null),
      },
      ...checkNeeds(canWrite ? path : null, worker.id),
    },
  ]
}
