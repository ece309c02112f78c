/** The questions to people: what findings leave open, and the problems of a stage. */
import { type Findings, readFiles } from './findings'
import type { Job, StageProblem } from './job'
import { contradictions, sameValue } from './ops/compare'
import { type Fact, plain } from './ops/facts'
import { countKinds, fileNameIn } from './ops/fileNames'
import type { ShownStep } from './readParts'
import type { Words } from './words'

export type ConstraintQuestion = {
  text: string
  choices: string[]
  about:
    | { kind: 'contradiction'; key: string; column: string; facts: Fact[]; values: string[] }
    | { kind: 'kinds'; kinds: string[] }
    | { kind: 'where' }
    | StageProblem
}

/** Most questions about contradicting values, one per key. */
const MOST_QUESTIONS = 3
const MOST_PLACES = 6

/** All questions, most important first: nothing could be read; values contradict; unclear which kinds of files count. */
export function questionsOf(findings: Findings, job: Job, words: Words): ConstraintQuestion[] {
  if (job.lack !== null) return [problemQuestion(job.lack, words)]
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
  const isEveryKind = job.only.length > 0 || job.unit === 'files' || job.change !== null
  return job.op === 'count' && !isEveryKind ? kindsQuestions(findings, words) : []
}

export function contradictionQuestions(facts: readonly Fact[], words: Words): ConstraintQuestion[] {
  // A single column needs no name in the question.
  const isOneColumn = new Set(facts.map((fact) => plain(fact.column))).size === 1
  return contradictions(facts).map(({ key, column, facts: same, values }) => {
    const alternatives = values.flatMap((value) => same.find((fact) => sameValue(fact.value, value)) ?? [])
    return {
      text: words.whichHolds(key, isOneColumn ? null : column, alternatives),
      choices: [...values, words.leaveItOut],
      about: { kind: 'contradiction', key, column, facts: same, values },
    }
  })
}

function kindsQuestions({ files }: Findings, words: Words): ConstraintQuestion[] {
  const all = countKinds(files.filter((file) => file.state !== 'missing').map((file) => file.path))
  const kinds = all.flatMap(({ kind, readable }) => (readable ? [kind] : []))
  if (kinds.length < 2) return []
  return [{ text: words.whichCount(all), choices: [...kinds, words.allOfThem], about: { kind: 'kinds', kinds } }]
}

export function problemQuestion(problem: StageProblem, words: Words): ConstraintQuestion {
  if (problem.kind === 'unwritten')
    return { text: words.whereElse(problem.path, problem.reason), choices: [words.leaveUnwritten], about: problem }
  const named = problem.files.map((file) => ({ name: fileNameIn(file.path), in: shortPlace(file.named_in) }))
  return { text: words.notThere(named), choices: [words.leaveItOut, words.itIsThere], about: problem }
}

/** `prices/index.md line 5` → `index.md line 5`. */
const shortPlace = (place: string | null): string | null => place?.replace(/^\S*\/(?=[^/\s]+(?:\s|$))/, '') ?? null

/** The question of the last finished message among these steps; null when it asked none of these. */
export function lastAsked(
  items: readonly ShownStep[],
  questions: readonly ConstraintQuestion[],
): ConstraintQuestion | null {
  const sent = items.filter(({ executor, state }) => executor === 'send_message' && state === 'finished')
  const asked = sent.flatMap(({ result }) => questions.find(({ text }) => result.includes(text)) ?? [])
  return asked.at(-1) ?? null
}
