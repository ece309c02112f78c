/** Shared by the skills of the rehearsal: the job in a prompt, its language, the known constraints. */
import type { PlannedStep } from '@/lib/mas/outcome'
import { knownConstraints } from './answers'
import { handedPacket } from './factsPacket'
import { type Findings, findingsFrom, findingsFromPacket, jobWith } from './findings'
import { type Constraint, type Do, type Job, lastJob, withJob } from './job'
import { isChinese } from './parseRequest'
import type { RehearsalPrompt, ShownStep } from './readPrompt'
import { WORDS, type Words } from './words'

/** Skills whose step texts are written by our own agents or the runtime only. Replies and messages hold foreign text. */
const OWN_TEXTS = new Set(['planning', 'decision', 'task_manager', 'agent_manager', 'think', 'ask_info', 'reflection'])

const isOwnText = (item: ShownStep): boolean =>
  item.type === 'tool' || OWN_TEXTS.has(item.executor) || (item.executor === 'send_message' && !item.answers)

/** The job at the end of this step's own text; null for a text that came with a message. */
export function stepJob(prompt: RehearsalPrompt): Job | null {
  if (prompt.step.answersTo !== null || prompt.step.message !== null) return null
  return lastJob(prompt.step.text)
}

/** The newest job in the history: from the plan, or from a manager's decision. */
export function historyJob(prompt: RehearsalPrompt): Job | null {
  const items = prompt.history.filter((item) => isOwnText(item) && item.state !== 'to come')
  return items.map((item) => lastJob(item.text)).findLast((job) => job !== null) ?? lastJob(prompt.step.yourGoal)
}

/** The step's job, with the pasted text, which only the first step of a plan carries. */
export function ownJob(prompt: RehearsalPrompt): Job | null {
  const job = stepJob(prompt) ?? historyJob(prompt)
  return job && { ...job, pasted: job.pasted.length > 0 ? job.pasted : pastedBefore(prompt) }
}

/** The same, with the constraints of people applied. */
export function jobOf(prompt: RehearsalPrompt): Job | null {
  const job = ownJob(prompt)
  return job && jobWith(job, knownConstraints(prompt))
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

/** All constraints that people set for this task: in the goal and since. */
export const constraintsOf = (prompt: RehearsalPrompt, job: Job): Constraint[] => [
  ...job.constraints,
  ...knownConstraints(prompt),
]

/** The agent's findings: from the packet handed to it when its part is to analyse, else from its own calls. */
export function findingsOf(prompt: RehearsalPrompt, job: Job): Findings {
  const packet = job.part === 'analyse' ? handedPacket(prompt) : null
  const constraints = constraintsOf(prompt, job)
  return packet === null ? findingsFrom(prompt.history, job, constraints) : findingsFromPacket(packet, constraints)
}

export const taggedJson = (tag: string, value: unknown): string => `<${tag}>${JSON.stringify(value)}</${tag}>`
export const tagged = (tag: string, value: string): string => `<${tag}>\n${value}\n</${tag}>`

/** A planned step whose text ends with the job; only the first one carries pasted text. */
export function planned(
  type: PlannedStep['type'],
  executor: string,
  intention: string,
  said: string,
  job: Job,
  act: Do,
): PlannedStep {
  return { step_intention: intention, type, executor, text_content: withJob(said, { ...job, do: act, pasted: [] }) }
}

export const finishedItems = (prompt: RehearsalPrompt, executor: string): ShownStep[] =>
  prompt.history.filter((item) => item.executor === executor && item.state === 'finished')

/** Is there a step of that kind and intention, finished or planned? */
export const isPlanned = (prompt: RehearsalPrompt, executor: string, intention: string): boolean =>
  prompt.history.some((item) => item.executor === executor && item.intention === intention && item.state !== 'failed')

export const wasSent = (prompt: RehearsalPrompt, intention: string): boolean =>
  finishedItems(prompt, 'send_message').some((item) => item.intention === intention)

/** The file server among the agent's tools: the one whose name or guide mentions files, else the first. */
export function fileTool(prompt: RehearsalPrompt): string | null {
  const tools = prompt.role.tools
  return (tools.find((tool) => /file|folder|文件/i.test(`${tool.name} ${tool.guide}`)) ?? tools[0])?.name ?? null
}

/** Has no message of this agent said yet that it is a demo program? */
export function isFirstMessage(prompt: RehearsalPrompt, words: Words): boolean {
  const heads = [words.introNote, WORDS.en.introNote, WORDS.zh.introNote].map((note) => note.split('\n')[0] ?? '')
  return (
    !prompt.memory.some((note) => heads.some((head) => note.startsWith(head))) &&
    finishedItems(prompt, 'send_message').every((item) => !item.result.includes(words.intro))
  )
}
