/** What people's answers demand. */
import type { Constraint } from './job'
import { sameValue } from './ops/compare'
import { parseDecimal } from './ops/decimal'
import { type Fact, plain } from './ops/facts'
import { fileNameIn, looksLikeFile, namesFile } from './ops/fileNames'
import type { ConstraintQuestion } from './questions'

const LONGEST_SAID = 200

const LEAVE_OUT =
  /\b(?:leave (?:it|this|that|them)?\s*out|skip|drop|ignore|exclude|neither|none|omit)\b|不计|不算|去掉|略过|跳过|排除|忽略|都不/i

const IS_THERE =
  /\b(?:there now|is there|are there|put (?:it|them)|added|copied|uploaded|done|ready)\b|放好|放进|已放|加好|补上|在了|好了/i

/**
 * All constraints in an answer.
 *
 * out     a value (one of those asked, or another number), leave out, kinds of files, a folder, a pasted text; a note when
 *         nothing is understood: it is reported and has no effect. Several only for one question about several files
 */
export function readAnswers({ text: question, about }: ConstraintQuestion, answer: string, by: string): Constraint[] {
  const { key, column } = { key: '', column: '', ...about }
  const base = { by, said: shortened(answer), question, key, column }
  const meant = (kind: Constraint['kind'], value: string | null): Constraint[] => [
    value === null ? { ...base, value: '', kind: 'note' } : { ...base, value, kind },
  ]
  switch (about.kind) {
    case 'contradiction':
      if (LEAVE_OUT.test(answer)) return meant('drop', '')
      return meant('value', valueIn(answer, about.values, about.facts))
    case 'kinds': {
      const named = about.kinds.filter((kind) => new RegExp(`(?<![a-z0-9])${kind}(?![a-z0-9])`, 'i').test(answer))
      const all = /\ball\b|\bboth\b|全部|所有|都/i.test(answer) ? about.kinds : []
      return meant('kinds', (named.length > 0 ? named : all).join(',') || null)
    }
    case 'missing': {
      const kind = LEAVE_OUT.test(answer) ? 'without_file' : IS_THERE.test(answer) ? 'file_added' : null
      if (kind === null) return meant('note', '')
      const named = about.files.filter((file) => namesFile(answer, file.path))
      return (named.length > 0 ? named : about.files).flatMap((file) => meant(kind, fileNameIn(file.path)))
    }
    case 'unwritten': {
      const path = pathAtEnd(answer)
      return meant('report_path', path !== null && looksLikeFile(path) ? path : null)
    }
    case 'where': {
      const [, fenced] = /```[^\n]*\n([\s\S]*?)\n?```/.exec(answer) ?? []
      const whole = answer.trim()
      if (fenced) return meant('paste', fenced)
      return whole.length >= 200 || whole.split('\n').length >= 3
        ? meant('paste', whole)
        : meant('where', pathAtEnd(answer))
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
  const line = answer.trim().replace(/\s*\n\s*/g, ' / ')
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
