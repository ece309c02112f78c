import type { PlannedStepFormat as PlannedStep } from '@/lib/mas/formats'
import { jobOf, planned, stepJob, taggedJson, wordsFor } from '../common'
import { type Job, withJob } from '../job'
import type { RehearsalPrompt } from '../readPrompt'
import { titleOf } from '../report'
import type { Words } from '../words'
import { questionSteps, stepMaker } from './planning'

export function playDecision(prompt: RehearsalPrompt): string {
  const job = jobOf(prompt)
  const words = wordsFor(prompt, job)
  return taggedJson('decision_step', job === null || stepJob(prompt) === null ? [] : stepsFor(prompt, job, words))
}

function stepsFor(prompt: RehearsalPrompt, job: Job, words: Words): PlannedStep[] {
  switch (job.do) {
    case 'begun':
      return arrange(job, words)
    case 'make_agent':
      return [
        planned('skill', 'ask_info', words.askAgents, 'startable_agents', job, 'make_agent'),
        planned('skill', 'agent_manager', words.askAgents, words.askAgentsText, job, 'make_agent'),
      ]
    case 'clarify':
      return [planned('skill', 'send_message', words.tellBegun, job.about ?? '', job, 'clarify')]
    case 'ask':
      return questionSteps(prompt, job, words)
    case 'read':
      return (['read', 'ask'] as const).flatMap((part) => stepMaker(prompt, job, words)(part) ?? [])
    default:
      return []
  }
}

/** New work: a task with its stages. `begun`: no reply is due any more, so a step of its own informs the asker. */
export function arrange(job: Job, words: Words): PlannedStep[] {
  const text = withJob(words.addTaskText(titleOf(job, words)), { ...job, do: 'add_task' })
  const steps: PlannedStep[] = [
    { step_intention: words.addTask, type: 'skill', executor: 'task_manager', text_content: text },
  ]
  return job.do === 'begun' && job.asker !== null
    ? [...steps, planned('skill', 'send_message', words.tellBegun, words.tellBegun, job, 'begun')]
    : steps
}
