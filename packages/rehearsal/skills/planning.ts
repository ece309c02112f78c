import { withoutNotes } from '@/lib/mas/builtInNotes'
import type { PlannedStepFormat as PlannedStep } from '@/lib/mas/formats'
import type { DueCall } from '../abilities'
import { constraintsOf, fileTool, findingsOf, planned, sentText, taggedJson, wordsFor } from '../common'
import { factsMessage } from '../factsMessage'
import { type Job, lastJob } from '../job'
import { looksLikeFile } from '../ops/fileNames'
import { parseRequest } from '../parseRequest'
import { questionsOf } from '../questions'
import type { RehearsalPrompt } from '../readPrompt'
import { hasUnread, nextReadings } from '../toolLoop'
import type { Words } from '../words'
import { writtenCalls } from './toolCalls'

export function playPlanning(prompt: RehearsalPrompt): string {
  const job = goalJob(prompt)
  const words = wordsFor(prompt, job)
  return taggedJson('planned_step', job === null ? [reflectionStep(words, null)] : planFor(prompt, job, words))
}

/** The job at the end of the goal; a goal in plain text is parsed as a request. */
function goalJob(prompt: RehearsalPrompt): Job | null {
  const { yourGoal: goal } = prompt.step
  const job = lastJob(goal)
  if (job !== null) return job
  const person = prompt.step.members.find((member) => member.kind === 'person') ?? null
  const request = parseRequest(
    withoutNotes(goal),
    person === null ? null : { id: person.id, name: person.name },
    wordsFor(prompt, null).pasted,
  )
  return request.op === null ? null : { ...request, op: request.op }
}

function planFor(prompt: RehearsalPrompt, job: Job, words: Words): PlannedStep[] {
  const step = stepMaker(prompt, job, words)
  const steps =
    job.hire !== null
      ? [planned('skill', 'send_message', words.hire(job.hire.name), words.hireText(job.hire.id), job, 'hire')]
      : job.part === 'read'
        ? [step('read'), step('handoff')]
        : [step('read'), job.part === 'all' && mayNeedAsking(job) ? step('ask') : null, step('report'), step('write')]
  if (job.part !== 'read') steps.push(step('deliver'))
  return [...steps, reflectionStep(words, job)].filter((one) => one !== null)
}

type PlanPart = 'read' | 'ask' | 'handoff' | 'report' | 'write' | 'deliver'

/** out: makes a step of the plan; null where the job does not need it */
export function stepMaker(prompt: RehearsalPrompt, job: Job, words: Words): (part: PlanPart) => PlannedStep | null {
  const tool = fileTool(prompt)
  const { asker, deliver_to: to, report_path: path } = job
  const where = words.whereAll(job.where)
  const reads = job.part !== 'analyse' && job.where.length > 0 && hasUnread(prompt.history, job)
  return (part) => {
    const skill = (executor: string, intention: string, text: string): PlannedStep =>
      planned('skill', executor, intention, text, job, part)
    const call = (server: string, intention: string, text: string, due: readonly DueCall[]): PlannedStep => {
      const calls = writtenCalls(due, prompt.abilitiesOf(server))
      return { ...planned('tool', server, intention, text, job, part), ...(calls.length === 0 ? {} : { calls }) }
    }
    /** Without a thing to read or to ask, the message is written with the plan. */
    const factsAhead = (to: { id: string; name: string }): Pick<PlannedStep, 'send_message'> => {
      if (reads || prompt.history.length === 0 || unasked(prompt, job, words).length > 0) return {}
      const { receiver, message, packet } = factsMessage(prompt, job, to, words)
      return { send_message: { receiver, message: sentText(prompt, message, words, packet) } }
    }
    switch (part) {
      case 'read':
        return reads && tool !== null
          ? call(
              tool,
              words.read(where),
              words.readText(where),
              nextReadings(prompt.history, job, prompt.abilitiesOf(tool)),
            )
          : null
      case 'ask':
        return asker !== null && prompt.role.skills.includes('decision')
          ? skill('decision', words.askIf, words.askIfText(asker.name))
          : null
      case 'handoff':
        return to && { ...skill('send_message', words.handoff(to.name), words.handoffText(to.name)), ...factsAhead(to) }
      case 'report':
        return skill('think', words.report, words.reportText)
      case 'write':
        return path === null || tool === null
          ? null
          : // A person may change the path before they consent: what was written is read back after that.
            call(tool, words.write(path), words.writeText(path), [
              { do: 'write', path, content: { from_step: 'before' } },
            ])
      case 'deliver':
        return asker && skill('send_message', words.deliver(asker.name), words.deliverText(asker.name))
    }
  }
}

/** A single file of an unambiguous kind raises no question. */
const mayNeedAsking = (job: Job): boolean =>
  job.op === 'compare' || (job.where.length > 0 && !job.where.every(looksLikeFile))

/** A step for each open question, addressed to the asker where they are in the task. */
export function questionSteps(
  prompt: RehearsalPrompt,
  job: Job,
  words: Words,
  wasAsked: (question: string) => boolean = () => false,
): PlannedStep[] {
  const { asker } = job
  if (asker === null || !prompt.step.members.some((member) => member.id === asker.id)) return []
  const answered = constraintsOf(prompt, job).map((one) => one.question)
  return questionsOf(findingsOf(prompt, job), job, words)
    .filter(({ text }) => !answered.includes(text) && !wasAsked(text))
    .map(({ text, choices }) => ({
      ...planned('skill', 'send_message', words.ask(asker.name), text, { ...job, about: text }, 'ask'),
      send_message: questionAhead(prompt, asker.id, { text, choices }, true, words),
    }))
}

/** Questions that this part has not asked yet. An asked question without an answer is not asked again. */
export function unasked(prompt: RehearsalPrompt, job: Job, words: Words): PlannedStep[] {
  const messages = prompt.history
    .filter((item) => item.executor === 'send_message')
    .map((item) => `${item.result}\n${item.text}`)
  return questionSteps(prompt, job, words, (question) => messages.some((message) => message.includes(question)))
}

/** The message of a step that asks, written with the plan. */
export const questionAhead = (
  prompt: RehearsalPrompt,
  receiver: string,
  { text, choices = [] }: { text: string; choices?: readonly string[] | undefined },
  waiting: boolean,
  words: Words,
) => ({
  receiver: [receiver],
  message: sentText(prompt, text, words),
  stage_relative: prompt.step.stageId,
  need_reply: true,
  waiting,
  ...(choices.length > 0 ? { choices: [...choices] } : {}),
})

export function reflectionStep(words: Words, job: Job | null): PlannedStep {
  const step: PlannedStep = {
    step_intention: words.check,
    type: 'skill',
    executor: 'reflection',
    text_content: words.checkText,
  }
  return job === null ? step : planned('skill', 'reflection', words.check, words.checkText, job, 'check')
}
