/** Decisions of people as constraints, read from the messages and the history in the prompt. */
import { mergeConstraints, readAnswers } from './constraints'
import { findingsFrom, jobWith } from './findings'
import type { Constraint, Job } from './job'
import { ownJob, wordsFor } from './promptJob'
import { type ConstraintQuestion, lastAsked, questionsOf } from './questions'
import type { RehearsalPrompt, ShownStep, TeamMember } from './readPrompt'

/** Oldest first; a later answer replaces an earlier one to the same question. */
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
