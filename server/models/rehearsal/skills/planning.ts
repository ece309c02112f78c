import type { PlannedStep } from '@/lib/mas/outcome'
import { compactJson, fileTool, planned, wordTokens } from '../common'
import { type Job, lastJob, withoutBlock } from '../job'
import type { RehearsalPrompt } from '../readPrompt'
import { looksLikeFile } from '../toolLoop'
import { parseRequest } from '../wish'
import type { Words } from '../words'

export function playPlanning(prompt: RehearsalPrompt): string {
  const job = goalJob(prompt)
  const words = wordTokens(prompt, job)
  return compactJson('planned_step', job === null ? [reflectionStep(words, null)] : planFor(prompt, job, words))
}

/** The block that ends the goal; a goal that people wrote in words is read as a request. */
function goalJob(prompt: RehearsalPrompt): Job | null {
  const { yourGoal: goal } = prompt.step
  const job = lastJob(goal)
  if (job !== null) return job
  const person = prompt.step.members.find((member) => member.kind === 'person') ?? null
  const wish = parseRequest(
    withoutBlock(goal),
    person === null ? null : { id: person.id, name: person.name },
    wordTokens(prompt, null).pasted,
  )
  return wish.op === null ? null : { ...wish, op: wish.op }
}

function planFor(prompt: RehearsalPrompt, job: Job, words: Words): PlannedStep[] {
  if (job.hire !== null) return hirePlan(job, job.hire, words)
  const tool = fileTool(prompt)
  const where = words.whereAll(job.where)
  const steps: (PlannedStep | null)[] = []
  const reads = job.part !== 'analyse' && job.where.length > 0
  if (reads && tool !== null) steps.push(planned('tool', tool, words.read(where), words.readText(where), job, 'read'))
  if (job.part === 'read') {
    steps.push(planned('skill', 'think', words.gather, words.gatherText, job, 'gather'), askStep(prompt, job, words))
    if (job.deliver_to !== null)
      steps.push(
        planned(
          'skill',
          'send_message',
          words.handoff(job.deliver_to.name),
          words.handoffText(job.deliver_to.name),
          job,
          'handoff',
        ),
      )
  } else {
    if (job.part === 'all' && mayNeedAsking(job)) steps.push(askStep(prompt, job, words))
    steps.push(planned('skill', 'think', words.report, words.reportText, job, 'report'))
    if (job.report_path !== null && tool !== null)
      steps.push(planned('tool', tool, words.write(job.report_path), words.writeText(job.report_path), job, 'write'))
    if (job.asker !== null)
      steps.push(
        planned(
          'skill',
          'send_message',
          words.deliver(job.asker.name),
          words.deliverText(job.asker.name),
          job,
          'deliver',
        ),
      )
  }
  steps.push(reflectionStep(words, job))
  return steps.filter((step) => step !== null)
}

function hirePlan(job: Job, { id, name }: NonNullable<Job['hire']>, words: Words): PlannedStep[] {
  const { asker } = job
  return [
    planned('skill', 'send_message', words.hire(name), words.hireText(id), job, 'hire'),
    ...(asker === null
      ? []
      : [planned('skill', 'send_message', words.deliver(asker.name), words.deliverText(asker.name), job, 'deliver')]),
    reflectionStep(words, job),
  ]
}

/** A single file of a kind that says what counts raises no question. */
const mayNeedAsking = (job: Job): boolean =>
  job.op === 'compare' || (job.where.length > 0 && !job.where.every(looksLikeFile))

function askStep(prompt: RehearsalPrompt, job: Job, words: Words): PlannedStep | null {
  if (job.asker === null || !prompt.role.skills.includes('decision')) return null
  return planned('skill', 'decision', words.askIf, words.askIfText(job.asker.name), job, 'ask')
}

export function reflectionStep(words: Words, job: Job | null): PlannedStep {
  const step: PlannedStep = {
    step_intention: words.check,
    type: 'skill',
    executor: 'reflection',
    text_content: words.checkText,
  }
  return job === null ? step : planned('skill', 'reflection', words.check, words.checkText, job, 'check')
}
