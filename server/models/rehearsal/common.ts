/** Shared by the skills of the rehearsal: the job with its constraints and findings, planned steps, answers. */
import type { PlannedStep } from '@/lib/mas/outcome'
import { knownConstraints } from './answers'
import { handedPacket } from './factsPacket'
import { type Findings, findingsFrom, findingsFromPacket, jobWith } from './findings'
import { type Constraint, type Do, type Job, withJob } from './job'
import { ownJob } from './promptJob'
import type { RehearsalPrompt, ShownStep } from './readPrompt'
import { WORDS, type Words } from './words'

/** The job of a prompt with the constraints of people applied. */
export function jobOf(prompt: RehearsalPrompt): Job | null {
  const job = ownJob(prompt)
  return job && jobWith(job, knownConstraints(prompt))
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
