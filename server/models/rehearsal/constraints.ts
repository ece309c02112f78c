import type { Constraint, StageProblem } from './job'
import { contradictions, sameValue } from './ops/compare'
import { parseDecimal } from './ops/decimal'
import { type Fact, plain } from './ops/facts'
import { countKinds, fileKindOf, fileNameIn, namesFile } from './ops/fileNames'
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
export const MOST_QUESTIONS = 3

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

export function kindsQuestion(paths: readonly string[], words: Words): ConstraintQuestion | null {
  const kinds = countKinds(paths)
  const readable = kinds.filter((kind) => kind.readable).map((kind) => kind.kind)
  if (readable.length < 2) return null
  return {
    text: words.whichCount(kinds),
    choices: [...readable, words.allOfThem],
    about: { kind: 'kinds', kinds: readable },
  }
}

const LONGEST_SAID = 200

const LEAVE_OUT =
  /\b(?:leave (?:it|this|that|them)?\s*out|skip|drop|ignore|exclude|neither|none|omit)\b|不计|不算|去掉|略过|跳过|排除|忽略|都不/i

const IS_THERE =
  /\b(?:there now|is there|are there|put (?:it|them)|added|copied|uploaded|done|ready)\b|放好|放进|已放|加好|补上|在了|好了/i

/** The meaning of an answer about missing files: one constraint per file, for the named files if it names some. */
function readFilesAnswer(
  question: ConstraintQuestion,
  files: { path: string }[],
  answer: string,
  by: string,
): Constraint[] {
  const base = { by, said: shortened(answer), question: question.text, key: '', column: '', value: '' }
  const kind = LEAVE_OUT.test(answer) ? 'without_file' : IS_THERE.test(answer) ? 'file_added' : 'note'
  if (kind === 'note') return [{ ...base, kind }]
  const named = files.filter((file) => namesFile(answer, file.path))
  return (named.length > 0 ? named : files).map((file) => ({ ...base, kind, value: fileNameIn(file.path) }))
}

/** All constraints in an answer. out: never empty; several only for one question about several files */
export function readAnswers(question: ConstraintQuestion, answer: string, by: string): Constraint[] {
  return question.about.kind === 'missing'
    ? readFilesAnswer(question, question.about.files, answer, by)
    : [readAnswer(question, answer, by)]
}

/**
 * out     a value (one of those asked, or another number), leave out, kinds of files, a folder, a pasted text; a note when
 *         nothing is understood: it is reported and has no effect
 */
export function readAnswer(question: ConstraintQuestion, answer: string, by: string): Constraint {
  const base = { by, said: shortened(answer), question: question.text, key: '', column: '', value: '' }
  const about = question.about
  const note: Constraint = { ...base, kind: 'note' }
  const withValue = (kind: Constraint['kind'], value: string | null): Constraint =>
    value === null ? note : { ...base, kind, value }
  switch (about.kind) {
    case 'contradiction': {
      const asked = { ...base, key: about.key, column: about.column }
      if (LEAVE_OUT.test(answer)) return { ...asked, kind: 'drop' }
      const value = valueIn(answer, about.values, about.facts)
      return value === null ? { ...asked, kind: 'note' } : { ...asked, kind: 'value', value }
    }
    case 'kinds': {
      const named = about.kinds.filter((kind) => new RegExp(`(?<![a-z0-9])${kind}(?![a-z0-9])`, 'i').test(answer))
      const all = /\ball\b|\bboth\b|全部|所有|都/i.test(answer) ? about.kinds : []
      const meant = named.length > 0 ? named : all
      return withValue('kinds', meant.length > 0 ? meant.join(',') : null)
    }
    case 'missing':
      return note
    case 'unwritten': {
      const path = pathAtEnd(answer)
      return withValue('report_path', path !== null && fileKindOf(path) !== '' ? path : null)
    }
    case 'where': {
      const fence = /```[^\n]*\n([\s\S]*?)\n?```/.exec(answer)
      if (fence?.[1]) return withValue('paste', fence[1])
      const whole = answer.trim()
      if (whole.length >= 200 || whole.split('\n').length >= 3) return withValue('paste', whole)
      return withValue('where', pathAtEnd(answer))
    }
  }
}

/** The last word of an answer, where people write a path. */
function pathAtEnd(answer: string): string | null {
  const path = /[^\s`"'“”「」，。,;]*[\p{L}\p{N}_/](?=[`"'“”「」，。,;.]*\s*$)/u.exec(answer.trim())
  return path?.[0] ? path[0].replace(/\/$/, '') : null
}

/** One line of an answer. A pasted text is stored separately, whole. */
function shortened(answer: string): string {
  const line = oneLine(answer.trim())
  return line.length > LONGEST_SAID ? `${line.slice(0, LONGEST_SAID)} …` : line
}

function valueIn(answer: string, values: readonly string[], facts: readonly Fact[]): string | null {
  const trimmed = answer.trim()
  const exact = values.find((value) => sameValue(value, trimmed))
  if (exact !== undefined) return exact
  const numbers = trimmed.match(/(?<![\w.,])[€$£¥]?-?\d[\d.,]*\d|(?<![\w.,])-?\d/g) ?? []
  const spoken = [...new Set(numbers.flatMap((number) => values.filter((value) => sameValue(value, number))))]
  if (spoken.length === 1) return spoken[0] ?? null
  const files = facts.filter((fact) => namesFile(trimmed, fact.file))
  const fromFiles = [...new Set(files.map((fact) => fact.value))]
  if (fromFiles.length === 1) return fromFiles[0] ?? null
  const texts = values.filter(
    (value) => parseDecimal(value) === null && trimmed.toLowerCase().includes(value.toLowerCase()),
  )
  if (texts.length === 1) return texts[0] ?? null
  // The person may name a value that no list has.
  return spoken.length === 0 && numbers.length === 1 && parseDecimal(numbers[0] ?? '') !== null
    ? (numbers[0] ?? null)
    : null
}

/** A later constraint replaces an earlier one of the same key and column. */
export function mergeConstraints(earlier: readonly Constraint[], later: readonly Constraint[]): Constraint[] {
  const kept = new Map<string, Constraint>()
  for (const constraint of [...earlier, ...later]) {
    const id = identityOf(constraint)
    kept.delete(id)
    kept.set(id, constraint)
  }
  return [...kept.values()]
}

function identityOf({ kind, key, column, question, value }: Constraint): string {
  if (key !== '') return JSON.stringify(['key', plain(key), plain(column)])
  return JSON.stringify([kind, question, kind === 'without_file' || kind === 'file_added' ? value : ''])
}

const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' / ')
