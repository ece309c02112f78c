import { findingsOf, finishedItems, historyJob, jobOf, tagged, taggedJson, wordsFor } from '../common'
import { readAnswers } from '../constraints'
import { readFactsPacket } from '../factsPacket'
import { type Job, JobShape, withJob } from '../job'
import { lastAsked, questionsOf } from '../questions'
import type { RehearsalPrompt, ShownMessage } from '../readPrompt'
import { askerOf, readRequest } from '../request'
import { WORDS, type Words } from '../words'

export function playProcessMessage(prompt: RehearsalPrompt): string {
  const message = prompt.step.message
  const job = historyJob(prompt)
  const words = wordsFor(prompt, job)
  if (message === null) return tagged('process_message', words.tookNote(prompt.step.members[0]?.name ?? ''))
  switch (message.kind) {
    case 'agent':
      return fromAgent(message, words)
    case 'person':
    case 'outside':
      return prompt.role.manages && prompt.step.baseTask
        ? toManager(prompt, message, words)
        : fromPerson(prompt, message, words)
    default:
      return tagged('process_message', words.tookNote(message.from))
  }
}

/** A packet counts only when it comes from another agent; from a person or a file it is plain text. */
function fromAgent(message: ShownMessage, words: Words): string {
  const packet = readFactsPacket(message.text)
  if (packet === null) return tagged('process_message', words.tookNote(message.from))
  const { facts, facts_in_all: inAll } = packet.context.artifacts
  return tagged('process_message', words.tookHandoff(message.from, facts?.length ?? inAll))
}

function fromPerson(prompt: RehearsalPrompt, message: ShownMessage, words: Words): string {
  const job = jobOf(prompt)
  const asked = job === null ? null : lastAsked(prompt.history, questionsOf(findingsOf(prompt, job), job, words))
  if (asked === null) return tagged('process_message', words.tookNote(message.from))
  const constraints = readAnswers(asked, message.text, message.from)
  return tagged('process_message', words.tookAnswer(message.from, constraints[0]?.said ?? ''))
}

/** The answer to a manager's question completes the request. Its reply was sent already, so a new message reports the work. */
function toManager(prompt: RehearsalPrompt, message: ShownMessage, words: Words): string {
  const asked = finishedItems(prompt, 'send_message').at(-1)?.result ?? ''
  const isPlace = Object.values(words.verbs).some((verb) => asked.includes(words.whichPlace(verb)))
  if (!isPlace && !asked.includes(words.whichVerb)) return tagged('process_message', words.tookNote(message.from))
  const request = readRequest(prompt, message, words, isPlace)
  const said = tagged('process_message', words.tookWork(message.from))
  const react = (text: string, job: Job): string =>
    `${said}\n${taggedJson('react_action', { step_intention: words.arrangeIntention, text_content: withJob(text, job) })}`
  if (request.ok) return react(words.arrange(message.from, request.job.wish), { ...request.job, do: 'begun' })
  // The operation is unknown yet: only the question is read from this block.
  const language = words === WORDS.zh ? 'zh' : 'en'
  return react(
    request.question,
    JobShape.parse({ op: 'count', asker: askerOf(message), about: request.question, do: 'clarify', language }),
  )
}
