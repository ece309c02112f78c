/** Parses YAML into a checked file, or all errors with line and column. */
import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit } from 'yaml'
import type { z } from 'zod'
import { isNumberChanged } from '@/lib/jsonNumbers'
import { type Finding, type Problem, sayPath } from './ConfigError'
import { crossCheck } from './crossCheck'
import { placeInFile, readKeys } from './fileKeys'
import { hintFor } from './nearest'
import { type ConfigFile, configFile } from './schema'

type Read = { ok: true; file: ConfigFile } | { ok: false; problems: Problem[] }

/** in: the text, and its name for messages. out: the file, or all errors in the order of the text */
export function readDocument(text: string, name: string): Read {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  const broken = [...document.errors, ...document.warnings].map((error): Problem => {
    const { line, col } = lines.linePos(error.pos[0])
    return { file: name, line, column: col, at: '', message: error.message, hint: SYNTAX_HINTS[error.code] ?? null }
  })
  if (broken.length > 0) return { ok: false, problems: inOrder(broken) }

  const changed = changedNumbers(document)
  if (changed.length > 0) {
    const place = ({ at, number }: (typeof changed)[number]): Problem => {
      const { line, col } = lines.linePos(at)
      const message = `${number} has more digits than a number keeps`
      return { file: name, line, column: col, at: '', message, hint: `Put it in quotes: "${number}"` }
    }
    return { ok: false, problems: inOrder(changed.map(place)) }
  }
  const value: unknown = document.toJS()
  if (value === null || value === undefined) {
    const hint = 'config/convene.yaml in the repository is a complete example.'
    return { ok: false, problems: [{ file: name, line: 1, column: 1, at: '', message: 'the file is empty', hint }] }
  }
  const schema = configFile()
  const { value: fields, unknown } = readKeys(schema, value)
  const parsed = schema.safeParse(fields)
  const wrong = [...unknown, ...(parsed.error?.issues.map((issue) => explain(issue, value, schema)) ?? [])]
  const findings = parsed.success && wrong.length === 0 ? crossCheck(parsed.data) : wrong
  if (parsed.success && findings.length === 0) return { ok: true, file: parsed.data }
  return { ok: false, problems: inOrder(findings.map((finding) => place(finding, document, lines, name))) }
}

/** The numbers of the file that would be read as others. */
function changedNumbers(document: Document): { at: number; number: string }[] {
  const found: { at: number; number: string }[] = []
  visit(document, {
    Scalar(_key, { value, source, range }) {
      if (typeof value === 'number' && source !== undefined && isNumberChanged(source))
        if (!Number.isNaN(value) && /\d/.test(source)) found.push({ at: range?.[0] ?? 0, number: source })
    },
  })
  return found
}

/** Adds positions in the text to findings of later checks. */
export function placeIn(text: string, name: string, findings: readonly Finding[]): Problem[] {
  if (findings.length === 0) return []
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
  return inOrder(findings.map((finding) => place(finding, document, lines, name)))
}

const SYNTAX_HINTS: Partial<Record<string, string>> = {
  TAB_AS_INDENT: 'Indent with spaces; YAML does not take tabs.',
  DUPLICATE_KEY: 'Write each key once.',
  BAD_INDENT: 'Keys of one level start in the same column.',
  MISSING_CHAR: 'A bracket or a quote is opened and not closed, or a colon is missing.',
  BLOCK_AS_IMPLICIT_KEY: 'A text with a colon and a space in it must stand in quotes.',
}

const inOrder = (problems: Problem[]): Problem[] =>
  problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))

/** A schema issue as text. */
function explain(issue: z.core.$ZodIssue, root: unknown, schema: z.core.$ZodType): Finding {
  const { path, times } = placeInFile(schema, issue.path)
  const given = valueAt(root, path)
  const finding = (message: string, hint: string | null = null): Finding => ({ path, isKey: false, message, hint })
  switch (issue.code) {
    case 'invalid_type':
      if (given === undefined) return finding('is missing', `Write ${sayKey(path)} here.`)
      return finding(
        `must be ${sayType(issue.expected)}, not ${sayType(typeOf(given))}`,
        typeHint(issue.expected, given),
      )
    case 'invalid_value': {
      const values = issue.values.map(String)
      if (given === undefined) return finding('is missing', `One of: ${values.join(', ')}`)
      return finding(`"${String(given)}" is not one of the choices`, hintFor(String(given), values))
    }
    case 'too_small':
      return finding(
        issue.message.startsWith('Too small') ? `must be at least ${Number(issue.minimum) / times}` : issue.message,
      )
    case 'too_big':
      return finding(`must be at most ${Number(issue.maximum) / times}`)
    case 'invalid_key':
      return { ...finding(issue.issues[0]?.message ?? 'this name is not allowed'), isKey: true }
    case 'custom':
      return finding(issue.message, typeof issue.params?.hint === 'string' ? issue.params.hint : null)
    default:
      return finding(issue.message)
  }
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root
  for (const part of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = Reflect.get(value, part)
  }
  return value
}

const TYPES: Partial<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a block of keys',
  record: 'a block of keys',
  null: 'empty',
}
const sayType = (type: string): string => TYPES[type] ?? type
const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value)
const sayKey = (path: readonly PropertyKey[]): string => `${String(path.at(-1) ?? '')}: …`

function typeHint(expected: string, given: unknown): string | null {
  if (expected === 'array')
    return typeof given === 'string' ? `A list is written [${given}]` : 'A list is written [one, two]'
  if (expected === 'string' && typeof given !== 'object') return `Put it in quotes: "${String(given)}"`
  if (expected === 'boolean') return 'Write true or false, without quotes.'
  if ((expected === 'number' || expected === 'int') && typeof given === 'string')
    return 'Write it without quotes or units.'
  return null
}

function place(finding: Finding, document: Document, lines: LineCounter, name: string): Problem {
  const { line, col } = lines.linePos(offsetOf(finding, document))
  return { file: name, line, column: col, at: sayPath(finding.path), message: finding.message, hint: finding.hint }
}

/** The position of a finding: its value, its key, or for something missing the block that lacks it. */
function offsetOf({ path, isKey }: Finding, document: Document): number {
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  for (const [index, part] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document)
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))
      if (pair === undefined) return offset
      const wantsKey = isKey && index === path.length - 1
      offset = (wantsKey ? startOf(pair.key) : (startOf(pair.value) ?? startOf(pair.key))) ?? offset
      node = pair.value
    } else if (isSeq(node) && typeof part === 'number') {
      node = node.items[part]
      offset = startOf(node) ?? offset
    } else return offset
  }
  return offset
}

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined)
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'range' in value
