/** Shared by the skills of the rehearsal: the job of a prompt with people's decisions and the findings, planned steps, answers. */
import type { PlannedStepFormat as PlannedStep } from '@/lib/mas/formats'
import { mergeConstraints, readAnswers } from './constraints'
import { handedFacts } from './factsPacket'
import { type Findings, findingsFrom, findingsFromPacket, jobWith } from './findings'
import { type Constraint, type Do, type Job, lastJob, withJob } from './job'
import { isChinese } from './parseRequest'
import { type ConstraintQuestion, lastAsked, questionsOf } from './questions'
import type { ShownStep, TeamMember } from './readParts'
import type { RehearsalPrompt } from './readPrompt'
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

/** Decisions of people as constraints, oldest first; a later answer replaces an earlier one to the same question. */
export function knownConstraints(prompt: RehearsalPrompt): Constraint[] {
  const asks = prompt.history.some((item) => answererOf(prompt, item) !== null) || prompt.messages.length > 0
  const own = asks ? ownJob(prompt) : null
  return own === null ? [] : fromHistory(prompt, own, fromMessages(prompt, own))
}

/** The sender of the message that a step took in: a person, or an outside agent; null for other steps. */
const answererOf = (prompt: RehearsalPrompt, item: ShownStep): TeamMember | null =>
  (item.executor === 'process_message' && item.state === 'finished'
    ? prompt.step.members.find(({ kind, name }) => kind !== 'agent' && item.intention.includes(name))
    : null) ?? null

/** Questions that this agent may have asked. */
const questionsBy = (prompt: RehearsalPrompt, items: readonly ShownStep[], job: Job, known: Constraint[]) =>
  questionsOf(findingsFrom(items, job, [...job.constraints, ...known]), job, wordsFor(prompt, job))

/** Answers to questions of earlier stages. */
function fromMessages(prompt: RehearsalPrompt, own: Job): Constraint[] {
  const questions = questionsBy(prompt, prompt.history, own, [])
  let known: Constraint[] = []
  let asked: ConstraintQuestion | null = null
  for (const { from, text } of prompt.messages) {
    if (from === prompt.role.name) asked = questions.find((question) => text.includes(question.text)) ?? asked
    else if (asked !== null) {
      known = mergeConstraints(known, readAnswers(asked, text, from))
      asked = null
    }
  }
  return known
}

/** Answers given in this stage. */
function fromHistory(prompt: RehearsalPrompt, own: Job, before: Constraint[]): Constraint[] {
  let known = before
  for (const [at, item] of prompt.history.entries()) {
    const by = answererOf(prompt, item)
    if (by === null) continue
    const earlier = prompt.history.slice(0, at)
    const asked = lastAsked(earlier, questionsBy(prompt, earlier, jobWith(own, known), known))
    if (asked !== null) known = mergeConstraints(known, readAnswers(asked, item.text, by.name))
  }
  return known
}

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
  const handed = job.part === 'analyse' ? handedFacts(prompt) : null
  const constraints = constraintsOf(prompt, job)
  return handed === null ? findingsFrom(prompt.history, job, constraints) : findingsFromPacket(handed, constraints)
}

export const taggedJson = (tag: string, value: unknown): string => `<${tag}>${JSON.stringify(value)}</${tag}>`
export const tagged = (tag: string, value: string): string => `<${tag}>\n${value}\n</${tag}>`

/** Characters. A longer result is in the report, or is cut with a mark. */
const LONGEST = 12_000

/** The text of a message: an agent's first one says that it is a program; packet: follows the words and is never cut. */
export function sentText(prompt: RehearsalPrompt, message: string, words: Words, packet?: string): string {
  const body = message.length > LONGEST ? `${message.slice(0, LONGEST)} …` : message
  return [body, ...(isFirstMessage(prompt, words) ? [words.intro] : []), ...(packet ? [packet] : [])].join('\n\n')
}

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
