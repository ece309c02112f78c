/** Questions that findings still raise, and the one that a message answered. */

import { constraintsOf } from './common'
import { type ConstraintQuestion, contradictionQuestions, kindsQuestion, MOST_QUESTIONS } from './constraints'
import { type Findings, readFiles } from './findings'
import type { Job } from './job'
import { fileNameIn } from './ops/fileNames'
import type { RehearsalPrompt, ShownStep } from './readPrompt'
import type { Words } from './words'

const MOST_PLACES = 6

/** All questions, most important first: nothing could be read; values contradict; unclear which kinds of files count. */
export function questionsOf(findings: Findings, job: Job, words: Words): ConstraintQuestion[] {
  const refused = findings.files.find(
    (file) => file.state === 'failed' && file.note !== null && job.where.includes(file.path),
  )
  if (refused && readFiles(findings).length === 0) {
    const { path, note } = refused
    const isGone = /ENOENT|no such file/i.test(note ?? '')
    const text = words.otherPlace(isGone ? words.notInWorkspace(path) : words.couldNotRead(path, note ?? ''))
    return [{ text, choices: findings.around.slice(0, MOST_PLACES), about: { kind: 'where' } }]
  }
  if (job.op === 'compare') {
    // Short file names, unless two files share one.
    const names = new Set(findings.facts.map((fact) => fact.file))
    const isClear = new Set([...names].map(fileNameIn)).size === names.size
    const facts = isClear ? findings.facts.map((fact) => ({ ...fact, file: fileNameIn(fact.file) })) : findings.facts
    return contradictionQuestions(facts, words).slice(0, MOST_QUESTIONS)
  }
  const counts = job.op === 'count' && job.only.length === 0 && job.unit !== 'files'
  const there = findings.files.filter((file) => file.state !== 'missing').map((file) => file.path)
  const kinds = counts ? kindsQuestion(there, words) : null
  return kinds === null ? [] : [kinds]
}

/** Questions without an answer. */
export function openQuestions(
  prompt: RehearsalPrompt,
  findings: Findings,
  job: Job,
  words: Words,
): ConstraintQuestion[] {
  const answered = new Set(constraintsOf(prompt, job).map((one) => one.question))
  return questionsOf(findings, job, words).filter((question) => !answered.has(question.text))
}

/** The question of the last finished message among these steps; null when it asked none of these. */
export function lastAsked(
  items: readonly ShownStep[],
  questions: readonly ConstraintQuestion[],
): ConstraintQuestion | null {
  for (const item of items.toReversed()) {
    if (item.executor !== 'send_message' || item.state !== 'finished') continue
    const asked = questions.find((question) => item.result.includes(question.text))
    if (asked !== undefined) return asked
  }
  return null
}
