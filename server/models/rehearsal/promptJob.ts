/** The job that a prompt is about, and the language of its words. */
import { type Job, lastJob } from './job'
import { isChinese } from './parseRequest'
import type { RehearsalPrompt, ShownStep } from './readPrompt'
import { WORDS, type Words } from './words'

/** Skills whose step texts are written by our own agents or the runtime only. Replies and messages hold foreign text. */
const OWN_TEXTS = new Set(['planning', 'decision', 'task_manager', 'agent_manager', 'think', 'ask_info', 'reflection'])

const isOwnText = (item: ShownStep): boolean =>
  item.type === 'tool' || OWN_TEXTS.has(item.executor) || (item.executor === 'send_message' && !item.answers)

/** The job at the end of this step's own text; null for a text that came with a message. */
export function stepJob({ step }: RehearsalPrompt): Job | null {
  return step.answersTo !== null || step.message !== null ? null : lastJob(step.text)
}

/** The newest job in the history: from the plan, or from a manager's decision. */
export function historyJob({ history, step }: RehearsalPrompt): Job | null {
  const items = history.filter((item) => isOwnText(item) && item.state !== 'to come')
  return items.map((item) => lastJob(item.text)).findLast((job) => job !== null) ?? lastJob(step.yourGoal)
}

/** The step's job, with the pasted text, which only the first step of a plan carries. */
export function ownJob(prompt: RehearsalPrompt): Job | null {
  const job = stepJob(prompt) ?? historyJob(prompt)
  return job && { ...job, pasted: job.pasted.length > 0 ? job.pasted : pastedBefore(prompt) }
}

function pastedBefore({ history, step }: RehearsalPrompt): Job['pasted'] {
  const jobs = [step.yourGoal, ...history.filter(isOwnText).map((item) => item.text)].map((text) => lastJob(text))
  return jobs.findLast((job) => job !== null && job.pasted.length > 0)?.pasted ?? []
}

/** Chinese when the system section is, else when the request or the message is. */
export function wordsFor(prompt: RehearsalPrompt, job: Job | null): Words {
  if (isChinese(prompt.systemText)) return WORDS.zh
  if (job !== null) return WORDS[job.language]
  const said = prompt.step.answersTo?.text ?? prompt.step.message?.text ?? prompt.step.text
  return WORDS[isChinese(said) ? 'zh' : 'en']
}
